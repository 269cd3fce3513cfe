import KennelCore

/// Brings the classes of a file in line with entities.
struct StoreSchema {
  private let entities: [EntityInfo]

  /// - Throws: ``ObjectBoxError/schema(message:)`` if a relation leads to none of the entities.
  init(_ entities: [EntityInfo]) throws {
    self.entities = entities
    try requireTargets()
  }

  /// Adds what is missing in a file.
  ///
  /// - Parameter database: The file. It is not written if it has everything.
  /// - Returns: The schema.
  /// - Throws: `DatabaseError` or ``ObjectBoxError`` if the entities contradict the file. The file is
  ///   unchanged then.
  func establish(in database: Database) throws -> Schema {
    let schema = try database.snapshot().schema
    if isComplete(schema) { return schema }
    guard database.canWrite else {
      throw ObjectBoxError.schema(
        message: "\(database.path) lacks classes or properties of the entities and cannot be "
          + "written; open it once without readOnly"
      )
    }
    return try database.write { transaction in
      let isFresh = transaction.schema.classes.isEmpty
      if !isFresh { try migrate(transaction) }
      try transaction.define(definitions(transaction.schema))
      return transaction.schema
    }
  }

  /// Makes sure that relations lead to entities of the store.
  private func requireTargets() throws {
    let names = Set(entities.map(\.name))
    for entity in entities {
      for property in entity.properties {
        guard let target = property.target?.entityInfo.name, !names.contains(target) else {
          continue
        }
        throw ObjectBoxError.schema(
          message: "\(entity.name).\(property.name) leads to \(target), which is no entity of the "
            + "store; open the store with it"
        )
      }
    }
  }

  /// Whether a file has everything; what contradicts it is for the migration.
  private func isComplete(_ schema: Schema) -> Bool {
    (try? schema.lacks(definitions(schema))) == false
  }

  // MARK: - Definitions

  private func definitions(_ schema: Schema) -> [ClassDefinition] {
    entities.map { entity in
      var definition = ClassDefinition(entity.name)
      for property in entity.properties {
        let stored = schema[entity.name]?[property.name]?.type
        if let type = property.storedType(beside: stored) {
          definition.properties.append(
            PropertyDefinition(
              property.name,
              type,
              isPrimaryKey: schema[entity.name]?.primaryKey?.name == property.name,
              isUnique: property.isUnique,
              isIndexed: property.isIndexed
            )
          )
        } else if case .backlink(let origin, let through) = property.kind {
          let name = origin.entityInfo.name
          definition.backlinks.append(
            BacklinkDefinition(property.name, origin: name, property: through)
          )
        }
      }
      return definition
    }
  }

  // MARK: - Migration

  /// Renames what was renamed, from its newest name that the file has; then drops properties whose
  /// type the program replaced, and makes others optional or not.
  private func migrate(_ transaction: WriteTransaction) throws {
    let names = Set(entities.map(\.name))
    for entity in entities where transaction.schema[entity.name] == nil {
      let old = entity.formerNames.last { transaction.schema[$0] != nil && !names.contains($0) }
      guard let old else { continue }
      try transaction.define([], migration: [.renameClass(from: old, to: entity.name)])
    }
    for entity in entities where transaction.schema[entity.name] != nil {
      // A name may be free only after the property that had it was renamed.
      while try entity.properties.contains(where: { try rename($0, of: entity, transaction) }) {}
      for property in entity.properties { try retype(property, of: entity, transaction) }
    }
  }

  private func rename(
    _ property: EntityProperty,
    of entity: EntityInfo,
    _ transaction: WriteTransaction
  ) throws -> Bool {
    let schema = try transaction.schema.require(entity.name)
    guard property.storedType(beside: nil) != nil, schema[property.name] == nil,
      let old = property.formerNames.last(where: { schema[$0] != nil })
    else { return false }
    let step = MigrationStep.renameProperty(className: entity.name, from: old, to: property.name)
    try transaction.define([], migration: [step])
    return true
  }

  private func retype(
    _ property: EntityProperty,
    of entity: EntityInfo,
    _ transaction: WriteTransaction
  ) throws {
    let schema = try transaction.schema.require(entity.name)
    guard let stored = schema[property.name]?.type,
      let type = property.storedType(beside: stored), type != stored
    else { return }
    var sameButForNull = stored
    sameButForNull.isOptional = type.isOptional
    if sameButForNull == type {
      try transaction.setOptional(type.isOptional, property.name, of: entity.name)
    } else if property.replacesType {
      try transaction.deleteProperty(property.name, of: entity.name)
    }
  }
}

extension EntityProperty {
  /// The entity that a relation leads to or comes from.
  var target: (any EntityInspectable.Type)? {
    switch kind {
    case .id, .value: nil
    case .toOne(let type), .toMany(let type), .backlink(let type, _): type
    }
  }

  var isUnique: Bool {
    if case .value(_, .some, _) = kind { true } else { false }
  }

  var isIndexed: Bool {
    if case .value(_, _, let isIndexed) = kind { isIndexed } else { false }
  }

  /// The type of the property in the file; `nil` if nothing is stored.
  ///
  /// A to-many relation is a set; one that another face of Kennel made may be a list.
  func storedType(beside stored: PropertyType?) -> PropertyType? {
    switch kind {
    case .id, .backlink: return nil
    case .value(let type, _, _): return type
    case .toOne(let target): return .link(target.entityInfo.name)
    case .toMany(let target):
      let list = PropertyType.list(.link(target.entityInfo.name))
      return stored == list ? list : .set(.link(target.entityInfo.name))
    }
  }
}
