import KennelStorage

extension DatabaseReader {
  /// The objects but those that another database has under the same keys, certainly with the same values of some
  /// properties; of links the targets have the same keys.
  ///
  /// 256 neighbours are compared at once, which takes less than to read the values of one.
  ///
  /// - Parameters:
  ///   - objects: Objects of one class, in the order of their keys.
  ///   - other: The other database.
  ///   - otherClass: The class there.
  ///   - properties: The properties here and there.
  /// - Returns: The objects that may differ.
  /// - Throws: `DatabaseError` if a file is damaged.
  @_spi(Faces) public final func differing(
    _ objects: some Sequence<ObjectIdentity>,
    from other: DatabaseReader,
    _ otherClass: ClassKey,
    in properties: [(own: PropertySchema, other: PropertySchema)]
  ) throws(DatabaseError) -> [ObjectIdentity] {
    try storing { () throws(StorageError) in
      var different: [ObjectIdentity] = []
      var same = PlaceSet()
      var cluster: UInt64?
      for object in objects {
        if cluster != object.key.cluster {
          cluster = object.key.cluster
          same = try view.samePlaces(
            of: object.classKey,
            object.key.cluster,
            as: otherClass,
            in: other.view,
            properties
          )
        }
        if !same[object.key.place] { different.append(object) }
      }
      return different
    }
  }
}
