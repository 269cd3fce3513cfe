import KennelStorage

extension Database {
  /// Returns the differences between two snapshots.
  ///
  /// No log is kept: commits share the pages that did not change, and only the others are compared.
  /// The cost depends on what changed, not on the size of the file. Adding a property to a class
  /// does not change its objects; setting a value does.
  ///
  /// - Parameters:
  ///   - from: The earlier snapshot; not a copy of a write transaction or a draft.
  ///   - to: The later snapshot, taken while the earlier one existed.
  /// - Returns: The objects created, deleted and changed, with old and new values.
  /// - Throws: `DatabaseError` if the file is damaged, or a snapshot is a copy of a write
  ///   transaction or belongs to another file.
  public func changes(
    from: Snapshot,
    to: Snapshot
  ) throws(DatabaseError) -> ChangeSet {
    var changes = ChangeSet(fromCommit: from.commitNumber, toCommit: to.commitNumber)
    let difference = try storing(StoreDifference(from: from.view, to: to.view))
    changes.created = difference.created
    changes.deleted = difference.deleted
    changes.changed = grouped(difference.changed)
    changes.isSchemaChanged = from.schema != to.schema
    return changes
  }

  /// Single values by object.
  private func grouped(_ values: [StoreDifference.ChangedValue]) -> [ChangeSet.ChangedObject] {
    let sorted = values.sorted { ($0.object, $0.property) < ($1.object, $1.property) }
    var objects: [ChangeSet.ChangedObject] = []
    var start = 0
    while start < sorted.count {
      let object = sorted[start].object
      var end = start
      while end < sorted.count, sorted[end].object == object { end += 1 }
      let properties = sorted[start..<end].map {
        ChangeSet.ChangedProperty(property: $0.property, old: $0.old, new: $0.new)
      }
      objects.append(ChangeSet.ChangedObject(object: object, properties: properties))
      start = end
    }
    return objects
  }
}
