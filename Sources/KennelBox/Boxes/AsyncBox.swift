/// Puts and removes objects and silently skips those that conflict, for programs that used the
/// queue of ObjectBox.
///
/// ```swift
/// let id = try box.async.put(Note(title: "Buy milk"))
/// store.awaitAsyncSubmitted()
/// print(try box.get(id)?.title ?? "none")
/// ```
///
/// There is no queue: a call does its work before it returns, in a transaction of its own or in the
/// one that the thread is in. As in ObjectBox, `put` skips an object if the mode or a unique
/// property forbids putting it, and `remove` skips an object that does not exist. Every other
/// failure is thrown.
public final class AsyncBox<E: EntityInspectable & __EntityRelatable>: Sendable
where E == E.EntityBindingType.EntityType {
  /// The entity.
  public typealias EntityType = E
  /// The type of the entity's ids.
  public typealias IdType = E.EntityBindingType.IdType

  private let box: Box<E>

  /// Creates the interface of a box, as `box.async` is.
  ///
  /// - Parameters:
  ///   - box: The box.
  ///   - enqueueTimeout: Not used: nothing waits in a queue.
  public init(box: Box<E>, enqueueTimeout: Double) { self.box = box }

  // MARK: - Putting

  /// Puts an object.
  ///
  /// - Parameters:
  ///   - entity: The object.
  ///   - mode: Whether the object must be new or exist.
  /// - Returns: The id of the object; 0 if it is new and was skipped.
  /// - Throws: ``ObjectBoxError`` if the object cannot be written.
  @discardableResult
  public func put(_ entity: E, mode: PutMode = .put) throws -> IdType {
    do {
      return try box.put(entity, mode: mode)
    } catch ObjectBoxError.uniqueViolation {
      return IdType(E.entityBinding.id(of: entity))
    } catch let error as ObjectBoxError {
      // A target that does not exist is an error; an object that does not exist is skipped.
      let id = IdType(E.entityBinding.id(of: entity))
      guard case .notFound = error, mode == .update, try !box.contains(id) else { throw error }
      return id
    }
  }

  /// Puts objects in one transaction.
  ///
  /// - Parameters:
  ///   - entities: The objects.
  ///   - mode: Whether the objects must be new or exist.
  /// - Returns: The ids, in the order of the objects.
  /// - Throws: ``ObjectBoxError`` if an object cannot be written.
  @discardableResult
  public func put<C: Collection>(
    _ entities: C,
    mode: PutMode = .put
  ) throws -> [IdType] where C.Element == E {
    try box.store.runInTransaction { try entities.map { try put($0, mode: mode) } }
  }

  /// Puts objects in one transaction.
  ///
  /// - Parameters:
  ///   - entities: The objects.
  ///   - mode: Whether the objects must be new or exist.
  /// - Returns: The ids, in the order of the objects.
  /// - Throws: ``ObjectBoxError`` if an object cannot be written.
  @discardableResult
  public func put(_ entities: E..., mode: PutMode = .put) throws -> [IdType] {
    try put(entities, mode: mode)
  }

  // MARK: - Removing

  /// Removes an object.
  public func remove(_ entity: E) throws { _ = try box.remove([entity]) }

  /// Removes the object with the given id.
  public func remove<I: UntypedIdBase>(_ entityId: I) throws { _ = try box.remove([entityId]) }

  /// Removes the object with the given id.
  public func remove(_ entityId: EntityId<E>) throws { _ = try box.remove([entityId]) }

  /// Removes objects in one transaction.
  public func remove<C: Collection>(_ entities: C) throws where C.Element == E {
    _ = try box.remove(entities)
  }

  /// Removes objects in one transaction.
  public func remove(_ entities: E...) throws { _ = try box.remove(entities) }

  /// Removes the objects with the given ids in one transaction.
  public func remove<I: UntypedIdBase, C: Collection>(_ ids: C) throws where C.Element == I {
    _ = try box.remove(ids)
  }

  /// Removes the objects with the given ids in one transaction.
  public func remove<C: Collection>(_ ids: C) throws where C.Element == EntityId<E> {
    _ = try box.remove(ids)
  }

  /// Removes the objects with the given ids in one transaction.
  public func remove<I: UntypedIdBase>(_ ids: I...) throws { _ = try box.remove(ids) }

  /// Removes the objects with the given ids in one transaction.
  public func remove(_ ids: EntityId<E>...) throws { _ = try box.remove(ids) }
}

extension Box {
  /// The interface that puts and removes objects and silently skips those that conflict.
  public var async: AsyncBox<E> { AsyncBox(box: self, enqueueTimeout: 0) }
}

extension Store {
  /// Returns immediately; there is nothing to wait for: every call on `async` has finished when it
  /// returns.
  ///
  /// - Returns: Whether the store is open.
  @discardableResult
  public func awaitAsyncSubmitted() -> Bool { !isClosed }

  /// Returns immediately; there is nothing to wait for: every call on `async` has finished when it
  /// returns.
  ///
  /// - Returns: Whether the store is open.
  @discardableResult
  public func awaitAsyncCompleted() -> Bool { !isClosed }
}
