public import KennelStorage

/// The edges of the graph, backwards.
extension DatabaseReader {
  /// Returns the backlinks of an object, grouped by class and property.
  ///
  /// Every link property has backlinks, declared or not. The owner of an embedded object is not
  /// included, see ``owner(of:)``.
  ///
  /// - Parameter object: The target of the links.
  /// - Returns: The nonempty groups, in the order of the schema.
  /// - Throws: `DatabaseError` if there is no such object, or the file is damaged.
  public final func backlinks(
    to object: ObjectIdentity
  ) throws(DatabaseError) -> [BacklinkGroup] {
    let schema = try classSchema(object.classKey)
    guard try contains(object) else { throw missing(object) }
    var groups: [BacklinkGroup] = []
    for column in schema.backlinkColumns {
      if view.schema.property(column.property, of: column.origin)?.isEmbedded ?? true { continue }
      let count = try storing(view.backlinks.origins(of: object, column.number).count)
      if count > 0 {
        groups.append(BacklinkGroup(origin: column.origin, property: column.property, count: count))
      }
    }
    return groups.sorted { ($0.origin, $0.property) < ($1.origin, $1.property) }
  }

  /// Returns a range of the objects that link to an object through one property of one class.
  ///
  /// - Parameters:
  ///   - origin: The class with the link property.
  ///   - property: The link property.
  ///   - object: The target of the links.
  ///   - range: The positions. Those that do not exist are omitted.
  /// - Returns: The linking objects, in the order of their keys. One that links twice occurs twice.
  /// - Throws: `DatabaseError` if the file is damaged.
  public final func origins(
    of origin: ClassKey,
    property: PropertyKey,
    to object: ObjectIdentity,
    in range: Range<Int>
  ) throws(DatabaseError) -> Objects {
    guard let slot = links.slot(object.classKey, origin, property), try contains(object) else {
      return Objects(origin, [])
    }
    return try storing { () throws(StorageError) in
      let list = try view.backlinks.origins(of: object, slot)
      let keys = try list.keys(range.clamped(to: 0..<list.count))
      return Objects(origin, keys.map(ObjectKey.init(rawValue:)))
    }
  }

  /// Returns a range of the objects of a group of backlinks.
  ///
  /// - Parameters:
  ///   - group: The group, from ``backlinks(to:)``.
  ///   - object: The target of the links.
  ///   - range: The positions. Those that do not exist are omitted.
  /// - Returns: The linking objects, in the order of their keys. One that links twice occurs twice.
  /// - Throws: `DatabaseError` if the file is damaged.
  public final func origins(
    of group: BacklinkGroup,
    to object: ObjectIdentity,
    in range: Range<Int>
  ) throws(DatabaseError) -> Objects {
    try origins(of: group.origin, property: group.property, to: object, in: range)
  }

  /// Returns the number of links from one property of one class to an object.
  ///
  /// - Parameters:
  ///   - origin: The class with the link property.
  ///   - property: The link property.
  ///   - object: The target of the links.
  /// - Returns: The number of links; 0 if the object does not exist.
  /// - Throws: `DatabaseError` if the file is damaged.
  public final func backlinkCount(
    of origin: ClassKey,
    property: PropertyKey,
    to object: ObjectIdentity
  ) throws(DatabaseError) -> Int {
    guard let slot = links.slot(object.classKey, origin, property), try contains(object) else {
      return 0
    }
    return try storing(view.backlinks.origins(of: object, slot).count)
  }

  /// Returns the slot that owns an embedded object.
  ///
  /// - Parameter embedded: The embedded object.
  /// - Returns: The slot; `nil` for an object that is not embedded.
  /// - Throws: `DatabaseError` if there is no such object, or the file is damaged.
  public final func owner(of embedded: ObjectIdentity) throws(DatabaseError) -> Slot? {
    for (owner, property) in try owners(of: embedded) {
      if let position = try positions(of: embedded, in: owner, property).first {
        return Slot(owner, property.key, position)
      }
    }
    return nil
  }

  /// Returns the object and the property that own an embedded object, without the position there.
  ///
  /// Takes constant time, whereas ``owner(of:)`` searches the collection.
  ///
  /// - Parameter embedded: The embedded object.
  /// - Returns: The owner and its property; `nil` for an object that is not embedded.
  /// - Throws: `DatabaseError` if there is no such object, or the file is damaged.
  public final func owningProperty(
    of embedded: ObjectIdentity
  ) throws(DatabaseError) -> (owner: ObjectIdentity, property: PropertyKey)? {
    try owners(of: embedded).first.map { ($0.owner, $0.property.key) }
  }

  /// The objects and properties that have an embedded object by its backlinks: one, unless the file is
  /// damaged.
  private func owners(
    of embedded: ObjectIdentity
  ) throws(DatabaseError) -> [(owner: ObjectIdentity, property: PropertySchema)] {
    let schema = try classSchema(embedded.classKey)
    guard schema.isEmbedded else { return [] }
    guard try contains(embedded) else { throw missing(embedded) }
    var owners: [(owner: ObjectIdentity, property: PropertySchema)] = []
    for column in schema.backlinkColumns {
      guard let property = view.schema.property(column.property, of: column.origin),
        property.isEmbedded,
        let owner = try origins(
          of: column.origin,
          property: property.key,
          to: embedded,
          in: 0..<1
        ).first
      else { continue }
      owners.append((owner, property))
    }
    return owners
  }

  /// Where in a property of an object a target is linked; linear in the size of a collection.
  internal final func positions(
    of target: ObjectIdentity,
    in object: ObjectIdentity,
    _ property: PropertySchema
  ) throws(DatabaseError) -> [Slot.Position] {
    if property.columnType.form == .keys, property.type.collection == .set {
      return [.member(.link(target))]
    }
    var positions: [Slot.Position] = []
    // A collection inside a mixed value may hold a link several times.
    for (position, link) in try linkedSlots(of: object, property)
    where link == target && positions.last != position {
      positions.append(position)
    }
    return positions
  }

  /// The objects that a property of an object links to, in order, with duplicates.
  internal final func targets(
    of object: ObjectIdentity,
    _ property: PropertySchema
  ) throws(DatabaseError) -> [ObjectIdentity] {
    try storing { () throws(StorageError) in
      if property.columnType.form == .keys, let target = property.target {
        let list = try view.values.keyList(of: object, property)
        return try list.keys(0..<list.count)
          .map { ObjectIdentity(target, ObjectKey(rawValue: $0)) }
      }
      return try view.values.value(of: object, property).links
    }
  }
}
