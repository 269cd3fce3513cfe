package import KennelCore
import SwiftScanning

/// Generates `KennelRealm` model classes.
///
/// A program with these models opens a file that has the classes they were generated from. A file
/// that it creates has the same schema, except for the differences that the notes list.
package struct RealmModels {
  private let classes: [ClassDefinition]
  /// The Swift name of each class.
  private var names = SwiftClassNames(taken: SwiftClassNames.realm)
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
    var lines = ["class \(SwiftText.name(name)): \(parent) {"]
    for property in definition.properties {
      lines.append("  " + declaration(of: property, members[property.name], definition.name))
    }
    for backlink in definition.backlinks {
      guard let origin = classes.firstIndex(where: { $0.name.hasSameBytes(as: backlink.origin) })
      else { continue }
      let property = all[origin][backlink.property]
      lines.append(
        "  @Persisted(originProperty: \(SwiftText.literal(property))) var "
          + "\(SwiftText.name(members[backlink.name])): "
          + "LinkingObjects<\(SwiftText.name(names[backlink.origin]))>"
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
    case .int where type.bitWidth < 64: "Int\(type.bitWidth)"
    case .link: SwiftText.name(names[type.target ?? ""])
    case let kind: FaceType(kind).realm ?? "AnyRealmValue"
    }
  }
}
