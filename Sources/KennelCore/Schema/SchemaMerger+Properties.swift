import KennelStorage

extension SchemaMerger {
  internal func check(
    _ property: PropertyDefinition,
    of definition: ClassDefinition
  ) throws(DatabaseError) {
    let type = property.type
    if let problem = problem(type) ?? keyProblem(property, definition) ?? ruleProblem(property)
      ?? SchemaName.problem(property.name).map({ "has an invalid name: \($0)" })
    {
      throw refuse(definition.name, problem, property.name)
    }
    guard let value = property.defaultValue else { return }
    let probe = PropertySchema(
      key: PropertyKey(rawValue: 0),
      name: property.name,
      type: type,
      target: type.target.flatMap { schema[$0]?.key },
      defaultValue: .null,
      fillValue: .null
    )
    try ValueCheck(schema: schema, className: definition.name, property: probe).check(value)
    if !value.links.isEmpty {
      throw refuse(
        definition.name,
        "has a link as its default; a default cannot name an object",
        property.name
      )
    }
  }

  private func problem(_ type: PropertyType) -> String? {
    if type.kind == .int, !PropertyType.bitWidths.contains(type.bitWidth) {
      return "has a width of \(type.bitWidth) bits; an int has 8, 16, 32 or 64"
    }
    guard type.kind == .link else {
      return type.target == nil ? nil : "names a class but is not a link"
    }
    guard let name = type.target, let target = schema[name] else {
      return "links to \(type.target ?? "no class"), which is not defined"
    }
    switch (type.collection, type.isOptional) {
    case (.none, false):
      return "is a to-one link and must be optional: its target can be deleted"
    case (.map, false):
      return "is a map of links and its values must be optional: a target can be deleted"
    case (.list, true), (.set, true):
      return "is a \(type.collection) of links and its elements cannot be optional"
    case (.set, false) where target.isEmbedded:
      return "is a set of embedded objects; use a list"
    case (.none, true), (.map, true), (.list, false), (.set, false): return nil
    }
  }

  private func keyProblem(
    _ property: PropertyDefinition,
    _ definition: ClassDefinition
  ) -> String? {
    let type = property.type
    if property.isPrimaryKey {
      if definition.isEmbedded { return "is the primary key of an embedded class, which has none" }
      guard type.kind.canBePrimaryKey, type.collection == .none else {
        return "is a \(type) and cannot be a primary key: an int, string, objectId or uuid can"
      }
    }
    if property.isUnique, definition.isEmbedded {
      return "is a unique property of an embedded class, which has none"
    }
    if property.isIndexed || property.isUnique,
      type.collection != .none || type.kind == .link || type.kind == .mixed
    {
      let use = property.isUnique ? "unique" : "indexed"
      return "is a \(type) and cannot be \(use): a single scalar can"
    }
    return nil
  }

  private func ruleProblem(_ property: PropertyDefinition) -> String? {
    let rule: String
    if property.deleteRule ?? .nullify != .nullify {
      rule = "delete rule"
    } else if property.targetRule ?? .nullify != .nullify {
      rule = "target rule"
    } else {
      return nil
    }
    let type = property.type
    guard type.kind == .link || type.kind == .mixed else {
      return "is a \(type) and cannot have a \(rule): only links can"
    }
    if let name = type.target, schema[name]?.isEmbedded == true {
      return "holds embedded objects, which are deleted with their owner: it has no \(rule)"
    }
    return nil
  }
}

extension PropertyDefinition {
  /// The same with a default whose members and entries are in their order, each once.
  internal var canonical: PropertyDefinition {
    var definition = self
    definition.defaultValue = defaultValue?.canonical
    return definition
  }
}
