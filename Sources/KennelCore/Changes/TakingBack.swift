import KennelStorage

extension Database {
  /// Returns the operations that take back what a commit changed, as a draft's records.
  ///
  /// Restored into a draft, they contradict what other commits have changed since: those are
  /// conflicts, as always. Objects that were deleted come back as new objects with the values and the
  /// links that they had; objects that were created are deleted. Classes and properties that were added
  /// are deleted, and have their names and attributes again.
  ///
  /// ```swift
  /// let records = try database.recordsTakingBack(from: before, to: after)
  /// try draft.restore(records)
  /// ```
  ///
  /// Linear in the changes.
  ///
  /// - Parameters:
  ///   - before: The commit before.
  ///   - after: The commit that is taken back, or the last of several.
  ///   - progress: Receives progress and can cancel.
  /// - Returns: The operations, which are undone as one.
  /// - Throws: `DatabaseError` if the commit deleted or converted a part of the schema, an object cannot
  ///   come back, since its unique value is another's by then, `progress` cancelled it, or the file is
  ///   damaged or read-only.
  public func recordsTakingBack(
    from before: Snapshot,
    to after: Snapshot,
    progress: QueryProgress? = nil
  ) throws(DatabaseError) -> [DraftRecord] {
    let draft = try Draft(self, base: after.copy())
    let number = after.commitNumber
    let reversal = try SchemaReversal(from: after.schema, to: before.schema, number)
    var work = TakingBack(draft, before, try changes(from: before, to: after), progress)
    try work.run()
    let whole = progress ?? QueryProgress(isCancelled: { false })
    for change in reversal.changes { try draft.changeSchema(change, progress: whole) }
    guard draft.reader.schema.definitions == before.schema.definitions else {
      throw DatabaseError(
        .schemaMismatch,
        "Commit \(number) changed something of the schema that a draft cannot give back, such as a default"
      )
    }
    var records = draft.records
    for index in records.indices { records[index].step = 1 }
    return records
  }
}

/// Makes the operations of a draft that take back changes.
private struct TakingBack {
  private let draft: Draft
  private let before: Snapshot
  private let changes: ChangeSet
  private let gone: Set<ObjectIdentity>
  /// The new objects, by those that were deleted.
  private var restored: [ObjectIdentity: ObjectIdentity] = [:]
  private let steps: StepProgress
  private let progress: QueryProgress

  init(_ draft: Draft, _ before: Snapshot, _ changes: ChangeSet, _ progress: QueryProgress?) {
    self.draft = draft
    self.before = before
    self.changes = changes
    self.progress = progress ?? QueryProgress(isCancelled: { false })
    gone = Set(changes.deleted)
    // What changed is gone through twice, and so is what was deleted.
    steps = StepProgress(progress, count: 2 * (changes.changed.count + changes.deleted.count))
  }

  /// The values that can be set are set before the objects that came go, which may take others with
  /// them; those that refer to objects that went wait for them, and unique ones for all others.
  mutating func run() throws(DatabaseError) {
    func waits(_ change: ChangeSet.ChangedProperty, _ property: PropertySchema) -> Bool {
      property.isUnique || change.old.links.contains(where: gone.contains)
    }
    try forEachChange { object, change, property throws(DatabaseError) in
      if !waits(change, property) { return try set(object, change, property) }
      if property.isUnique, property.type.isOptional, !change.new.isNull {
        try draft.set(object, property: property.key, to: .null)
      }
    }
    let created = changes.created.filter { !isEmbedded($0) }
    if !created.isEmpty { try draft.delete(created, progress: progress) }
    for object in changes.deleted where !isEmbedded(object) {
      try steps.next()
      try create(object)
    }
    for (object, copy) in restored.sorted(by: { $0.key < $1.key }) {
      try steps.next()
      try fill(copy, from: object, isNew: true)
    }
    try forEachChange { object, change, property throws(DatabaseError) in
      if waits(change, property) { try set(object, change, property) }
    }
  }

  private func isEmbedded(_ object: ObjectIdentity) -> Bool {
    (before.schema[object.classKey] ?? draft.reader.schema[object.classKey])?.isEmbedded ?? false
  }

  private func properties(of object: ObjectIdentity) -> [PropertySchema] {
    before.schema[object.classKey]?.properties ?? []
  }

  private func forEachChange(
    _ body: (ObjectIdentity, ChangeSet.ChangedProperty, PropertySchema) throws(DatabaseError) ->
      Void
  ) throws(DatabaseError) {
    for changed in changes.changed {
      try steps.next()
      for change in changed.properties {
        guard let property = before.schema[changed.object.classKey]?[change.property] else {
          continue
        }
        try body(changed.object, change, property)
      }
    }
  }

  private func set(
    _ object: ObjectIdentity,
    _ change: ChangeSet.ChangedProperty,
    _ property: PropertySchema
  ) throws(DatabaseError) {
    if property.isEmbedded { return try restoreEmbedded(property, of: object, change.old) }
    try draft.set(object, property: property.key, to: change.old.mapped(restored))
  }

  /// Creates an object that was deleted, without its links.
  private mutating func create(_ object: ObjectIdentity) throws(DatabaseError) {
    var values: [PropertyKey: Value] = [:]
    for property in properties(of: object) where !property.isEmbedded {
      let value = try before.value(of: object, property: property.key)
      if value.links.isEmpty { values[property.key] = value }
    }
    restored[object] = try draft.create(object.classKey, values)
  }

  /// Gives a new object what another one had: its links alone where it has the rest.
  private func fill(
    _ copy: ObjectIdentity,
    from object: ObjectIdentity,
    isNew: Bool
  ) throws(DatabaseError) {
    for property in properties(of: object) {
      let value = try before.value(of: object, property: property.key)
      if property.isEmbedded {
        try restoreEmbedded(property, of: copy, value)
      } else if !isNew || !value.links.isEmpty {
        try draft.set(copy, property: property.key, to: value.mapped(restored))
      }
    }
  }

  /// Brings embedded objects back in their places; those that are still there stay.
  private func restoreEmbedded(
    _ property: PropertySchema,
    of object: ObjectIdentity,
    _ old: Value
  ) throws(DatabaseError) {
    let now = try draft.reader.value(of: object, property: property.key)
    let kept = Set(old.links)
    switch property.type.collection {
    case .list:
      for (index, element) in now.links.enumerated().reversed() where !kept.contains(element) {
        try draft.removeElement(at: index, of: object, property: property.key)
      }
      for (index, element) in old.links.enumerated() where try isGone(element) {
        try make(element, at: Slot(object, property.key, .index(index)))
      }
    case .map:
      for entry in now.entries where !(entry.value.link.map(kept.contains) ?? false) {
        try draft.setEntry(entry.key, to: nil, of: object, property: property.key)
      }
      for entry in old.entries {
        guard let element = entry.value.link, try isGone(element) else { continue }
        try make(element, at: Slot(object, property.key, .key(entry.key)))
      }
    case .set, .none:
      if let element = old.link {
        if try isGone(element) { try make(element, at: Slot(object, property.key)) }
      } else if !now.isNull {
        try draft.set(object, property: property.key, to: .null)
      }
    }
  }

  private func isGone(_ object: ObjectIdentity) throws(DatabaseError) -> Bool {
    try !draft.reader.contains(object)
  }

  private func make(_ object: ObjectIdentity, at slot: Slot) throws(DatabaseError) {
    try fill(try draft.createEmbedded(at: slot), from: object, isNew: false)
  }
}
