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
  mutating func perform(_ operation: KennelCore.Operation, key: UInt64? = nil) -> TwinResult {
    do {
      switch operation {
      case .create(let classKey, let values):
        return .made(try create(classKey, key: key, values))
      case .createEmbedded(let slot): return .made(try createEmbedded(at: slot, key: key))
      case .set(let object, let property, let value): try set(object, property, value)
      case .insert(let value, let index, let object, let property):
        try insert(value, at: index, of: object, property)
      case .replace(let index, let value, let object, let property):
        try replace(at: index, with: value, of: object, property)
      case .remove(let index, let object, let property):
        try removeElement(at: index, of: object, property)
      case .move(let source, let destination, let object, let property):
        try moveElement(from: source, to: destination, of: object, property)
      case .insertMember(let value, let object, let property):
        return .found(try insertMember(value, of: object, property))
      case .removeMember(let value, let object, let property):
        return .found(try removeMember(value, of: object, property))
      case .setEntry(let name, let value, let object, let property):
        try setEntry(name, value, of: object, property)
      case .delete(let objects): return .died(try delete(objects).dead.count)
      }
      return .nothing
    } catch let refusal as Refusal {
      return .refused(refusal.code)
    } catch {
      fatalError("\(error)")
    }
  }

  /// The link that an operation cuts, if it does nothing else.
  func linkCut(by operation: KennelCore.Operation) -> Link? {
    let slot: Slot
    switch operation {
    case .set(let object, let property, .null): slot = Slot(object, property)
    case .setEntry(let key, nil, let object, let property),
      .setEntry(let key, .null?, let object, let property):
      slot = Slot(object, property, .key(key))
    case .remove(let index, let object, let property):
      slot = Slot(object, property, .index(index))
    case .removeMember(let member, let object, let property):
      slot = Slot(object, property, .member(member))
    default: return nil
    }
    return links(of: slot.object).first { $0.slot == slot }
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

/// Performs an operation with the verb that it names.
func perform(
  _ operation: KennelCore.Operation,
  on editing: any Editing
) throws -> (result: TwinResult, message: String) {
  do {
    switch operation {
    case .create(let classKey, let values):
      return (.made(try editing.create(classKey, values)), "")
    case .createEmbedded(let slot): return (.made(try editing.createEmbedded(at: slot)), "")
    case .set(let object, let property, let value): try editing.set(object, property, value)
    case .insert(let value, let index, let object, let property):
      try editing.insert(value, at: index, of: object, property)
    case .replace(let index, let value, let object, let property):
      try editing.replace(at: index, with: value, of: object, property)
    case .remove(let index, let object, let property):
      try editing.removeElement(at: index, of: object, property)
    case .move(let source, let destination, let object, let property):
      try editing.moveElement(from: source, to: destination, of: object, property)
    case .insertMember(let value, let object, let property):
      return (.found(try editing.insertMember(value, of: object, property)), "")
    case .removeMember(let value, let object, let property):
      return (.found(try editing.removeMember(value, of: object, property)), "")
    case .setEntry(let name, let value, let object, let property):
      try editing.setEntry(name, value, of: object, property)
    case .delete(let objects): return (.died(try editing.delete(objects)), "")
    }
    return (.nothing, "")
  } catch {
    return (.refused(error.code), error.message)
  }
}
