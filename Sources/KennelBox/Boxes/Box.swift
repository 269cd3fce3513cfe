public import KennelCore
import Synchronization

/// The objects of an entity in a store.
///
/// ```swift
/// let box = store.box(for: Note.self)
/// let id = try box.put(Note(title: "Buy milk"))
/// print(try box.get(id)?.title ?? "none")
/// try box.remove(id)
/// ```
///
/// An object that a box returns is a copy in memory. Changes to the object reach the database when
/// it is put again. Any thread may use a box. Each call is a transaction of its own, unless it is
/// made inside ``Store/runInTransaction(_:)`` or ``Store/runInReadOnlyTransaction(_:)``.
public final class Box<E: EntityInspectable & __EntityRelatable>: Sendable
where E == E.EntityBindingType.EntityType {
  /// The entity.
  public typealias EntityType = E
  /// The type of the entity's ids.
  public typealias IdType = E.EntityBindingType.IdType

  /// The store.
  public let store: Store
  @usableFromInline let map: EntityMap

  init(_ store: Store) {
    self.store = store
    map = store.map(of: E.entityInfo)
  }
}

extension Store {
  /// Returns the box of an entity; as long as the program keeps the box, every call returns the
  /// same one.
  ///
  /// The entity must belong to the store; otherwise the program stops.
  ///
  /// - Parameter entityType: The entity.
  /// - Returns: The box.
  public func box<T>(for entityType: T.Type = T.self) -> Box<T>
  where T: EntityInspectable & __EntityRelatable, T == T.EntityBindingType.EntityType {
    state.withLock { state in
      let key = ObjectIdentifier(Box<T>.self)
      if let box = state.boxes[key]?.box as? Box<T> { return box }
      let box = Box<T>(self)
      state.boxes[key] = Store.WeakBox(box: box)
      return box
    }
  }
}

// MARK: - Counting

extension Box {
  /// Returns whether there are no objects.
  public func isEmpty() throws -> Bool { try count() == 0 }

  /// Returns the number of objects.
  ///
  /// Takes constant time.
  ///
  /// - Parameter limit: The largest number to return; 0 for no limit.
  /// - Returns: The number of objects, or the limit if there are more.
  /// - Throws: ``ObjectBoxError`` if the file is damaged or the store is closed.
  public func count(limit: Int = 0) throws -> Int {
    try store.read { reader in
      let count = reader.count(of: map.classKey)
      return limit > 0 ? min(count, limit) : count
    }
  }

  /// Returns whether there is an object with the id.
  public func contains(_ entityId: IdType) throws -> Bool { try contains([entityId]) }

  /// Returns whether there is an object for every id.
  public func contains(_ ids: IdType...) throws -> Bool { try contains(ids) }

  /// Returns whether there is an object for every id.
  public func contains(_ ids: [IdType]) throws -> Bool {
    try store.read { reader in
      try ids.allSatisfy { try reader.contains(object($0.value)) }
    }
  }

  @inlinable
  func object(_ id: Id) -> ObjectIdentity { ObjectIdentity(map.classKey, ObjectKey(rawValue: id)) }
}

extension Box: CustomDebugStringConvertible {
  /// The entity.
  public var debugDescription: String { "<KennelBox.Box<\(E.self)>>" }
}
