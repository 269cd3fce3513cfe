import KennelCore

/// What performing an operation gives.
enum TwinResult: Equatable {
  case nothing
  case made(ObjectIdentity)
  case found(Bool)
  case died(Int)
  case refused(DatabaseError.Code)
}

extension Twin {
  /// Performs an operation; a new object gets the key, where one is given.
  mutating func perform(_ operation: Draft.Operation, key: UInt64? = nil) -> TwinResult {
    do {
      switch operation {
      case .create(let classKey, let values):
        return .made(try create(classKey, key: key, values))
      case .delete(let objects): return .died(try delete(objects).dead.count)
      case .change(let slot, let change): return try perform(change, slot, key)
      case .schema: fatalError("the schema has a twin of its own, in SchemaTwin.swift")
      }
    } catch let refusal as Refusal {
      return .refused(refusal.code)
    } catch {
      fatalError("\(error)")
    }
  }

  private mutating func perform(
    _ change: Draft.Operation.Change,
    _ slot: Slot,
    _ newKey: UInt64?
  ) throws -> TwinResult {
    let (object, property) = (slot.object, slot.property)
    switch (slot.position, change) {
    case (_, .create): return .made(try createEmbedded(at: slot, key: newKey))
    case (.value, .set(let value)): try set(object, property, value)
    case (.index(let index), .insert(let value)):
      try insert(value, at: index, of: object, property)
    case (.index(let index), .set(let value)):
      try replace(at: index, with: value, of: object, property)
    case (.index(let index), .remove): try removeElement(at: index, of: object, property)
    case (.index(let index), .move(let destination)):
      try moveElement(from: index, to: destination, of: object, property)
    case (.member(let member), .add):
      return .found(try insertMember(member, of: object, property))
    case (.member(let member), .remove):
      return .found(try removeMember(member, of: object, property))
    case (.key(let key), .set(let value)): try setEntry(key, value, of: object, property)
    case (.key(let key), .remove): try setEntry(key, nil, of: object, property)
    default: fatalError("no operation is like this: \(change) of \(slot)")
    }
    return .nothing
  }

  /// The links of a slot that an operation cuts, if it does nothing else.
  func linksCut(by operation: Draft.Operation) -> [Link] {
    guard case .change(let slot, let change) = operation else { return [] }
    switch (slot.position, change) {
    case (.value, .set(.null)), (.key, .set(.null)), (.key, .remove), (.index, .remove),
      (.member, .remove):
      break
    default: return []
    }
    return links(of: slot.object).filter { $0.slot == slot }
  }

  /// The same twin with other identities for some objects.
  func mapped(_ identities: [ObjectIdentity: ObjectIdentity]) -> Twin {
    func map(_ object: ObjectIdentity) -> ObjectIdentity { identities[object] ?? object }
    func map(_ value: Value) -> Value {
      switch value {
      case .link(let target): .link(map(target))
      case .list(let elements): .list(elements.map(map))
      case .set(let members): normal(.set(members.map(map)))
      case .map(let entries): .map(entries.map { MapEntry($0.key, map($0.value)) })
      default: value
      }
    }
    var twin = self
    twin.objects = [:]
    for (object, values) in objects { twin.objects[map(object)] = values.mapValues(map) }
    return twin
  }
}

/// Performs an operation by the method that makes it.
func perform(
  _ operation: Draft.Operation,
  on editing: some Editing
) throws -> (result: TwinResult, message: String) {
  do {
    switch operation {
    case .create(let classKey, let values):
      return (.made(try editing.create(classKey, values)), "")
    case .delete(let objects): return (.died(try editing.delete(objects)), "")
    case .change(let slot, let change): return (try perform(change, slot, on: editing), "")
    case .schema(let change, _):
      try editing.changeSchema(change)
      return (.nothing, "")
    }
  } catch {
    return (.refused(error.code), error.message)
  }
}

private func perform(
  _ change: Draft.Operation.Change,
  _ slot: Slot,
  on editing: some Editing
) throws(DatabaseError) -> TwinResult {
  let (object, property) = (slot.object, slot.property)
  switch (slot.position, change) {
  case (_, .create): return .made(try editing.createEmbedded(at: slot))
  case (.value, .set(let value)): try editing.set(object, property: property, to: value)
  case (.index(let index), .insert(let value)):
    try editing.insert(value, at: index, of: object, property: property)
  case (.index(let index), .set(let value)):
    try editing.replace(at: index, with: value, of: object, property: property)
  case (.index(let index), .remove):
    try editing.removeElement(at: index, of: object, property: property)
  case (.index(let index), .move(let destination)):
    try editing.moveElement(from: index, to: destination, of: object, property: property)
  case (.member(let member), .add):
    return .found(try editing.insertMember(member, of: object, property: property))
  case (.member(let member), .remove):
    return .found(try editing.removeMember(member, of: object, property: property))
  case (.key(let key), .set(let value)):
    try editing.setEntry(key, to: value, of: object, property: property)
  case (.key(let key), .remove): try editing.setEntry(key, to: nil, of: object, property: property)
  default: fatalError("no operation is like this: \(change) of \(slot)")
  }
  return .nothing
}
