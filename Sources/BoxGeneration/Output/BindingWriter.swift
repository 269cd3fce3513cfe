import SwiftScanning

/// Writes the generated code of one entity.
///
/// The position of a property in `properties` is its number in all that is generated.
struct BindingWriter {
  private let entity: Entity
  private let type: String
  private let binding: String
  private let access: String
  private var lines: [String] = []

  /// The code of an entity.
  static func write(_ entity: Entity) -> String {
    var writer = BindingWriter(entity)
    writer.writeConformances()
    writer.writeBinding()
    writer.writeStatics()
    return writer.lines.joined(separator: "\n") + "\n"
  }

  /// How the store names the description of an entity.
  static func info(of entity: Entity) -> String {
    "\(SwiftText.qualified(entity.declaration.fullName)).entityBinding.entityInfo"
  }

  private init(_ entity: Entity) {
    self.entity = entity
    type = SwiftText.qualified(entity.declaration.fullName)
    binding = entity.bindingName
    access = entity.declaration.access.text
  }

  private mutating func add(_ line: String) { lines.append(line) }

  private mutating func writeConformances() {
    let own = entity.declaration.conformsToEntity ? "" : "KennelBox.Entity, "
    // A module may isolate its types to an actor by default; entities are not isolated.
    add(
      "nonisolated extension \(type): \(own)KennelBox.EntityInspectable, "
        + "KennelBox.__EntityRelatable {"
    )
    add("  \(access) typealias EntityBindingType = \(binding)")
    add("  \(access) static let entityBinding = \(binding)()")
    add("}")
    add("")
  }

  // MARK: - Binding

  private mutating func writeBinding() {
    add("nonisolated \(access) struct \(binding): KennelBox.EntityBinding {")
    add("  \(access) typealias EntityType = \(type)")
    add("  \(access) typealias IdType = \(idType)")
    add("")
    writeInfo()
    add("")
    add("  \(access) init() {}")
    add("")
    writeId()
    add("")
    writeWrite()
    add("")
    writeRead()
    add("")
    writeAttach()
    if entity.properties.contains(where: \.isToOne) { writeToOne() }
    add("}")
    add("")
  }

  private var id: Entity.Property? { entity.properties.first(where: \.isId) }
  private var idType: String { id?.type.text ?? "KennelBox.Id" }

  private mutating func writeInfo() {
    add("  \(access) let entityInfo = KennelBox.EntityInfo(")
    add("    name: \(SwiftText.literal(entity.name)),")
    add("    id: \(entity.id.id),")
    add("    uid: \(entity.id.uid),")
    add("    formerNames: \(Self.list(entity.formerNames)),")
    if entity.hasAssignableIds { add("    hasAssignableIds: true,") }
    add("    properties: [")
    for property in entity.properties { add("      \(Self.description(of: property)),") }
    add("    ]")
    add("  )")
  }

  private static func list(_ names: [String]) -> String {
    "[\(names.map(SwiftText.literal).joined(separator: ", "))]"
  }

  private static func description(of property: Entity.Property) -> String {
    var arguments = [SwiftText.literal(property.name)]
    let target = "\(SwiftText.qualified(property.target ?? "")).self"
    let kind: String
    switch property.kind {
    case .id: kind = "id"
    case .value:
      kind = "value"
      arguments.append("\(property.type.fullText).self")
    case .toOne:
      kind = "toOne"
      arguments.append(target)
    case .toMany:
      kind = "toMany"
      arguments.append(target)
    case .backlink(let through):
      return
        ".backlink(\(arguments[0]), \(target), through: \(SwiftText.literal(through)))"
    }
    arguments += ["id: \(property.id.id)", "uid: \(property.id.uid)"]
    if case .value = property.kind {
      if property.hasIndex { arguments.append("index: true") }
      if property.flags.contains(.unique) { arguments.append("unique: true") }
      if property.flags.contains(.replacesOnConflict) { arguments.append("onConflict: .replace") }
    }
    if !property.formerNames.isEmpty {
      arguments.append("formerNames: \(list(property.formerNames))")
    }
    if property.replacesType { arguments.append("replacesType: true") }
    return ".\(kind)(\(arguments.joined(separator: ", ")))"
  }

  private mutating func writeId() {
    guard let id else { return }
    let name = SwiftText.name(id.swiftName)
    add("  \(access) func id(of entity: \(type)) -> KennelBox.Id { entity.\(name).value }")
    add("")
    add("  \(access) func setId(_ id: KennelBox.Id, of entity: inout \(type)) {")
    if id.isLet {
      // A struct whose ID never changes is made anew.
      let arguments = entity.properties.map { property in
        let name = SwiftText.name(property.swiftName)
        return "\(name): " + (property.isId ? ".init(id)" : "entity.\(name)")
      }
      add("    entity = \(type)(\(arguments.joined(separator: ", ")))")
    } else {
      add("    entity.\(name) = .init(id)")
    }
    add("  }")
  }

  private mutating func writeWrite() {
    add(
      "  \(access) func write(_ entity: \(type), to writer: inout KennelBox.EntityWriter) throws {"
    )
    for (index, property) in entity.properties.enumerated() {
      let value = "entity.\(SwiftText.name(property.swiftName))"
      switch property.kind {
      case .value: add("    try writer.write(\(stored(value, property)), at: \(index))")
      case .toOne: add("    try writer.write(\(value), at: \(index))")
      case .id, .toMany, .backlink: break
      }
    }
    add("  }")
  }

  /// The value to store for a value of the entity.
  private func stored(_ value: String, _ property: Entity.Property) -> String {
    switch property.conversion {
    case nil: value
    case .converter(let name): "\(name).convert(\(value)) as \(property.type.fullText)"
    case .rawValue(_, let isOptional, _): "\(value)\(isOptional ? "?" : "").rawValue"
    }
  }

  private mutating func writeRead() {
    add("  \(access) func read(from reader: inout KennelBox.EntityReader) throws -> \(type) {")
    let values = entity.properties.enumerated().map { index, property in
      (name: SwiftText.name(property.swiftName), text: value(of: property, at: index))
    }
    if entity.isStruct {
      add("    \(entity.properties.count > 1 ? "try " : "")\(type)(")
      for (index, value) in values.enumerated() {
        add("      \(value.name): \(value.text)\(index + 1 < values.count ? "," : "")")
      }
      add("    )")
    } else {
      add("    let entity = \(type)()")
      for (index, (value, property)) in zip(values, entity.properties).enumerated() {
        // A relation that the initializer made is filled, so that no other is made.
        add(
          property.isRelation
            ? "    try reader.read(into: entity.\(value.name), at: \(index))"
            : "    entity.\(value.name) = \(property.isId ? "" : "try ")\(value.text)"
        )
      }
      add("    return entity")
    }
    add("  }")
  }

  /// The value of an entity for a stored one.
  private func value(of property: Entity.Property, at index: Int) -> String {
    if property.isId { return ".init(reader.id)" }
    let stored = "reader.read(at: \(index))"
    switch property.conversion {
    case nil: return stored
    case .converter(let name): return "\(name).convert(\(stored) as \(property.type.fullText))"
    case .rawValue(let type, _, let fallback):
      let typed = "\(stored) as \(property.type.fullText)"
      let name = SwiftText.qualified(type)
      let made =
        property.type.isOptional
        ? "(\(typed)).flatMap { \(name)(rawValue: $0) }" : "\(name)(rawValue: \(typed))"
      return made + (fallback.map { " ?? \($0)" } ?? "")
    }
  }

  private mutating func writeAttach() {
    add(
      "  \(access) func attach(_ entity: \(type), to connector: KennelBox.RelationConnector) throws {"
    )
    for (index, property) in entity.properties.enumerated() where property.isRelation {
      add("    try connector.attach(entity.\(SwiftText.name(property.swiftName)), at: \(index))")
    }
    add("  }")
  }

  private mutating func writeToOne() {
    add("")
    add(
      "  \(access) func toOne(at number: Swift.Int, of entity: \(type)) "
        + "-> (any KennelBox.ToOneRelation)? {"
    )
    add("    switch number {")
    for (index, property) in entity.properties.enumerated() where property.isToOne {
      add("    case \(index): entity.\(SwiftText.name(property.swiftName))")
    }
    add("    default: nil")
    add("    }")
    add("  }")
  }

  // MARK: - Query properties

  private mutating func writeStatics() {
    add("nonisolated extension \(type) {")
    addStatics { _ in true }
    add("}")
    let isToMany = { (property: Entity.Property) in property.isToMany || property.isBacklink }
    add("")
    add("nonisolated extension KennelBox.Property where E == \(type) {")
    addStatics { !isToMany($0) }
    add("}")
    guard entity.properties.contains(where: isToMany) else { return }
    add("")
    add("nonisolated extension KennelBox.ToManyProperty where E == \(type) {")
    addStatics(isToMany)
    add("}")
  }

  private mutating func addStatics(_ isIncluded: (Entity.Property) -> Bool) {
    for (index, property) in entity.properties.enumerated() where isIncluded(property) {
      let target = SwiftText.qualified(property.target ?? "")
      let kind =
        switch property.kind {
        case .id: "Property<\(type), \(idType), \(idType)>"
        case .value: "Property<\(type), \(property.type.fullText), Swift.Void>"
        case .toOne: "Property<\(type), KennelBox.EntityId<\(target)>, \(target)>"
        case .toMany, .backlink: "ToManyProperty<\(type), \(target)>"
        }
      let name = SwiftText.name(property.swiftName)
      let access = min(property.access, entity.declaration.access).text
      add("  \(access) static var \(name): KennelBox.\(kind) { .init(\(index)) }")
    }
  }
}

extension SwiftText {
  /// A type by its full name, as code names it.
  fileprivate static func qualified(_ path: String) -> String {
    path.split(separator: ".").map { name(String($0)) }.joined(separator: ".")
  }
}
