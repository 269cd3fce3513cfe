public import KennelStorage

/// The exact difference between two commits.
///
/// ```swift
/// let before = try database.snapshot()
/// try database.write { transaction in try transaction.set(rex, property: age.key, to: .int(4)) }
/// let changes = try database.changes(from: before, to: database.snapshot())
/// for change in changes.changed { print(change.object, change.properties.count) }
/// ```
public struct ChangeSet: Hashable, Sendable {
  /// A property whose value differs.
  ///
  /// ```swift
  /// for change in changes.changed.flatMap(\.properties) {
  ///   print("\(ValueText.describe(change.old)) → \(ValueText.describe(change.new))")
  /// }
  /// ```
  public struct ChangedProperty: Hashable, Sendable {
    /// The property.
    public let property: PropertyKey
    /// The value before.
    public let old: Value
    /// The value after.
    public let new: Value
  }

  /// An object whose values differ.
  ///
  /// ```swift
  /// for change in changes.changed {
  ///   print(snapshot.describe(change.object), change.properties.map(\.property.rawValue))
  /// }
  /// ```
  public struct ChangedObject: Hashable, Sendable {
    /// The object.
    public let object: ObjectIdentity
    /// The properties that differ, by key.
    public let properties: [ChangedProperty]
  }

  /// The number of the earlier commit.
  public let fromCommit: Int
  /// The number of the later commit.
  public let toCommit: Int
  /// The objects that only the later commit has, by class and key.
  public internal(set) var created: [ObjectIdentity] = []
  /// The objects that only the earlier commit has, by class and key.
  public internal(set) var deleted: [ObjectIdentity] = []
  /// The objects in both commits whose values differ, by class and key.
  public internal(set) var changed: [ChangedObject] = []
  /// Whether the schemas differ.
  public internal(set) var isSchemaChanged = false

  internal init(fromCommit: Int, toCommit: Int) {
    self.fromCommit = fromCommit
    self.toCommit = toCommit
  }
}
