public import KennelStorage

extension Schema {
  /// Whether ``WriteTransaction/define(_:migration:)`` would change the schema.
  ///
  /// A program that asks before it defines its classes takes the writer's lock only when it has to.
  ///
  /// - Parameter classes: The classes.
  /// - Returns: Whether something is to be added.
  /// - Throws: `DatabaseError` with code `schemaMismatch` where defining them would be refused.
  public func lacks(_ classes: [ClassDefinition]) throws(DatabaseError) -> Bool {
    var merger = SchemaMerger(self)
    try merger.merge(classes)
    return merger.isChanged
  }
}

extension Snapshot {
  /// The key that the next object of a class gets, if nothing else is created meanwhile.
  ///
  /// - Parameter classKey: The class.
  /// - Returns: The key; no object of the snapshot has it or a greater one.
  public final func firstUnusedKey(of classKey: ClassKey) -> ObjectKey {
    ObjectKey(rawValue: view.record(of: classKey).nextKey)
  }
}
