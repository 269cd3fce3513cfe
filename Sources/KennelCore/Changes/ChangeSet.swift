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

  /// Counts properties as changed that were set to the values that they had.
  ///
  /// - Parameters:
  ///   - written: The properties that were set, by object.
  ///   - snapshot: The later commit.
  /// - Throws: ``DatabaseError`` if the file is damaged.
  @_spi(Faces)
  public mutating func add(
    _ written: [ObjectIdentity: Set<PropertyKey>],
    in snapshot: Snapshot
  ) throws(DatabaseError) {
    if written.isEmpty { return }
    let places = Dictionary(uniqueKeysWithValues: changed.enumerated().map { ($1.object, $0) })
    let created = Set(created)
    for (object, keys) in written where !created.contains(object) {
      guard try snapshot.contains(object) else { continue }
      let schema = snapshot.schema[object.classKey]
      var properties = places[object].map { changed[$0].properties } ?? []
      for key in keys.subtracting(properties.map(\.property)) where schema?[key] != nil {
        let value = try snapshot.value(of: object, property: key)
        properties.append(ChangedProperty(property: key, old: value, new: value))
      }
      properties.sort { $0.property.rawValue < $1.property.rawValue }
      let all = ChangedObject(object: object, properties: properties)
      if let place = places[object] { changed[place] = all } else { changed.append(all) }
    }
    changed.sort { first, second in
      (first.object.classKey.rawValue, first.object.key.rawValue)
        < (second.object.classKey.rawValue, second.object.key.rawValue)
    }
  }
}
