package import KennelCore
import SwiftScanning

/// Generates models for `Kennel`.
///
/// A program with these models opens a file that has the classes they were generated from. A file
/// that it creates has the same schema, except for the differences that the notes list.
package struct NativeModels {
  private let classes: [ClassDefinition]
  /// The Swift name of each class.
  private var names = SwiftClassNames(taken: types)
  private var notes: [String] = []

  /// The types that `import Kennel` and a file of models mention.
  private static let types = Set(ValueKind.scalars.compactMap { $0.scalar?.swiftName }).union([
    "Any", "Backlinks", "BlastRadius", "Bool", "Changes", "Condition", "Database", "DatabaseError",
    "Decimal128", "DeleteRule", "Dictionary", "Document", "Double", "Draft", "Editor",
    "EmbeddedModel", "Float", "Groups", "Int", "Int16", "Int32", "Int8", "Kennel", "Migration",
    "Model", "Object", "ObjectChange", "ObjectId", "Operand", "Optional", "Property", "Protocol",
    "Query", "Reading", "Results", "Scalar", "ScalarEnum", "Self", "Session", "Set", "Snapshot",
    "String", "Swift", "Timestamp", "Transaction", "Type", "UInt8", "UUIDValue", "Value", "Writing",
    "self",
  ])

  /// What objects and editors have themselves, which hides a property of that name.
  private static let members: Set = [
    "append", "create", "debugDescription", "exists", "hash", "hashValue", "itself", "objectKey",
  ]

  private init(_ classes: [ClassDefinition]) {
    self.classes = classes
    for definition in classes { names.add(definition.name) }
  }

  /// Generates the models of classes; the classes that their links point to must be among them.
  package static func write(_ classes: [ClassDefinition]) -> GeneratedModels {
    var writer = NativeModels(classes)
    let names = classes.map { SwiftPropertyNames($0, reserved: members.union(types)) }
    let texts = zip(classes, names).map { writer.text(of: $0, $1, names) }
    return GeneratedModels(
      text: "import Kennel\n" + texts.map { "\n" + $0 }.joined(),
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
    let kind = definition.isEmbedded ? "EmbeddedModel" : "Model"
    var lines = ["struct \(SwiftText.name(name)): \(kind) {"]
    if !name.hasSameBytes(as: definition.name) {
      lines += ["  static var className: String { \(SwiftText.literal(definition.name)) }", ""]
    }
    for property in definition.properties {
      lines.append("  " + declaration(of: property, members[property.name], definition.name))
    }
    for backlink in definition.backlinks {
      guard let origin = classes.firstIndex(where: { $0.name.hasSameBytes(as: backlink.origin) })
      else { continue }
      let member = members[backlink.name]
      var arguments = ["of: \\.\(SwiftText.name(all[origin][backlink.property]))"]
      if !member.hasSameBytes(as: backlink.name) {
        arguments.append("name: \(SwiftText.literal(backlink.name))")
      }
      lines.append(
        "  let \(SwiftText.name(member)) = Backlinks<\(SwiftText.name(names[backlink.origin]))>"
          + "(\(arguments.joined(separator: ", ")))"
      )
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
    var arguments: [String] = []
    if property.isPrimaryKey {
      arguments.append(property.isUnique ? "[.primaryKey, .unique]" : ".primaryKey")
    } else if property.isUnique {
      arguments.append(".unique")
    } else if property.isIndexed {
      arguments.append(".indexed")
    }
    if !name.hasSameBytes(as: property.name) {
      arguments.append("name: \(SwiftText.literal(property.name))")
    }
    if let rule = property.deleteRule, rule != .nullify { arguments.append("deleteRule: .\(rule)") }
    if let value = property.defaultValue, value != .null {
      if property.type.collection == .none, property.type.kind != .mixed,
        let literal = SwiftLiteral.native(value)
      {
        arguments.append("default: \(literal)")
      } else {
        notes.append("\(path): its default cannot be declared")
      }
    }
    let type = type(property.type, path)
    return "let \(SwiftText.name(name)) = Property<\(type)>(\(arguments.joined(separator: ", ")))"
  }

  private mutating func type(_ type: PropertyType, _ path: String) -> String {
    let isOptional = type.isOptional && type.kind != .mixed
    switch type.collection {
    case .none:
      return scalar(type) + (isOptional || type.kind == .link ? "?" : "")
    case .list, .set, .map:
      var element = scalar(type)
      if isOptional, type.kind == .data {
        notes.append(
          "\(path): elements that are null or data cannot be declared; it is read as Value"
        )
        return "Value"
      }
      if isOptional, type.kind != .link { element += "?" }
      return switch type.collection {
      case .none, .list: "[\(element)]"
      case .set: "Set<\(element)>"
      case .map: "[String: \(element)]"
      }
    }
  }

  private func scalar(_ type: PropertyType) -> String {
    switch type.kind {
    case .int where type.bitWidth < 64: "Int\(type.bitWidth)"
    case .mixed: "Value"
    case .link: "Object<\(SwiftText.name(names[type.target ?? ""]))>"
    case let kind: kind.scalar?.swiftName ?? "Value"
    }
  }
}
