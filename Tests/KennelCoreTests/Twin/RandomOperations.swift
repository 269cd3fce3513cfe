import KennelCore

/// Operations on what a twin holds, mostly such as can be performed.
struct RandomOperations {
  let twin: Twin

  func next(_ random: inout SplitMix64) -> Draft.Operation? {
    let isFull = twin.objects.count > 45
    switch random.below(90) {
    case 0..<14: return isFull ? delete(&random) : create(&random)
    case 14..<27: return isFull ? delete(&random) : createEmbedded(&random)
    case 27..<45: return setValue(&random)
    case 45..<63: return changeList(&random)
    case 63..<70: return changeSet(&random)
    case 70..<79: return changeMap(&random)
    case 79..<87: return delete(&random)
    default: return unlink(&random)
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
      let top = twin.classes.values.filter { !$0.isEmbedded }.map(\.key).sorted()
      let target = property.target ?? random.pick(top)
      let objects = objects(target)
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

  private func elements(_ object: ObjectIdentity, _ property: Twin.Property) -> [Value] {
    switch twin.objects[object]?[property.key] {
    case .list(let elements)?, .set(let elements)?: elements
    default: []
    }
  }

  // MARK: - Making and setting

  func newValues(_ classKey: ClassKey, _ random: inout SplitMix64) -> [PropertyKey: Value] {
    var values: [PropertyKey: Value] = [:]
    for property in twin.classes[classKey]?.properties ?? [] where !property.holdsEmbedded {
      if property.isPrimaryKey || random.once(in: 3) {
        values[property.key] = value(for: property, &random)
      }
    }
    return values
  }

  private func create(_ random: inout SplitMix64) -> Draft.Operation? {
    let classKey = ClassKey(rawValue: UInt16(random.once(in: 40) ? 2 : random.below(2)))
    return .create(classKey, newValues(classKey, &random))
  }

  private func createEmbedded(_ random: inout SplitMix64) -> Draft.Operation? {
    let object = anyObject(&random)
    let isWrong = random.once(in: 40)
    guard let property = property(of: object, &random, where: { isWrong || $0.holdsEmbedded })
    else { return nil }
    switch property.type.collection {
    case .list:
      let count = elements(object, property).count
      let index = random.once(in: 20) ? count + 1 : random.below(count + 1)
      return .createEmbedded(Slot(object, property.key, .index(index)))
    case .map:
      return .createEmbedded(Slot(object, property.key, .key(RandomValues.key(&random))))
    default: return .createEmbedded(Slot(object, property.key))
    }
  }

  private func setValue(_ random: inout SplitMix64) -> Draft.Operation? {
    let object = anyObject(&random)
    guard let property = property(of: object, &random, where: { _ in true }) else { return nil }
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
    return .set(object, property.key, value)
  }

  /// Cuts a link, of whatever shape.
  private func unlink(_ random: inout SplitMix64) -> Draft.Operation? {
    let links = twin.allLinks
    guard !links.isEmpty else { return nil }
    let slot = random.pick(links).slot
    switch slot.position {
    case .value: return .set(slot.object, slot.property, .null)
    case .key(let key): return .setEntry(key, .null, slot.object, slot.property)
    case .index(let index): return .remove(at: index, slot.object, slot.property)
    case .member(let member): return .removeMember(member, slot.object, slot.property)
    }
  }

  // MARK: - Collections

  private func changeList(_ random: inout SplitMix64) -> Draft.Operation? {
    let object = anyObject(&random)
    let isWrong = random.once(in: 60)
    guard
      let property = property(
        of: object,
        &random,
        where: { isWrong || $0.type.collection == .list }
      )
    else { return nil }
    let count = elements(object, property).count
    let index = random.once(in: 25) ? count + random.below(2) : random.below(count)
    let other = random.once(in: 25) ? count : random.below(count)
    switch random.below(count > 8 ? 8 : 6) {
    case 0..<3:
      let index = random.once(in: 25) ? count + 1 : random.below(count + 1)
      return .insert(element(for: property, &random), at: index, object, property.key)
    case 3: return .replace(at: index, with: element(for: property, &random), object, property.key)
    case 4: return .move(from: index, to: other, object, property.key)
    default: return .remove(at: index, object, property.key)
    }
  }

  private func changeSet(_ random: inout SplitMix64) -> Draft.Operation? {
    let object = anyObject(&random)
    guard
      let property = property(of: object, &random, where: { $0.type.collection == .set })
    else { return nil }
    let members = elements(object, property)
    guard random.once(in: 3) else {
      return .insertMember(element(for: property, &random), object, property.key)
    }
    let value =
      members.isEmpty || random.once(in: 4)
      ? element(for: property, &random) : random.pick(members)
    return .removeMember(value, object, property.key)
  }

  private func changeMap(_ random: inout SplitMix64) -> Draft.Operation? {
    let object = anyObject(&random)
    guard
      let property = property(of: object, &random, where: { $0.type.collection == .map })
    else { return nil }
    let name = RandomValues.key(&random)
    let value = random.once(in: 3) ? nil : element(for: property, &random)
    return .setEntry(name, value, object, property.key)
  }

  private func delete(_ random: inout SplitMix64) -> Draft.Operation? {
    var marked = [anyObject(&random)]
    while random.once(in: 3) { marked.append(anyObject(&random)) }
    return .delete(marked)
  }
}
