import KennelStorage
import KennelTestSupport
import Testing

struct CodecTests {
  @Test func `the checksum is CRC-32C`() {
    #expect(Checksum.crc32c(Array("123456789".utf8)) == 0xE306_9283)
    #expect(Checksum.crc32c([UInt8](repeating: 0, count: 32)) == 0x8A91_36AA)
    var random = SeededGenerator(seed: 1)
    for length in 0..<100 {
      let bytes = (0..<length).map { _ in UInt8(truncatingIfNeeded: random.next()) }
      let whole = Checksum.crc32c(bytes)
      let half = Checksum.crc32c(Array(bytes.prefix(length / 2)))
      #expect(Checksum.crc32c(Array(bytes.dropFirst(length / 2)), continuing: half) == whole)
    }
  }

  @Test(arguments: ValueKind.allCases)
  func `mixed values keep their kind and bits`(kind: ValueKind) throws {
    var random = SeededGenerator(seed: 2)
    for _ in 0..<100 {
      let value = random.element(kind)
      #expect(try Self.mixed(MixedCodec.encode(value)) == value)
    }
  }

  @Test func `collections as values come back`() throws {
    let values: [Value] = [
      .list([.int(1), .null, .string("")]), .set([]),
      .map([MapEntry("a", .data([1])), MapEntry("", .null)]),
    ]
    for value in values { #expect(try Self.mixed(MixedCodec.encode(value)) == value) }
  }

  @Test func `lists and maps inside each other come back`() throws {
    let inner = Value.map([MapEntry("a", .list([.int(1), .string("x")])), MapEntry("b", .null)])
    let value = Value.list([.bool(true), inner, .list([])])
    #expect(try Self.mixed(MixedCodec.encode(value)) == value)
    #expect(value.element(at: [.index(1), .key("a"), .index(1)]) == .string("x"))
    #expect(value.element(at: [.index(1), .key("c")]) == nil)
    #expect(value.element(at: [.index(3)]) == nil)
    #expect(value.element(at: [.index(-1)]) == nil)
    #expect(value.element(at: [.key("a")]) == nil)
  }

  @Test func `collections that nest too deep are damage, and do not exhaust the stack`() throws {
    var value = Value.int(1)
    for _ in 0..<Value.deepestNesting { value = .list([value]) }
    #expect(try Self.mixed(MixedCodec.encode(value)) == value)
    for _ in 0..<2 { value = .list([value]) }
    #expect(throws: StorageError.self) { try Self.mixed(MixedCodec.encode(value)) }
    var bytes: [UInt8] = []
    for depth in 0..<100_000 {
      let length = UInt32(5 * (100_000 - depth - 1))
      bytes.append(16)
      bytes += (0..<4).map { UInt8(truncatingIfNeeded: length >> (8 * $0)) }
    }
    #expect(throws: StorageError.self) { try Self.mixed(bytes) }
  }

  @Test func `hostile mixed values are errors or values`() {
    var random = SeededGenerator(seed: 4)
    for _ in 0..<5000 {
      var bytes = random.bytes(upTo: 24)
      if !bytes.isEmpty { bytes[0] = UInt8(random.below(20)) }
      _ = try? Self.mixed(bytes)
    }
    #expect(throws: StorageError.self) { try Self.mixed([]) }
    #expect(throws: StorageError.self) { try Self.mixed([ValueKind.string.rawValue, 0xFF]) }
    #expect(throws: StorageError.self) { try Self.mixed([ValueKind.int.rawValue, 1]) }
  }

  @Test func `a piece holds keys`() throws {
    var random = SeededGenerator(seed: 6)
    for count in [0, 1, 7, 1000] {
      let keys = (0..<count).map { _ in random.word() % ObjectKey.limit }
      let piece = KeyPiece.encode(keys)
      let read = try piece.withRawBytes { try KeyPiece.decode($0, key: 9) }
      #expect(read == keys)
    }
  }

  @Test func `a schema comes back whole`() throws {
    let schema = Self.schema
    let bytes = SchemaCodec.encode(schema)
    #expect(try bytes.withRawBytes { try SchemaCodec.decode($0) } == schema)
    let empty = SchemaCodec.encode(Schema())
    #expect(try empty.withRawBytes { try SchemaCodec.decode($0) } == Schema())
  }

  @Test func `hostile schemas are errors or schemas`() {
    let bytes = SchemaCodec.encode(Self.schema)
    var random = SeededGenerator(seed: 8)
    for position in bytes.indices {
      for _ in 0..<4 {
        var damaged = bytes
        damaged[position] = UInt8(truncatingIfNeeded: random.next())
        _ = try? withGuardedBytes(damaged) { try SchemaCodec.decode($0) }
      }
    }
    for length in bytes.indices {
      let short = Array(bytes[..<length])
      #expect(throws: StorageError.self) {
        try short.withRawBytes { try SchemaCodec.decode($0) }
      }
    }
  }

  private static func mixed(_ bytes: [UInt8]) throws -> Value {
    try withGuardedBytes(bytes) { try MixedCodec.decode($0) }
  }

  private static let schema: Schema = {
    let dog = ClassKey(rawValue: 0)
    let person = ClassKey(rawValue: 4094)
    let name = PropertySchema(
      key: PropertyKey(rawValue: 0),
      name: "Näme",
      type: .string.optional,
      isPrimaryKey: true,
      isUnique: true,
      isIndexed: true,
      defaultValue: .null,
      fillValue: .string("x")
    )
    let owner = PropertySchema(
      key: PropertyKey(rawValue: 5),
      name: "owners",
      type: .list(.link("Person")),
      target: person,
      deleteRule: .cascadeIfLast,
      targetRule: .deny,
      defaultValue: .list([]),
      fillValue: .list([])
    )
    let age = PropertySchema(
      key: PropertyKey(rawValue: 2),
      name: "age",
      type: .map(.int(bitWidth: 16)),
      isEmbedded: true,
      defaultValue: .map([MapEntry("a", .int(3))]),
      fillValue: .double(.nan)
    )
    return Schema(classes: [
      ClassSchema(
        key: dog,
        name: "Dog",
        isEmbedded: false,
        properties: [name, owner, age],
        backlinks: [
          BacklinkSchema(name: "friends", origin: person, property: PropertyKey(rawValue: 3))
        ],
        backlinkColumns: [
          BacklinkColumn(number: 4, origin: person, property: PropertyKey(rawValue: 3))
        ],
        nextColumn: 6
      ),
      ClassSchema(key: person, name: "Person", isEmbedded: true),
    ])
  }()
}
