package import KennelCore

/// Generates `KennelRealm` model classes.
///
/// A program with these models opens a file that has the classes they were generated from. A file
/// that it creates has the same schema, except for the differences that the notes list.
package struct RealmModels {
  private let classes: [ClassDefinition]
  /// The Swift name of each class.
  private var names = SwiftClassNames()
  private var notes: [String] = []

  private init(_ classes: [ClassDefinition]) {
    self.classes = classes
    for definition in classes { names.add(definition.name) }
  }

  /// Generates the models of classes; the classes that their links point to must be among them.
  package static func write(_ classes: [ClassDefinition]) -> GeneratedModels {
    var writer = RealmModels(classes)
    let members = classes.map { SwiftPropertyNames($0) }
    let texts = zip(classes, members).map { writer.text(of: $0, $1, members) }
    return GeneratedModels(
      text: "import KennelRealm\n" + texts.map { "\n" + $0 }.joined(),
      notes: writer.notes,
      classNames: classes.map { writer.names[$0.name] }
    )
  }

  private mutating func text(
    of definition: ClassDefinition,
    _ members: SwiftPropertyNames,
    _ all: [SwiftPropertyNames]
  ) -> String {
    let name = names[definition.name]
    let parent = definition.isEmbedded ? "EmbeddedObject" : "Object"
    var lines = ["class \(SwiftNames.quoted(name)): \(parent) {"]
    for property in definition.properties {
      lines.append("  " + declaration(of: property, members[property.name], definition.name))
    }
    for backlink in definition.backlinks {
      guard let origin = classes.firstIndex(where: { $0.name.hasSameBytes(as: backlink.origin) })
      else { continue }
      let property = all[origin][backlink.property]
      lines.append(
        "  @Persisted(originProperty: \(Self.literal(property))) var "
          + "\(SwiftNames.quoted(members[backlink.name])): "
          + "LinkingObjects<\(SwiftNames.quoted(names[backlink.origin]))>"
      )
    }
    let renamed = (definition.properties.map(\.name) + definition.backlinks.map(\.name))
      .filter { !members[$0].hasSameBytes(as: $0) }
    if !renamed.isEmpty {
      let pairs = renamed.map { "\(Self.literal(members[$0])): \(Self.literal($0))" }
      lines += [
        "", "  override class func propertiesMapping() -> [String: String] {", "    [",
      ]
      lines += pairs.map { "      \($0)," }
      lines += ["    ]", "  }"]
    }
    if !name.hasSameBytes(as: definition.name) {
      lines += [
        "", "  override class func _realmObjectName() -> String? {",
        "    \(Self.literal(definition.name))", "  }",
      ]
    }
    return (lines + ["}"]).joined(separator: "\n") + "\n"
  }

  // MARK: - Properties

  private mutating func declaration(
    of property: PropertyDefinition,
    _ name: String,
    _ className: String
  ) -> String {
    let path = "\(className).\(property.name)"
    var wrapper = "@Persisted"
    if property.isPrimaryKey {
      wrapper += "(primaryKey: true)"
    } else if property.isIndexed {
      if [.bool, .int, .string, .date, .objectId, .uuid].contains(property.type.kind) {
        wrapper += "(indexed: true)"
      } else {
        notes.append("\(path): an index of a \(property.type.element) cannot be declared")
      }
    } else if let rule = property.deleteRule, rule != .nullify {
      if property.type.kind == .link || [.none, .map].contains(property.type.collection) {
        wrapper += "(deleteRule: .\(rule))"
      } else {
        notes.append("\(path): the delete rule of a \(property.type) cannot be declared")
      }
    }
    var text = "\(wrapper) var \(SwiftNames.quoted(name)): \(type(property.type))"
    if let value = property.defaultValue, value != .null {
      if property.type.collection == .none, let literal = literal(value) {
        text += " = \(literal)"
      } else {
        notes.append("\(path): its default cannot be declared")
      }
    }
    return text
  }

  private func type(_ type: PropertyType) -> String {
    let isObject = type.kind == .link
    let isMarked = isObject ? [.none, .map].contains(type.collection) : type.isOptional
    let element = scalar(type) + (isMarked && type.kind != .mixed ? "?" : "")
    return switch type.collection {
    case .none: element
    case .list: "List<\(element)>"
    case .set: "MutableSet<\(element)>"
    case .map: "Map<String, \(element)>"
    }
  }

  private func scalar(_ type: PropertyType) -> String {
    switch type.kind {
    case .bool: "Bool"
    case .int: type.bitWidth == 64 ? "Int" : "Int\(type.bitWidth)"
    case .float: "Float"
    case .double: "Double"
    case .string: "String"
    case .data: "Data"
    case .date: "Date"
    case .objectId: "ObjectId"
    case .uuid: "UUID"
    case .decimal128: "Decimal128"
    case .mixed: "AnyRealmValue"
    case .link: SwiftNames.quoted(names[type.target ?? ""])
    }
  }

  // MARK: - Literals

  /// The most bytes of data that become a default value.
  private static let longestData = 1024

  /// The Swift literal of a value, or `nil` if none is exact.
  private func literal(_ value: Value) -> String? {
    switch value {
    case .bool(let flag): return "\(flag)"
    case .int(let number): return number == .min ? "Int.min" : "\(number)"
    case .float(let number): return number.isFinite ? "\(number)" : nil
    case .double(let number): return number.isFinite ? "\(number)" : nil
    case .string(let string): return Self.literal(string)
    case .data(let bytes):
      guard bytes.count <= Self.longestData else { return nil }
      return "Data([\(bytes.map { "\($0)" }.joined(separator: ", "))])"
    case .date(let date):
      // Foundation's dates are doubles, which hold whole seconds exactly.
      guard date.nanoseconds == 0, abs(date.seconds) < 1 << 50 else { return nil }
      return "Date(timeIntervalSince1970: \(date.seconds))"
    case .objectId: return "ObjectId(\"\(ValueText.describe(value))\")"
    case .uuid(let uuid):
      let bytes = [uuid.high, uuid.low].flatMap { word in
        stride(from: 56, through: 0, by: -8).map { "\(UInt8(truncatingIfNeeded: word >> $0))" }
      }
      return "UUID(uuid: (\(bytes.joined(separator: ", "))))"
    case .decimal128(let number):
      let text = ValueText.describe(value)
      return Decimal128(text) == number ? "\"\(text)\"" : nil
    case .null, .link, .list, .set, .map: return nil
    }
  }

  /// A string literal of ASCII and letters; escapes every other character.
  private static func literal(_ string: String) -> String {
    var text = "\""
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\t": text += "\\t"
      case " "..."~": text.unicodeScalars.append(scalar)
      case _ where SwiftNames.isIdentifier(String(scalar)): text.unicodeScalars.append(scalar)
      default: text += "\\u{\(String(scalar.value, radix: 16))}"
      }
    }
    return text + "\""
  }
}

/// The Swift names of classes.
struct SwiftClassNames {
  private var names: [[UInt8]: String] = [:]
  /// Names that have another meaning in the source or belong to another class.
  private var taken: Set = [
    "Any", "AnyRealmValue", "Bool", "Data", "Date", "Decimal128", "Dictionary", "Double",
    "EmbeddedObject", "Float", "Foundation", "Int", "Int16", "Int32", "Int8", "KennelRealm",
    "LinkingObjects", "List", "Map", "MutableSet", "Object", "ObjectId", "Optional", "Persisted",
    "Protocol", "Realm", "Self", "String", "Swift", "Type", "UUID", "self",
  ]

  subscript(name: String) -> String { names[Array(name.utf8)] ?? name }

  mutating func add(_ name: String) {
    let stem = SwiftNames.isIdentifier(name) ? name : SwiftNames.identifier(for: name)
    var candidate = stem
    var number = 2
    if taken.contains(candidate) { candidate = stem + "Model" }
    while taken.contains(candidate) {
      candidate = "\(stem)Model\(number)"
      number += 1
    }
    taken.insert(candidate)
    names[Array(name.utf8)] = candidate
  }
}

/// The Swift names of the properties of a class.
struct SwiftPropertyNames {
  private var names: [[UInt8]: String] = [:]
  /// Names that have another meaning or belong to another property.
  private var taken = SwiftNames.modelMembers.union([
    "Any", "Data", "Date", "ObjectId", "Protocol", "Self", "String", "Type", "UUID", "init", "self",
  ])

  init(_ definition: ClassDefinition) {
    let all = definition.properties.map(\.name) + definition.backlinks.map(\.name)
    // Names that can stay come first, so that no other takes them.
    for name in all where SwiftNames.isIdentifier(name) && isFree(name) { take(name, for: name) }
    for name in all where names[Array(name.utf8)] == nil {
      let stem = SwiftNames.identifier(for: name)
      var candidate = stem + (isFree(stem) ? "" : "Value")
      var number = 2
      while !isFree(candidate) {
        candidate = "\(stem)Value\(number)"
        number += 1
      }
      take(candidate, for: name)
    }
  }

  subscript(name: String) -> String { names[Array(name.utf8)] ?? name }

  /// The compiler gives the wrapper of `id` the name `_id`, which is then taken too.
  private func isFree(_ name: String) -> Bool {
    !taken.contains(name) && !taken.contains("_" + name)
  }

  private mutating func take(_ swiftName: String, for name: String) {
    names[Array(name.utf8)] = swiftName
    taken.insert(swiftName)
    taken.insert("_" + swiftName)
  }
}
