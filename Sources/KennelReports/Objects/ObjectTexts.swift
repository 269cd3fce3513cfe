package import KennelCore

/// The texts for objects, classes and properties in a report.
package protocol ObjectTexts {
  /// The class and the key of an object, as in `Dog/42`.
  func text(_ object: ObjectIdentity) -> String
  /// An object with what a person calls it, as in `Dog/42 Rex`.
  func label(_ object: ObjectIdentity) -> String
  func name(of classKey: ClassKey) -> String
  func name(of property: PropertyKey, in classKey: ClassKey) -> String
}

/// The texts for the objects of a snapshot.
package struct SnapshotTexts: ObjectTexts {
  private let snapshot: Snapshot
  /// The most bytes of a name.
  private let limit: Int
  private let path: (Snapshot, ObjectIdentity) -> String

  package init(
    _ snapshot: Snapshot,
    limit: Int = 60,
    path: @escaping (Snapshot, ObjectIdentity) -> String = { $0.describe($1) }
  ) {
    self.snapshot = snapshot
    self.limit = limit
    self.path = path
  }

  package func text(_ object: ObjectIdentity) -> String { path(snapshot, object) }

  package func label(_ object: ObjectIdentity) -> String {
    let text = text(object)
    guard let name = try? snapshot.displayName(of: object, limit: limit), !name.isEmpty,
      name != text
    else { return text }
    return "\(text) \(name)"
  }

  package func name(of classKey: ClassKey) -> String { snapshot.schema[classKey]?.name ?? "?" }

  package func name(of property: PropertyKey, in classKey: ClassKey) -> String {
    snapshot.schema.property(property, of: classKey)?.name ?? "?"
  }
}
