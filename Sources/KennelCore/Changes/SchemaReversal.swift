import KennelStorage

/// The changes that make a schema what it was before a commit.
struct SchemaReversal {
  private(set) var changes: [SchemaChange] = []
  private let commitNumber: Int

  /// - Throws: `DatabaseError` if a part of the schema was deleted or converted: its values are gone.
  init(
    from now: Schema,
    to before: Schema,
    _ commitNumber: Int
  ) throws(DatabaseError) {
    self.commitNumber = commitNumber
    for former in before.classes {
      guard let schema = now[former.key] else { throw lost(former.name) }
      try restoreAttributes(of: schema, from: former)
    }
    // What is deleted may have a name, or lead to a class, that goes.
    for schema in now.classes {
      guard let former = before[schema.key] else { continue }
      for property in schema.properties where former[property.key] == nil {
        changes.append(.deleteProperty(property.name, of: schema.name))
      }
    }
    for schema in now.classes where before[schema.key] == nil {
      changes.append(.deleteClass(schema.name))
    }
    for former in before.classes {
      guard let schema = now[former.key] else { continue }
      for property in former.properties {
        guard let old = schema[property.key]?.name, old != property.name else { continue }
        changes.append(.renameProperty(old, of: schema.name, to: property.name))
      }
      if schema.name != former.name { changes.append(.renameClass(schema.name, to: former.name)) }
    }
  }

  private func lost(_ name: String) -> DatabaseError {
    DatabaseError(
      .schemaMismatch,
      "Commit \(commitNumber) deleted or converted a part of class \(name), which a draft cannot take "
        + "back",
      className: name
    )
  }

  private mutating func restoreAttributes(
    of schema: ClassSchema,
    from former: ClassSchema
  ) throws(DatabaseError) {
    let name = schema.name
    let key = former.primaryKey?.key
    if schema.primaryKey?.key != key {
      changes.append(.setPrimaryKey(key.flatMap { schema[$0]?.name }, of: name))
    }
    for old in former.properties {
      guard let property = schema[old.key], Self.haveSameType(property, old) else {
        throw lost(former.name)
      }
      if !old.isPrimaryKey, !property.isPrimaryKey {
        if property.isUnique != old.isUnique {
          changes.append(.setUnique(old.isUnique, property.name, of: name))
        }
        if property.isIndexed != old.isIndexed {
          changes.append(.setIndexed(old.isIndexed, property.name, of: name))
        }
      }
      if property.deleteRule != old.deleteRule {
        changes.append(.setDeleteRule(old.deleteRule, property.name, of: name))
      }
      if property.targetRule != old.targetRule {
        changes.append(.setTargetRule(old.targetRule, property.name, of: name))
      }
    }
  }

  /// Whether the types are the same, whatever the class that links lead to is called.
  private static func haveSameType(_ one: PropertySchema, _ other: PropertySchema) -> Bool {
    var type = one.type
    type.target = other.type.target
    return type == other.type && one.target == other.target
  }
}
