import KennelCore

/// Puts classes together from JSON schemas.
struct JSONSchemaBuilder {
  struct Draft {
    var definition: ClassDefinition
    let place: JSONPlace
    let collection: String?
  }

  private(set) var drafts: [Draft] = []
  private var positions: [ExactName: Int] = [:]
  /// Where each class and property is described.
  private var places: [ExactName: JSONPlace] = [:]
  /// Embedded classes that are named by a title alone, which have to be described somewhere.
  private var untold: [(name: String, place: JSONPlace)] = []
  /// The classes of the file that the schemas extend.
  private let file: [ClassDefinition]
  private let rules: FieldRules
  private var notes = SchemaNotes()
  /// How each property is written.
  private var forms: [ExactName: SchemaForm] = [:]
  /// The references of the document that is being read.
  private var references = JSONSchemaReferences(Document())

  init(extending file: [ClassDefinition], _ rules: FieldRules) {
    self.file = file
    self.rules = rules
  }

  var result: JSONSchemas {
    JSONSchemas(
      classes: drafts.map(\.definition),
      notes: notes.texts,
      places: places
    )
  }

  // MARK: - Classes

  mutating func add(_ source: JSONSchemaReader.Source) throws(JSONSchemaError) {
    references = JSONSchemaReferences(source.schema)
    let types = try JSONSchemaTypes(source.schema, at: source.place)
    guard types.isObject, source.schema["properties"] != nil else {
      throw source.place.error(
        "Expected the schema of a class: \"bsonType\": \"object\" with \"properties\""
      )
    }
    let title = try title(of: source.schema, at: source.place) ?? source.collection
    guard let name = rules.className(title) else {
      return notes.add("the class \(title) is left out", at: source.place)
    }
    try describe(name, source.schema, at: source.place, collection: source.collection)
  }

  private func title(
    of schema: Document,
    at place: JSONPlace
  ) throws(JSONSchemaError) -> String? {
    guard let title = schema["title"] else { return nil }
    guard case .string(let name) = title, !name.isEmpty else {
      throw place.inside("title").error("Expected the name of a class, found \(title.noun)")
    }
    return name
  }

  /// Reads a class; `collection` is that of a class that is not embedded.
  private mutating func describe(
    _ name: String,
    _ schema: Document,
    at place: JSONPlace,
    collection: String?
  ) throws(JSONSchemaError) {
    let isEmbedded = collection == nil
    let known = positions[ExactName(name)]
    if known == nil {
      positions[ExactName(name)] = drafts.count
      places[ExactName(name)] = place
      let definition = ClassDefinition(name, isEmbedded: isEmbedded)
      drafts.append(Draft(definition: definition, place: place, collection: collection))
    } else if let known, drafts[known].definition.isEmbedded != isEmbedded {
      throw place.error(
        "Class \(name) is embedded in one place and a class of its own in another, "
          + "\(drafts[known].place)"
      )
    }
    notes.keywords(of: schema, isClass: true, at: place)
    let required = try required(of: schema, at: place)
    guard case .document(let properties)? = schema["properties"] else {
      throw place.inside("properties").error("Expected an object")
    }
    var definitions: [PropertyDefinition] = []
    for var member in properties.members {
      let place = place.inside("properties", member.name)
      let isRequired = required.contains(ExactName(member.name))
      switch rules.change(at: [name, member.name]) {
      case .skipped:
        notes.add("the property is left out", at: place)
        continue
      case .renamed(let new):
        notes.add("the property becomes \(new)", at: place)
        member.name = new
      case nil: break
      }
      let path = ExactName("\(name).\(member.name)")
      if places[path] == nil { places[path] = place }
      let type = try type(of: member, of: name, isRequired: isRequired, at: place)
      definitions.append(PropertyDefinition(member.name, type))
      // A class that is nested in several places has the form of the first.
      if forms[path] == nil {
        forms[path] = Self.form(of: member.value, type, isRequired: isRequired)
      }
    }
    guard let known else {
      drafts[positions[ExactName(name)] ?? 0].definition.properties = definitions
      return
    }
    let first = drafts[known]
    guard Set(first.definition.properties) == Set(definitions) else {
      throw place.error(
        "Class \(name) is described differently in \(first.place); give one of them another title"
      )
    }
  }

  private static func form(
    of value: DocumentValue,
    _ type: PropertyType,
    isRequired: Bool
  ) -> SchemaForm {
    var form: SchemaForm = isRequired ? .required : []
    let items = value.member("items") ?? value.member("additionalProperties")
    let element = type.collection == .none ? value : items
    if element?.string != nil { form.insert(.short) }
    return form
  }

  private func required(
    of schema: Document,
    at place: JSONPlace
  ) throws(JSONSchemaError) -> Set<ExactName> {
    guard let value = schema["required"] else { return [] }
    let place = place.inside("required")
    guard case .array(let elements) = value else {
      throw place.error("Expected the names of properties in an array")
    }
    var names: Set<ExactName> = []
    for (index, element) in elements.enumerated() {
      guard case .string(let name) = element else {
        throw place.inside("\(index)").error(
          "Expected the name of a property, found \(element.noun)"
        )
      }
      guard schema["properties"]?.member(name) != nil else {
        throw place.inside("\(index)").error(
          "\"\(name)\" is required but not described in \"properties\""
        )
      }
      names.insert(ExactName(name))
    }
    return names
  }

  /// Every class that is named by its title alone is described somewhere.
  func resolveReferences() throws(JSONSchemaError) {
    for reference in untold {
      if let position = positions[ExactName(reference.name)] {
        if drafts[position].definition.isEmbedded { continue }
        throw reference.place.error(
          "\(reference.name) is a class of its own, so it cannot be embedded; a link to it has "
            + "the type of its primary key"
        )
      }
      if file.contains(where: { $0.isEmbedded && $0.name.hasSameBytes(as: reference.name) }) {
        continue
      }
      throw reference.place.error(
        "The object \(reference.name) has no \"properties\", and no other place describes it"
      )
    }
  }

  // MARK: - Properties

  private mutating func type(
    of property: Document.Member,
    of owner: String,
    isRequired: Bool,
    at place: JSONPlace
  ) throws(JSONSchemaError) -> PropertyType {
    let schema = try schema(property.value, at: place)
    let types = try JSONSchemaTypes(schema, at: place)
    let fallback = "\(owner)_\(property.name)"
    if isRequired, types.isArray || types.isObject {
      notes.add("a required collection or embedded object may be missing in documents", at: place)
    }
    if types.isArray { return try list(schema, fallback, at: place) }
    if types.isObject { return try object(schema, fallback, at: place) }
    notes.keywords(of: schema, isClass: false, at: place)
    guard let type = types.scalar else {
      notes.add("a property of any type becomes mixed", at: place)
      return .mixed
    }
    if type.kind == .mixed {
      if types.isMerged { notes.add("a property of several types becomes mixed", at: place) }
      return type
    }
    if types.isNumber { notes.add("a property of type number becomes a double", at: place) }
    if types.allowsNull { return type.optional }
    return isRequired ? type : type.optional
  }

  private func schema(
    _ value: DocumentValue,
    at place: JSONPlace
  ) throws(JSONSchemaError) -> Document {
    try references.schema(value, at: place) { positions[ExactName($0)] != nil }
  }

  private mutating func list(
    _ schema: Document,
    _ fallback: String,
    at place: JSONPlace
  ) throws(JSONSchemaError) -> PropertyType {
    notes.keywords(of: schema, isClass: false, at: place)
    let isSet = schema["uniqueItems"]?.bool == true
    guard let items = schema["items"] else {
      notes.add("an array without \"items\" becomes a list of mixed values", at: place)
      return isSet ? .set(.mixed) : .list(.mixed)
    }
    let place = place.inside("items")
    if case .array = items {
      throw place.error(
        "A schema for each position cannot be stored; a list has elements of one type"
      )
    }
    let element = try element(items, fallback, of: "array", at: place)
    if isSet, element.kind == .link {
      notes.add("a set of embedded objects becomes a list", at: place)
      return .list(element)
    }
    return isSet ? .set(element) : .list(element)
  }

  private mutating func object(
    _ schema: Document,
    _ fallback: String,
    at place: JSONPlace
  ) throws(JSONSchemaError) -> PropertyType {
    if schema["properties"] == nil, schema["title"] == nil {
      notes.keywords(of: schema, isClass: false, at: place)
      guard let values = schema["additionalProperties"], values.bool == nil else {
        notes.add("an object without \"properties\" becomes a map of mixed values", at: place)
        return .map(.mixed)
      }
      let place = place.inside("additionalProperties")
      return .map(try element(values, fallback, of: "object", at: place))
    }
    return try embedded(schema, fallback, at: place)
  }

  /// The link to an embedded object.
  private mutating func embedded(
    _ schema: Document,
    _ fallback: String,
    at place: JSONPlace
  ) throws(JSONSchemaError) -> PropertyType {
    if let values = schema["additionalProperties"], values.bool == nil {
      throw place.inside("additionalProperties").error(
        "An object has either \"properties\" and is embedded, or \"additionalProperties\" and is "
          + "a map"
      )
    }
    let name = try title(of: schema, at: place) ?? fallback
    if schema["properties"] == nil {
      untold.append((name, place))
    } else {
      try describe(name, schema, at: place, collection: nil)
    }
    return .link(name)
  }

  private mutating func element(
    _ value: DocumentValue,
    _ fallback: String,
    of container: String,
    at place: JSONPlace
  ) throws(JSONSchemaError) -> PropertyType {
    let schema = try schema(value, at: place)
    let types = try JSONSchemaTypes(schema, at: place)
    if types.isObject, schema["properties"] != nil || schema["title"] != nil {
      if types.allowsNull, container == "array" {
        notes.add("null is omitted from a list of embedded objects", at: place)
      }
      return try embedded(schema, fallback, at: place)
    }
    if types.isArray || types.isObject {
      let inner = types.isArray ? "an array" : "an object without \"properties\""
      throw place.error(
        "\(inner) inside an \(container) cannot be stored; put it into an embedded object"
      )
    }
    notes.keywords(of: schema, isClass: false, at: place)
    guard let type = types.scalar else { return .mixed }
    return types.allowsNull && type.kind != .mixed ? type.optional : type
  }

  // MARK: - Primary keys

  /// Finds the primary keys.
  ///
  /// It is the property that a relationship's foreign key names; otherwise `_id`; otherwise a
  /// required `id`. A property that is declared as a link is none.
  mutating func choosePrimaryKeys(_ links: [DeclaredLink]) {
    for index in drafts.indices where !drafts[index].definition.isEmbedded {
      let declared = links.compactMap { link in
        draft(named: link.target) == index ? link.foreignKey : nil
      }
      let linked = Set(
        links.filter { draft(named: $0.owner) == index && $0.path.count == 1 }
          .flatMap(\.path).map(ExactName.init)
      )
      let properties = drafts[index].definition.properties
      func isFree(_ property: PropertyDefinition) -> Bool {
        !linked.contains(ExactName(property.name))
      }
      let position =
        declared.lazy.compactMap { name in
          properties.firstIndex { $0.name.hasSameBytes(as: name) }
        }.first
        ?? properties.firstIndex { $0.name == "_id" && isFree($0) }
        ?? properties.firstIndex { $0.name == "id" && !$0.type.isOptional && isFree($0) }
      guard let position else { continue }
      let property = properties[position]
      guard property.type.collection == .none, property.type.kind.canBePrimaryKey else {
        if property.name == "_id" {
          let path = ExactName("\(drafts[index].definition.name)._id")
          notes.add(
            "an _id that is not an int, string, objectId or uuid is not a primary key",
            at: places[path] ?? drafts[index].place
          )
        }
        continue
      }
      drafts[index].definition.properties[position].isPrimaryKey = true
    }
  }

  /// The class of a name, or that of the collection of that name.
  private func draft(named name: String) -> Int? {
    positions[ExactName(name)]
      ?? drafts.firstIndex { $0.collection.map { $0.hasSameBytes(as: name) } ?? false }
  }

  /// The class of a name, of the schemas or of the file.
  private func found(_ name: String) -> ClassDefinition? {
    draft(named: name).map { drafts[$0].definition }
      ?? file.first { $0.name.hasSameBytes(as: name) }
  }

  // MARK: - The file

  /// Gives properties the forms in which they are written, but for what every schema says of a
  /// primary key.
  mutating func keepForms() {
    for index in drafts.indices {
      let name = drafts[index].definition.name
      for position in drafts[index].definition.properties.indices {
        let property = drafts[index].definition.properties[position]
        var form = forms[ExactName("\(name).\(property.name)")] ?? []
        if property.isPrimaryKey { form.remove(.required) }
        drafts[index].definition.properties[position].schemaForm = form.isEmpty ? nil : form
      }
    }
  }

  /// Takes what a JSON schema cannot say from the file, where both say the same otherwise.
  ///
  /// A property that the schema does not require is no other than one that is never null: the schemas
  /// of App Services require the primary key alone.
  mutating func agreeWithFile() {
    let writer = JSONSchemaWriter(file)
    let drawn = JSONSchemaWriter(drafts.map(\.definition) + file)
    for index in drafts.indices {
      guard let existing = writer.classes[ExactName(drafts[index].definition.name)],
        existing.isEmbedded == drafts[index].definition.isEmbedded
      else { continue }
      for position in drafts[index].definition.properties.indices {
        let property = drafts[index].definition.properties[position]
        guard
          var stored = existing.properties.first(where: { $0.name.hasSameBytes(as: property.name) })
        else { continue }
        var form = writer.form(of: stored)
        let (isListed, isRead) = (form.isRequired, drawn.form(of: property))
        form.isRequired = form.isRequired && isRead.isRequired
        guard form == isRead else { continue }
        if !isListed {
          let read = property.schemaForm?.intersection(.required) ?? []
          let form = (stored.schemaForm ?? []).subtracting(.required).union(read)
          if form != stored.schemaForm ?? [] { stored.schemaForm = form }
        }
        drafts[index].definition.properties[position] = stored
      }
    }
  }

  // MARK: - Links

  mutating func apply(_ link: DeclaredLink) throws(JSONSchemaError) {
    guard let (owner, position) = try find(link) else { return }
    let property = drafts[owner].definition.properties[position]
    let path = "\(drafts[owner].definition.name).\(property.name)"
    guard let target = found(link.target) else {
      throw link.place.error("There is no class \(link.target) to link to")
    }
    if let isList = link.isList, isList != [.list, .set].contains(property.type.collection) {
      throw link.place.error("\"is_list\" is \(isList), but \(path) is a \(property.type)")
    }
    if property.type.kind == .link, property.type.target == target.name { return }
    let key = try primaryKey(of: target, for: link)
    guard property.type.kind == key.type.kind, !property.isPrimaryKey else {
      let reason = property.isPrimaryKey ? "the primary key of its class" : "a \(property.type)"
      throw link.place.error(
        "\(path) is \(reason), so it cannot link to \(target.name), whose primary key \(key.name) "
          + "is a \(key.type)"
      )
    }
    if property.type.bitWidth != key.type.bitWidth {
      notes.add("a link takes the width of its target's primary key", at: link.place)
    }
    var type = PropertyType.link(target.name)
    switch property.type.collection {
    case .none:
      if !property.type.isOptional { notes.add("a link is never required", at: link.place) }
    case .list: type = .list(type)
    case .set: type = .set(type)
    case .map: type = .map(type)
    }
    if [.list, .set].contains(property.type.collection), property.type.isOptional {
      notes.add("null is omitted from a collection of links", at: link.place)
    }
    drafts[owner].definition.properties[position].type = type
  }

  /// The property that a link to a class holds in documents: its primary key, or the key of its object.
  private func primaryKey(
    of target: ClassDefinition,
    for link: DeclaredLink
  ) throws(JSONSchemaError) -> PropertyDefinition {
    guard !target.isEmbedded else {
      throw link.place.error("\(target.name) is an embedded class; nothing links to it")
    }
    let key = target.linkKey
    if let name = link.foreignKey, !name.hasSameBytes(as: key.name) {
      throw link.place.error(
        "The primary key of \(target.name) is \(key.name), not \(name); a link leads to the "
          + "primary key"
      )
    }
    return key
  }

  /// The property that a link declares; `nil` if the file has it and the schemas do not.
  private func find(
    _ link: DeclaredLink
  ) throws(JSONSchemaError) -> (draft: Int, position: Int)? {
    guard var index = draft(named: link.owner) else {
      throw link.place.error("None of the schemas describes a class \(link.owner)")
    }
    for (number, step) in link.path.enumerated() {
      let definition = drafts[index].definition
      guard
        let position = definition.properties.firstIndex(where: { $0.name.hasSameBytes(as: step) })
      else {
        throw link.place.error("Class \(definition.name) has no property \(step)")
      }
      if number == link.path.count - 1 { return (index, position) }
      guard let name = definition.properties[position].type.target,
        let next = positions[ExactName(name)], drafts[next].definition.isEmbedded
      else {
        throw link.place.error("\(definition.name).\(step) is not an embedded object")
      }
      index = next
    }
    throw link.place.error("Expected the name of a property")
  }
}

extension ClassDefinition {
  /// The member by which documents link to an object of the class: the primary key, or the object's key
  /// in a class without one, as ``ClassSchema/keyMember`` names it.
  var linkKey: PropertyDefinition {
    if let key = properties.first(where: \.isPrimaryKey) { return key }
    let isTaken = properties.contains { $0.name.hasSameBytes(as: MappingName.id) }
    return PropertyDefinition(isTaken ? MappingName.key : MappingName.id, .int)
  }
}
