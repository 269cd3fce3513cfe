import SwiftScanning

/// Makes a property of an entity of a declared variable.
struct PropertyReader {
  private let variable: DeclaredVariable
  private let annotations: Annotations
  private let owner: DeclaredType
  private let model: ModelReader
  private(set) var diagnostics: [Diagnostic] = []
  /// Whether its type is one of IDs of this entity.
  private(set) var isIdCandidate = false

  init(
    _ variable: DeclaredVariable,
    _ annotations: Annotations,
    of owner: DeclaredType,
    in model: ModelReader
  ) {
    self.variable = variable
    self.annotations = annotations
    self.owner = owner
    self.model = model
  }

  private var name: String { variable.name }

  private func error(_ message: String) -> Diagnostic { variable.place.error(message) }

  private mutating func report(_ message: String) { diagnostics.append(error(message)) }

  /// The property, or nothing if it has a mistake.
  mutating func read() -> EntityModel.Property? {
    do throws(Diagnostic) {
      var property = try readDeclaration()
      if !hasErrors { try addFlags(to: &property) }
      return hasErrors ? nil : property
    } catch {
      diagnostics.append(error)
      return nil
    }
  }

  private mutating func readDeclaration() throws(Diagnostic) -> EntityModel.Property {
    if let problem = declarationProblem { throw error(problem) }
    guard let written = variable.type else {
      throw error(
        "The type of '\(name)' is not obvious from its value; write it, as in '\(name): Int'"
      )
    }
    let type = model.resolve(written, from: owner.path)
    if let relation = try relation(type) { return relation }
    return try value(type, written)
  }

  private var hasErrors: Bool { diagnostics.contains { $0.severity == .error } }

  private var declarationProblem: String? {
    let orTransient = "or put '// objectbox: transient' in front of it"
    if name.hasPrefix("(") {
      return "'\(name)' names several properties at once; declare each on a line of its own, "
        + orTransient
    }
    if variable.isConditional {
      return "'\(name)' stands inside #if, which the generator cannot decide; move it out of the "
        + "condition, \(orTransient)"
    }
    if variable.access < .internal {
      return "'\(name)' is \(variable.access.text), so the generated code cannot store it; make it "
        + "internal, \(orTransient)"
    }
    if variable.isWeak {
      return "'\(name)' is weak or unowned and cannot be stored; declare a relation as ToOne, "
        + orTransient
    }
    if owner.kind == .class, variable.isLet {
      return "'\(name)' is a let, so no value can be read into it; make it a var, \(orTransient)"
    }
    if owner.kind == .class, variable.setterAccess < .internal {
      return "'\(name)' can be set in its class alone, so no value can be read into it; make its "
        + "setter internal, \(orTransient)"
    }
    if variable.isOneOfSeveral,
      let single = ["name", "uid", "id", "backlink", "convert"].first(where: annotations.has)
    {
      return "'\(single)' is for one property; declare each on a line of its own"
    }
    return nil
  }

  private func property(
    _ kind: EntityModel.Property.Kind,
    _ type: EntityPropertyType
  ) -> EntityModel.Property {
    EntityModel.Property(
      swiftName: name,
      name: annotations.text("name") ?? name,
      place: variable.place,
      access: variable.access,
      isLet: variable.isLet || variable.setterAccess < .internal,
      kind: kind,
      type: type,
      uid: annotations.uid
    )
  }

  // MARK: - Relations

  private mutating func relation(_ type: TypeName) throws(Diagnostic) -> EntityModel.Property? {
    guard let (path, arguments) = type.name, let word = path.last, path.count == 1,
      word == "ToOne" || word == "ToMany"
    else { return nil }
    if type.isOptional {
      throw error("'\(name)' is never optional; write 'var \(name): \(type.unwrapped.text) = nil'")
    }
    guard case .named(let target, _)? = arguments.first else {
      throw error("'\(name)' needs the entity that it leads to, as in '\(word)<Customer>'")
    }
    let fullName = target.joined(separator: ".")
    guard let declared = model.type(fullName) else {
      throw error(
        "'\(fullName)' is not declared in this target; a relation leads to an entity of the same "
          + "target"
      )
    }
    guard declared.isEntity else {
      throw error(
        "'\(fullName)' is no entity; write '\(declared.kind) \(declared.name): Entity', or put "
          + "'// objectbox: entity' in front of it"
      )
    }
    var property = property(
      word == "ToOne" ? .toOne : .toMany,
      EntityPropertyType(text: "", number: EntityPropertyType.relation)
    )
    property.target = fullName
    if word == "ToOne" {
      property.flags = [.indexed, .skipsZero]
      if let backlink = annotations["backlink"] {
        diagnostics.append(
          backlink.place.warning(
            "'backlink' belongs to a ToMany; did you mean '// objectbox: backlink = \"\(name)\"' on "
              + "a ToMany of '\(fullName)'?"
          )
        )
      }
    } else if let through = annotations.text("backlink") {
      property.kind = .backlink(through: through)
    }
    for wrong in ["id", "index", "unique", "convert", "date-nano", "flex", "type", "id-companion"]
    where annotations.has(wrong) {
      report("'\(wrong)' is not for relations; remove it")
    }
    return property
  }

  // MARK: - Values

  private mutating func value(
    _ type: TypeName,
    _ written: TypeName
  ) throws(Diagnostic) -> EntityModel.Property {
    if annotations.has("backlink") {
      throw error("'backlink' is for a ToMany; declare '\(name)' as one, or remove the annotation")
    }
    if annotations.has("convert") { return try converted(type) }
    var stored = try storedType(type, written)
    if stored.number == EntityPropertyType.long, !type.isOptional {
      isIdCandidate = isId(type.unwrapped)
    }
    stored.isOptional = type.isOptional
    if annotations.has("id"), stored.number != EntityPropertyType.long || type.isOptional {
      throw error("An ID property has the type Id, EntityId<\(owner.name)>, Int64 or UInt64")
    }
    return try property(.value, special(stored))
  }

  private func isId(_ type: TypeName) -> Bool {
    type == .simple("Id") || type == .named(["EntityId"], [.named(owner.path, [])])
  }

  private func storedType(
    _ type: TypeName,
    _ written: TypeName
  ) throws(Diagnostic) -> EntityPropertyType {
    let orConvert = "store it with '// objectbox: convert', or put '// objectbox: transient' in "
    switch type.unwrapped {
    case .array(.named(let path, _)):
      if path.count == 1, let array = EntityPropertyType.array(of: path[0]) { return array }
      if model.type(path.joined(separator: "."))?.isEntity == true {
        throw error(
          "'\(name)' holds entities; declare it as ToMany<\(path.joined(separator: "."))>"
        )
      }
    case .named(["EntityId"], let arguments) where arguments.count == 1:
      return EntityPropertyType(
        text: "KennelBox.\(type.unwrapped.text)",
        number: EntityPropertyType.long
      )
    case .named(let path, let arguments):
      let fullName = path.joined(separator: ".")
      if let declared = model.type(fullName) { throw error(advice(on: declared)) }
      if path.count == 1, let plain = EntityPropertyType.named(path[0]) { return plain }
      if let advice = unstorableTypes[fullName] {
        throw error("'\(name)' cannot be stored as \(fullName); \(advice)")
      }
      if arguments.isEmpty, !convertibleTypes.contains(path[0]) {
        // A type of another module, which the compiler checks.
        return EntityPropertyType(text: fullName, number: nil)
      }
    case .optional, .array, .other: break
    }
    throw error("'\(name)' cannot be stored as \(written.text); \(orConvert)front of it")
  }

  /// Says how to store a type of the target.
  private func advice(on type: DeclaredType) -> String {
    if type.isEntity {
      return "'\(type.name)' is an entity; declare '\(name)' as ToOne<\(type.fullName)>"
    }
    if type.kind == .enum {
      let example =
        rawType(of: type) == nil
        ? "{ \"dbType\": \"Int\", \"converter\": \"…\" }" : "{ \"default\": \".…\" }"
      return "'\(name)' is the enum '\(type.name)'; put '// objectbox: convert = \(example)' in "
        + "front of it, or '// objectbox: transient'"
    }
    return "'\(name)' cannot be stored as \(type.fullName); store it with '// objectbox: convert', "
      + "or put '// objectbox: transient' in front of it"
  }

  /// The raw type of an enum, if values of it are stored.
  private func rawType(of type: DeclaredType) -> EntityPropertyType? {
    guard type.kind == .enum, let first = type.inherited.first,
      case .named(let path, _) = model.resolve(first, from: type.path), path.count == 1
    else { return nil }
    return EntityPropertyType.named(path[0])
  }

  // MARK: - Annotations of values

  private func converted(_ type: TypeName) throws(Diagnostic) -> EntityModel.Property {
    let declared = type.name.flatMap { model.type($0.path.joined(separator: ".")) }
    var stored: EntityPropertyType?
    if let written = annotations.text("convert", "dbType") ?? annotations.text("convert") {
      let tokens = SwiftScanner.tokens(of: written)
      let dbType = model.resolve(TypeName(0..<tokens.count, of: tokens), from: owner.path)
      stored = try storedType(dbType, dbType)
      stored?.isOptional = dbType.isOptional
    } else {
      stored = declared.flatMap(rawType)
    }
    guard var stored else {
      throw error(
        "'convert' needs a \"dbType\" such as { \"dbType\": \"Int\" }; only an enum with raw values "
          + "has one itself"
      )
    }
    let conversion: EntityModel.Conversion
    if let converter = annotations.text("convert", "converter") {
      let path = converter.split(separator: ".").map(String.init)
      conversion = .converter(model.find(path, from: owner.path) ?? converter)
    } else {
      let fallback = annotations.text("convert", "default")
      guard fallback != nil || type.isOptional else {
        throw error(
          "'convert' needs a \"converter\", or a \"default\" for what is no '\(type.text)'; write "
            + "'// objectbox: convert = { \"default\": \".…\" }'"
        )
      }
      if type.isOptional { stored.isOptional = true }
      conversion = .rawValue(
        type: type.unwrapped.text,
        isOptional: type.isOptional,
        default: fallback
      )
    }
    var property = try property(.value, special(stored))
    property.conversion = conversion
    return property
  }

  /// The type after `date-nano`, `flex` and `type`.
  private func special(_ type: EntityPropertyType) throws(Diagnostic) -> EntityPropertyType {
    let special = annotations.text("type")
    let number: Int
    if annotations.has("date-nano") || special == "date-nano" {
      guard type.number == EntityPropertyType.date else {
        throw error("'date-nano' is for dates; declare '\(name)' as Date, or remove it")
      }
      number = EntityPropertyType.nanoseconds
    } else if annotations.has("flex") || special == "flex" {
      guard type.number == EntityPropertyType.bytes else {
        throw error("'flex' is for bytes; declare '\(name)' as Data or [UInt8], or remove it")
      }
      number = EntityPropertyType.flex
    } else {
      return type
    }
    return EntityPropertyType(text: type.text, number: number, isOptional: type.isOptional)
  }

  private mutating func addFlags(to property: inout EntityModel.Property) throws(Diagnostic) {
    if property.type.isUnsigned { property.flags.insert(.unsigned) }
    if annotations.has("id-companion") {
      let isDate = [EntityPropertyType.date, EntityPropertyType.nanoseconds].contains(
        property.type.number
      )
      if !isDate { report("'id-companion' is for dates; declare '\(name)' as Date, or remove it") }
      property.flags.insert(.idCompanion)
    }
    guard annotations.has("index") || annotations.has("unique") else { return }
    guard property.type.canBeIndexed else {
      throw error(
        "'\(annotations.has("index") ? "index" : "unique")' is not for "
          + "\(property.type.number.map(EntityPropertyType.description) ?? "this type"); remove it"
      )
    }
    property.flags.insert(.indexed)
    if annotations.has("unique") { property.flags.insert(.unique) }
    if annotations.text("unique", "onConflict") != nil {
      property.flags.insert(.replacesOnConflict)
    }
    let isString = property.type.number == EntityPropertyType.string
    switch annotations.text("index") {
    case "hash" where isString, nil where isString: property.flags.insert(.hashIndex)
    case "hash64" where isString: property.flags.insert(.longHashIndex)
    case "hash", "hash64":
      throw error("An index of hashes is for strings; write '// objectbox: index'")
    default: break
    }
  }
}
