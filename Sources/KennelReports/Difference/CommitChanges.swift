package import KennelCore

/// Reports the changes between two snapshots of a file.
package enum CommitChanges {
  /// Reports what differs, embedded objects one by one.
  ///
  /// The time depends on what changed, not on the size of the file.
  ///
  /// - Parameters:
  ///   - old: The earlier snapshot.
  ///   - new: The later snapshot of the same file.
  ///   - classKey: The class to report; `nil` for all.
  ///   - progress: Receives progress and can cancel.
  ///   - found: Called with each difference.
  /// - Throws: `DatabaseError` if the file is damaged or the work was cancelled, and what `found`
  ///   throws.
  package static func report(
    from old: Snapshot,
    to new: Snapshot,
    class classKey: ClassKey? = nil,
    progress: QueryProgress = .none,
    found: (ReportedChange) throws(DatabaseError) -> Void
  ) throws(DatabaseError) {
    let changes = try new.database.changes(from: old, to: new)
    func isWanted(_ object: ObjectIdentity) -> Bool {
      classKey.map { $0 == object.classKey } ?? true
    }
    let created = changes.created.filter(isWanted)
    let deleted = changes.deleted.filter(isWanted)
    let changed = changes.changed.filter { isWanted($0.object) }
    if changes.isSchemaChanged {
      let name = classKey.flatMap { (new.schema[$0] ?? old.schema[$0])?.name }
      for change in SchemaDifference.between(old.schema, new.schema, class: name) {
        try found(.schema(change))
      }
    }
    let before = ValueComparison(reader: old, includesEmbedded: false)
    let after = ValueComparison(reader: new, includesEmbedded: false)
    let total = created.count + deleted.count + changed.count
    var done = 0
    func show() throws(DatabaseError) {
      if done % 1_024 == 0 { try progress.show(done, of: total) }
      done += 1
    }
    for object in created {
      try show()
      try found(.object(ObjectDifference(.created, object, after)))
    }
    for change in changed {
      try show()
      try found(.object(try self.change(change, before, after)))
    }
    for object in deleted {
      try show()
      try found(.object(ObjectDifference(.deleted, object, before)))
    }
  }

  private static func change(
    _ change: ChangeSet.ChangedObject,
    _ before: ValueComparison,
    _ after: ValueComparison
  ) throws(DatabaseError) -> ObjectDifference {
    var values: [ValueChange] = []
    for difference in change.properties {
      let classKey = change.object.classKey
      guard let property = after.reader.schema.property(difference.property, of: classKey) else {
        continue
      }
      let earlier = before.reader.schema.property(difference.property, of: classKey) ?? property
      let old = try before.compared(difference.old, earlier)
      let new = try after.compared(difference.new, property)
      values += ValueChange.between(old, new, at: property.name)
    }
    return try ObjectDifference(
      .changed,
      old: change.object,
      new: change.object,
      values,
      named: change.object,
      in: after.reader
    )
  }
}
