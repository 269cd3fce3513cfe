import SwiftScanning

/// Writes the generated code of one entity.
///
/// The position of a property in `properties` is its number in all that is generated.
struct BindingWriter {
  private let entity: EntityModel
  private let type: String
  private let binding: String
  private let access: String

  /// The code of an entity.
  static func write(_ entity: EntityModel) -> String {
    let writer = BindingWriter(entity)
    return "\(writer.conformances)\n\n\(writer.bindingType)\n\n\(writer.statics)\n"
  }

  /// How the store names the description of an entity.
  static func info(of entity: EntityModel) -> String {
    "\(SwiftText.qualified(entity.declaration.fullName)).entityBinding.entityInfo"
  }

  private init(_ entity: EntityModel) {
    self.entity = entity
    type = SwiftText.qualified(entity.declaration.fullName)
    binding = entity.bindingName
    access = entity.declaration.access.text
  }

  private var conformances: String {
    let own = entity.declaration.conformsToEntity ? "" : "KennelBox.Entity, "
    // A module may isolate its types to an actor by default; entities are not isolated.
    return """
      nonisolated extension \(type): \(own)KennelBox.EntityInspectable, KennelBox.__EntityRelatable {
        \(access) typealias EntityBindingType = \(binding)
        \(access) static let entityBinding = \(binding)()
      }
      """
  }

  // MARK: - Binding

  private var bindingType: String {
    let parts = [info, "  \(access) init() {}"] + idFunctions + [write, read, attach, toOne]
    return """
      nonisolated \(access) struct \(binding): KennelBox.EntityBinding {
        \(access) typealias EntityType = \(type)
        \(access) typealias IdType = \(idType)

      \(parts.compactMap(\.self).joined(separator: "\n\n"))
      }
      """
  }

  private func function(_ signature: String, _ body: [String]) -> String {
    (["  \(access) func \(signature) {"] + body.map { "    " + $0 } + ["  }"])
      .joined(separator: "\n")
  }

  /// The lines for the properties that have one, with their numbers.
  private func lines(_ line: (Int, EntityModel.Property) -> String?) -> [String] {
    entity.properties.enumerated().compactMap(line)
  }

  private var id: EntityModel.Property? { entity.properties.first(where: \.isId) }
  private var idType: String { id?.type.text ?? "KennelBox.Id" }

  private var info: String? {
    let assignable = entity.hasAssignableIds ? "    hasAssignableIds: true,\n" : ""
    let properties = entity.properties.map { "      \(Self.description(of: $0)),\n" }.joined()
    return """
        \(access) let entityInfo = KennelBox.EntityInfo(
          name: \(SwiftText.literal(entity.name)),
          id: \(entity.id.id),
          uid: \(entity.id.uid),
          formerNames: \(Self.list(entity.formerNames)),
      \(assignable)    properties: [
      \(properties)    ]
        )
      """
  }

  private static func list(_ names: [String]) -> String {
    "[\(names.map(SwiftText.literal).joined(separator: ", "))]"
  }

  private static func description(of property: EntityModel.Property) -> String {
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

  private var idFunctions: [String?] {
    guard let id else { return [] }
    let name = SwiftText.name(id.swiftName)
    // A struct whose ID never changes is made anew.
    let arguments = entity.properties.map { property in
      let name = SwiftText.name(property.swiftName)
      return "\(name): " + (property.isId ? ".init(id)" : "entity.\(name)")
    }
    let change =
      id.isLet
      ? "entity = \(type)(\(arguments.joined(separator: ", ")))" : "entity.\(name) = .init(id)"
    return [
      "  \(access) func id(of entity: \(type)) -> KennelBox.Id { entity.\(name).value }",
      function("setId(_ id: KennelBox.Id, of entity: inout \(type))", [change]),
    ]
  }

  private var write: String? {
    function(
      "write(_ entity: \(type), to writer: inout KennelBox.EntityWriter) throws",
      lines { index, property in
        let value = "entity.\(SwiftText.name(property.swiftName))"
        return switch property.kind {
        case .value: "try writer.write(\(stored(value, property)), at: \(index))"
        case .toOne: "try writer.write(\(value), at: \(index))"
        case .id, .toMany, .backlink: nil
        }
      }
    )
  }

  /// The value to store for a value of the entity.
  private func stored(_ value: String, _ property: EntityModel.Property) -> String {
    switch property.conversion {
    case nil: value
    case .converter(let name): "\(name).convert(\(value)) as \(property.type.fullText)"
    case .rawValue(_, let isOptional, _): "\(value)\(isOptional ? "?" : "").rawValue"
    }
  }

  private var read: String? {
    var body: [String]
    if entity.isStruct {
      let arguments = lines { index, property in
        "  \(SwiftText.name(property.swiftName)): \(value(of: property, at: index))"
      }
      body =
        ["\(entity.properties.count > 1 ? "try " : "")\(type)("]
        + arguments.dropLast().map { $0 + "," } + arguments.suffix(1) + [")"]
    } else {
      body = ["let entity = \(type)()"]
      body += lines { index, property in
        let name = SwiftText.name(property.swiftName)
        // A relation that the initializer made is filled, so that no other is made.
        if property.isRelation { return "try reader.read(into: entity.\(name), at: \(index))" }
        return "entity.\(name) = \(property.isId ? "" : "try ")\(value(of: property, at: index))"
      }
      body.append("return entity")
    }
    return function("read(from reader: inout KennelBox.EntityReader) throws -> \(type)", body)
  }

  /// The value of an entity for a stored one.
  private func value(of property: EntityModel.Property, at index: Int) -> String {
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

  private var attach: String? {
    function(
      "attach(_ entity: \(type), to connector: KennelBox.RelationConnector) throws",
      lines { index, property in
        guard property.isRelation else { return nil }
        return "try connector.attach(entity.\(SwiftText.name(property.swiftName)), at: \(index))"
      }
    )
  }

  private var toOne: String? {
    let cases = lines { index, property in
      property.isToOne ? "case \(index): entity.\(SwiftText.name(property.swiftName))" : nil
    }
    if cases.isEmpty { return nil }
    return function(
      "toOne(at number: Swift.Int, of entity: \(type)) -> (any KennelBox.ToOneRelation)?",
      ["switch number {"] + cases + ["default: nil", "}"]
    )
  }

  // MARK: - Query properties

  private var statics: String {
    func isToMany(_ property: EntityModel.Property) -> Bool {
      property.isToMany || property.isBacklink
    }
    var parts = [
      statics("\(type)") { _ in true },
      statics("KennelBox.Property where E == \(type)") { !isToMany($0) },
    ]
    if entity.properties.contains(where: isToMany) {
      parts.append(statics("KennelBox.ToManyProperty where E == \(type)", isToMany))
    }
    return parts.joined(separator: "\n\n")
  }

  private func statics(
    _ extended: String,
    _ isIncluded: (EntityModel.Property) -> Bool
  ) -> String {
    let members = lines { index, property in
      guard isIncluded(property) else { return nil }
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
      return "  \(access) static var \(name): KennelBox.\(kind) { .init(\(index)) }\n"
    }
    return "nonisolated extension \(extended) {\n\(members.joined())}"
  }
}

extension SwiftText {
  /// A type by its full name, as code names it.
  fileprivate static func qualified(_ path: String) -> String {
    path.split(separator: ".").map { name(String($0)) }.joined(separator: ".")
  }
}
