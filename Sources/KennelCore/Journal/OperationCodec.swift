import KennelStorage

// How operations, and what they saw, lie in a journal: a byte that says which, then what it has, in
// the order of the cases' own. The numbers are those of the format and stay.

extension JournalBodyWriter {
  internal mutating func append(_ operation: Draft.Operation) {
    switch operation {
    case .create(let classKey, let values):
      append(UInt8(0))
      append(classKey.rawValue)
      append(UInt64(values.count))
      for (property, value) in values.sorted(by: { $0.key < $1.key }) {
        append(property.rawValue)
        append(value)
      }
    case .delete(let objects):
      append(UInt8(10))
      append(objects)
    case .change(let slot, .create):
      append(UInt8(1))
      append(slot)
    case .change(let slot, let change):
      append(change, slot)
    case .schema(let change, let number):
      append(UInt8(11))
      append(UInt64(number.map { $0 + 1 } ?? 0))
      append(change)
    }
  }

  /// A change; its position in a list is 64 bits wide.
  private mutating func append(_ change: Draft.Operation.Change, _ slot: Slot) {
    switch (slot.position, change) {
    case (.value, .set(let value)): append(2, slot, [], value)
    case (.index(let index), .insert(let value)): append(3, slot, [index], value)
    case (.index(let index), .set(let value)): append(4, slot, [index], value)
    case (.index(let index), .remove): append(5, slot, [index])
    case (.index(let index), .move(let destination)): append(6, slot, [index, destination])
    case (.member(let member), .add): append(7, slot, [], member)
    case (.member(let member), .remove): append(8, slot, [], member)
    case (.key(let key), .set(let value)): append(key, slot, value)
    case (.key(let key), .remove): append(key, slot, nil)
    case (.value, _), (.index, _), (.member, _), (.key, _):
      // No draft has performed such a change; nobody can restore it either.
      append(UInt8.max)
    }
  }

  private mutating func append(_ key: String, _ slot: Slot, _ value: Value?) {
    append(9, slot, [])
    append(key)
    append(value)
  }

  private mutating func append(
    _ tag: UInt8,
    _ slot: Slot,
    _ indexes: [Int],
    _ value: Value? = nil
  ) {
    append(tag)
    append(slot.object)
    append(slot.property.rawValue)
    for index in indexes { append(Int64(index)) }
    if let value { append(value) }
  }

  private mutating func append(_ objects: [ObjectIdentity]) {
    append(UInt64(objects.count))
    for object in objects { append(object) }
  }

  private mutating func append(_ slot: Slot) {
    append(slot.object)
    append(slot.property.rawValue)
    switch slot.position {
    case .value: append(UInt8(0))
    case .index(let index):
      append(UInt8(1))
      append(Int64(index))
    case .member(let member):
      append(UInt8(2))
      append(member)
    case .key(let key):
      append(UInt8(3))
      append(key)
    }
  }

  internal mutating func append(_ seen: Precondition) {
    switch seen {
    case .nothing: append(UInt8(0))
    case .value(let value):
      append(UInt8(1))
      append(value)
    case .entry(let value):
      append(UInt8(2))
      append(value)
    case .end: append(UInt8(3))
    case .gap(let gap):
      append(UInt8(4))
      append(gap)
    case .element(let element, let neighbors):
      append(UInt8(5))
      append(element)
      append(neighbors)
    case .move(let element, let neighbors, let target):
      append(UInt8(6))
      append(element)
      append(neighbors)
      append(target)
    case .schema(let text):
      append(UInt8(7))
      append(text)
    }
  }

  private mutating func append(_ neighbors: Precondition.Neighbors) {
    append(neighbors.before)
    append(neighbors.after)
  }

  /// Appends the part of a confirmation that a commit compares: the deletions and the cut links.
  internal mutating func append(_ confirmed: BlastRadius) {
    append(confirmed.deletions.map(\.object))
    let cut = confirmed.nulled + confirmed.removed
    append(UInt64(cut.count))
    for edge in cut {
      append(edge.object)
      append(edge.property.rawValue)
    }
  }
}

extension JournalBodyReader {
  internal mutating func operation() throws(JournalFault) -> Draft.Operation {
    let tag: UInt8 = try number()
    switch tag {
    case 0:
      let classKey = ClassKey(rawValue: try number())
      var values: [PropertyKey: Value] = [:]
      for _ in 0..<(try count()) {
        values[PropertyKey(rawValue: try number())] = try value()
      }
      return .create(classKey, values)
    case 1: return .change(try slot(), .create)
    case 10: return .delete(try objects())
    case 11:
      let number: UInt64 = try number()
      guard number <= 1 << 16 else { throw .damaged("a class or property has no such number") }
      return .schema(try schemaChange(), number: number == 0 ? nil : Int(number) - 1)
    case 2...9: return try change(tag)
    default: throw .damaged("its operation is of an unknown kind")
    }
  }

  /// An operation on a property of an object.
  private mutating func change(_ tag: UInt8) throws(JournalFault) -> Draft.Operation {
    let object = try object()
    let property = PropertyKey(rawValue: try number())
    func slot(_ position: Slot.Position) -> Slot { Slot(object, property, position) }
    switch tag {
    case 2: return .change(slot(.value), .set(try value()))
    case 3: return .change(slot(.index(try index())), .insert(try value()))
    case 4: return .change(slot(.index(try index())), .set(try value()))
    case 5: return .change(slot(.index(try index())), .remove)
    case 6: return .change(slot(.index(try index())), .move(to: try index()))
    case 7: return .change(slot(.member(try value())), .add)
    case 8: return .change(slot(.member(try value())), .remove)
    default:
      let key = try text()
      return .change(slot(.key(key)), try optionalValue().map { .set($0) } ?? .remove)
    }
  }

  /// A count of things that each take a byte at least.
  private mutating func count() throws(JournalFault) -> Int {
    let count: UInt64 = try number()
    guard count <= UInt64(byteCount) else { throw .damaged("it ends too early") }
    return Int(count)
  }

  private mutating func index() throws(JournalFault) -> Int {
    let index: Int64 = try number()
    guard index >= 0, index < .max - 2 else { throw .damaged("a position is out of bounds") }
    return Int(index)
  }

  private mutating func objects() throws(JournalFault) -> [ObjectIdentity] {
    var objects: [ObjectIdentity] = []
    for _ in 0..<(try count()) { objects.append(try object()) }
    return objects
  }

  private mutating func slot() throws(JournalFault) -> Slot {
    let object = try object()
    let property = PropertyKey(rawValue: try number())
    switch try number(UInt8.self) {
    case 0: return Slot(object, property)
    case 1: return Slot(object, property, .index(try index()))
    case 2: return Slot(object, property, .member(try value()))
    case 3: return Slot(object, property, .key(try text()))
    default: throw .damaged("a slot is of an unknown kind")
    }
  }

  internal mutating func currentPrecondition() throws(JournalFault) -> Precondition {
    switch try number(UInt8.self) {
    case 0: return .nothing
    case 1: return .value(try value())
    case 2: return .entry(try optionalValue())
    case 3: return .end
    case 4: return .gap(try neighbors())
    case 5: return .element(try value(), try neighbors())
    case 6: return .move(try value(), try neighbors(), to: try neighbors())
    case 7: return .schema(try text())
    default: throw .damaged("what it saw is of an unknown kind")
    }
  }

  private mutating func neighbors() throws(JournalFault) -> Precondition.Neighbors {
    .init(before: try optionalValue(), after: try optionalValue())
  }

  internal mutating func confirmation() throws(JournalFault) -> BlastRadius {
    var radius = BlastRadius()
    radius.deletions = try objects().map {
      BlastRadius.Deletion(object: $0, reason: .asked, depth: 0)
    }
    for _ in 0..<(try count()) {
      let object = try object()
      radius.nulled.append(Edge(object, PropertyKey(rawValue: try number())))
    }
    return radius
  }
}
