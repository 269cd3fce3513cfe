import KennelPages

/// Numbers that a seed determines (SplitMix64).
struct SeededNumbers: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }
}

/// The trees of the tests.
let numbers = Tree(0, keys: .numbers)
let words = Tree(1, keys: .bytes)

/// What a store should contain.
struct Model: Equatable {
  var numbers: [UInt64: [UInt8]] = [:]
  var words: [[UInt8]: [UInt8]] = [:]
  var note: [UInt8] = []

  /// Makes a random change to a store and to the model.
  mutating func change(_ writer: Writer, _ random: inout SeededNumbers) throws {
    switch Int.random(in: 0..<20, using: &random) {
    case 0..<7:
      let key = UInt64.random(in: 0..<400, using: &random)
      let value = Self.value(&random)
      try writer.put(KennelPagesTests.numbers, key, value)
      numbers[key] = value
    case 7..<13:
      let key = Self.word(&random)
      let value = Self.value(&random)
      try writer.put(KennelPagesTests.words, key: key, value)
      words[key] = value
    case 13..<16:
      let key = UInt64.random(in: 0..<400, using: &random)
      let wasThere = try writer.delete(KennelPagesTests.numbers, key)
      guard wasThere == (numbers.removeValue(forKey: key) != nil) else { throw Mistake() }
    case 16..<18:
      // A key that is there, mostly.
      let key =
        words.keys.sorted { $0.lexicographicallyPrecedes($1) }
        .randomElement(using: &random) ?? Self.word(&random)
      let wasThere = try writer.delete(KennelPagesTests.words, key: key)
      guard wasThere == (words.removeValue(forKey: key) != nil) else { throw Mistake() }
    case 18:
      let low = UInt64.random(in: 0..<400, using: &random)
      let high = low + UInt64.random(in: 0..<60, using: &random)
      try writer.deleteRange(KennelPagesTests.numbers, low...high)
      numbers = numbers.filter { !(low...high).contains($0.key) }
    default:
      note = Self.value(&random).suffix(Int.random(in: 0...64, using: &random))
      try writer.setNote(note)
    }
  }

  struct Mistake: Error {}

  private static func word(_ random: inout SeededNumbers) -> [UInt8] {
    let isLong = Int.random(in: 0..<8, using: &random) == 0
    let count = Int.random(in: isLong ? 300...511 : 0...12, using: &random)
    return (0..<count).map { _ in UInt8.random(in: 97...99, using: &random) }
  }

  private static func value(_ random: inout SeededNumbers) -> [UInt8] {
    let most =
      switch Int.random(in: 0..<20, using: &random) {
      case 0: 20_000
      case 1..<4: 4100
      case 4..<8: 2100
      default: 60
      }
    let count = Int.random(in: 0...most, using: &random)
    let first = UInt8.random(in: .min ... .max, using: &random)
    return (0..<count).map { UInt8(truncatingIfNeeded: $0 / 7) &+ first }
  }

  /// What a snapshot contains, read from its first to its last entry.
  init(_ snapshot: PageSnapshot) throws {
    note = snapshot.note
    var cursor = try snapshot.cursor(KennelPagesTests.numbers)
    var isThere = try cursor.first()
    while isThere {
      numbers[cursor.number] = unsafe Array(try cursor.value())
      isThere = try cursor.next()
    }
    var bytes = try snapshot.cursor(KennelPagesTests.words)
    isThere = try bytes.last()
    while isThere {
      unsafe words[Array(bytes.bytes)] = unsafe Array(try bytes.value())
      isThere = try bytes.previous()
    }
  }

  init() {}
}

extension PageStore {
  /// Makes a commit of random changes.
  func commitChanges(
    _ count: Int,
    _ model: Model,
    _ random: inout SeededNumbers,
    memoryBudget: Int = .max,
    mostUnsyncedPages: Int = Format.mostUnsyncedPages
  ) throws -> Model {
    let writer = try beginWrite()
    writer.mostUnsyncedPages = mostUnsyncedPages
    writer.memoryBudgetInBytes = memoryBudget
    var changed = model
    for _ in 0..<count { try changed.change(writer, &random) }
    try writer.commit()
    return changed
  }
}
