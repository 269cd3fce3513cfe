import KennelStorage

/// The classes and properties that the operations of a draft make, as a replay finds them.
///
/// Operations on objects know classes and properties by their numbers. If another commit has given a
/// number away meanwhile, the operation that makes the class or property gets the next one, and those that
/// follow it are performed there: never on what has the number now.
internal struct SchemaParts {
  private struct Part: Hashable {
    let classKey: ClassKey
    /// `nil` for the class.
    let property: PropertyKey?
  }

  /// Those of operations that are held back.
  private var lost: Set<Part> = []
  /// The new numbers of those that got others.
  private var classes: [ClassKey: ClassKey] = [:]
  private var properties: [Part: PropertyKey] = [:]
  /// The objects of such classes.
  private var objects: [ObjectIdentity: ObjectIdentity] = [:]
  /// Behind all numbers that operations have.
  private var nextFree = 0

  /// Gives out no number that an operation has.
  mutating func reserve(_ operations: [DraftEntry]) {
    for operation in operations {
      guard case .schema(_, let number?) = operation.operation else { continue }
      nextFree = max(nextFree, number + 1)
    }
  }

  /// Has an operation say classes and properties by the numbers that they have now.
  mutating func renumber(
    _ entry: inout DraftEntry,
    _ reader: DatabaseReader
  ) throws(DatabaseError) {
    if !classes.isEmpty || !properties.isEmpty { move(&entry) }
    guard case .schema(let change, let number?) = entry.operation,
      let next = try reader.nextNumber(for: change), number < next
    else { return }
    let new = max(next, nextFree)
    nextFree = new + 1
    entry.take(entry.request.changed(operation: .schema(change, number: new)))
    guard let old = Self.part(change, number, reader.schema),
      let part = Self.part(change, new, reader.schema)
    else { return }
    if let property = part.property {
      properties[old] = property
    } else {
      classes[old.classKey] = part.classKey
    }
  }

  private mutating func move(_ entry: inout DraftEntry) {
    var created = entry.created
    if let old = created, let classKey = classes[old.classKey] {
      created = ObjectIdentity(classKey, old.key)
      objects[old] = created
    }
    let operation = moved(entry.operation.mapped(objects))
    let request = entry.request.changed(
      operation: operation,
      seen: entry.seen.mapped(objects),
      created: created
    )
    if !request.isEqual(to: entry.request) { entry.take(request) }
  }

  private func moved(_ operation: Draft.Operation) -> Draft.Operation {
    switch operation {
    case .create(let former, let values):
      let classKey = classes[former] ?? former
      let moved = values.map { (self.property($0.key, of: classKey), $0.value) }
      return .create(classKey, Dictionary(moved) { $1 })
    case .change(let slot, let change):
      let property = property(slot.property, of: slot.object.classKey)
      return .change(Slot(slot.object, property, slot.position), change)
    case .delete, .schema: return operation
    }
  }

  private func property(_ key: PropertyKey, of classKey: ClassKey) -> PropertyKey {
    properties[Part(classKey: classKey, property: key)] ?? key
  }

  // MARK: - What is held back

  /// Notes that an operation is held back.
  mutating func lose(_ operation: Draft.Operation, _ schema: Schema) {
    if let part = Self.part(operation, schema) { lost.insert(part) }
  }

  mutating func release(_ operation: Draft.Operation, _ schema: Schema) {
    if let part = Self.part(operation, schema) { lost.remove(part) }
  }

  /// Whether an operation is on a class or property that is not made.
  func lacksPart(of operation: Draft.Operation) -> Bool {
    guard !lost.isEmpty else { return false }
    switch operation {
    case .create(let classKey, let values):
      return lost.contains(Part(classKey: classKey, property: nil))
        || values.keys.contains { lost.contains(Part(classKey: classKey, property: $0)) }
    case .change(let slot, _):
      return lost.contains(Part(classKey: slot.object.classKey, property: slot.property))
    case .delete, .schema: return false
    }
  }

  private static func part(_ operation: Draft.Operation, _ schema: Schema) -> Part? {
    guard case .schema(let change, let number?) = operation else { return nil }
    return part(change, number, schema)
  }

  private static func part(_ change: SchemaChange, _ number: Int, _ schema: Schema) -> Part? {
    guard let number = UInt16(exactly: number) else { return nil }
    if case .addClass = change {
      return Part(classKey: ClassKey(rawValue: number), property: nil)
    }
    return schema[change.className].map {
      Part(classKey: $0.key, property: PropertyKey(rawValue: number))
    }
  }
}

extension Draft.Operation {
  /// Whether it changes the schema.
  internal var isOfSchema: Bool { if case .schema = self { true } else { false } }
}
