package import KennelCore
import SwiftScanning

/// Generates models for `Kennel`.
///
/// A program with these models opens a file that has the classes they were generated from. A file
/// that it creates has the same schema, except for the differences that the notes list.
package struct NativeModels {
  let names: ModelNames
  var notes: [String]

  /// Generates the models of classes; the classes that their links point to must be among them.
  package static func write(_ classes: [ClassDefinition]) -> GeneratedModels { models(of: classes) }
}

extension NativeModels: ModelWriter {
  static let module = "Kennel"
  /// The types that `import Kennel` and a file of models mention.
  static let types = Set(ValueKind.scalars.compactMap { $0.scalar?.swiftName }).union([
    "Any", "Backlinks", "BlastRadius", "Bool", "Changes", "Condition", "Database", "DatabaseError",
    "Decimal128", "DeleteRule", "Dictionary", "Document", "Double", "Draft", "Editor",
    "EmbeddedModel", "Float", "Groups", "Int", "Int16", "Int32", "Int8", "Kennel", "Migration",
    "Model", "Object", "ObjectChange", "ObjectId", "Operand", "Optional", "Property", "Protocol",
    "Query", "Reading", "Results", "Scalar", "ScalarEnum", "Self", "Session", "Set", "Snapshot",
    "String", "Swift", "TargetRule", "Timestamp", "Transaction", "Type", "UInt8", "UUIDValue",
    "Value", "Writing", "self",
  ])

  /// Members of objects and editors, which hide a property of that name.
  private static let members: Set = [
    "append", "create", "debugDescription", "exists", "hash", "hashValue", "itself", "objectKey",
  ]

  static func reserved(in definition: ClassDefinition) -> Set<String> { members.union(types) }

  mutating func text(of definition: ClassDefinition, _ members: SwiftPropertyNames) -> String {
    let name = names.classNames[definition.name]
    let kind = definition.isEmbedded ? "EmbeddedModel" : "Model"
    var lines = ["struct \(SwiftText.name(name)): \(kind) {"]
    if !name.hasSameBytes(as: definition.name) {
      lines += ["  static var className: String { \(SwiftText.literal(definition.name)) }", ""]
    }
    for property in definition.properties {
      lines.append("  " + declaration(of: property, members[property.name], definition.name))
    }
    for backlink in definition.backlinks {
      guard let origin = names.origin(of: backlink) else { continue }
      let member = members[backlink.name]
      var arguments = ["of: \\.\(SwiftText.name(origin.member))"]
      if !member.hasSameBytes(as: backlink.name) {
        arguments.append("name: \(SwiftText.literal(backlink.name))")
      }
      lines.append(
        "  let \(SwiftText.name(member)) = Backlinks<\(names.code(backlink.origin))>"
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
    if let rule = property.targetRule, rule != .nullify { arguments.append("targetRule: .\(rule)") }
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
      return single(type) + (isOptional || type.kind == .link ? "?" : "")
    case .list, .set, .map:
      var element = single(type)
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

  private func single(_ type: PropertyType) -> String {
    switch type.kind {
    case .int where type.bitWidth < 64: "Int\(type.bitWidth)"
    case .mixed: "Value"
    case .link: "Object<\(names.code(type.target))>"
    case let kind: kind.scalar?.swiftName ?? "Value"
    }
  }
}
