import SwiftScanning

/// Writes Objective-C model classes in Swift.
struct ModelTranslator {
  private let classes: [String: ObjectiveCClass]
  /// The names of the model classes.
  let models: Set<String>
  private let types: SwiftTypeReader

  init(classes: [ObjectiveCClass], enumerations: Set<String>) {
    let byName = Dictionary(classes.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    let models = classes.filter { declared in
      Self.lineage(of: declared, in: byName).contains { Self.roots[$0.parent] != nil }
    }
    self.classes = byName
    self.models = Set(models.map(\.name))
    types = SwiftTypeReader(models: self.models, enumerations: enumerations)
  }

  /// A class and those that it inherits; a class that inherits itself is in it many times.
  private static func lineage(
    of declared: ObjectiveCClass,
    in classes: [String: ObjectiveCClass]
  ) -> some Sequence<ObjectiveCClass> {
    sequence(first: declared) { classes[$0.parent] }.prefix(classes.count + 1)
  }

  private static let roots = ["RLMObject": "Object", "RLMEmbeddedObject": "EmbeddedObject"]

  // MARK: - Names

  /// The Swift name of a property, without backticks.
  func swiftName(_ name: String, in owner: String) -> String {
    guard SwiftNames.modelMembers.contains(name) else { return name }
    let others = Set(classes[owner]?.properties.map(\.name) ?? [])
    let start = owner.prefix(1).lowercased() + owner.dropFirst()
    var candidate = start + name.prefix(1).uppercased() + name.dropFirst()
    while others.contains(candidate) { candidate += "Value" }
    return candidate
  }

  /// A type of KennelRealm or Swift, with its module if a model has the same name.
  private func type(_ name: String) -> String {
    let bare = name.hasSuffix("?") ? String(name.dropLast()) : name
    guard models.contains(bare) else { return name }
    let isSwift = ["Int", "Bool", "Float", "Double", "String"].contains(bare)
    return (isSwift ? "Swift." : "KennelRealm.") + name
  }

  // MARK: - Classes

  /// The declaration of a class.
  func swift(for declared: ObjectiveCClass) throws(Diagnostic) -> String {
    let facts = try ModelFacts(declared)
    try checkNames(facts, declared)
    var lines: [String] = []
    var mapping: [(name: String, stored: String)] = []
    for property in declared.properties {
      if property.isReadonly, property.type.name != "RLMLinkingObjects",
        declared.otherMethods.contains(where: { $0.name == property.name })
      {
        lines.append("  // Computed: \(property.text)")
        continue
      }
      lines += comments(property.comments, indentation: "  ")
      lines.append("  " + (try line(for: property, of: declared, facts)))
      let name = swiftName(property.name, in: declared.name)
      if name != property.name, property.type.name != "RLMLinkingObjects",
        !facts.ignored.contains(property.name)
      {
        mapping.append((name, property.name))
      }
    }
    let getters = Set(declared.properties.map(\.name))
    for method in declared.otherMethods where !getters.contains(method.name) {
      lines.append("  // Not translated: \(method.text)")
    }
    lines += comments(declared.lastComments, indentation: "  ")
    lines += methods(mapping: mapping, declared)
    let parent = Self.roots[declared.parent].map(type) ?? declared.parent
    let head =
      comments(declared.comments, indentation: "")
      + ["class \(declared.name): \(parent) {"]
    return (head + lines + ["}"]).joined(separator: "\n") + "\n"
  }

  private func methods(
    mapping: [(name: String, stored: String)],
    _ declared: ObjectiveCClass
  ) -> [String] {
    var lines: [String] = []
    if !mapping.isEmpty {
      let pairs = mapping.map { "\"\($0.name)\": \"\($0.stored)\"" }.joined(separator: ", ")
      lines += [
        "", "  override class func propertiesMapping() -> [\(type("String")): \(type("String"))] {",
        "    [\(pairs)]", "  }",
      ]
    }
    if declared.answers["shouldIncludeInDefaultSchema"]?.value == .bool(false) {
      lines += [
        "", "  override class func shouldIncludeInDefaultSchema() -> \(type("Bool")) {",
        "    false", "  }",
      ]
    }
    return lines
  }

  private func comments(_ comments: [String], indentation: String) -> [String] {
    comments.flatMap { comment in
      comment.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
        .map { number, line in
          let text = String(line.drop { $0 == " " || $0 == "\t" })
          return indentation + (number > 0 && text.hasPrefix("*") ? " " : "") + text
        }
    }
  }

  /// Throws if a class method names a property that does not exist.
  private func checkNames(_ facts: ModelFacts, _ declared: ObjectiveCClass) throws(Diagnostic) {
    let lineage = Self.lineage(of: declared, in: classes)
    let names = Set(lineage.flatMap { $0.properties.map(\.name) })
    for (name, method, place) in facts.named where !names.contains(name) {
      throw place.error(
        "+[\(declared.name) \(method)] names '\(name)', which is no property of \(declared.name)"
      )
    }
  }
}

// MARK: - Properties

extension ModelTranslator {
  private func line(
    for property: ObjectiveCProperty,
    of declared: ObjectiveCClass,
    _ facts: ModelFacts
  ) throws(Diagnostic) -> String {
    let name = SwiftText.name(swiftName(property.name, in: declared.name))
    let isRequired = facts.required.contains(property.name)
    if facts.ignored.contains(property.name) {
      guard
        let known = try? types.type(of: property, in: declared.name, isRequired: isRequired),
        let plain = ignored(known, facts.defaults[property.name])
      else { return "// Ignored: \(property.text)" }
      return "var \(name): \(plain)"
    }
    let kind = try types.type(of: property, in: declared.name, isRequired: isRequired)
    if kind == .linkingObjects {
      return try linkingObjects(property, name, of: declared, facts)
    }
    let wrapper =
      facts.primaryKey == property.name
      ? "@Persisted(primaryKey: true)"
      : facts.indexed.contains(property.name) ? "@Persisted(indexed: true)" : "@Persisted"
    var value = ""
    if let entry = facts.defaults[property.name] {
      guard let text = DefaultValue.text(entry.value, for: kind) else {
        throw entry.place.error(
          "The default of \(declared.name).\(property.name) cannot be translated to "
            + "\(self.text(of: kind)); set it in an initializer"
        )
      }
      if !text.isEmpty { value = " = \(text)" }
    }
    return "\(wrapper) var \(name): \(text(of: kind))\(value)"
  }

  /// A type as Swift writes it.
  private func text(of kind: SwiftType) -> String {
    switch kind {
    case .scalar(let name, let isOptional): type(name) + (isOptional ? "?" : "")
    case .object(let name): name + "?"
    case .collection("Map", let element):
      "\(type("Map"))<\(type("String")), \(element)>"
    case .collection(let name, let element): "\(type(name))<\(element)>"
    case .linkingObjects: type("LinkingObjects")
    case .anything: type("AnyRealmValue")
    }
  }

  /// A property that Realm does not store, with a default value; `nil` without a type.
  private func ignored(_ kind: SwiftType, _ entry: ModelFacts.Default?) -> String? {
    let text = entry.flatMap { DefaultValue.text($0.value, for: kind) } ?? ""
    let value = text.isEmpty ? nil : text
    switch kind {
    case .scalar(_, isOptional: true), .object:
      return self.text(of: kind) + (value.map { " = \($0)" } ?? "")
    case .scalar("Bool", _): return "\(self.text(of: kind)) = \(value ?? "false")"
    case .scalar("Int", _), .scalar("Float", _), .scalar("Double", _):
      return "\(self.text(of: kind)) = \(value ?? "0")"
    case .scalar("String", _): return "\(self.text(of: kind)) = \(value ?? "\"\"")"
    case .scalar(let name, _): return "\(self.text(of: kind)) = \(value ?? "\(type(name))()")"
    case .collection, .linkingObjects, .anything: return nil
    }
  }

  private func linkingObjects(
    _ property: ObjectiveCProperty,
    _ name: String,
    of declared: ObjectiveCClass,
    _ facts: ModelFacts
  ) throws(Diagnostic) -> String {
    guard let origin = facts.origins[property.name] else {
      throw property.place.error(
        "\(declared.name).\(property.name): +linkingObjectsProperties does not say "
          + "which class and property it is the inverse of"
      )
    }
    guard models.contains(origin.className) else {
      throw origin.place.error(
        "\(origin.className) is not declared in these files; "
          + "give the file that declares it as well"
      )
    }
    guard
      classes[origin.className]?.properties.contains(where: { $0.name == origin.property })
        == true
    else {
      throw origin.place.error(
        "\(origin.className) has no property '\(origin.property)'"
      )
    }
    let stored = swiftName(origin.property, in: origin.className)
    return "@Persisted(originProperty: \"\(stored)\") var \(name): "
      + "\(type("LinkingObjects"))<\(origin.className)>"
  }
}
