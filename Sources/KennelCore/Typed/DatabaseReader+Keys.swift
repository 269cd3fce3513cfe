public import KennelStorage

/// Copies keys of objects without allocating an array, for callers that return objects one at a
/// time.
extension DatabaseReader {
  /// Copies the keys of the first targets of a list or set of links.
  ///
  /// Constant. It reads only what is in memory already.
  ///
  /// - Parameters:
  ///   - object: The object.
  ///   - list: A list or set of links of its class.
  ///   - keys: Receives the keys of up to eight links.
  /// - Returns: The number of links; `nil` on a miss: fall back to ``count(in:property:)`` and
  ///   ``target(at:in:property:)``.
  @_spi(Faces)
  public final func copyTargets(
    of object: ObjectIdentity,
    _ list: TypedProperty<[ObjectIdentity]>,
    into keys: inout [8 of ObjectKey]
  ) -> Int? {
    guard let found = points.keys(object, list.key) else { return nil }
    for index in 0..<min(found.count, 8) { keys[index] = found[index] }
    return found.count
  }

  /// Copies the keys of the first objects that link to an object through a property.
  ///
  /// Constant. It reads only what is in memory already.
  ///
  /// - Parameters:
  ///   - target: The target of the links.
  ///   - property: The link property.
  ///   - keys: Receives the keys of up to eight objects.
  /// - Returns: The number of links; `nil` on a miss: fall back to
  ///   ``forEachOrigin(of:through:_:)``.
  @_spi(Faces)
  public final func copyOrigins<V>(
    of target: ObjectIdentity,
    through property: TypedProperty<V>,
    into keys: inout [8 of ObjectKey]
  ) -> Int? {
    guard target.classKey == property.target,
      let found = points.origins(target, property.backlinkSlot)
    else { return nil }
    for index in 0..<min(found.count, 8) { keys[index] = found[index] }
    return found.count
  }

  /// Prefetches the memory that reading properties of an object needs, for callers that are about
  /// to read all of them.
  ///
  /// - Parameters:
  ///   - object: The object.
  ///   - properties: The properties.
  @_spi(Faces)
  public final func prefetch(_ object: ObjectIdentity, _ properties: [PropertyKey]) {
    points.prefetch(object, properties)
  }

  /// Copies the keys of objects of a class from a key on, ascending.
  ///
  /// Constant if the objects lie close together.
  ///
  /// - Parameters:
  ///   - classKey: The class.
  ///   - start: The first key to consider.
  ///   - keys: Receives up to eight keys.
  /// - Returns: The number of keys; less than eight only at the end.
  /// - Throws: `DatabaseError` if the file is damaged.
  @_spi(Faces)
  public final func copyKeys(
    of classKey: ClassKey,
    from start: ObjectKey,
    into keys: inout [8 of ObjectKey]
  ) throws(DatabaseError) -> Int {
    var count = 0
    var next = start.rawValue
    while let cluster = try liveObjects(of: classKey, from: next >> 8) {
      let first = cluster.number << 8
      let place = next > first ? Int(next - first) : 0
      for index in place >> 6..<4 {
        var word = cluster.live[index]
        if index == place >> 6 {
          word &= .max << UInt64(place & 63)
          // Eight in a row are what most walks go on with.
          if count == 0, place & 63 <= 56, word >> UInt64(place & 63) & 0xFF == 0xFF {
            let base = first | UInt64(place)
            for offset in 0..<8 { keys[offset] = ObjectKey(rawValue: base + UInt64(offset)) }
            return 8
          }
        }
        while word != 0 {
          let bit = UInt64(word.trailingZeroBitCount)
          keys[count] = ObjectKey(rawValue: first | UInt64(index << 6) | bit)
          count += 1
          if count == 8 { return 8 }
          word &= word &- 1
        }
      }
      next = first + 256
    }
    return count
  }
}
