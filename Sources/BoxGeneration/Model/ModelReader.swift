import SwiftScanning

/// Makes entities of what the source files of a target declare.
struct ModelReader {
  private var types: [DeclaredType]
  private let aliases: [String: TypeName]
  /// The positions of the types, by full name.
  private var positions: [String: Int] = [:]
  /// The initializers of types and their extensions.
  private var initializers: [String: [DeclaredInitializer]] = [:]
  private var diagnostics: [Diagnostic] = []

  /// The entities in the order of their names, with all mistakes that the sources show.
  static func read(
    _ sources: [ScannedSource]
  ) -> (entities: [EntityModel], diagnostics: [Diagnostic]) {
    var reader = ModelReader(sources)
    let entities = reader.readEntities()
    return (entities, sources.flatMap(\.diagnostics) + reader.diagnostics)
  }

  private init(_ sources: [ScannedSource]) {
    types = sources.flatMap(\.types)
    aliases = sources.reduce(into: [:]) { $0.merge($1.aliases) { first, _ in first } }
    for (position, type) in types.enumerated() {
      initializers[type.fullName, default: []] += type.initializers
      if type.kind != .extension, positions[type.fullName] == nil {
        positions[type.fullName] = position
      }
    }
    for type in types where type.kind == .extension { readExtension(type) }
  }

  /// Makes an entity of what an extension makes one.
  private mutating func readExtension(_ type: DeclaredType) {
    if let annotation = type.annotations.first {
      report(
        annotation.place,
        "Annotations of a type stand at its declaration; move this one there from the extension"
      )
    }
    guard type.conformsToEntity else { return }
    let name = resolve(.named(type.path, []), from: []).text
    guard let position = positions[name] else {
      report(
        type.place,
        "'\(name)' is not declared in this target; the target that declares it can make it an entity"
      )
      return
    }
    if type.isConditional {
      report(
        type.place,
        "'\(type.name)' becomes an entity inside #if, which the generator cannot decide; move the "
          + "extension out of the condition"
      )
    }
    types[position].inherited.append(.simple("Entity"))
  }

  private mutating func report(_ place: Place, _ message: String) {
    diagnostics.append(place.error(message))
  }

  private mutating func readEntities() -> [EntityModel] {
    var entities: [EntityModel] = []
    for type in types where type.kind != .extension {
      let annotations = Annotations(type.annotations, known: Annotation.ofTypes, kind: "type")
      diagnostics += annotations.diagnostics
      if type.isEntity, canBeEntity(type) { entities.append(entity(type, annotations)) }
    }
    var relations = RelationReader(entities)
    relations.read()
    diagnostics += relations.diagnostics
    return relations.entities.sorted { $0.name < $1.name }
  }

  // MARK: - Entities

  private mutating func canBeEntity(_ type: DeclaredType) -> Bool {
    let problem: String? =
      switch type.kind {
      case .enum, .actor: "An entity is a class or a struct; '\(type.name)' is an \(type.kind)"
      case _ where type.isGeneric: "An entity cannot be generic; give '\(type.name)' fixed types"
      case _ where isInGenericType(type):
        "'\(type.name)' stands inside a generic type, so it is generic, too; move it out"
      case _ where type.access < .internal:
        "'\(type.name)' is \(type.access.text), so the generated code cannot use it; make it internal"
      case _ where type.isConditional:
        "'\(type.name)' stands inside #if, which the generator cannot decide; move it out of the "
          + "condition"
      case .class, .struct, .protocol, .extension: inheritanceProblem(type)
      }
    if let problem { report(type.place, problem) }
    return problem == nil
  }

  private func isInGenericType(_ type: DeclaredType) -> Bool {
    type.path.indices.contains {
      self.type(type.path[..<$0].joined(separator: "."))?.isGeneric == true
    }
  }

  private func inheritanceProblem(_ type: DeclaredType) -> String? {
    ancestors(of: type).first(where: \.isEntity).map {
      "'\(type.name)' inherits from the entity '\($0.name)'; entities cannot inherit from each other"
    }
  }

  /// The classes of the target above a class.
  private func ancestors(of type: DeclaredType) -> [DeclaredType] {
    var ancestors: [DeclaredType] = []
    var last = type
    while ancestors.count < 20, last.kind == .class, let first = last.inherited.first,
      case .named(let path, _) = resolve(first, from: last.path),
      let parent = self.type(path.joined(separator: ".")), parent.kind == .class
    {
      ancestors.append(parent)
      last = parent
    }
    return ancestors
  }

  /// Reports properties that a class inherits, because they are not stored.
  private mutating func checkInherited(by type: DeclaredType) {
    for parent in ancestors(of: type) {
      for variable in parent.variables where variable.isStored {
        if variable.annotations.contains(where: { $0.name == "transient" }) { continue }
        report(
          variable.place,
          "'\(variable.name)' is not stored with the entity '\(type.name)', which inherits it; declare "
            + "it in '\(type.name)', or put '// objectbox: transient' in front of it"
        )
      }
    }
  }

  private mutating func entity(_ type: DeclaredType, _ annotations: Annotations) -> EntityModel {
    var entity = EntityModel(
      declaration: type,
      name: annotations.text("name") ?? type.name,
      uid: annotations.uid
    )
    var candidates: [Int] = []
    var annotated: [Int] = []
    let errors = diagnostics.count
    for variable in type.variables {
      let annotations = Annotations(
        variable.annotations,
        known: Annotation.ofProperties,
        kind: "property"
      )
      diagnostics += annotations.diagnostics
      let isReadable = !annotations.diagnostics.contains { $0.severity == .error }
      guard variable.isStored, !annotations.has("transient"), isReadable else { continue }
      var reader = PropertyReader(variable, annotations, of: type, in: self)
      let property = reader.read()
      diagnostics += reader.diagnostics
      guard let property else { continue }
      if annotations.has("id") {
        annotated.append(entity.properties.count)
        if annotations.isAssignable { entity.hasAssignableIds = true }
      } else if reader.isIdCandidate {
        candidates.append(entity.properties.count)
      }
      entity.properties.append(property)
    }
    checkInherited(by: type)
    chooseId(of: &entity, annotated, candidates, isComplete: diagnostics.count == errors)
    checkInitializers(of: entity)
    return entity
  }

  private mutating func chooseId(
    of entity: inout EntityModel,
    _ annotated: [Int],
    _ candidates: [Int],
    isComplete: Bool
  ) {
    let all = entity.properties.map(\.swiftName)
    let names = { (positions: [Int]) in
      positions.map { "'\(all[$0])'" }.joined(separator: " and ")
    }
    var id = annotated.first ?? (candidates.count == 1 ? candidates[0] : nil)
    if annotated.count > 1 {
      report(
        entity.properties[annotated[1]].place,
        "\(names(annotated)) are both annotated with 'id'; an entity has one ID property"
      )
    } else if id == nil, candidates.count > 1 {
      id =
        ["id", "objectid", "uniqueid"].compactMap { name in
          candidates.first { all[$0].lowercased() == name }
        }.first
      if id == nil {
        report(
          entity.place,
          "'\(entity.declaration.name)' has several properties that could be its ID: "
            + "\(names(candidates)); put '// objectbox: id' in front of one"
        )
      }
    } else if id == nil, isComplete {
      report(entity.place, missingId(of: entity))
    }
    guard let id else { return }
    entity.properties[id].kind = .id
    entity.properties[id].flags.remove(.unsigned)
    entity.properties[id].flags.insert(.id)
    if entity.hasAssignableIds { entity.properties[id].flags.insert(.assignableId) }
  }

  private func missingId(of entity: EntityModel) -> String {
    let near = entity.properties.first { property in
      property.type.number == EntityPropertyType.long && !property.type.isOptional
        && property.swiftName.lowercased() == "id"
    }
    if let near {
      return
        "'\(entity.declaration.name)' needs an ID property; put '// objectbox: id' in front of "
        + "'\(near.swiftName)', or declare it as 'var \(near.swiftName): Id = 0'"
    }
    return "'\(entity.declaration.name)' needs an ID property, such as 'var id: Id = 0' or "
      + "'var id: EntityId<\(entity.declaration.name)> = 0'"
  }

  // MARK: - Initializers

  private mutating func checkInitializers(of entity: EntityModel) {
    let type = entity.declaration
    guard !diagnostics.contains(where: { $0.severity == .error }) else { return }
    let all = initializers[type.fullName] ?? []
    if entity.isStruct {
      checkMemberwise(entity, all)
    } else if !all.isEmpty, !all.contains(where: \.isPlain), !mayInheritInitializer(type) {
      report(
        type.place,
        "'\(type.name)' needs an initializer that can be called without arguments, such as "
          + "'required init() {}'"
      )
    }
  }

  /// Whether a class has another class above it, whose initializers are unknown here.
  private func mayInheritInitializer(_ type: DeclaredType) -> Bool {
    guard case .named(let path, _)? = type.inherited.first, path != ["Entity"] else { return false }
    guard let position = find(path, from: type.path).flatMap({ positions[$0] }) else { return true }
    return types[position].kind == .class
  }

  private mutating func checkMemberwise(_ entity: EntityModel, _ all: [DeclaredInitializer]) {
    let type = entity.declaration
    let labels = entity.properties.map(\.swiftName)
    if all.contains(where: { $0.takes(labels) }) { return }
    let call = "init(\(labels.map { "\($0):" }.joined(separator: " ")))"
    if !type.initializers.isEmpty {
      report(
        type.place,
        "'\(type.name)' needs an initializer that takes its properties in their order: '\(call)'"
      )
    } else if let hidden = type.variables.first(where: { $0.isStored && $0.access < .internal }) {
      report(
        hidden.place,
        "'\(hidden.name)' is private and makes the initializer of '\(type.name)' private, too; write "
          + "'\(call)'"
      )
    } else if let bare = type.variables.first(where: { variable in
      variable.isStored && !variable.hasValue && variable.type?.isOptional != true
        && !labels.contains(variable.name)
    }) {
      report(
        bare.place,
        "'\(bare.name)' is transient and needs a default value, because objects are made without it"
      )
    } else if let fixed = type.variables.first(where: { variable in
      variable.isStored && variable.isLet && variable.hasValue && labels.contains(variable.name)
    }) {
      report(
        fixed.place,
        "'\(fixed.name)' is a let with a value, so no other can be read into it; make it a var"
      )
    }
  }

  // MARK: - Names

  /// The full name of a type or alias that a name means inside of a type.
  func find(_ path: [String], from scope: [String]) -> String? {
    for depth in stride(from: scope.count, through: 0, by: -1) {
      let name = (scope.prefix(depth) + path).joined(separator: ".")
      if positions[name] != nil || aliases[name] != nil { return name }
    }
    return nil
  }

  /// A declared type by its full name.
  func type(_ fullName: String) -> DeclaredType? { positions[fullName].map { types[$0] } }

  /// The type with aliases replaced by what they stand for, and the target's own types by their
  /// full names.
  func resolve(_ type: TypeName, from scope: [String], depth: Int = 0) -> TypeName {
    switch type {
    case .optional(let inner):
      return .optional(resolve(inner, from: scope, depth: depth))
    case .array(let element):
      return .array(resolve(element, from: scope, depth: depth))
    case .other: return type
    case .named(let path, let arguments):
      let arguments = arguments.map { resolve($0, from: scope, depth: depth) }
      guard let name = find(path, from: scope) else { return .named(path, arguments) }
      if let alias = aliases[name], depth < 20, arguments.isEmpty {
        let scope = name.split(separator: ".").dropLast().map(String.init)
        return resolve(alias, from: scope, depth: depth + 1)
      }
      return .named(name.split(separator: ".").map(String.init), arguments)
    }
  }
}
