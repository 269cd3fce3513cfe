import KennelStorage
import KennelTestSupport
import Testing

struct ChunkCodecTests {
  static let key = ChunkKey(ClassKey(rawValue: 3), cluster: 77, column: 5)

  @Test(arguments: ColumnType.all)
  func `a chunk decodes to the column it was made of`(type: ColumnType) throws {
    for seed in 1...12 {
      var random = SeededGenerator(seed: UInt64(seed))
      let count = [0, 1, 2, 7, 8, 9, 255, 256][random.below(8)]
      let column = random.column(type, count: count)
      let bytes = ChunkCodec.encode(column)
      let decoded = try Self.decode(bytes, type)
      #expect(decoded.count <= column.count)
      for place in 0..<256 {
        #expect(
          PlaceContents(decoded, place) == PlaceContents(column, place),
          "seed \(seed), place \(place)"
        )
      }
    }
  }

  @Test(arguments: ColumnType.all)
  func `places that are not live are not stored`(type: ColumnType) throws {
    for seed in 1...4 {
      var random = SeededGenerator(seed: UInt64(seed))
      let column = random.column(type, count: 100)
      var live = PlaceSet()
      for index in 0..<4 { live.words[index] = random.next() }
      let decoded = try Self.decode(ChunkCodec.encode(column, live: live), type)
      let empty = MutableColumn(type)
      for place in 0..<100 {
        let expected = PlaceContents(live[place] ? column : empty, place)
        #expect(PlaceContents(decoded, place) == expected, "seed \(seed), place \(place)")
      }
    }
  }

  @Test(arguments: ColumnType.all)
  func `nulls are kept up to the last live place where there is a fill value`(
    type: ColumnType
  )
    throws
  {
    let column = MutableColumn(type)
    column.grow(to: 10)
    #expect(ChunkCodec.encode(column).isEmpty)
    var live = PlaceSet()
    for place in [0, 1, 3] { live[place] = true }
    let bytes = ChunkCodec.encode(column, live: live, keepsNulls: true)
    let decoded = try Self.decode(bytes, type)
    #expect(decoded.count == 4)
    #expect((0..<4).allSatisfy { PlaceContents(decoded, $0) == PlaceContents(column, $0) })
    #expect(ChunkCodec.encode(column, live: PlaceSet(), keepsNulls: true).isEmpty)
  }

  @Test(arguments: ColumnType.all)
  func `each end of a chunk that is cut off is noticed`(type: ColumnType) {
    var random = SeededGenerator(seed: 9)
    let bytes = ChunkCodec.encode(random.column(type, count: 6))
    for length in 1..<max(bytes.count, 1) {
      #expect(throws: StorageError.self) { try Self.decode(Array(bytes[..<length]), type) }
    }
    #expect(throws: StorageError.self) { try Self.decode(bytes + [0], type) }
  }

  /// An empty array is what ``ChunkCodec/encode(_:live:keepsNulls:)`` says for no chunk.
  static func decode(_ bytes: [UInt8], _ type: ColumnType) throws -> MutableColumn {
    if bytes.isEmpty { return MutableColumn(type) }
    return try bytes.withRawBytes {
      try ChunkCodec.decode($0, type: type, key: key)
    }
  }
}
