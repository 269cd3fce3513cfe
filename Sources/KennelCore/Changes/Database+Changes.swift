import KennelStorage

extension Database {
  /// What differs between two snapshots of commits.
  ///
  /// Nothing is logged for it: a commit shares with the one before it every page that it did not
  /// change, and only the others are looked at. The cost is what changed, however large the file.
  /// Objects do not count as changed because a property was added to their class; a value that
  /// was set since then does.
  ///
  /// - Parameters:
  ///   - from: The earlier snapshot; not a copy of a write transaction or a draft.
  ///   - to: The later snapshot, made while the earlier one was alive.
  /// - Returns: The objects created, deleted and changed, with values before and after.
  /// - Throws: `DatabaseError` if the file is damaged, or one of the snapshots is a copy of a write
  ///   transaction or of another file.
  public func changes(
    from: Snapshot,
    to: Snapshot
  ) throws(DatabaseError) -> ChangeSet {
    var changes = ChangeSet(fromCommit: from.commitNumber, toCommit: to.commitNumber)
    let difference = try storing { () throws(StorageError) in
      try StoreDifference(from: from.view, to: to.view)
    }
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
