extension Box {
  /// Puts an object: if an object with the same id is stored, replaces its values; otherwise
  /// inserts a new one.
  ///
  /// New targets of the object's to-one relations are put too. If the entity is a class, `put` sets
  /// the object's id. If it is a structure, set the returned id yourself or pass the structure with
  /// `&`.
  ///
  /// - Parameters:
  ///   - entity: The object.
  ///   - mode: Whether the object must be new or exist.
  /// - Returns: The id.
  /// - Throws: ``ObjectBoxError`` if the mode or a unique property forbids putting the object, if
  ///   no object ever had its id and ids are not assignable, if a target that was set does not
  ///   exist, or if the disk or the database is full. Nothing is changed then.
  @discardableResult
  @inlinable
  public func put(_ entity: E, mode: PutMode = .put) throws -> IdType {
    var entity = entity
    return try put(&entity, mode: mode)
  }

  /// Puts a structure and sets its id.
  ///
  /// - Parameters:
  ///   - entity: The structure.
  ///   - mode: Whether the object must be new or exist.
  /// - Returns: The id.
  /// - Throws: ``ObjectBoxError`` as ``put(_:mode:)-(E,_)`` does.
  @discardableResult
  @inlinable
  public func put(_ entity: inout E, mode: PutMode = .put) throws -> IdType {
    try store.write { transaction in
      var putter = try EntityPutter(E.self, map, transaction)
      return IdType(try putter.put(&entity, mode))
    }
  }

  /// Puts a structure and returns it with its id.
  ///
  /// - Parameters:
  ///   - entity: The structure.
  ///   - mode: Whether the object must be new or exist.
  /// - Returns: The structure.
  /// - Throws: ``ObjectBoxError`` as ``put(_:mode:)-(E,_)`` does.
  @discardableResult
  @inlinable
  public func put(struct entity: E, mode: PutMode = .put) throws -> E {
    var entity = entity
    try put(&entity, mode: mode)
    return entity
  }

  /// Puts structures in one transaction and returns them with their ids.
  ///
  /// - Parameters:
  ///   - entities: The structures.
  ///   - mode: Whether the objects must be new or exist.
  /// - Returns: The structures.
  /// - Throws: ``ObjectBoxError`` as ``put(_:mode:)-(E,_)`` does.
  @inlinable
  @discardableResult
  public func put(structs entities: [E], mode: PutMode = .put) throws -> [E] {
    var entities = entities
    try put(&entities, mode: mode)
    return entities
  }

  /// Puts objects in one transaction.
  ///
  /// - Parameters:
  ///   - entities: The objects.
  ///   - mode: Whether the objects must be new or exist.
  /// - Throws: ``ObjectBoxError`` as ``put(_:mode:)-(E,_)`` does.
  @inlinable
  public func put<C: Collection>(_ entities: C, mode: PutMode = .put) throws where C.Element == E {
    guard !entities.isEmpty else { return }
    try store.write { transaction in
      var putter = try EntityPutter(E.self, map, transaction)
      for var entity in entities { _ = try putter.put(&entity, mode) }
    }
  }

  /// Puts structures in one transaction and sets their ids.
  ///
  /// - Parameters:
  ///   - entities: The structures.
  ///   - mode: Whether the objects must be new or exist.
  /// - Throws: ``ObjectBoxError`` as ``put(_:mode:)-(E,_)`` does.
  @inlinable
  public func put(_ entities: inout [E], mode: PutMode = .put) throws {
    guard !entities.isEmpty else { return }
    try store.write { transaction in
      var putter = try EntityPutter(E.self, map, transaction)
      for index in entities.indices { _ = try putter.put(&entities[index], mode) }
    }
  }

  /// Puts objects in one transaction.
  ///
  /// - Parameters:
  ///   - entities: The objects.
  ///   - mode: Whether the objects must be new or exist.
  /// - Throws: ``ObjectBoxError`` as ``put(_:mode:)-(E,_)`` does.
  @inlinable
  public func put(_ entities: E..., mode: PutMode = .put) throws { try put(entities, mode: mode) }

  /// Puts objects in one transaction.
  ///
  /// - Parameters:
  ///   - entities: The objects.
  ///   - mode: Whether the objects must be new or exist.
  /// - Returns: The ids, in the order of the objects.
  /// - Throws: ``ObjectBoxError`` as ``put(_:mode:)-(E,_)`` does.
  @discardableResult
  @inlinable
  public func putAndReturnIDs<C: Collection>(
    _ entities: C,
    mode: PutMode = .put
  ) throws -> [IdType] where C.Element == E {
    guard !entities.isEmpty else { return [] }
    return try store.write { transaction in
      var putter = try EntityPutter(E.self, map, transaction)
      return try entities.map { entity in
        var entity = entity
        return IdType(try putter.put(&entity, mode))
      }
    }
  }

  /// Puts objects in one transaction.
  ///
  /// - Parameters:
  ///   - entities: The objects.
  ///   - mode: Whether the objects must be new or exist.
  /// - Returns: The ids, in the order of the objects.
  /// - Throws: ``ObjectBoxError`` as ``put(_:mode:)-(E,_)`` does.
  @discardableResult
  @inlinable
  public func putAndReturnIDs(_ entities: E..., mode: PutMode = .put) throws -> [IdType] {
    try putAndReturnIDs(entities, mode: mode)
  }
}
