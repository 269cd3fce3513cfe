import KennelStorage
import Testing

/// Noted changes of indexes against a dictionary of dictionaries.
struct IndexChangesTests {
  /// How many values, how many objects, how many changes.
  static let shapes = [(1, 3, 500), (20, 400, 4_000), (3_000, 50, 6_000), (5_000, 5_000, 12_000)]

  @Test(arguments: shapes)
  func `the last word on each entry counts`(values: Int, objects: Int, count: Int) {
    var dice = Dice(UInt64(values))
    var changes = IndexChanges()
    var model: [[UInt8]: [UInt64: Bool]] = [:]
    let prefixes = (0..<values).map { prefix($0, &dice) }
    for _ in 0..<count {
      let prefix = prefixes[Int.random(in: 0..<values, using: &dice)]
      let key = UInt64.random(in: 1...UInt64(objects), using: &dice)
      let isAdded = Bool.random(using: &dice)
      prefix.withRawBytes { changes.note($0, key, isAdded: isAdded) }
      model[prefix, default: [:]][key] = isAdded
    }
    for prefix in Set(prefixes) {
      let states = prefix.withRawBytes { changes.states(of: $0) }
      #expect(states == model[prefix] ?? [:])
      #expect(
        prefix.withRawBytes { changes.contains($0) } == (model[prefix] != nil)
      )
    }
    expect(changes, is: model)
    for _ in 0..<20 {
      let (a, b) = (prefixes.randomElement(using: &dice)!, prefixes.randomElement(using: &dice)!)
      let (lower, upper) = a.lexicographicallyPrecedes(b) ? (a, b) : (b, a)
      let inside = model.filter {
        !$0.key.lexicographicallyPrecedes(lower) && $0.key.lexicographicallyPrecedes(upper)
      }
      let wanted = Set(inside.values.flatMap { $0.filter(\.value).keys })
      #expect(Set(changes.added(from: lower, to: upper)).isSuperset(of: wanted))
    }
  }

  @Test func `changes that come in order go in order`() {
    var changes = IndexChanges()
    var model: [[UInt8]: [UInt64: Bool]] = [:]
    for number in 0..<2_000 {
      let prefix = IndexKey.prefix(
        ClassKey(rawValue: 3),
        PropertyKey(rawValue: 1),
        .int(Int64(number / 3))
      ).bytes
      prefix.withRawBytes {
        changes.note($0, UInt64(number + 1), isAdded: number % 2 == 0)
      }
      model[prefix, default: [:]][UInt64(number + 1)] = number % 2 == 0
    }
    expect(changes, is: model)
    changes.removeAll()
    #expect(changes.isEmpty)
    expect(changes, is: [:])
  }

  @Test func `a copy keeps what it had`() {
    var changes = IndexChanges()
    let prefix: [UInt8] = [0, 1, 0, 2, 1, 1]
    prefix.withRawBytes { changes.note($0, 7, isAdded: true) }
    let copy = changes
    prefix.withRawBytes { changes.note($0, 7, isAdded: false) }
    prefix.withRawBytes { changes.note($0, 8, isAdded: true) }
    #expect(prefix.withRawBytes { copy.states(of: $0) } == [7: true])
    #expect(prefix.withRawBytes { changes.states(of: $0) } == [7: false, 8: true])
  }

  private func expect(_ changes: IndexChanges, is model: [[UInt8]: [UInt64: Bool]]) {
    var expected: [(entry: [UInt8], isAdded: Bool)] = []
    for (prefix, states) in model {
      for (key, isAdded) in states {
        unsafe expected.append(
          (prefix + withUnsafeBytes(of: key.bigEndian) { unsafe Array($0) }, isAdded)
        )
      }
    }
    expected.sort { $0.entry.lexicographicallyPrecedes($1.entry) }
    var seen: [(entry: [UInt8], isAdded: Bool)] = []
    changes.visit { seen.append((Array($0), $1)) }
    #expect(seen.map(\.entry) == expected.map(\.entry))
    #expect(seen.map(\.isAdded) == expected.map(\.isAdded))
  }

  /// The beginning of a key: of all kinds and lengths, many alike in their first bytes.
  private func prefix(_ number: Int, _ dice: inout Dice) -> [UInt8] {
    let value: Value =
      switch number % 5 {
      case 0: .int(Int64(number))
      case 1: .string("number \(number) in a text that begins like many others")
      case 2: .string("\(number)")
      case 3: number < 10 ? .null : .double(Double.random(in: -5...5, using: &dice))
      default: .uuid(UUIDValue(high: 1, low: UInt64(number)))
      }
    let property = PropertyKey(rawValue: UInt16(number % 3))
    return IndexKey.prefix(ClassKey(rawValue: 2), property, value).bytes
  }
}
