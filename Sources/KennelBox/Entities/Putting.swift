public import KennelCore

/// How objects are put.
///
/// ```swift
/// try box.put(note, mode: .update)
/// ```
@frozen
public enum PutMode: Sendable {
  /// If an object with the same id is stored, replaces its values; otherwise inserts a new one.
  case put
  /// Inserts a new object; throws ``ObjectBoxError/uniqueViolation(message:)`` if its id exists.
  case insert
  /// Replaces the values of the stored object that has the same id; throws
  /// ``ObjectBoxError/notFound(message:)`` if there is none.
  case update
}

/// Puts objects of one entity in a transaction.
@usableFromInline
struct EntityPutter<E: EntityInspectable> {
  @usableFromInline var writer: EntityWriter

  @inlinable
  init(_ entity: E.Type, _ map: EntityMap, _ transaction: StoreTransaction) throws {
    writer = try EntityWriter(map, transaction)
  }

  /// Puts an object and its new targets, and sets their ids; if that fails, these stay as they were.
  @inlinable
  mutating func put(_ entity: inout E.EntityBindingType.EntityType, _ mode: PutMode) throws -> Id {
    let id = E.entityBinding.id(of: entity)
    try writer.check(id, mode)
    var unique: [KennelCore.PropertyKey: Value] = [:]
    if writer.hasUniqueProperties {
      writer.collected = [:]
      defer { writer.collected = nil }
      try E.entityBinding.write(entity, to: &writer)
      unique = try writer.checkUnique(id)
    }
    let isNew = try writer.begin(id, unique)
    let object = writer.object
    let newTargets = writer.storeTransaction.beginTargets()
    // Before the relations are written: they may lead back to the object.
    if isNew { E.entityBinding.setId(object.key.rawValue, of: &entity) }
    do {
      try E.entityBinding.write(entity, to: &writer)
      if writer.map.hasRelations {
        // Putting a target of the same entity has its own writer.
        try E.entityBinding.attach(entity, to: writer.connector(isNew: isNew))
      }
    } catch {
      if isNew { E.entityBinding.setId(id, of: &entity) }
      writer.storeTransaction.endTargets(since: newTargets, hasFailed: true)
      throw error
    }
    writer.storeTransaction.endTargets(since: newTargets, hasFailed: false)
    return object.key.rawValue
  }
}

extension EntityWriter {
  @usableFromInline var hasUniqueProperties: Bool {
    !map.uniqueProperties.isEmpty || map.primaryKey != nil
  }

  private func contains(_ id: Id) throws(DatabaseError) -> Bool {
    try transaction.contains(ObjectIdentity(map.classKey, ObjectKey(rawValue: id)))
  }

  /// Makes sure that an object may be put.
  @usableFromInline
  func check(_ id: Id, _ mode: PutMode) throws {
    switch mode {
    case .put: break
    case .insert:
      guard try id == 0 || !contains(id) else {
        throw ObjectBoxError.uniqueViolation(
          message: "\(map.info.name) \(id) exists and cannot be inserted; put or update it"
        )
      }
    case .update:
      guard try id != 0 && contains(id) else {
        throw ObjectBoxError.notFound(
          message: id == 0
            ? "A \(map.info.name) that was never put cannot be updated; put or insert it"
            : "\(map.info.name) \(id) does not exist and cannot be updated; put or insert it"
        )
      }
    }
  }

  /// Begins writing an object: one that exists, or a new one.
  ///
  /// - Parameters:
  ///   - id: The id.
  ///   - unique: The values that a new object needs from the beginning, because no other object may have
  ///     them.
  /// - Returns: Whether it is new.
  /// - Throws: `ObjectBoxError` if the id was never given, or `DatabaseError`.
  @usableFromInline
  mutating func begin(_ id: Id, _ unique: [KennelCore.PropertyKey: Value]) throws -> Bool {
    if id != 0, try contains(id) {
      storeTransaction.beginPut()
      object = ObjectIdentity(map.classKey, ObjectKey(rawValue: id))
      isBlank = false
      return false
    }
    if id != 0, !map.info.hasAssignableIds,
      id >= transaction.firstUnusedKey(of: map.classKey).rawValue
    {
      throw ObjectBoxError.illegalArgument(
        message:
          "\(map.info.name) \(id) cannot be put: no object had that id yet. Set the id to 0 to "
          + "get the next one (also if the transaction that put the object failed), or declare "
          + "the id assignable"
      )
    }
    if let primaryKey = map.primaryKey, primaryKey.number == nil {
      throw ObjectBoxError.illegalState(
        message:
          "A new \(map.info.name) cannot be put: the class has the primary key \(primaryKey.name) in "
          + "the file, which the entity lacks; declare it, or create the object with the program that "
          + "has it"
      )
    }
    storeTransaction.beginPut()
    object =
      if id != 0 {
        try transaction.create(map.classKey, key: ObjectKey(rawValue: id), unique)
      } else if unique.isEmpty {
        try transaction.create(map.classKey)
      } else {
        try transaction.create(map.classKey, unique)
      }
    isBlank = !map.hasDefaults && unique.isEmpty
    return true
  }

  // MARK: - Unique properties

  /// Two of the objects that satisfy a condition, if there are as many.
  private func query(_ condition: Predicate) throws(DatabaseError) -> Objects {
    try transaction.objects(of: map.classKey, where: condition, limit: 2)
  }

  /// Makes sure that no other object has the values of unique properties, or removes those that do.
  ///
  /// - Returns: These values, and that of the primary key, if the class has one in the file.
  @usableFromInline
  func checkUnique(_ id: Id) throws -> [KennelCore.PropertyKey: Value] {
    let collected = collected ?? [:]
    var unique: [KennelCore.PropertyKey: Value] = [:]
    if let number = map.primaryKey?.number { unique[map.columns[number]] = collected[number] }
    for (number, rule) in map.uniqueProperties {
      guard let value = collected[number], !value.isNull else { continue }
      unique[map.columns[number]] = value
      let name = map.info.properties[number].name
      let same = Predicate.comparison(
        Predicate.Comparison(.path(Predicate.Path([.property(name)])), .equal, .literal(value))
      )
      guard let other = try query(same).first(where: { $0.key.rawValue != id }) else { continue }
      guard rule == .replace else {
        throw ObjectBoxError.uniqueViolation(
          message:
            "\(map.info.name) \(other.key.rawValue) has the same \(name), which is unique; change "
            + "one of the two"
        )
      }
      storeTransaction.beginChange()
      try transaction.delete([other])
    }
    return unique
  }
}
