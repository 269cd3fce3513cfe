import KennelPages
import KennelStorage
import KennelTestSupport
import Testing

/// Numbers that are looked up so often that a table of them is made, against a dictionary.
struct NumberTableTests {
  private static let classKey = ClassKey(rawValue: 5)
  private static let property = PropertyKey(rawValue: 2)
  private static let header: UInt64 = 5 << 24 | 2 << 8 | 2

  @Test func `numbers close together get a table once most of them were looked up`() throws {
    var dice = Dice(11)
    let numbers = (-2_000..<9_000).filter { _ in dice.next() % 4 != 0 }.map(Int64.init)
    var objects: [Int64: UInt64] = [:]
    for (index, number) in numbers.enumerated() { objects[number] = UInt64(index) * 3 + 1 }
    try withReader(of: objects) { reader in
      for number in numbers.prefix(200) { #expect(knownKey(reader, number) == 0) }
      _ = try lookUp(numbers, 20_000, reader)
      for number in -3_000..<10_000 as Range<Int64> {
        let known = knownKey(reader, number)
        #expect(known == objects[number] ?? 0)
      }
      for number in [.min, .max, 1 << 53, -(1 << 60)] as [Int64] {
        #expect(knownKey(reader, number) == 0)
      }
      #expect(knownKey(reader, 5, header: Self.header + 256) == 0)
    }
  }

  @Test(arguments: [40, 3_000]) func `numbers between those of other properties get one`(
    others count: Int
  ) throws {
    var objects: [Int64: UInt64] = [:]
    for number in 0..<4_000 as Range<Int64> { objects[number] = UInt64(number) + 1 }
    var others: [[UInt8]] = []
    for number in 0..<count {
      for neighbour in [-1, 1] {
        let property = PropertyKey(rawValue: UInt16(Int(Self.property.rawValue) + neighbour))
        let key = ObjectKey(rawValue: UInt64(number) + 1)
        let entry = IndexKey.entry(Self.classKey, property, .int(Int64(-number)), key)
        others.append(entry.bytes)
      }
    }
    #expect(try knownCount(of: objects, and: others) == objects.count)
  }

  @Test func `numbers far from each other get none`() throws {
    var objects: [Int64: UInt64] = [:]
    for number in 0..<4_000 as Range<Int64> { objects[number * 3] = UInt64(number) + 1 }
    #expect(try knownCount(of: objects) == 0)
    objects[.min / 1024] = 5_000
    objects[.max / 1024] = 5_001
    #expect(try knownCount(of: objects) == 0)
  }

  @Test func `objects whose keys are too great for it get none`() throws {
    var objects: [Int64: UInt64] = [:]
    for number in 0..<4_000 as Range<Int64> { objects[number] = UInt64(number) + 1 }
    objects[77] = 1 << 32
    #expect(try knownCount(of: objects) == 0)
  }

  @Test func `numbers that two objects share get none`() throws {
    var objects: [Int64: UInt64] = [:]
    for number in 0..<4_000 as Range<Int64> { objects[number] = UInt64(number) + 1 }
    let second = IndexKey.entry(Self.classKey, Self.property, .int(80), ObjectKey(rawValue: 9_000))
    #expect(try knownCount(of: objects, and: [second.bytes]) == 0)
  }

  /// How many numbers are in a table after many of them were looked up.
  private func knownCount(
    of objects: [Int64: UInt64],
    and others: [[UInt8]] = []
  ) throws -> Int {
    var count = 0
    try withReader(of: objects, and: others) { reader in
      count = try lookUp(Array(objects.keys), 20_000, reader)
    }
    return count
  }

  /// Looks numbers up in turn; how many are in a table then.
  private func lookUp(_ numbers: [Int64], _ count: Int, _ source: TreeSource) throws -> Int {
    for index in 0..<count { _ = knownKey(source, numbers[index % numbers.count]) }
    return numbers.count { knownKey(source, $0) != 0 }
  }

  private func knownKey(
    _ source: TreeSource,
    _ number: Int64,
    header: UInt64 = Self.header
  ) -> UInt64 {
    source.knownKey(header: header, number: number)
  }

  /// A tree of the objects, by number, and of other entries.
  private func withReader(
    of objects: [Int64: UInt64],
    and others: [[UInt8]] = [],
    _ body: (TreeSource) throws -> Void
  ) throws {
    let folder = try TemporaryFolder()
    let store = try PageStore.open(path: folder.file("numbers.pages"), create: true)
    defer { store.close() }
    let writer = try store.beginWrite()
    for (number, object) in objects {
      let key = ObjectKey(rawValue: object)
      try put(IndexKey.entry(Self.classKey, Self.property, .int(number), key).bytes, writer)
    }
    for key in others { try put(key, writer) }
    try writer.commit()
    try body(TreeSource(pinning: store, NumberTables()))
  }

  private func put(_ key: [UInt8], _ writer: Writer) throws {
    try unsafe key.withUnsafeBytes { bytes in
      try unsafe writer.put(.indexes, key: bytes, UnsafeRawBufferPointer(start: nil, count: 0))
    }
  }
}

/// SplitMix64.
struct Dice: RandomNumberGenerator {
  var state: UInt64

  init(_ seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
