import KennelCore

/// The verbs of `Editing`.
extension Twin {
  mutating func create(
    _ classKey: ClassKey,
    key: UInt64? = nil,
    _ values: [PropertyKey: Value]
  ) throws -> ObjectIdentity {
    guard let owner = classes[classKey] else { throw Refusal(.noSuchClass) }
    if owner.isEmbedded { throw Refusal(.ownership) }
    for key in values.keys where owner[key] == nil { throw Refusal(.noSuchProperty) }
    var checked: [PropertyKey: Value] = [:]
    for property in owner.properties {
      let value = values[property.key].map(normal) ?? property.initial
      if values[property.key] != nil { try check(value, property) }
      try requireFree(value, property, classKey, except: nil)
      if property.holdsEmbedded, !targets(in: value).isEmpty { throw Refusal(.ownership) }
      checked[property.key] = value
    }
    return try attempt { twin in
      let object = twin.newObject(classKey, key: key)
      twin.objects[object] = checked
      return object
    }
  }

  mutating func createEmbedded(at slot: Slot, key: UInt64? = nil) throws -> ObjectIdentity {
    let (_, property, value) = try existing(slot.object, slot.property)
    guard property.holdsEmbedded, let target = property.target else { throw Refusal(.ownership) }
    return try attempt { twin in
      let embedded = twin.newObject(target, key: key)
      let link = Value.link(embedded)
      switch (property.type.collection, slot.position, value) {
      case (.none, .value, _):
        try twin.assign(slot.object, property, link)
      case (.map, .key(let key), .map(let entries)):
        let all = twin.normal(.map(entries + [MapEntry(key, link)]))
        try twin.assign(slot.object, property, all)
      case (.list, .index(let index), .list(var elements)):
        guard (0...elements.count).contains(index) else { throw Refusal(.noSuchElement) }
        elements.insert(link, at: index)
        try twin.assign(slot.object, property, .list(elements))
      default: throw Refusal(.wrongType)
      }
      // What it replaces may have held the last strong link to the owner.
      if twin.objects[embedded] == nil { throw Refusal(.ownership) }
      return embedded
    }
  }

  mutating func set(_ object: ObjectIdentity, _ key: PropertyKey, _ given: Value) throws {
    let (owner, property, old) = try existing(object, key)
    let value = normal(given)
    try check(value, property)
    if value == old { return }
    try requireFree(value, property, owner.key, except: object)
    if property.holdsEmbedded { try requireOwned(value, old: old) }
    try attempt { try $0.assign(object, property, value) }
  }

  /// No other object has a primary key, not even null, or a value of a unique property.
  private func requireFree(
    _ value: Value,
    _ property: Property,
    _ classKey: ClassKey,
    except object: ObjectIdentity?
  ) throws {
    guard property.isPrimaryKey || property.isUnique && value != .null,
      objects.contains(where: {
        $0.key.classKey == classKey && $0.key != object
          && $0.value[property.key]?.isEquivalent(to: value) == true
      })
    else { return }
    throw Refusal(property.isPrimaryKey ? .duplicatePrimaryKey : .duplicateValue)
  }

  /// An embedded object stays in its slot, but for another order of one list.
  private func requireOwned(_ value: Value, old: Value) throws {
    if case .map(let entries) = value, case .map(let oldEntries) = old {
      for entry in entries where entry.value != .null && !oldEntries.contains(entry) {
        throw Refusal(.ownership)
      }
      return
    }
    let new = targets(in: value)
    guard Set(new).count == new.count, Set(new).isSubset(of: targets(in: old)) else {
      throw Refusal(.ownership)
    }
  }

  // MARK: - Lists

  private func list(_ object: ObjectIdentity, _ key: PropertyKey) throws -> (Property, [Value]) {
    let (_, property, value) = try existing(object, key)
    guard property.type.collection == .list, case .list(let elements) = value else {
      throw Refusal(.wrongType)
    }
    return (property, elements)
  }

  mutating func insert(
    _ value: Value,
    at index: Int,
    of object: ObjectIdentity,
    _ key: PropertyKey
  ) throws {
    var (property, elements) = try list(object, key)
    guard (0...elements.count).contains(index) else { throw Refusal(.noSuchElement) }
    try checkElement(value, property)
    if property.holdsEmbedded { throw Refusal(.ownership) }
    elements.insert(normal(value), at: index)
    try attempt { try $0.assign(object, property, .list(elements)) }
  }

  mutating func replace(
    at index: Int,
    with value: Value,
    of object: ObjectIdentity,
    _ key: PropertyKey
  ) throws {
    var (property, elements) = try list(object, key)
    guard elements.indices.contains(index) else { throw Refusal(.noSuchElement) }
    if elements[index] == normal(value) { return }
    try checkElement(value, property)
    if property.holdsEmbedded { throw Refusal(.ownership) }
    elements[index] = normal(value)
    try attempt { try $0.assign(object, property, .list(elements)) }
  }

  mutating func removeElement(
    at index: Int,
    of object: ObjectIdentity,
    _ key: PropertyKey
  ) throws {
    var (property, elements) = try list(object, key)
    guard elements.indices.contains(index) else { throw Refusal(.noSuchElement) }
    elements.remove(at: index)
    try attempt { try $0.assign(object, property, .list(elements)) }
  }

  mutating func moveElement(
    from source: Int,
    to destination: Int,
    of object: ObjectIdentity,
    _ key: PropertyKey
  ) throws {
    var (property, elements) = try list(object, key)
    for index in [source, destination] where !elements.indices.contains(index) {
      throw Refusal(.noSuchElement)
    }
    elements.insert(elements.remove(at: source), at: destination)
    try attempt { try $0.assign(object, property, .list(elements)) }
  }

  // MARK: - Sets and maps

  private func set(_ object: ObjectIdentity, _ key: PropertyKey) throws -> (Property, [Value]) {
    let (_, property, value) = try existing(object, key)
    guard case .set(let members) = value else { throw Refusal(.wrongType) }
    return (property, members)
  }

  mutating func insertMember(
    _ value: Value,
    of object: ObjectIdentity,
    _ key: PropertyKey
  ) throws -> Bool {
    let (property, members) = try set(object, key)
    try checkElement(value, property)
    if members.contains(where: { $0.isEquivalent(to: value) }) { return false }
    let all = normal(.set(members + [value]))
    try attempt { try $0.assign(object, property, all) }
    return true
  }

  mutating func removeMember(
    _ value: Value,
    of object: ObjectIdentity,
    _ key: PropertyKey
  ) throws -> Bool {
    let (property, members) = try set(object, key)
    let rest = members.filter { !$0.isEquivalent(to: value) }
    if rest.count == members.count { return false }
    try attempt { try $0.assign(object, property, .set(rest)) }
    return true
  }

  mutating func setEntry(
    _ name: String,
    _ value: Value?,
    of object: ObjectIdentity,
    _ key: PropertyKey
  ) throws {
    let (_, property, old) = try existing(object, key)
    guard property.type.collection == .map, case .map(let entries) = old else {
      throw Refusal(.wrongType)
    }
    if let value { try checkElement(value, property) }
    let rest = entries.filter { !$0.key.hasSameBytes(as: name) }
    let before = entries.first { $0.key.hasSameBytes(as: name) }?.value
    if let value, before == normal(value) { return }
    if before == nil, value == nil { return }
    if property.holdsEmbedded, let value, value != .null { throw Refusal(.ownership) }
    let entry = value.map { [MapEntry(name, $0)] } ?? []
    let all = normal(.map(rest + entry))
    try attempt { try $0.assign(object, property, all) }
  }

  // MARK: - What all share

  /// Gives a slot another value: what the old one owned, or was the last to hold, goes.
  private mutating func assign(
    _ object: ObjectIdentity,
    _ property: Property,
    _ value: Value
  ) throws {
    var cut = targets(in: objects[object]?[property.key] ?? .null)
    for target in targets(in: value) {
      if let index = cut.firstIndex(of: target) { cut.remove(at: index) }
    }
    objects[object]?[property.key] = value
    guard !cut.isEmpty, property.holdsEmbedded || property.rule == .cascadeIfLast else { return }
    let cutLinks = cut.map {
      Link(slot: Slot(object, property.key), property: property, target: $0)
    }
    let plan = plan(deleting: [], cut: cutLinks)
    try refuseDenied(plan)
    bury(plan.dead)
  }

  mutating func delete(_ marked: [ObjectIdentity]) throws -> Plan {
    for object in marked {
      guard classes[object.classKey] != nil else { throw Refusal(.noSuchClass) }
      guard objects[object] != nil else { throw Refusal(.noSuchObject) }
    }
    let plan = plan(deleting: marked, cut: [])
    try refuseDenied(plan)
    bury(plan.dead)
    return plan
  }

  private func refuseDenied(_ plan: Plan) throws {
    if !plan.denied.isEmpty { throw Refusal(.deletionDenied) }
  }

  /// Takes objects away, and every link to them.
  private mutating func bury(_ dead: Set<ObjectIdentity>) {
    if dead.isEmpty { return }
    for object in dead { objects[object] = nil }
    for (object, values) in objects {
      guard let owner = classes[object.classKey] else { continue }
      for property in owner.linkProperties {
        guard let value = values[property.key] else { continue }
        let cleaned = without(dead, value, property.type.collection)
        objects[object]?[property.key] = cleaned
      }
    }
  }

  /// A whole value without links to the dead: elements of lists and sets go, everything else becomes null.
  private func without(
    _ dead: Set<ObjectIdentity>,
    _ value: Value,
    _ collection: CollectionKind
  ) -> Value {
    func isDead(_ value: Value) -> Bool {
      if case .link(let target) = value { dead.contains(target) } else { false }
    }
    func cleaned(_ value: Value) -> Value {
      switch value {
      case .list(let elements): .list(elements.map(cleaned))
      case .map(let entries): .map(entries.map { MapEntry($0.key, cleaned($0.value)) })
      default: isDead(value) ? .null : value
      }
    }
    return switch (collection, value) {
    case (.list, .list(let elements)): .list(elements.filter { !isDead($0) }.map(cleaned))
    case (.set, .set(let members)): .set(members.filter { !isDead($0) })
    default: cleaned(value)
    }
  }
}
