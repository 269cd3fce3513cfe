public import KennelStorage

/// One step of a draft, as it was asked for.
///
/// An operation can be performed again: on a newer commit when the draft is rebased, in a write
/// transaction when it is committed.
public enum Operation: Hashable, Sendable {
  /// Makes an object.
  case create(ClassKey, [PropertyKey: Value])
  /// Makes an embedded object in a slot.
  case createEmbedded(Slot)
  /// Sets a property as a whole.
  case set(ObjectIdentity, PropertyKey, Value)
  /// Inserts an element into a list.
  case insert(Value, at: Int, ObjectIdentity, PropertyKey)
  /// Replaces an element of a list.
  case replace(at: Int, with: Value, ObjectIdentity, PropertyKey)
  /// Removes an element of a list.
  case remove(at: Int, ObjectIdentity, PropertyKey)
  /// Moves an element within its list.
  case move(from: Int, to: Int, ObjectIdentity, PropertyKey)
  /// Puts a member into a set.
  case insertMember(Value, ObjectIdentity, PropertyKey)
  /// Takes a member out of a set.
  case removeMember(Value, ObjectIdentity, PropertyKey)
  /// Sets or removes an entry of a map.
  case setEntry(String, Value?, ObjectIdentity, PropertyKey)
  /// Deletes objects.
  case delete([ObjectIdentity])

  /// The property of an object that the operation changes, if it changes one.
  public var slot: Slot? {
    switch self {
    case .create, .delete: nil
    case .createEmbedded(let slot): slot
    case .set(let object, let property, _): Slot(object, property)
    case .insert(_, let index, let object, let property),
      .replace(let index, _, let object, let property),
      .remove(let index, let object, let property),
      .move(let index, _, let object, let property):
      Slot(object, property, .index(index))
    case .insertMember(let member, let object, let property),
      .removeMember(let member, let object, let property):
      Slot(object, property, .member(member))
    case .setEntry(let key, _, let object, let property): Slot(object, property, .key(key))
    }
  }
}

extension Operation {
  /// The same operation on the objects that provisional ones became.
  internal func mapped(_ keys: [ObjectIdentity: ObjectIdentity]) -> Operation {
    if keys.isEmpty { return self }
    func map(_ object: ObjectIdentity) -> ObjectIdentity { keys[object] ?? object }
    switch self {
    case .create(let classKey, let values):
      return .create(classKey, values.mapValues { $0.mapped(keys) })
    case .createEmbedded(let slot):
      return .createEmbedded(Slot(map(slot.object), slot.property, slot.position))
    case .set(let object, let property, let value):
      return .set(map(object), property, value.mapped(keys))
    case .insert(let value, let index, let object, let property):
      return .insert(value.mapped(keys), at: index, map(object), property)
    case .replace(let index, let value, let object, let property):
      return .replace(at: index, with: value.mapped(keys), map(object), property)
    case .remove(let index, let object, let property):
      return .remove(at: index, map(object), property)
    case .move(let source, let destination, let object, let property):
      return .move(from: source, to: destination, map(object), property)
    case .insertMember(let value, let object, let property):
      return .insertMember(value.mapped(keys), map(object), property)
    case .removeMember(let value, let object, let property):
      return .removeMember(value.mapped(keys), map(object), property)
    case .setEntry(let key, let value, let object, let property):
      return .setEntry(key, value?.mapped(keys), map(object), property)
    case .delete(let objects): return .delete(objects.map(map))
    }
  }
}

extension Value {
  /// The same value with links to the objects that provisional ones became.
  internal func mapped(_ keys: [ObjectIdentity: ObjectIdentity]) -> Value {
    switch self {
    case .link(let link): .link(keys[link] ?? link)
    case .list(let elements): .list(elements.map { $0.mapped(keys) })
    case .set(let members): .set(members.map { $0.mapped(keys) })
    case .map(let entries): .map(entries.map { MapEntry($0.key, $0.value.mapped(keys)) })
    default: self
    }
  }
}

extension Workspace {
  /// What performing an operation gave.
  struct Outcome {
    var created: ObjectIdentity?
    var didChange = true
    var edits: [Edit] = []
    /// What died with it.
    var plan = BlastRadius()
  }

  /// Performs an operation; a new object gets the key that it had before, if it had one.
  ///
  /// A failure leaves everything as it was.
  func perform(
    _ operation: Operation,
    key: ObjectKey? = nil
  ) throws(DatabaseError) -> Outcome {
    var outcome = Outcome()
    _ = takeEdits()
    executedPlan = BlastRadius()
    do throws(DatabaseError) {
      switch operation {
      case .create(let classKey, let values):
        outcome.created = try create(classKey, key: key, values)
      case .createEmbedded(let slot):
        outcome.created = try createEmbedded(at: slot, key: key)
      case .set(let object, let property, let value): try setValue(object, property, value)
      case .insert(let value, let index, let object, let property):
        try insertElement(value, at: index, of: object, property)
      case .replace(let index, let value, let object, let property):
        try replaceElement(at: index, with: value, of: object, property)
      case .remove(let index, let object, let property):
        try removeElement(at: index, of: object, property)
      case .move(let source, let destination, let object, let property):
        try moveElement(from: source, to: destination, of: object, property)
      case .insertMember(let value, let object, let property):
        outcome.didChange = try insertMember(value, of: object, property)
      case .removeMember(let value, let object, let property):
        outcome.didChange = try removeMember(value, of: object, property)
      case .setEntry(let name, let value, let object, let property):
        try setEntry(name, value, of: object, property)
      case .delete(let objects): _ = try delete(objects)
      }
    } catch {
      try undo(takeEdits())
      throw error
    }
    outcome.edits = takeEdits()
    outcome.plan = executedPlan
    return outcome
  }

  /// Takes edits back, the last one first.
  func undo(_ edits: [Edit]) throws(DatabaseError) {
    for edit in edits.reversed() { try apply(edit.inverse) }
    _ = takeEdits()
  }
}
