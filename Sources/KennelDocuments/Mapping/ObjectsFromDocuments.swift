import KennelCore

/// Makes objects of documents, in a write transaction.
///
/// Links to objects that have not come yet wait in ``PendingLinks`` until ``finish()``. Where it
/// throws, roll the transaction back.
final class ObjectsFromDocuments {
  /// What the importer knows of a class.
  final class ClassState {
    let schema: ClassSchema
    let properties: [PropertySchema]
    let names: [String]
    let positions: [ExactName: Int]
    /// The member with the object's key, and the one that repeats the primary key.
    let keyMember: String?
    let repeatedKey: String?
    let primaryKey: PropertySchema?
    var keys: ObjectKeys
    /// The number of the document that had each property last, to find what comes twice.
    @exclusivity(unchecked) var seen: [Int]
    /// The key that the next object gets.
    var next: UInt64
    let setters: [PropertyAccess]
    /// The properties that a new object has as null.
    let absentIsNull: [Bool]
    /// The primary key, where it is a whole number.
    let intKey: TypedProperty<Int64>?
    let keyPosition: Int

    init(_ schema: ClassSchema, keys: ObjectKeys, next: ObjectKey, in whole: Schema) {
      self.schema = schema
      self.keys = keys
      self.next = next.rawValue
      setters = schema.properties.map { PropertyAccess($0, of: schema, in: whole) }
      absentIsNull = schema.properties.map(\.defaultValue.isNull)
      keyPosition = schema.properties.firstIndex { $0.isPrimaryKey } ?? -1
      intKey = schema.primaryKey.flatMap { try? whole.property($0.name, of: schema.name) }
      properties = schema.properties
      names = properties.map(\.name)
      let pairs = names.enumerated().map { (ExactName($1), $0) }
      positions = Dictionary(pairs) { first, _ in first }
      keyMember = schema.keyMember
      repeatedKey = schema.repeatsPrimaryKey ? MappingName.id : nil
      primaryKey = schema.primaryKey
      unsafe seen = Array(repeating: -1, count: properties.count)
    }
  }

  /// The members of a document, sorted by what is to be done with them.
  private struct Members {
    /// Values that are ready, with the positions of their properties.
    var values: [(position: Int, value: Value)] = []
    /// Properties with links to objects that have not come yet.
    var forward: [(property: PropertySchema, value: DocumentValue)] = []
    /// Properties with embedded objects.
    var owned: [(property: PropertySchema, value: DocumentValue)] = []
    /// What the members beside the properties say.
    var key: UInt64?
    var repeatedKey: DocumentValue?
  }

  /// An embedded object that exists and whose properties are to be set.
  private struct Unfilled {
    let object: ObjectIdentity
    let document: Document
    var path: String
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
  // Unchecked, like `seen`: one thread uses an importer, and no access to them is inside another.
  @exclusivity(unchecked) private var members = Members()
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
      try sort(item.document, state)
      if item.form == .lines {
        unsafe members.key = item.key
      } else {
        try requirePrimaryKey(state)
      }
      let object = try create(state)
      objectCount += 1
      if unsafe !members.forward.isEmpty || !members.owned.isEmpty {
        let members = unsafe members
        try keepForward(members, of: object, path: state.schema.name)
        try makeEmbedded(members, of: object, path: state.schema.name)
      }
    } catch {
      throw problem(error.inside(state.schema.name))
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
      reader.form = link.form
      do throws(ValueProblem) {
        let value: Value
        do throws(ValueProblem) {
          value = try self.value(link.value, of: property)
        } catch {
          guard error.isForwardLink else { throw error }
          dangling.add(self.problem(error.inside(link.path)))
          if !options.dropsDanglingLinks { return }
          reader.dropsDanglingLinks = true
          defer { reader.dropsDanglingLinks = false }
          value = try self.value(link.value, of: property)
        }
        try setValue(link.object, property, value)
      } catch {
        throw self.problem(error.inside(link.path))
      }
    }
    if !options.dropsDanglingLinks, let error = dangling.error { throw error }
    droppedLinks = dangling
  }

  // MARK: - Classes

  private func state(named name: String) throws(DocumentError) -> ClassState {
    if let current, current.schema.name.isExactly(name) { return current }
    let isLine = reader.form == .lines
    guard let schema = transaction.schema[name] else {
      throw DocumentError(
        file: place.file,
        line: isLine ? place.line : nil,
        "There is no class \(name)"
          + (isLine ? "" : "; --schema or --infer defines it, --class names another")
      )
    }
    guard !schema.isEmbedded else {
      throw DocumentError(
        file: place.file,
        line: isLine ? place.line : nil,
        "The class \(name) is embedded: its objects are written inside their owners"
      )
    }
    let state = state(of: schema)
    current = state
    return state
  }

  private func state(of schema: ClassSchema) -> ClassState {
    if let state = classes[schema.key] { return state }
    // Keys are kept only in a class that never had an object.
    let keepsKeys = !schema.isEmbedded && transaction.firstUnusedKey(of: schema.key).rawValue == 1
    let state = ClassState(
      schema,
      keys: ObjectKeys(keepsKeys: keepsKeys),
      next: transaction.firstUnusedKey(of: schema.key),
      in: transaction.schema
    )
    classes[schema.key] = state
    return state
  }

  // MARK: - Members

  /// Sorts the members of a document into ``members``.
  private func sort(_ document: Document, _ state: ClassState) throws(ValueProblem) {
    unsafe members.values.removeAll(keepingCapacity: true)
    unsafe members.forward.removeAll(keepingCapacity: true)
    unsafe members.owned.removeAll(keepingCapacity: true)
    unsafe members.key = nil
    unsafe members.repeatedKey = nil
    generation += 1
    let isLine = reader.form == .lines
    // Members come in the order of the properties mostly, some left out.
    var next = 0
    for member in document.members {
      guard let name = isLine ? DocumentFormat.unescaped(member.name) : member.name else {
        try takeOther(member, state)
        continue
      }
      var position = next
      while position < state.names.count, !state.names[position].isExactly(name) { position += 1 }
      if position == state.names.count {
        guard let found = state.positions[ExactName(name)] else {
          try takeOther(member, state)
          continue
        }
        position = found
      } else {
        next = position + 1
      }
      do throws(ValueProblem) {
        if unsafe state.seen[position] == generation {
          throw ValueProblem("the name occurs twice")
        }
        unsafe state.seen[position] = generation
        let property = state.properties[position]
        var count = 0
        let value = isLine ? member.value : try member.value.storable(in: property, &count)
        try take(value, property, at: position)
        if count > 0 { textNames["\(state.schema.name).\(property.name)", default: 0] += count }
      } catch {
        throw error.inside(".\(member.name)")
      }
    }
    if let value = unsafe members.repeatedKey { try compareKey(value, state) }
  }

  private func take(
    _ value: DocumentValue,
    _ property: PropertySchema,
    at position: Int
  ) throws(ValueProblem) {
    if property.isEmbedded {
      unsafe members.owned.append((property, value))
      return
    }
    do throws(ValueProblem) {
      unsafe members.values.append((position, try self.value(value, of: property)))
    } catch {
      guard error.isForwardLink else { throw error }
      unsafe members.forward.append((property, value))
    }
  }

  private func value(
    _ value: DocumentValue,
    of property: PropertySchema
  ) throws(ValueProblem) -> Value {
    try reader.wholeValue(value, property.type, target: property.target) {
      (target) throws(ValueProblem) in
      try object(target)
    }
  }

  /// A member that no property has.
  private func takeOther(
    _ member: Document.Member,
    _ state: ClassState
  ) throws(ValueProblem) {
    if reader.form == .lines {
      guard options.ignoresUnknownNames else {
        throw ValueProblem("\(state.schema.name) has no property \"\(member.name)\"")
      }
    } else if let name = state.keyMember, member.name.hasSameBytes(as: name) {
      let type = PropertyType.int
      let value =
        if reader.form == .text, case .string(let text) = member.value {
          try? ValueReader.parse(text, type)
        } else { try? ValueReader.plain(member.value, type) }
      if case .int(let number)? = value, number > 0,
        UInt64(number) < ObjectKey.firstProvisional
      {
        unsafe members.key = UInt64(number)
        return
      }
      if !options.ignoresUnknownNames {
        throw ValueProblem(
          "expected the object's key, a whole number from 1, since \(state.schema.name) has no "
            + "primary key; found \(member.value.described)"
        ).inside(".\(name)")
      }
    }
    if let name = state.repeatedKey, member.name.hasSameBytes(as: name), reader.form != .lines {
      unsafe members.repeatedKey = member.value
      return
    }
    guard options.ignoresUnknownNames else {
      throw ValueProblem(
        "\(state.schema.name) has no such property; \(FieldRules.hint(for: member.name))"
      ).inside(".\(member.name)")
    }
    ignoredNames["\(state.schema.name).\(member.name)", default: 0] += 1
  }

  /// `_id` repeats the primary key, or stands for it.
  private func compareKey(
    _ given: DocumentValue,
    _ state: ClassState
  ) throws(ValueProblem) {
    guard let key = state.primaryKey else { return }
    let value: Value
    do throws(ValueProblem) {
      value = try self.value(given, of: key)
      if let known = primaryKey(state), known != value {
        throw ValueProblem("expected the primary key \(key.name), found \(given.described)")
      }
    } catch {
      // A server gives documents an _id of its own.
      if options.ignoresUnknownNames, primaryKey(state) != nil { return }
      throw error.inside(".\(MappingName.id)")
    }
    if primaryKey(state) == nil { unsafe members.values.append((state.keyPosition, value)) }
  }

  // Null is a key, and an objectId is made as a server makes it; any other default would be the key of
  // each such document.
  private func requirePrimaryKey(_ state: ClassState) throws(ValueProblem) {
    guard let key = state.primaryKey, !key.type.isOptional, primaryKey(state) == nil else { return }
    guard key.type.kind == .objectId else {
      throw ValueProblem("the primary key is missing").inside(".\(key.name)")
    }
    unsafe members.values.append((state.keyPosition, .objectId(.made())))
  }

  /// The primary key that the members have.
  private func primaryKey(_ state: ClassState) -> Value? {
    unsafe members.values.first { $0.position == state.keyPosition }?.value
  }

  // MARK: - Objects

  private func create(_ state: ClassState) throws(ValueProblem) -> ObjectIdentity {
    let isListed = state.keyMember == nil && reader.form != .lines
    let wanted = isListed ? state.keys.nextListed() : unsafe members.key
    let next = ObjectKey(rawValue: state.next)
    do throws(DatabaseError) {
      var key = wanted.flatMap { state.keys.key(for: $0, next: next) }
      var isThere = false
      if let wanted, wanted < state.next {
        if reader.form == .lines, state.keys.keepsKeys {
          throw .notAscending(wanted, after: state.next - 1)
        }
        if state.keys.isKept(wanted, next: next) {
          let object = ObjectIdentity(state.schema.key, ObjectKey(rawValue: wanted))
          isThere = try transaction.contains(object)
        }
      }
      if key == next { key = nil }
      let object: ObjectIdentity
      if key == nil, let typed = try createTyped(state) {
        object = typed
      } else {
        var values: [PropertyKey: Value] = [:]
        for (index, value) in unsafe members.values { values[state.properties[index].key] = value }
        object =
          if let key {
            try transaction.create(state.schema.key, key: key, values)
          } else {
            try transaction.create(state.schema.key, values)
          }
      }
      state.next = object.key.rawValue + 1
      if wanted == nil, state.keyMember == nil { return object }
      guard state.keys.note(object.key, for: wanted), !isThere else {
        throw DatabaseError(.outOfRange, "the key \(wanted ?? 0) occurs twice")
      }
      return object
    } catch {
      throw ValueProblem(error).inside(error.propertyName.map { ".\($0)" } ?? "")
    }
  }

  /// Creates an object with the next key and sets its properties one by one, as Swift types; `nil`
  /// if its primary key is not one of them, or another object may have the default of a unique one.
  private func createTyped(_ state: ClassState) throws(DatabaseError) -> ObjectIdentity? {
    if state.schema.hasUnique { return nil }
    let object: ObjectIdentity
    if let key = state.intKey {
      guard case .int(let number)? = primaryKey(state) else { return nil }
      object = try transaction.create(key, number)
    } else {
      guard state.primaryKey == nil else { return nil }
      object = try transaction.create(state.schema.key)
    }
    for (position, value) in unsafe members.values where position != state.keyPosition {
      if value.isNull, state.absentIsNull[position] { continue }
      try state.setters[position].set(value, of: object, in: transaction)
    }
    return object
  }

  private func setValue(
    _ object: ObjectIdentity,
    _ property: PropertySchema,
    _ value: Value
  ) throws(ValueProblem) {
    do throws(DatabaseError) {
      try transaction.set(object, property: property.key, to: value)
    } catch {
      throw ValueProblem(error)
    }
  }

  // MARK: - Links

  /// The object that a document means; `nil` if it has not come.
  private func object(_ target: ValueReader.LinkTarget) throws(ValueProblem) -> ObjectIdentity? {
    var classKey = target.classKey
    if let name = target.className {
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
      let state = current.flatMap({ $0.schema.key == classKey ? $0 : nil })
        ?? transaction.schema[classKey].map(state(of:))
    else { throw ValueProblem("the link names no class") }
    let isKey = target.isKey || state.primaryKey == nil
    let value = try id(target.id, isKey ? .int : state.primaryKey?.type ?? .int)
    do throws(DatabaseError) {
      if !isKey { return try transaction.find(classKey, primaryKey: value) }
      guard case .int(let number) = value, number > 0,
        let found = state.keys.key(of: UInt64(number))
      else { return nil }
      let object = ObjectIdentity(classKey, found)
      return try transaction.contains(object) ? object : nil
    } catch {
      throw ValueProblem(error)
    }
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
  private func makeEmbedded(
    _ members: Members,
    of owner: ObjectIdentity,
    path: String
  ) throws(ValueProblem) {
    let form = reader.form
    defer { reader.form = form }
    var unfilled: [Unfilled] = []
    for (property, value) in members.owned {
      unfilled += try makeEmbedded(property, value, of: owner, path: ".\(property.name)")
    }
    while let next = unfilled.popLast() {
      guard let schema = transaction.schema[next.object.classKey] else { continue }
      reader.form = next.form
      do throws(ValueProblem) {
        let state = state(of: schema)
        try sort(next.document, state)
        let inner = unsafe self.members
        for (position, value) in inner.values {
          do throws(DatabaseError) {
            try state.setters[position].set(value, of: next.object, in: transaction)
          } catch {
            throw ValueProblem(error).inside(".\(state.names[position])")
          }
        }
        try keepForward(inner, of: next.object, path: path + next.path)
        for (property, value) in inner.owned {
          let children = try makeEmbedded(
            property,
            value,
            of: next.object,
            path: ".\(property.name)"
          )
          for var child in children {
            child.path = next.path + child.path
            unfilled.append(child)
          }
        }
      } catch {
        throw error.inside(next.path)
      }
    }
  }

  /// Creates the objects of one embedded property, without their values.
  private func makeEmbedded(
    _ property: PropertySchema,
    _ given: DocumentValue,
    of owner: ObjectIdentity,
    path: String
  ) throws(ValueProblem) -> [Unfilled] {
    let value = try reader.parsed(reader.structured(given))
    let form = reader.form
    defer { reader.form = form }
    if form == .text, case .string = given { reader.form = .typed }
    var made: [Unfilled] = []
    switch property.type.collection {
    case .none:
      if case .null = value { return [] }
      made.append(try makeEmbedded(Slot(owner, property.key, .value), value, path: path))
    case .list:
      guard case .array(let elements) = value else {
        throw ValueReader.mismatch("an array", value).inside(path)
      }
      for element in elements {
        let slot = Slot(owner, property.key, .index(made.count))
        made.append(try makeEmbedded(slot, element, path: "\(path)[\(made.count)]"))
      }
    case .map:
      for entry in try reader.entries(of: value) {
        let place = "\(path)[\"\(entry.name)\"]"
        if case .null = entry.value {
          do throws(DatabaseError) {
            try transaction.setEntry(entry.name, to: .null, of: owner, property: property.key)
          } catch {
            throw ValueProblem(error).inside(place)
          }
        } else {
          let slot = Slot(owner, property.key, .key(entry.name))
          made.append(try makeEmbedded(slot, entry.value, path: place))
        }
      }
    case .set: throw ValueProblem("sets hold no embedded objects").inside(path)
    }
    return made
  }

  private func makeEmbedded(
    _ slot: Slot,
    _ value: DocumentValue,
    path: String
  ) throws(ValueProblem) -> Unfilled {
    guard case .document(let document) = try reader.parsed(value) else {
      throw ValueReader.mismatch("an embedded object", value).inside(path)
    }
    do throws(DatabaseError) {
      let object = try transaction.createEmbedded(at: slot)
      return Unfilled(object: object, document: document, path: path, form: reader.form)
    } catch {
      throw ValueProblem(error).inside(path)
    }
  }

  private func problem(_ problem: ValueProblem) -> DocumentError {
    place.error(problem, reader.form)
  }
}
