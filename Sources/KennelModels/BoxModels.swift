package import KennelCore
import SwiftScanning

/// Generates entities for `KennelBox`.
///
/// A program with these entities opens a file that has those classes; the notes list what the
/// entities do not have. The key of an object is its ID.
package struct BoxModels {
  let names: ModelNames
  var notes: [String]

  /// Generates the entities of classes; the classes that their links point to must be among them.
  package static func write(_ classes: [ClassDefinition]) -> GeneratedModels { models(of: classes) }
}

extension BoxModels: ModelWriter {
  static let module = "KennelBox"
  static let types: Set = [
    "Any", "Bool", "Box", "Data", "Date", "Dictionary", "Double", "Entity", "EntityId",
    "EntityInfo", "Float", "Foundation", "Id", "Int", "Int16", "Int32", "Int8", "KennelBox",
    "ObjectBox", "Optional", "Property", "Protocol", "Query", "Self", "Store", "String", "Swift",
    "ToMany", "ToOne", "Type", "URL", "UUID", "self",
  ]

  static func canDeclare(_ definition: ClassDefinition) -> Bool { !definition.isEmbedded }

  static func reserved(in definition: ClassDefinition) -> Set<String> {
    SwiftPropertyNames.realm.union([id(of: definition)])
  }

  /// The name of the ID, which the database does not have as a property.
  private static func id(of definition: ClassDefinition) -> String {
    let all = definition.properties.map(\.name) + definition.backlinks.map(\.name)
    let taken = Set(all.map { $0.lowercased() })
    var name = "id"
    var number = 2
    while taken.contains(name.lowercased()) {
      name = number == 2 ? "objectId" : "objectId\(number)"
      number += 1
    }
    return name
  }

  mutating func text(of definition: ClassDefinition, _ members: SwiftPropertyNames) -> String {
    let name = names.classNames[definition.name]
    var lines: [String] = []
    if !name.hasSameBytes(as: definition.name) {
      lines.append("// objectbox: name = \(Self.json(definition.name))")
    }
    lines += [
      "class \(SwiftText.name(name)): Entity {",
      "  var \(Self.id(of: definition)): Id = 0",
    ]
    var seen: Set<String> = []
    for property in definition.properties {
      let path = "\(definition.name).\(property.name)"
      guard seen.insert(property.name.lowercased()).inserted else {
        notes.append("\(path): a name that differs from another in case alone cannot be declared")
        continue
      }
      lines += declaration(of: property, members[property.name], path)
    }
    for backlink in definition.backlinks {
      lines += declaration(of: backlink, members[backlink.name], definition.name)
    }
    return (lines + ["", "  required init() {}", "}"]).joined(separator: "\n") + "\n"
  }

  /// A name as JSON, which escapes two of the characters that names have.
  private static func json(_ name: String) -> String {
    var text = "\""
    for scalar in name.unicodeScalars {
      if scalar == "\"" || scalar == "\\" { text += "\\" }
      text.unicodeScalars.append(scalar)
    }
    return text + "\""
  }

  // MARK: - Properties

  private mutating func declaration(
    of property: PropertyDefinition,
    _ name: String,
    _ path: String
  ) -> [String] {
    guard let type = type(property.type) else {
      notes.append("\(path): the type \(property.type) cannot be declared")
      return []
    }
    var annotations: [String] = []
    if property.isPrimaryKey {
      annotations.append("unique")
      notes.append("\(path): a primary key cannot be declared; it is unique")
    } else if property.isUnique || property.isIndexed {
      if FaceType(property.type.kind).isIndexed {
        annotations.append(property.isUnique ? "unique" : "index")
      } else {
        notes.append("\(path): an index of a \(property.type.element) cannot be declared")
      }
    }
    if let rule = property.deleteRule, rule != .nullify {
      notes.append("\(path): its delete rule \(rule) cannot be declared")
    }
    if let rule = property.targetRule, rule != .nullify {
      notes.append("\(path): its target rule \(rule) cannot be declared")
    }
    if property.type.kind == .link, property.type.collection == .list {
      notes.append("\(path): a ToMany keeps no order, and holds each object once")
    }
    if !name.hasSameBytes(as: property.name) {
      annotations.append("name = \(Self.json(property.name))")
    }
    let lines =
      annotations.isEmpty ? [] : ["  // objectbox: \(annotations.joined(separator: ", "))"]
    return lines + ["  var \(SwiftText.name(name)): \(type)\(value(of: property, path))"]
  }

  private static let lists: [PropertyType: String] = [
    .list(.string): "[String]", .list(.float): "[Float]",
    .list(.int(bitWidth: 32)): "[Int32]", .list(.int(bitWidth: 64)): "[Int64]",
  ]

  /// The Swift type, or `nil` if a property of an entity cannot have it.
  private func type(_ type: PropertyType) -> String? {
    if type.kind == .link {
      let target = names.code(type.target)
      guard names.classes.contains(where: { $0.name == type.target && !$0.isEmbedded }) else {
        return nil
      }
      return switch type.collection {
      case .none: "ToOne<\(target)>"
      case .list, .set: "ToMany<\(target)>"
      case .map: nil
      }
    }
    guard type.collection == .none else { return Self.lists[type] }
    let mark = type.isOptional ? "?" : ""
    if type.kind == .int, type.bitWidth < 64 { return "Int\(type.bitWidth)\(mark)" }
    return FaceType(type.kind).box.map { $0 + mark }
  }

  /// The initial value behind a type; optional ones need none.
  private mutating func value(of property: PropertyDefinition, _ path: String) -> String {
    if property.type.kind == .link { return " = nil" }
    if property.type.collection != .none { return " = []" }
    if let value = property.defaultValue, value != .null {
      if let literal = SwiftLiteral.of(value) { return " = \(literal)" }
      notes.append("\(path): its default cannot be declared")
    }
    if property.type.isOptional { return "" }
    return FaceType(property.type.kind).boxInitial
  }

  private mutating func declaration(
    of backlink: BacklinkDefinition,
    _ name: String,
    _ className: String
  ) -> [String] {
    let origin = names.origin(of: backlink)
    let property = origin?.definition.properties.first {
      $0.name.hasSameBytes(as: backlink.property)
    }
    guard let origin, !origin.definition.isEmbedded, let property, type(property.type) != nil else {
      notes.append(
        "\(className).\(backlink.name): a backlink of \(backlink.origin).\(backlink.property) "
          + "cannot be declared"
      )
      return []
    }
    var annotations = ["backlink = \(Self.json(origin.member))"]
    if !name.hasSameBytes(as: backlink.name) {
      annotations.append("name = \(Self.json(backlink.name))")
    }
    return [
      "  // objectbox: \(annotations.joined(separator: ", "))",
      "  var \(SwiftText.name(name)): ToMany<\(names.code(backlink.origin))> = nil",
    ]
  }
}
