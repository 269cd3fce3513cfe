import KennelCore

/// The schema of a document as its lines come.
struct SchemaDefinitions {
  private var classes: [ClassDefinition] = []
  /// Where a class or a property, as in `Person.dogs`, is defined.
  private var lines: [ExactName: Int] = [:]

  /// Reads a line that tells a class, a property or a backlink.
  mutating func read(_ document: Document, kind: String, line: Int) throws(DocumentError) {
    var reader = SchemaLine(line: line, members: document.members)
    let name = try reader.string(kind)
    switch kind {
    case DocumentFormat.classLine:
      let isEmbedded = try reader.flag("embedded")
      try note(name, line)
      classes.append(ClassDefinition(name, isEmbedded: isEmbedded))
    case DocumentFormat.propertyLine:
      let definition = try reader.property(name)
      try update(line) { $0.properties.append(definition) }
      try note("\(classes.last?.name ?? "").\(name)", line)
    default:
      let origin = try reader.string("origin")
      let property = try reader.string("property")
      let definition = BacklinkDefinition(name, origin: origin, property: property)
      try update(line) { $0.backlinks.append(definition) }
      try note("\(classes.last?.name ?? "").\(name)", line)
    }
    try reader.finish()
  }

  /// Adds the classes to a file.
  func define(in transaction: WriteTransaction) throws(DocumentError) {
    guard !classes.isEmpty else { return }
    do throws(DatabaseError) {
      try transaction.define(classes)
    } catch {
      let name = error.className ?? ""
      let path = error.propertyName.map { "\(name).\($0)" } ?? name
      let line = lines[ExactName(path)] ?? lines[ExactName(name)]
      throw DocumentError(
        line: line,
        path: path.isEmpty ? nil : path,
        error.message,
        cause: error
      )
    }
  }

  private mutating func update(
    _ line: Int,
    _ change: (inout ClassDefinition) -> Void
  ) throws(DocumentError) {
    guard !classes.isEmpty else {
      throw DocumentError(line: line, "A line with \"\(DocumentFormat.classLine)\" must come first")
    }
    change(&classes[classes.count - 1])
  }

  private mutating func note(_ path: String, _ line: Int) throws(DocumentError) {
    if let first = lines.updateValue(line, forKey: ExactName(path)) {
      throw DocumentError(line: line, path: path, "already defined in line \(first)")
    }
  }
}

/// A line of the schema, whose members are taken one by one.
private struct SchemaLine {
  let line: Int
  var members: [Document.Member]

  private mutating func take(_ name: String) -> DocumentValue? {
    members.firstIndex { $0.name == name }.map { members.remove(at: $0).value }
  }

  mutating func string(_ name: String) throws(DocumentError) -> String {
    guard case .string(let text)? = take(name) else {
      throw DocumentError(line: line, "Expected \"\(name)\" with a string")
    }
    return text
  }

  mutating func flag(_ name: String) throws(DocumentError) -> Bool {
    guard let value = take(name) else { return false }
    guard case .bool(let flag) = value else {
      throw DocumentError(line: line, "Expected true or false after \"\(name)\"")
    }
    return flag
  }

  mutating func property(_ name: String) throws(DocumentError) -> PropertyDefinition {
    let text = try string("type")
    guard let type = PropertyType(text) else {
      throw DocumentError(line: line, "\"\(text)\" is not a type such as \"list<link<Dog>>\"")
    }
    var definition = PropertyDefinition(name, type)
    definition.isPrimaryKey = try flag("primaryKey")
    definition.isUnique = try flag("unique")
    definition.isIndexed = try flag("indexed")
    var form: SchemaForm = []
    if try flag(DocumentFormat.requiredInSchema) { form.insert(.required) }
    if try flag(DocumentFormat.shortInSchema) { form.insert(.short) }
    if !form.isEmpty { definition.schemaForm = form }
    definition.deleteRule = try rule(DocumentFormat.deleteRule, "delete rules")
    definition.targetRule = try rule(DocumentFormat.targetRule, "target rules")
    if let value = take("default") {
      do throws(ValueProblem) {
        let reader = ValueReader(form: .lines)
        definition.defaultValue = try reader.wholeValue(value, type, target: nil) {
          (_) throws(ValueProblem) in throw ValueProblem("a default cannot be a link")
        }
      } catch {
        throw DocumentError(line: line, path: name + error.path, error.message)
      }
    }
    return definition
  }

  private mutating func rule<Rule: CaseIterable>(
    _ name: String,
    _ kind: String
  ) throws(DocumentError) -> Rule? {
    guard members.contains(where: { $0.name == name }) else { return nil }
    let text = try string(name)
    if let rule = Rule.allCases.first(where: { "\($0)" == text }) { return rule }
    let rules = Rule.allCases.map { "\($0)" }.joined(separator: ", ")
    throw DocumentError(line: line, "\"\(text)\" is not one of the \(kind) \(rules)")
  }

  func finish() throws(DocumentError) {
    if let name = members.first?.name {
      throw DocumentError(line: line, "Unknown member \"\(name)\"")
    }
  }
}
