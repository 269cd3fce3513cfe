import KennelLMDB
import KennelStorage
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
      #expect(try lookUp(numbers, 200, reader) == 0)
      #expect(numbers.allSatisfy { reader.knownKey(header: Self.header, number: $0) == 0 })
      _ = try lookUp(numbers, 20_000, reader)
      for number in -3_000..<10_000 as Range<Int64> {
        let known = reader.knownKey(header: Self.header, number: number)
        #expect(known == objects[number] ?? 0)
      }
      for number in [.min, .max, 1 << 53, -(1 << 60)] as [Int64] {
        #expect(reader.knownKey(header: Self.header, number: number) == 0)
      }
      #expect(reader.knownKey(header: Self.header + 256, number: 5) == 0)
    }
  }

  @Test(arguments: [40, 3_000]) func `numbers between those of other properties get one`(
    others count: Int
  ) throws {
    var objects: [Int64: UInt64] = [:]
    for number in 0..<4_000 as Range<Int64> { objects[number] = UInt64(number) + 1 }
    var others: [(key: [UInt8], checksum: UInt32?)] = []
    for number in 0..<count {
      for neighbour in [-1, 1] {
        let property = PropertyKey(rawValue: UInt16(Int(Self.property.rawValue) + neighbour))
        let key = ObjectKey(rawValue: UInt64(number) + 1)
        let entry = IndexKey.entry(Self.classKey, property, .int(Int64(-number)), key)
        others.append((entry.bytes, nil))
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
    #expect(try knownCount(of: objects, and: [(second.bytes, nil)]) == 0)
  }

  @Test func `an entry that is damaged is not in a table`() throws {
    var objects: [Int64: UInt64] = [:]
    for number in 0..<4_000 as Range<Int64> { objects[number] = UInt64(number) + 1 }
    let entry = IndexKey.entry(Self.classKey, Self.property, .int(80), ObjectKey(rawValue: 81))
    #expect(try knownCount(of: objects, and: [(entry.bytes, 7)]) == 0)
  }

  /// How many numbers are in a table after many of them were looked up.
  private func knownCount(
    of objects: [Int64: UInt64],
    and others: [(key: [UInt8], checksum: UInt32?)] = []
  ) throws -> Int {
    var count = 0
    try withReader(of: objects, and: others) { reader in
      count = try lookUp(Array(objects.keys), 20_000, reader)
    }
    return count
  }

  /// Looks numbers up, in turn and in the tree; how many are in a table then.
  private func lookUp(_ numbers: [Int64], _ count: Int, _ reader: TreeReader) throws -> Int {
    for index in 0..<count {
      let entry = IndexKey.prefix(
        Self.classKey,
        Self.property,
        .int(numbers[index % numbers.count])
      )
      let number = entry.bytes[5..<13].reduce(0) { $0 << 8 | UInt64($1) }
      _ = try unsafe reader.entry(header: Self.header, number: number)
    }
    return numbers.count { reader.knownKey(header: Self.header, number: $0) != 0 }
  }

  /// A tree of the objects, by number, and of entries with a checksum of their own.
  private func withReader(
    of objects: [Int64: UInt64],
    and others: [(key: [UInt8], checksum: UInt32?)] = [],
    _ body: (TreeReader) throws -> Void
  ) throws {
    let folder = PageFolder()
    let environment = try folder.open()
    defer { environment.close() }
    let transaction = try environment.beginWrite()
    for (number, object) in objects {
      let key = ObjectKey(rawValue: object)
      try put(
        IndexKey.entry(Self.classKey, Self.property, .int(number), key).bytes,
        nil,
        transaction
      )
    }
    for (key, checksum) in others { try put(key, checksum, transaction) }
    try transaction.commit()
    let pin = try environment.beginRead()
    defer { pin.release() }
    try body(PageSource(pin).tree(.indexes))
  }

  private func put(
    _ key: [UInt8],
    _ given: UInt32?,
    _ transaction: WriteTransaction
  ) throws {
    try unsafe key.withUnsafeBytes { bytes in
      let checksum = unsafe (given ?? Checksum.crc32c(bytes)).littleEndian
      try unsafe withUnsafeBytes(of: checksum) {
        try unsafe transaction.put(.indexes, key: bytes, $0)
      }
    }
  }
}
