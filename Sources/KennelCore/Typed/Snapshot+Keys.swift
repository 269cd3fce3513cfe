public import KennelStorage

/// Keys of objects without an array for them: for what hands objects out one at a time.
extension Snapshot {
  /// Copies the keys of the first objects that a list or set links to.
  ///
  /// Constant. It asks only what lies in memory already.
  ///
  /// - Parameters:
  ///   - object: The object.
  ///   - list: A list or set of links of its class.
  ///   - keys: Gets the keys of the first eight links, or of as many as there are.
  /// - Returns: The number of links; `nil` where ``count(in:_:)`` and
  ///   ``target(at:in:_:)`` have to be asked.
  @inlinable
  public final func copyTargets(
    of object: ObjectIdentity,
    _ list: Property<[ObjectIdentity]>,
    into keys: inout [8 of ObjectKey]
  ) -> Int? {
    guard let found = points.keys(object, list.key) else { return nil }
    for index in 0..<min(found.count, 8) { keys[index] = found[index] }
    return found.count
  }

  /// Copies the keys of the first objects that link to an object through a property.
  ///
  /// Constant. It asks only what lies in memory already.
  ///
  /// - Parameters:
  ///   - target: The object that is linked to.
  ///   - property: The link property of the origins.
  ///   - keys: Gets the keys of the first eight, or of as many as there are.
  /// - Returns: The number of links; `nil` where ``forEachOrigin(of:through:_:)`` has to be asked.
  @inlinable
  public final func copyOrigins<V>(
    of target: ObjectIdentity,
    through property: Property<V>,
    into keys: inout [8 of ObjectKey]
  ) -> Int? {
    guard target.classKey == property.target,
      let found = points.origins(target, property.backlinkSlot)
    else { return nil }
    for index in 0..<min(found.count, 8) { keys[index] = found[index] }
    return found.count
  }
}
