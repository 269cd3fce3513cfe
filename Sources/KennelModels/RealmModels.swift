package import KennelCore
import SwiftScanning

/// Generates `KennelRealm` model classes.
///
/// A program with these models opens a file that has the classes they were generated from. A file
/// that it creates has the same schema, except for the differences that the notes list.
package struct RealmModels {
  let names: ModelNames
  var notes: [String]

  /// Generates the models of classes; the classes that their links point to must be among them.
  package static func write(_ classes: [ClassDefinition]) -> GeneratedModels { models(of: classes) }
}

extension RealmModels: ModelWriter {
  static let module = "KennelRealm"
  static let types = SwiftClassNames.realm

  mutating func text(of definition: ClassDefinition, _ members: SwiftPropertyNames) -> String {
    let name = names.classNames[definition.name]
    let parent = definition.isEmbedded ? "EmbeddedObject" : "Object"
    var lines = ["class \(SwiftText.name(name)): \(parent) {"]
    for property in definition.properties {
      lines.append("  " + declaration(of: property, members[property.name], definition.name))
    }
    for backlink in definition.backlinks {
      guard let origin = names.origin(of: backlink) else { continue }
      lines.append(
        "  @Persisted(originProperty: \(SwiftText.literal(origin.member))) var "
          + "\(SwiftText.name(members[backlink.name])): "
          + "LinkingObjects<\(names.code(backlink.origin))>"
      )
    }
    let renamed = (definition.properties.map(\.name) + definition.backlinks.map(\.name))
      .filter { !members[$0].hasSameBytes(as: $0) }
    if !renamed.isEmpty {
      let pairs = renamed.map { "\(SwiftText.literal(members[$0])): \(SwiftText.literal($0))" }
      lines += [
        "", "  override class func propertiesMapping() -> [String: String] {", "    [",
      ]
      lines += pairs.map { "      \($0)," }
      lines += ["    ]", "  }"]
    }
    if !name.hasSameBytes(as: definition.name) {
      lines += [
        "", "  override class func _realmObjectName() -> String? {",
        "    \(SwiftText.literal(definition.name))", "  }",
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
    } else if property.isIndexed || property.isUnique {
      if property.isUnique { notes.append("\(path): that it is unique cannot be declared") }
      if FaceType(property.type.kind).isIndexed {
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
    if let rule = property.targetRule, rule != .nullify {
      notes.append("\(path): its target rule \(rule) cannot be declared")
    }
    var text = "\(wrapper) var \(SwiftText.name(name)): \(type(property.type))"
    if let value = property.defaultValue, value != .null {
      if property.type.collection == .none, let literal = SwiftLiteral.of(value) {
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
    let single =
      switch type.kind {
      case .link: names.code(type.target)
      case .int where type.bitWidth < 64: "Int\(type.bitWidth)"
      case let kind: FaceType(kind).realm ?? "AnyRealmValue"
      }
    let element = single + (isMarked && type.kind != .mixed ? "?" : "")
    return switch type.collection {
    case .none: element
    case .list: "List<\(element)>"
    case .set: "MutableSet<\(element)>"
    case .map: "Map<String, \(element)>"
    }
  }
}
