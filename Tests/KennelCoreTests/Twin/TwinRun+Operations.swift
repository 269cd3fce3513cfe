import KennelCore

/// What a step does.
extension TwinRun {
  func step(_ random: inout SplitMix64) throws {
    if draft != nil, random.once(in: 2) { return try draftStep(&random) }
    switch random.below(100) {
    case 0..<84:
      guard let operation = RandomOperations(twin: twin).next(&random) else { return }
      try perform(operation)
    case 84, 85: try loseCommit(&random)
    case 86: try createUnderKey(&random)
    case 87..<90: try commit()
    case 90: try rollback()
    case 91: try reopen()
    case 92: try hold()
    case 93: try addProperty(&random)
    case 94: try changeDefault(&random)
    case 95..<98: try beginDraft()
    case 98:
      note("store early")
      try transaction?.storeChanges(beyond: 0)
    default:
      note("look")
      if let transaction { try compare(transaction, "inside the transaction") }
    }
  }

  /// Performs an operation here and there, after asking what it takes along.
  private func perform(_ operation: Draft.Operation) throws {
    note(describe(operation, twin))
    let before = twin
    let transaction = try writing()
    let radius = try announced(operation, transaction, before)
    let expected = twin.perform(operation)
    let (actual, message) = try KennelCoreTests.perform(operation, on: transaction)
    guard actual == expected else {
      throw Difference("expected \(expected), but \(actual) \(message)")
    }
    if case .refused = actual { return remark("\(actual)") }
    guard let radius else { return }
    let gone = Set(before.objects.keys).subtracting(twin.objects.keys)
    if gone != Set(radius.deletions.map(\.object)) {
      throw Difference("\(gone) died, but it had said \(radius)")
    }
  }

  /// What the engine says that an operation takes along, compared with what the twin says.
  private func announced(
    _ operation: Draft.Operation,
    _ snapshot: DatabaseReader,
    _ twin: Twin
  ) throws -> BlastRadius? {
    if case .delete(let marked) = operation {
      guard marked.allSatisfy({ twin.objects[$0] != nil }) else { return nil }
      let radius = try snapshot.blastRadius(deleting: marked)
      try Self.compare(radius, twin.plan(deleting: marked, cut: []))
      try Self.checkReasons(radius, twin, asked: marked, cut: [])
      return radius
    }
    let cut = twin.linksCut(by: operation)
    if let slot = cut.first?.slot {
      let radius = try snapshot.blastRadius(unlinking: slot)
      try Self.compare(radius, twin.plan(deleting: [], cut: cut))
      try Self.checkReasons(radius, twin, asked: [], cut: [slot])
      return radius
    }
    if case .change(let slot, .create) = operation, case .value = slot.position,
      let property = try? twin.existing(slot.object, slot.property).1,
      property.holdsEmbedded, property.type.collection == .none
    {
      let cut = twin.links(of: slot.object).filter { $0.slot == slot }
      let radius = try snapshot.blastRadius(overwriting: [slot])
      try Self.compare(radius, twin.plan(deleting: [], cut: cut))
      try Self.checkReasons(radius, twin, asked: [], cut: [slot])
      return radius
    }
    return nil
  }

  private func createUnderKey(_ random: inout SplitMix64) throws {
    let classKey = ClassKey(rawValue: UInt16(random.below(2)))
    let values = RandomOperations(twin: twin).newValues(classKey, &random)
    let next = twin.classes[classKey]?.nextKey ?? 1
    let key =
      random.below(3) == 0
      ? UInt64(random.below(Int(next))) + 1 : next + UInt64(random.below(500))
    note("create under key \(key) \(TwinSchema.names[Int(classKey.rawValue)]) \(values)")
    let isFree = twin.objects[ObjectIdentity(classKey, ObjectKey(rawValue: key))] == nil
    let expected =
      isFree
      ? twin.perform(.create(classKey, values), key: key) : TwinResult.refused(.outOfRange)
    let actual: TwinResult
    do {
      actual = .made(
        try writing().create(classKey, key: ObjectKey(rawValue: key), values)
      )
    } catch let error as DatabaseError {
      actual = .refused(error.code)
    }
    if actual != expected { throw Difference("expected \(expected), but \(actual)") }
  }

  /// An operation as a person reads it.
  func describe(_ operation: Draft.Operation, _ twin: Twin) -> String {
    guard let slot = operation.slot else { return "\(operation)" }
    let owner = twin.classes[slot.object.classKey]
    let property = owner?[slot.property]
    let rule = property?.rule == .nullify ? "" : "(\(property?.rule ?? .nullify))"
    let type = property?.type.description ?? "?"
    return "\(owner?.name ?? "?").\(property?.name ?? "?"): \(type)\(rule) \(operation)"
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
