@_spi(Faces) import KennelCore

/// Makes objects of documents, in a write transaction.
///
/// Links to objects that have not come yet wait in ``PendingLinks`` until ``finish()``. Where it
/// throws, roll the transaction back.
final class ObjectsFromDocuments {
  /// A class with the state of its import.
  private final class ClassState {
    let plan: DocumentPlan
    let positions: [ExactName: Int]
    var keys: ObjectKeys
    /// The number of the document that had each property last, to find what comes twice.
    var seen: [Int]
    /// The key that the next object gets.
    var next: UInt64

    init(_ schema: ClassSchema, next: ObjectKey) {
      plan = DocumentPlan(schema)
      self.next = next.rawValue
      // Keys are kept only in a class that never had an object.
      keys = ObjectKeys(keepsKeys: !schema.isEmbedded && next.rawValue == 1)
      let pairs = plan.properties.enumerated().map { (ExactName($1.name), $0) }
      positions = Dictionary(pairs) { first, _ in first }
      seen = Array(repeating: -1, count: pairs.count)
    }

    var name: String { plan.schema.name }
  }

  /// The members of a document, sorted by what is to be done with them.
  private struct Members {
    /// The values that are ready.
    var object = NewObject()
    /// Properties with links to objects that have not come yet.
    var forward: [(property: PropertyPlan, value: DocumentValue)] = []
    /// Properties with embedded objects.
    var owned: [(property: PropertyPlan, value: DocumentValue)] = []
    /// The members beside the properties.
    var key: UInt64?
    var repeatedKey: DocumentValue?
  }

  /// An object whose embedded objects are to be created.
  private struct Owner {
    let object: ObjectIdentity
    let owned: [(property: PropertyPlan, value: DocumentValue)]
    /// Where it is in the document.
    let path: String
    /// In CSV, what a cell spells has another form than the cells.
    let form: ValueReader.Form
  }

  private(set) var transaction: WriteTransaction
  private let options: DocumentImportOptions
  private var classes: [ClassKey: ClassState] = [:]
  private var current: ClassState?
  private var reader = ValueReader()
  private let pending = PendingLinks()
  private var place = Place()
  /// Counts every document and embedded document, to tell what comes twice in one.
  private var generation = 0
  private(set) var objectCount = 0
  private(set) var droppedLinks = DanglingLinks()
  private(set) var ignoredNames: [String: Int] = [:]
  /// The values that became text, by class and property.
  private(set) var textNames: [String: Int] = [:]

  init(into transaction: WriteTransaction, _ options: DocumentImportOptions) {
    self.transaction = transaction
    self.options = options
    reader.texts = options.texts
  }

  /// Goes on in another transaction; the one before has been committed.
  func goOn(in transaction: WriteTransaction) {
    self.transaction = transaction
  }

  /// Says which keys the next documents of a class have.
  func listKeys(_ keys: [ClosedRange<UInt64>], of className: String) throws(DocumentError) {
    let state = try state(named: className)
    guard state.keys.keepsKeys else { return }
    state.keys = ObjectKeys(keepsKeys: true, listed: keys)
  }

  /// Creates the object of a document.
  func add(_ item: DocumentReader.Item) throws(DocumentError) {
    place = item.place
    reader.form = item.form
    let state = try state(named: item.className)
    do throws(ValueProblem) {
      var members = try members(of: item.document, state)
      if item.form == .lines {
        members.key = item.key
      } else {
        try requirePrimaryKey(state, &members)
      }
      let object = try create(members, state)
      objectCount += 1
      try keepForward(members, of: object, path: state.name)
      if !members.owned.isEmpty {
        let owner = Owner(object: object, owned: members.owned, path: "", form: item.form)
        try createEmbedded(in: owner, state.name)
      }
    } catch {
      throw problem(error.inside(state.name))
    }
  }

  /// Sets the links that waited.
  ///
  /// - Throws: ``DocumentError`` that lists those that lead nowhere, unless they are to be dropped.
  func finish() throws {
    var dangling = DanglingLinks()
    try pending.read { link in
      place = link.place
      guard let property = transaction.schema[link.object.classKey]?[link.property] else { return }
      let plan = PropertyPlan(property)
      reader.form = link.form
      do throws(ValueProblem) {
        let value: Value
        do throws(ValueProblem) {
          value = try self.value(link.value, of: plan)
        } catch {
          guard error.isForwardLink else { throw error }
          dangling.add(self.problem(error.inside(link.path)))
          if !options.dropsDanglingLinks { return }
          reader.dropsDanglingLinks = true
          defer { reader.dropsDanglingLinks = false }
          value = try self.value(link.value, of: plan)
        }
        try stored(try transaction.set(link.object, property: link.property, to: value))
      } catch {
        throw self.problem(error.inside(link.path))
      }
    }
    if !options.dropsDanglingLinks, let error = dangling.error { throw error }
    droppedLinks = dangling
  }

  // MARK: - Classes

  private func state(named name: String) throws(DocumentError) -> ClassState {
    if let current, current.name.isExactly(name) { return current }
    let isLine = reader.form == .lines
    func problem(_ message: String) -> DocumentError {
      DocumentError(file: place.file, line: isLine ? place.line : nil, message)
    }
    guard let schema = transaction.schema[name] else {
      let advice = isLine ? "" : "; --schema or --infer defines it, --class names another"
      throw problem("There is no class \(name)\(advice)")
    }
    guard !schema.isEmbedded else {
      throw problem("The class \(name) is embedded: its objects are written inside their owners")
    }
    let state = state(of: schema)
    current = state
    return state
  }

  private func state(of schema: ClassSchema) -> ClassState {
    if let state = classes[schema.key] { return state }
    let state = ClassState(schema, next: transaction.firstUnusedKey(of: schema.key))
    classes[schema.key] = state
    return state
  }

  // MARK: - Members

  /// Sorts the members of a document.
  private func members(
    of document: Document,
    _ state: ClassState
  ) throws(ValueProblem) -> Members {
    var members = Members()
    generation += 1
    let isLine = reader.form == .lines
    let properties = state.plan.properties
    // Members come in the order of the properties mostly, some left out.
    var next = 0
    for member in document.members {
      guard let name = isLine ? DocumentFormat.unescaped(member.name) : member.name else {
        try add(other: member, to: &members, state)
        continue
      }
      var position = next
      while position < properties.count, !properties[position].name.isExactly(name) {
        position += 1
      }
      if position == properties.count {
        guard let found = state.positions[ExactName(name)] else {
          try add(other: member, to: &members, state)
          continue
        }
        position = found
      } else {
        next = position + 1
      }
      let isRepeated = state.seen[position] == generation
      state.seen[position] = generation
      do throws(ValueProblem) {
        if isRepeated { throw ValueProblem("the name occurs twice") }
        let property = properties[position]
        var count = 0
        let value = isLine ? member.value : try member.value.storable(in: property, &count)
        try add(value, of: property, to: &members)
        if count > 0 { textNames["\(state.name).\(property.name)", default: 0] += count }
      } catch {
        throw error.inside(".\(member.name)")
      }
    }
    if let value = members.repeatedKey { try compareKey(value, state, &members) }
    return members
  }

  private func add(
    _ value: DocumentValue,
    of property: PropertyPlan,
    to members: inout Members
  ) throws(ValueProblem) {
    if property.isEmbedded {
      members.owned.append((property, value))
      return
    }
    do throws(ValueProblem) {
      let value = try self.value(value, of: property)
      if value.isNull, property.isNullByDefault, !property.isPrimaryKey { return }
      members.object.values.append((property.key, value))
    } catch {
      guard error.isForwardLink else { throw error }
      members.forward.append((property, value))
    }
  }

  private func value(
    _ value: DocumentValue,
    of property: PropertyPlan
  ) throws(ValueProblem) -> Value {
    try reader.wholeValue(value, property.type, target: property.target) {
      (target) throws(ValueProblem) in
      try object(target)
    }
  }

  /// Adds a member that no property has.
  private func add(
    other member: Document.Member,
    to members: inout Members,
    _ state: ClassState
  ) throws(ValueProblem) {
    if reader.form == .lines {
      guard options.ignoresUnknownNames else {
        throw ValueProblem("\(state.name) has no property \"\(member.name)\"")
      }
    } else if let name = state.plan.keyMember, member.name.hasSameBytes(as: name) {
      let type = PropertyType.int
      let value =
        if reader.form == .text, case .string(let text) = member.value {
          try? ValueReader.parse(text, type)
        } else { try? ValueReader.plain(member.value, type) }
      if case .int(let number)? = value, number > 0,
        UInt64(number) < ObjectKey.firstProvisional
      {
        members.key = UInt64(number)
        return
      }
      if !options.ignoresUnknownNames {
        throw ValueProblem(
          "expected the object's key, a whole number from 1, since \(state.name) has no "
            + "primary key; found \(member.value.described)"
        ).inside(".\(name)")
      }
    }
    if state.plan.repeatsPrimaryKey, member.name == MappingName.id, reader.form != .lines {
      members.repeatedKey = member.value
      return
    }
    guard options.ignoresUnknownNames else {
      throw ValueProblem(
        "\(state.name) has no such property; \(FieldRules.hint(for: member.name))"
      ).inside(".\(member.name)")
    }
    ignoredNames["\(state.name).\(member.name)", default: 0] += 1
  }

  /// Compares `_id` with the primary key that it repeats, or takes it for the key.
  private func compareKey(
    _ given: DocumentValue,
    _ state: ClassState,
    _ members: inout Members
  ) throws(ValueProblem) {
    guard let key = state.plan.primaryKey else { return }
    let known = members.object[key.key]
    do throws(ValueProblem) {
      let value = try self.value(given, of: key)
      if known == nil { members.object.values.append((key.key, value)) }
      if let known, known != value {
        throw ValueProblem("expected the primary key \(key.name), found \(given.described)")
      }
    } catch {
      // A server gives documents an _id of its own.
      if options.ignoresUnknownNames, known != nil { return }
      throw error.inside(".\(MappingName.id)")
    }
  }

  // Null is a key, and an objectId is made as a server makes it; any other default would be the key of
  // each such document.
  private func requirePrimaryKey(
    _ state: ClassState,
    _ members: inout Members
  ) throws(ValueProblem) {
    guard let key = state.plan.primaryKey, !key.type.isOptional, members.object[key.key] == nil
    else { return }
    guard key.type.kind == .objectId else {
      throw ValueProblem("the primary key is missing").inside(".\(key.name)")
    }
    members.object.values.append((key.key, .objectId(.made())))
  }

  // MARK: - Objects

  private func create(
    _ members: Members,
    _ state: ClassState
  ) throws(ValueProblem) -> ObjectIdentity {
    let classKey = state.plan.schema.key
    let isListed = state.plan.keyMember == nil && reader.form != .lines
    let wanted = isListed ? state.keys.nextListed() : members.key
    let next = ObjectKey(rawValue: state.next)
    do throws(DatabaseError) {
      var isThere = false
      if let wanted, wanted < state.next {
        if reader.form == .lines, state.keys.keepsKeys {
          throw .notAscending(wanted, after: state.next - 1)
        }
        if state.keys.isKept(wanted, next: next) {
          isThere = try transaction.contains(ObjectIdentity(classKey, ObjectKey(rawValue: wanted)))
        }
      }
      let object: ObjectIdentity
      if let key = wanted.flatMap({ state.keys.key(for: $0, next: next) }), key != next {
        let values = Dictionary(members.object.values.map { ($0, $1) }) { $1 }
        object = try transaction.create(classKey, key: key, values)
      } else {
        object = try transaction.create(members.object, of: classKey, in: transaction)
      }
      state.next = object.key.rawValue + 1
      if wanted == nil, state.plan.keyMember == nil { return object }
      guard state.keys.note(object.key, for: wanted), !isThere else {
        throw DatabaseError(.outOfRange, "the key \(wanted ?? 0) occurs twice")
      }
      return object
    } catch {
      throw ValueProblem(error).inside(error.propertyName.map { ".\($0)" } ?? "")
    }
  }

  // MARK: - Links

  /// The object that a document means; `nil` if it has not come.
  private func object(_ target: ValueReader.LinkTarget) throws(ValueProblem) -> ObjectIdentity? {
    var classKey = target.classKey
    if let name = target.className, classKey.map({ classes[$0]?.name.isExactly(name) }) != true {
      guard let schema = transaction.schema[name] else {
        // What is to be dropped waits as if it came later.
        if options.dropsDanglingLinks { return nil }
        let rename = "--rename \(FieldRules.word(name + "=CLASS")) names the one it means, "
        throw ValueProblem(
          "there is no class \(name); \(target.isKey ? "" : rename)--dangling null drops such links"
        )
      }
      guard !schema.isEmbedded else {
        throw ValueProblem("\(name) is embedded: only its owner links to it")
      }
      if let classKey, classKey != schema.key {
        throw ValueProblem("a \(name) does not belong here")
      }
      classKey = schema.key
    }
    guard let classKey,
      let state = classes[classKey] ?? transaction.schema[classKey].map(state(of:))
    else { throw ValueProblem("the link names no class") }
    guard !target.isKey, let primaryKey = state.plan.primaryKey else {
      guard case .int(let number) = try id(target.id, .int), number > 0,
        let key = state.keys.key(of: UInt64(number)),
        case let object = ObjectIdentity(classKey, key),
        try stored(try transaction.contains(object))
      else { return nil }
      return object
    }
    let value = try id(target.id, primaryKey.type)
    return try stored(try transaction.find(classKey, primaryKey: value))
  }

  private func id(_ value: DocumentValue, _ type: PropertyType) throws(ValueProblem) -> Value {
    if case .null = value { return .null }
    if reader.form == .text, case .string(let text) = value {
      return try ValueReader.parse(text, type)
    }
    return try ValueReader.plain(value, type)
  }

  private func keepForward(
    _ members: Members,
    of object: ObjectIdentity,
    path: String
  ) throws(ValueProblem) {
    for (property, value) in members.forward {
      let link = PendingLinks.Link(
        place: place,
        path: "\(path).\(property.name)",
        object: object,
        property: property.key,
        form: reader.form,
        value: value
      )
      try pending.append(link)
    }
  }

  // MARK: - Embedded objects

  /// Creates the embedded objects of an object, and theirs.
  private func createEmbedded(in owner: Owner, _ className: String) throws(ValueProblem) {
    defer { reader.form = owner.form }
    var owners = [owner]
    while let owner = owners.popLast() {
      for (property, value) in owner.owned {
        reader.form = owner.form
        owners += try inside(
          owner.path,
          try createEmbedded(value, of: property, in: owner, className)
        )
      }
    }
  }

  /// Creates the objects of one embedded property; returns those with others in them.
  private func createEmbedded(
    _ given: DocumentValue,
    of property: PropertyPlan,
    in owner: Owner,
    _ className: String
  ) throws(ValueProblem) -> [Owner] {
    let path = ".\(property.name)"
    let value = try reader.parsed(reader.structured(given))
    if reader.form == .text, case .string = given { reader.form = .typed }
    var made: [Owner] = []
    func create(
      _ value: DocumentValue,
      at position: Slot.Position,
      _ path: String
    ) throws(ValueProblem) {
      let slot = Slot(owner.object, property.key, position)
      let new = try inside(path, try createEmbedded(value, at: slot, of: property))
      try keepForward(new.members, of: new.object, path: className + owner.path + path)
      if new.members.owned.isEmpty { return }
      made.append(
        Owner(
          object: new.object,
          owned: new.members.owned,
          path: owner.path + path,
          form: reader.form
        )
      )
    }
    switch property.type.collection {
    case .none: if value != .null { try create(value, at: .value, path) }
    case .list:
      guard case .array(let elements) = value else {
        throw ValueReader.mismatch("an array", value).inside(path)
      }
      for (index, element) in elements.enumerated() {
        try create(element, at: .index(index), "\(path)[\(index)]")
      }
    case .map:
      for entry in try reader.entries(of: value) {
        let path = "\(path)[\"\(entry.name)\"]"
        guard case .null = entry.value else {
          try create(entry.value, at: .key(entry.name), path)
          continue
        }
        let (owner, key) = (owner.object, property.key)
        try inside(
          path,
          try stored(try transaction.setEntry(entry.name, to: .null, of: owner, property: key))
        )
      }
    case .set: throw ValueProblem("sets hold no embedded objects").inside(path)
    }
    return made
  }

  private func createEmbedded(
    _ value: DocumentValue,
    at slot: Slot,
    of property: PropertyPlan
  ) throws(ValueProblem) -> (object: ObjectIdentity, members: Members) {
    guard case .document(let document) = try reader.parsed(value) else {
      throw ValueReader.mismatch("an embedded object", value)
    }
    guard let schema = property.target.flatMap({ transaction.schema[$0] }) else {
      throw ValueProblem("the property has no class")
    }
    let members = try members(of: document, state(of: schema))
    let object = try rethrowing(
      try transaction.createEmbedded(members.object, at: slot, in: transaction)
    ) { error in ValueProblem(error).inside(error.propertyName.map { ".\($0)" } ?? "") }
    return (object, members)
  }

  private func problem(_ problem: ValueProblem) -> DocumentError {
    place.error(problem, reader.form)
  }
}
