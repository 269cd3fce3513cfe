import KennelStorage

// How changes of the schema lie in a journal: a byte that says which, then the names and what is new. The
// numbers are those of the format and stay. Types are written as in documents.

extension JournalBodyWriter {
  internal mutating func append(_ change: SchemaChange) {
    switch change {
    case .addClass(let name, let isEmbedded):
      begin(0, name, byte: isEmbedded ? 1 : 0)
    case .renameClass(let name, let new): begin(1, name, new)
    case .deleteClass(let name): begin(2, name)
    case .addProperty(let definition, let className):
      begin(3, className)
      append(definition)
    case .renameProperty(let name, let className, let new): begin(4, className, name, new)
    case .retypeProperty(let name, let className, let type, let isClearing):
      begin(5, className, name, "\(type)", byte: isClearing ? 1 : 0)
    case .deleteProperty(let name, let className): begin(6, className, name)
    case .setPrimaryKey(let name, let className):
      begin(7, className, name ?? "")
    case .setUnique(let isUnique, let name, let className):
      begin(8, className, name, byte: isUnique ? 1 : 0)
    case .setIndexed(let isIndexed, let name, let className):
      begin(9, className, name, byte: isIndexed ? 1 : 0)
    case .setDeleteRule(let rule, let name, let className):
      begin(10, className, name, byte: rule.rawValue)
    case .setTargetRule(let rule, let name, let className):
      begin(11, className, name, byte: rule.rawValue)
    }
  }

  private mutating func begin(_ tag: UInt8, _ names: String..., byte: UInt8? = nil) {
    append(tag)
    for name in names { append(name) }
    if let byte { append(byte) }
  }

  private mutating func append(_ definition: PropertyDefinition) {
    append(definition.name)
    append("\(definition.type)")
    let flags =
      (definition.isPrimaryKey ? 1 : 0) | (definition.isUnique ? 2 : 0)
      | (definition.isIndexed ? 4 : 0)
    append(UInt8(flags))
    append(definition.deleteRule?.rawValue ?? .max)
    append(definition.targetRule?.rawValue ?? .max)
    append(definition.defaultValue)
  }
}

extension JournalBodyReader {
  internal mutating func schemaChange() throws(JournalFault) -> SchemaChange {
    let tag: UInt8 = try number()
    let className = try text()
    switch tag {
    case 0: return .addClass(className, isEmbedded: try flag())
    case 1: return .renameClass(className, to: try text())
    case 2: return .deleteClass(className)
    case 3: return .addProperty(try definition(), of: className)
    case 4: return .renameProperty(try text(), of: className, to: try text())
    case 5:
      let (name, type) = (try text(), try type())
      return .retypeProperty(name, of: className, to: type, clearing: try flag())
    case 6: return .deleteProperty(try text(), of: className)
    case 7:
      let name = try text()
      return .setPrimaryKey(name.isEmpty ? nil : name, of: className)
    case 8:
      let name = try text()
      return .setUnique(try flag(), name, of: className)
    case 9:
      let name = try text()
      return .setIndexed(try flag(), name, of: className)
    case 10:
      let name = try text()
      guard let rule = DeleteRule(rawValue: try number()) else { throw Self.unknownRule }
      return .setDeleteRule(rule, name, of: className)
    case 11:
      let name = try text()
      guard let rule = TargetRule(rawValue: try number()) else { throw Self.unknownRule }
      return .setTargetRule(rule, name, of: className)
    default: throw .damaged("its change of the schema is of an unknown kind")
    }
  }

  private static let unknownRule = JournalFault.damaged("a rule is of an unknown kind")

  private mutating func type() throws(JournalFault) -> PropertyType {
    guard let type = PropertyType(try text()) else {
      throw .damaged("a type is of an unknown kind")
    }
    return type
  }

  private mutating func definition() throws(JournalFault) -> PropertyDefinition {
    let (name, type) = (try text(), try type())
    let flags: UInt8 = try number()
    guard flags < 8 else { throw .damaged("a property has unknown traits") }
    let (deleteRule, targetRule): (UInt8, UInt8) = (try number(), try number())
    let rules = (DeleteRule(rawValue: deleteRule), TargetRule(rawValue: targetRule))
    guard rules.0 != nil || deleteRule == .max, rules.1 != nil || targetRule == .max else {
      throw Self.unknownRule
    }
    return PropertyDefinition(
      name,
      type,
      isPrimaryKey: flags & 1 != 0,
      isUnique: flags & 2 != 0,
      isIndexed: flags & 4 != 0,
      deleteRule: rules.0,
      targetRule: rules.1,
      defaultValue: try optionalValue()
    )
  }
}
