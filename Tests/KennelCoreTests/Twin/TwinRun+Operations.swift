import KennelCore

/// What an operation does.
extension TwinRun {
  func step(_ random: inout SplitMix64) throws {
    let isFull = twin.objects.count > 45
    switch random.below(100) {
    case 0..<14: try isFull ? delete(&random) : create(&random)
    case 14..<27: try isFull ? delete(&random) : createEmbedded(&random)
    case 27..<45: try setValue(&random)
    case 45..<63: try changeList(&random)
    case 63..<70: try changeSet(&random)
    case 70..<79: try changeMap(&random)
    case 79..<87: try delete(&random)
    case 87..<90: try unlink(&random)
    case 90..<93: try commit()
    case 93: try rollback()
    case 94: try reopen()
    case 95: try hold()
    case 96: try addProperty(&random)
    case 97: try changeDefault(&random)
    default:
      note("look")
      if let transaction { try compare(transaction, "inside the transaction") }
    }
  }

  // MARK: - Choosing

  private func objects(_ classKey: ClassKey) -> [ObjectIdentity] {
    twin.objects.keys.filter { $0.classKey == classKey }.sorted()
  }

  /// An object that is there; once in a while one that is not.
  private func anyObject(_ random: inout SplitMix64) -> ObjectIdentity {
    let all = twin.objects.keys.sorted()
    if all.isEmpty || random.once(in: 60) {
      return ObjectIdentity(
        ClassKey(rawValue: UInt16(random.below(4))),
        ObjectKey(rawValue: UInt64(random.below(40) + 1))
      )
    }
    return random.pick(all)
  }

  private func property(
    of object: ObjectIdentity,
    _ random: inout SplitMix64,
    where fits: (Twin.Property) -> Bool
  ) -> Twin.Property? {
    let fitting = (twin.classes[object.classKey]?.properties ?? []).filter(fits)
    return fitting.isEmpty ? nil : random.pick(fitting)
  }

  private func link(for property: Twin.Property) -> (inout SplitMix64) -> Value? {
    { random in
      let top = self.twin.classes.values.filter { !$0.isEmbedded }.map(\.key).sorted()
      let target = property.target ?? random.pick(top)
      let objects = self.objects(target)
      return objects.isEmpty ? nil : .link(random.pick(objects))
    }
  }

  private func value(for property: Twin.Property, _ random: inout SplitMix64) -> Value {
    if random.once(in: 25) { return RandomValues.wrong(&random) }
    if property.holdsEmbedded, random.once(in: 2) { return TwinSchema.initialValue(property.type) }
    return RandomValues.value(of: property.type, &random, link: link(for: property))
  }

  private func element(for property: Twin.Property, _ random: inout SplitMix64) -> Value {
    if random.once(in: 25) { return RandomValues.wrong(&random) }
    return RandomValues.element(of: property.type, &random, link: link(for: property)) ?? .null
  }

  private func describe(_ slot: Slot) -> String {
    let owner = twin.classes[slot.object.classKey]
    let property = owner?[slot.property]
    let rule = property?.rule == .nullify ? "" : "(\(property?.rule ?? .nullify))"
    return "\(owner?.name ?? "?")/\(slot.object.key.rawValue)."
      + "\(property?.name ?? "?"):\(property?.type.description ?? "?")\(rule) \(slot.position)"
  }

  // MARK: - Making and setting

  private func create(_ random: inout SplitMix64) throws {
    let classKey = ClassKey(rawValue: UInt16(random.once(in: 40) ? 2 : random.below(2)))
    var values: [PropertyKey: Value] = [:]
    for property in twin.classes[classKey]?.properties ?? [] where !property.holdsEmbedded {
      if property.isPrimaryKey || random.once(in: 3) {
        values[property.key] = value(for: property, &random)
      }
    }
    var key: UInt64?
    if random.once(in: 12), classKey.rawValue < 2 {
      key = (twin.classes[classKey]?.nextKey ?? 1) + UInt64(random.below(500))
    }
    note("create \(TwinSchema.names[Int(classKey.rawValue)]) \(key ?? 0) \(values)")
    try both(
      { transaction in
        try key.map { try transaction.create(classKey, key: ObjectKey(rawValue: $0), values) }
          ?? transaction.create(classKey, values)
      },
      { try $0.create(classKey, key: key, values) }
    )
  }

  private func createEmbedded(_ random: inout SplitMix64) throws {
    let object = anyObject(&random)
    let isWrong = random.once(in: 40)
    guard let property = property(of: object, &random, where: { isWrong || $0.holdsEmbedded })
    else { return }
    let slot: Slot
    switch property.type.collection {
    case .list:
      let count = elements(object, property).count
      let index = random.once(in: 20) ? count + 1 : random.below(count + 1)
      slot = Slot(object, property.key, .index(index))
    case .map: slot = Slot(object, property.key, .key(RandomValues.key(&random)))
    default: slot = Slot(object, property.key)
    }
    note("createEmbedded \(describe(slot))")
    try overwriting(slot) {
      try both({ try $0.createEmbedded(at: slot) }, { try $0.createEmbedded(at: slot) })
    }
  }

  private func setValue(_ random: inout SplitMix64) throws {
    let object = anyObject(&random)
    guard let property = property(of: object, &random, where: { _ in true }) else { return }
    var value = value(for: property, &random)
    let old = twin.objects[object]?[property.key]
    switch old {
    case .list(var elements)? where random.once(in: 2):
      elements.shuffle(using: &random)
      if !elements.isEmpty, random.once(in: 2) { elements.removeLast() }
      value = .list(elements)
    case .set(var members)? where random.once(in: 2):
      members.shuffle(using: &random)
      value = .set(members.dropLast(random.below(3)))
    case .map(var entries)? where random.once(in: 2):
      entries.shuffle(using: &random)
      value = .map(entries.dropLast(random.below(3)))
    case .link where property.holdsEmbedded && random.once(in: 6): value = old ?? .null
    default: break
    }
    note("set \(describe(Slot(object, property.key))) \(value)")
    try both(
      { transaction in
        try transaction.set(object, property.key, value)
        return Done()
      },
      { twin in
        try twin.set(object, property.key, value)
        return Done()
      }
    )
  }

  /// Sets a to-one link or map value to null, after asking what that takes along.
  private func unlink(_ random: inout SplitMix64) throws {
    let links = twin.allLinks
    guard !links.isEmpty else { return }
    let link = random.pick(links)
    let slot = link.slot
    note("unlink \(describe(slot))")
    try unlinking(slot) {
      try both(
        { transaction in
          switch slot.position {
          case .value: try transaction.set(slot.object, slot.property, .null)
          case .key(let key):
            try transaction.setEntry(key, .null, of: slot.object, slot.property)
          case .index(let index):
            try transaction.removeElement(at: index, of: slot.object, slot.property)
          case .member(let member):
            try transaction.removeMember(member, of: slot.object, slot.property)
          }
          return Done()
        },
        { twin in
          switch slot.position {
          case .value: try twin.set(slot.object, slot.property, .null)
          case .key(let key): try twin.setEntry(key, .null, of: slot.object, slot.property)
          case .index(let index):
            try twin.removeElement(at: index, of: slot.object, slot.property)
          case .member(let member):
            _ = try twin.removeMember(member, of: slot.object, slot.property)
          }
          return Done()
        }
      )
    }
  }

  // MARK: - Collections

  private func elements(_ object: ObjectIdentity, _ property: Twin.Property) -> [Value] {
    switch twin.objects[object]?[property.key] {
    case .list(let elements)?, .set(let elements)?: elements
    default: []
    }
  }

  private func changeList(_ random: inout SplitMix64) throws {
    let object = anyObject(&random)
    let isWrong = random.once(in: 60)
    guard
      let property = property(
        of: object,
        &random,
        where: { isWrong || $0.type.collection == .list }
      )
    else { return }
    let count = elements(object, property).count
    let index = random.once(in: 25) ? count + random.below(2) : random.below(count)
    let other = random.once(in: 25) ? count : random.below(count)
    let key = property.key
    let slot = Slot(object, key, .index(index))
    switch random.below(count > 8 ? 8 : 6) {
    case 0..<3:
      let element = element(for: property, &random)
      let index = random.once(in: 25) ? count + 1 : random.below(count + 1)
      note("insert \(describe(Slot(object, key, .index(index)))) \(element)")
      try both(
        { done(try $0.insert(element, at: index, of: object, key)) },
        { done(try $0.insert(element, at: index, of: object, key)) }
      )
    case 3:
      let element = element(for: property, &random)
      note("replace \(describe(slot)) \(element)")
      try both(
        { done(try $0.replace(at: index, with: element, of: object, key)) },
        { done(try $0.replace(at: index, with: element, of: object, key)) }
      )
    case 4:
      note("move to \(other) \(describe(slot))")
      try both(
        { done(try $0.moveElement(from: index, to: other, of: object, key)) },
        { done(try $0.moveElement(from: index, to: other, of: object, key)) }
      )
    default:
      note("remove \(describe(slot))")
      try both(
        { done(try $0.removeElement(at: index, of: object, key)) },
        { done(try $0.removeElement(at: index, of: object, key)) }
      )
    }
  }

  private func changeSet(_ random: inout SplitMix64) throws {
    let object = anyObject(&random)
    guard
      let property = property(of: object, &random, where: { $0.type.collection == .set })
    else { return }
    let key = property.key
    let members = elements(object, property)
    if random.once(in: 3) {
      let value =
        members.isEmpty || random.once(in: 4)
        ? element(for: property, &random) : random.pick(members)
      note("removeMember \(describe(Slot(object, key))) \(value)")
      try both(
        { try $0.removeMember(value, of: object, key) },
        { try $0.removeMember(value, of: object, key) }
      )
    } else {
      let value = element(for: property, &random)
      note("insertMember \(describe(Slot(object, key))) \(value)")
      try both(
        { try $0.insertMember(value, of: object, key) },
        { try $0.insertMember(value, of: object, key) }
      )
    }
  }

  private func changeMap(_ random: inout SplitMix64) throws {
    let object = anyObject(&random)
    guard
      let property = property(of: object, &random, where: { $0.type.collection == .map })
    else { return }
    let name = RandomValues.key(&random)
    let value = random.once(in: 3) ? nil : element(for: property, &random)
    let key = property.key
    note("setEntry \(describe(Slot(object, key, .key(name)))) \(value.map { "\($0)" } ?? "nil")")
    try both(
      { done(try $0.setEntry(name, value, of: object, key)) },
      { done(try $0.setEntry(name, value, of: object, key)) }
    )
  }

  // MARK: - Deleting

  private func delete(_ random: inout SplitMix64) throws {
    var doomed = [anyObject(&random)]
    while random.once(in: 3) { doomed.append(anyObject(&random)) }
    note("delete \(doomed.map { describe(Slot($0, PropertyKey(rawValue: 999))) })")
    let before = twin
    let transaction = try writing()
    guard doomed.allSatisfy({ before.objects[$0] != nil }) else {
      try both({ try $0.delete(doomed).deathCount }, { try $0.delete(doomed).dead.count })
      return
    }
    let radius = try transaction.blastRadius(deleting: doomed)
    try Self.compare(radius, before.plan(deleting: doomed, cut: []))
    try Self.checkReasons(radius, before, asked: doomed, cut: [])
    try both(
      { transaction in
        let done = try transaction.delete(doomed)
        if done != radius { throw Difference("it took \(done), but had said \(radius)") }
        return done.deathCount
      },
      { try $0.delete(doomed).dead.count }
    )
  }

  /// Compares what cutting a link takes along, before a body cuts it.
  private func unlinking(_ slot: Slot, _ body: () throws -> Void) throws {
    let before = twin
    let cut = before.links(of: slot.object).filter { $0.slot == slot }
    let radius = try writing().blastRadius(unlinking: slot)
    try Self.compare(radius, before.plan(deleting: [], cut: cut))
    try Self.checkReasons(radius, before, asked: [], cut: [slot])
    try body()
    let gone = Set(before.objects.keys).subtracting(twin.objects.keys)
    guard radius.denied.isEmpty ? gone == Set(radius.deaths.map(\.object)) : gone.isEmpty else {
      throw Difference("\(gone) died, but it had said \(radius)")
    }
  }

  /// The same for a slot that gets a new embedded object.
  private func overwriting(_ slot: Slot, _ body: () throws -> Void) throws {
    if (try? twin.existing(slot.object, slot.property).1.type.collection) == CollectionKind.none {
      let cut = twin.links(of: slot.object).filter { $0.slot == slot }
      let radius = try writing().blastRadius(overwriting: slot)
      try Self.compare(radius, twin.plan(deleting: [], cut: cut))
      try Self.checkReasons(radius, twin, asked: [], cut: [slot])
    }
    try body()
  }

  // MARK: - The schema

  private func addProperty(_ random: inout SplitMix64) throws {
    let index = random.below(4)
    var definition = TwinSchema.scalar(&random)
    let slot = schema.definitions[index].properties.count
    if definition.type.collection != .none { definition.defaultValue = nil }
    definition.name = "added\(slot)"
    note("add \(TwinSchema.names[index]).\(definition.name) \(definition)")
    schema.add(definition, at: index)
    try writing().define(schema.definitions)
    let property = schema.property(definition, PropertyKey(rawValue: UInt16(slot)))
    twin.addProperty(property, to: ClassKey(rawValue: UInt16(index)))
  }

  private func changeDefault(_ random: inout SplitMix64) throws {
    let index = random.below(4)
    let classKey = ClassKey(rawValue: UInt16(index))
    let candidates = schema.definitions[index].properties.indices.filter {
      let type = schema.definitions[index].properties[$0].type
      return type.kind != .link && type.kind != .mixed
        && !schema.definitions[index].properties[$0].isPrimaryKey
    }
    guard !candidates.isEmpty else { return }
    let slot = random.pick(candidates)
    let type = schema.definitions[index].properties[slot].type
    let value = RandomValues.value(of: type, &random) { _ in nil }
    note("default of \(TwinSchema.names[index]) \(slot) is \(value)")
    schema.setDefault(value, at: index, slot)
    try writing().define(schema.definitions)
    let initial = twin.normal(value)
    twin.classes[classKey]?.properties[slot].initial = initial
  }
}
