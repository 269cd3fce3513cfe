public import KennelCore

extension Box {
  /// Returns the object with the given id; `nil` if there is none.
  ///
  /// - Parameter entityId: The id.
  /// - Returns: The object, or `nil`.
  /// - Throws: ``ObjectBoxError`` if the file is damaged.
  @inlinable
  public func get<I: UntypedIdBase>(_ entityId: I) throws -> E? {
    try store.object(entityId.value, E.self, map)
  }

  /// Returns the object with the given id; `nil` if there is none.
  ///
  /// - Parameter id: The id.
  /// - Returns: The object, or `nil`.
  /// - Throws: ``ObjectBoxError`` if the file is damaged.
  @inlinable
  public func get(_ id: EntityId<E>) throws -> E? {
    try store.object(id.value, E.self, map)
  }

  /// Returns the objects with the given ids; ids without an object are skipped.
  ///
  /// - Parameters:
  ///   - ids: The ids.
  ///   - maxCount: The maximum number of objects to return; 0 for all.
  /// - Returns: The objects, in the order of the ids.
  /// - Throws: ``ObjectBoxError`` if the file is damaged.
  @inlinable
  public func get<I: IdBase, C: Collection>(_ ids: C, maxCount: Int = 0) throws -> [E]
  where C.Element == I {
    var found: [E] = []
    try visitExisting(ids.lazy.map(\.value)) { _, entity in
      found.append(entity)
      return found.count != maxCount
    }
    return found
  }

  /// Returns the objects with the given ids, keyed by id; ids without an object are skipped.
  ///
  /// - Parameter ids: The ids.
  /// - Returns: The objects.
  /// - Throws: ``ObjectBoxError`` if the file is damaged.
  @inlinable
  public func getAsDictionary<I: IdBase, C: Collection>(_ ids: C) throws -> [I: E]
  where C.Element == I {
    var found: [I: E] = [:]
    try visitExisting(ids.lazy.map(\.value)) { id, entity in
      found[I(id)] = entity
      return true
    }
    return found
  }

  /// Returns the objects with the given ids, keyed by id; ids without an object are skipped.
  ///
  /// - Parameter ids: The ids.
  /// - Returns: The objects.
  /// - Throws: ``ObjectBoxError`` if the file is damaged.
  @inlinable
  public func dictionaryWithEntities<I: IdBase, C: Collection>(forIds ids: C) throws -> [I: E]
  where C.Element == I {
    try getAsDictionary(ids)
  }

  /// Returns all objects, in the order of their ids.
  ///
  /// - Throws: ``ObjectBoxError`` if the file is damaged.
  @inlinable
  public func all() throws -> [E] {
    var objects: [E] = []
    try visit { entity in
      objects.append(entity)
      return true
    }
    return objects
  }

  /// Returns all objects, in the order of their ids.
  ///
  /// - Throws: ``ObjectBoxError`` if the file is damaged.
  @inlinable
  public func allContiguous() throws -> ContiguousArray<E> { ContiguousArray(try all()) }

  @inlinable
  func visitExisting(
    _ ids: some Sequence<Id>,
    _ body: (Id, E) throws -> Bool
  ) throws {
    try store.read { reader in
      var entities = EntityReader(store, map, reader)
      for id in ids where try reader.contains(object(id)) {
        if try !body(id, entities.object(id, E.self)) { return }
      }
    }
  }

  // MARK: - Visiting

  /// Calls a function with each object, in the order of ids, until the function returns false.
  ///
  /// - Parameters:
  ///   - writable: Whether the function may write.
  ///   - visitor: The function.
  /// - Throws: What the function throws, or ``ObjectBoxError`` if the file is damaged.
  @inlinable
  public func visit(writable: Bool = false, visitor: (E) throws -> Bool) throws {
    try inTransaction(writable) { reader in
      var entities = EntityReader(store, map, reader)
      do {
        try reader.forEachObject(of: map.classKey) { object in
          // The function may have removed it.
          if writable, try !reader.contains(object) { return }
          guard try visitor(entities.object(object.key.rawValue, E.self)) else {
            throw VisitEnd()
          }
        }
      } catch is VisitEnd {}
    }
  }

  /// Calls a function with each object, in the order of ids.
  ///
  /// - Parameters:
  ///   - writable: Whether the function may write.
  ///   - visitor: The function.
  /// - Throws: What the function throws, or ``ObjectBoxError`` if the file is damaged.
  @inlinable
  public func forEach(writable: Bool = false, _ visitor: (E) throws -> Void) throws {
    try visit(writable: writable) { entity in
      try visitor(entity)
      return true
    }
  }

  /// Calls a function for each id with its object, or with `nil` if there is none.
  ///
  /// - Parameters:
  ///   - writable: Whether the function may write.
  ///   - ids: The ids.
  ///   - visitor: The function.
  /// - Throws: What the function throws, or ``ObjectBoxError`` if the file is damaged.
  @inlinable
  public func `for`<C: Collection>(
    writable: Bool = false,
    _ ids: C,
    in visitor: (E?) throws -> Void
  ) throws where C.Element == IdType {
    try visit(writable: writable, ids) { entity in
      try visitor(entity)
      return true
    }
  }

  /// Calls a function for each id with its object or `nil`, until the function returns false.
  ///
  /// - Parameters:
  ///   - writable: Whether the function may write.
  ///   - ids: The ids.
  ///   - visitor: The function.
  /// - Throws: What the function throws, or ``ObjectBoxError`` if the file is damaged.
  @inlinable
  public func visit<C: Collection>(
    writable: Bool = false,
    _ ids: C,
    in visitor: (E?) throws -> Bool
  ) throws where C.Element == IdType {
    try inTransaction(writable) { reader in
      var entities = EntityReader(store, map, reader)
      for id in ids {
        let exists = try reader.contains(object(id.value))
        let entity = exists ? try entities.object(id.value, E.self) : nil
        if try !visitor(entity) { return }
      }
    }
  }

  @usableFromInline
  func inTransaction(_ writable: Bool, _ body: (DatabaseReader) throws -> Void) throws {
    if writable {
      try store.write { try body($0.reader) }
    } else {
      try store.read(body)
    }
  }
}

/// Ends a walk over the objects.
@usableFromInline
struct VisitEnd: Error {
  @usableFromInline init() {}
}
