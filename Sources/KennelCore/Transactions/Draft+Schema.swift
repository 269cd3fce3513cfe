import KennelStorage

/// A change of the schema in a draft.
///
/// ```swift
/// for change in draft.schemaChanges where !change.isConflicting {
///   print(change.change, change.plan?.valueCount ?? 0)
/// }
/// ```
public struct DraftSchemaChange: Hashable, Sendable, Identifiable {
  /// The number of its operation, by which it is dropped or left out of a commit.
  public let id: Int
  /// The change.
  public let change: SchemaChange
  /// What was there of the property or class before, as text, as in `int?, indexed`; empty if nothing is
  /// told.
  public let former: String
  /// Its effect on the objects; `nil` if it is not in force.
  public let plan: SchemaPlan?
  /// Whether the change conflicts with another commit.
  public let isConflicting: Bool
}

extension Draft {
  /// The changes of the schema, in the order they were made.
  public var schemaChanges: [DraftSchemaChange] {
    entries.compactMap { entry in
      guard case .schema(let change, _) = entry.operation else { return nil }
      var former = ""
      if case .schema(let text) = entry.seen { former = text }
      return DraftSchemaChange(
        id: entry.id,
        change: change,
        former: former,
        plan: entry.schemaPlan,
        isConflicting: entry.isHeld
      )
    }
  }

  /// Changes the schema, and reports the progress of looking at the objects.
  ///
  /// - Parameters:
  ///   - change: The change.
  ///   - progress: Receives progress and can cancel.
  /// - Throws: `DatabaseError` if the change is not possible, `progress` cancelled it, or the file is
  ///   damaged. The draft is unchanged then.
  public func changeSchema(
    _ change: SchemaChange,
    progress: QueryProgress
  ) throws(DatabaseError) {
    let workspace = workingCopy.workspace
    workspace.progress = progress
    defer { workspace.progress = nil }
    _ = try perform(.schema(change))
  }
}
