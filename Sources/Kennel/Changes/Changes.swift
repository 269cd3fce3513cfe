internal import KennelCore

/// Changes that commits made to the objects of a model, or to the results of a query.
///
/// ```swift
/// for try await changes in try database.changes(of: Dog.self) {
///   for change in changes.changed where change.changed(\.age) {
///     print(change.object, try change.old.age, try change.new.age)
///   }
///   print(changes.created.count, changes.deleted.count)
///   break
/// }
/// ```
public struct Changes<M: Model>: Sendable {
  /// The objects that were created, in the order of their keys; for a query, the objects that
  /// entered its results, in the order of the results.
  public let created: [Object<M>]
  /// The objects that were deleted or left the results, as they were before.
  public let deleted: [Object<M>]
  /// The objects that were there before and have different values now.
  public let changed: [ObjectChange<M>]
  /// The number of the newest commit in these changes.
  public let commitNumber: Int

  /// Whether nothing changed.
  public var isEmpty: Bool { created.isEmpty && deleted.isEmpty && changed.isEmpty }
}

/// A change that commits made to an object.
///
/// ```swift
/// for try await change in try database.changes(of: rex) {
///   print(change.properties, change.isDeleted ? "gone" : try change.new.name)
///   break
/// }
/// ```
public struct ObjectChange<M: Model>: Sendable {
  /// The object with its old values.
  public let old: Object<M>
  /// The object with its new values; reading it throws if it was deleted.
  public let new: Object<M>
  /// The names in the file of the properties whose values differ, in the order of the schema.
  public let properties: [String]
  /// Whether the object was deleted.
  public let isDeleted: Bool

  /// The object.
  public var object: Object<M> { new }

  /// Returns whether a property has a different value.
  ///
  /// - Parameter path: The property.
  /// - Returns: Whether it has; false if the object was deleted.
  public func changed<V: Storable>(_ path: KeyPath<M, Property<V>>) -> Bool {
    properties.contains(new.scope.member(path).name)
  }
}

/// Two commits that follow each other, and their difference.
internal struct Step: Sendable {
  let old: Session
  let new: Session
  let changes: ChangeSet

  func objects<M: Model>(
    _ identities: [ObjectIdentity],
    _ session: Session,
    _ binding: Binding<M>
  ) -> [Object<M>] {
    identities.filter { $0.classKey == binding.classKey }
      .map { Object(Scope(session, binding), $0.key) }
  }

  func change<M: Model>(
    _ changed: ChangeSet.ChangedObject,
    _ binding: Binding<M>
  ) -> ObjectChange<M> {
    let schema = new.bindings.schema
    let key = changed.object.key
    return ObjectChange(
      old: Object(Scope(old, binding), key),
      new: Object(Scope(new, binding), key),
      properties: changed.properties.compactMap {
        schema.property($0.property, of: binding.classKey)?.name
      },
      isDeleted: false
    )
  }

  func changed<M: Model>(_ binding: Binding<M>) -> [ObjectChange<M>] {
    changes.changed.filter { $0.object.classKey == binding.classKey }.map { change($0, binding) }
  }
}
