import KennelCore

extension Box {
  /// Removes the object with the given id.
  ///
  /// - Parameter entityId: The id.
  /// - Returns: Whether the object was removed; false for the id 0.
  /// - Throws: ``ObjectBoxError/notFound(message:)`` if there is no such object.
  @discardableResult
  public func remove<I: UntypedIdBase>(_ entityId: I) throws -> Bool {
    try removeOne(entityId.value)
  }

  /// Removes the object with the given id.
  ///
  /// - Parameter entityId: The id.
  /// - Returns: Whether the object was removed; false for the id 0.
  /// - Throws: ``ObjectBoxError/notFound(message:)`` if there is no such object.
  @discardableResult
  public func remove(_ entityId: EntityId<E>) throws -> Bool { try removeOne(entityId.value) }

  /// Removes an object.
  ///
  /// - Parameter entity: The object.
  /// - Returns: Whether the object was removed; false if it was never put.
  /// - Throws: ``ObjectBoxError/notFound(message:)`` if the object was removed before.
  @discardableResult
  public func remove(_ entity: E) throws -> Bool {
    try removeOne(E.entityBinding.id(of: entity))
  }

  /// Removes objects in one transaction, and skips those that do not exist.
  ///
  /// - Parameter entities: The objects.
  /// - Returns: The number of objects that were removed.
  /// - Throws: ``ObjectBoxError`` if the store cannot be written.
  @inlinable
  @discardableResult
  public func remove<C: Collection>(_ entities: C) throws -> UInt64 where C.Element == E {
    try removeAll(entities.map { E.entityBinding.id(of: $0) })
  }

  /// Removes objects in one transaction, and skips those that do not exist.
  ///
  /// - Parameter entities: The objects.
  /// - Returns: The number of objects that were removed.
  /// - Throws: ``ObjectBoxError`` if the store cannot be written.
  @discardableResult
  public func remove(_ entities: E...) throws -> UInt64 { try remove(entities) }

  /// Removes the objects with the given ids in one transaction, and skips ids without an object.
  ///
  /// - Parameter ids: The ids.
  /// - Returns: The number of objects that were removed.
  /// - Throws: ``ObjectBoxError`` if the store cannot be written.
  @discardableResult
  public func remove<I: UntypedIdBase, C: Collection>(_ ids: C) throws -> UInt64
  where C.Element == I {
    try removeAll(ids.map(\.value))
  }

  /// Removes the objects with the given ids in one transaction, and skips ids without an object.
  ///
  /// - Parameter entityIDs: The ids.
  /// - Returns: The number of objects that were removed.
  /// - Throws: ``ObjectBoxError`` if the store cannot be written.
  @discardableResult
  public func remove<C: Collection>(_ entityIDs: C) throws -> UInt64
  where C.Element == EntityId<E> {
    try removeAll(entityIDs.map(\.value))
  }

  /// Removes the objects with the given ids in one transaction, and skips ids without an object.
  ///
  /// - Parameter ids: The ids.
  /// - Returns: The number of objects that were removed.
  /// - Throws: ``ObjectBoxError`` if the store cannot be written.
  @discardableResult
  public func remove<I: UntypedIdBase>(_ ids: I...) throws -> UInt64 { try remove(ids) }

  /// Removes the objects with the given ids in one transaction, and skips ids without an object.
  ///
  /// - Parameter ids: The ids.
  /// - Returns: The number of objects that were removed.
  /// - Throws: ``ObjectBoxError`` if the store cannot be written.
  @discardableResult
  public func remove(_ ids: EntityId<E>...) throws -> UInt64 { try remove(ids) }

  /// Removes all objects.
  ///
  /// - Returns: The number of objects that were removed.
  @discardableResult
  public func removeAll() throws -> UInt64 {
    try store.write { transaction in
      var ids: [Id] = []
      try transaction.reader.forEachObject(of: map.classKey) { ids.append($0.key.rawValue) }
      return try removeAll(ids)
    }
  }

  private func removeOne(_ id: Id) throws -> Bool {
    guard id != 0 else { return false }
    guard try removeAll([id]) == 1 else {
      throw ObjectBoxError.notFound(message: "\(map.info.name) \(id) does not exist")
    }
    return true
  }

  /// Removes objects; what links to them leads nowhere afterwards.
  @usableFromInline
  func removeAll(_ ids: [Id]) throws -> UInt64 {
    guard !ids.isEmpty else { return 0 }
    return try store.write { transaction in
      guard let writer = transaction.writer else { return 0 }
      let existing = try Set(ids).map(object).filter { try writer.contains($0) }
      guard !existing.isEmpty else { return 0 }
      transaction.beginChange()
      // A rule of another face may delete more; the count returned has only the objects asked for.
      try writer.delete(existing)
      return UInt64(existing.count)
    }
  }
}
