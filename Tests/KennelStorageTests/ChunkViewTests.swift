import KennelStorage
import KennelTestSupport
import Testing

struct ChunkViewTests {
  private static let key = ChunkKey(ClassKey(rawValue: 3), cluster: 77, column: 5)

  @Test(arguments: ColumnType.all)
  func `a chunk reads in place as it decodes`(type: ColumnType) throws {
    for seed in 1...6 {
      var random = SeededGenerator(seed: UInt64(seed) &* 31)
      let column = random.column(type, count: [1, 9, 256][random.below(3)])
      let bytes = ChunkCodec.encode(column)
      guard !bytes.isEmpty else { continue }
      try withGuardedBytes(bytes) { bytes in
        let view = try ChunkView(bytes, type: type, key: Self.key)
        for place in -1...260 { try Self.compare(view, column, place) }
        var words = [UInt64](repeating: 0, count: view.count)
        unsafe words.withUnsafeMutableBufferPointer { buffer in
          if let address = buffer.baseAddress { unsafe view.unpackWords(into: address) }
        }
        for place in 0..<view.count where type.form == .words {
          #expect(words[place] == view.word(place))
        }
      }
    }
  }

  private static func compare(_ view: ChunkView, _ column: MutableColumn, _ place: Int) throws {
    let isInside = place >= 0 && place < column.count
    switch column.type.form {
    case .words, .pairs, .cells:
      let isNull = isInside ? column.isNull(place) : true
      #expect(view.isNull(place) == isNull)
      guard !isNull else { return }
    case .keys, .collections: break
    }
    switch column.type.form {
    case .words: #expect(view.word(place) == column.words[place])
    case .pairs:
      #expect(view.pair(place) == column.words[pair: place])
    case .cells:
      switch view.cell(place) {
      case .inline(let bytes): #expect(column.cells[place] == .inline(Array(bytes)))
      case .external(let location): #expect(column.cells[place] == .external(location))
      }
    case .keys:
      let expected = isInside ? column.keys[place] : .inline([])
      switch view.keys(place) {
      case .inline(let keys):
        #expect(expected == .inline(keys.unpack()))
        #expect(expected == .inline((0..<keys.count).map { keys[$0] }))
        #expect(keys[keys.count] == 0 && keys[-1] == 0)
      case .external(let location): #expect(expected == .external(location))
      }
    case .collections:
      let expected = isInside ? column.collections[place] : .inline(column.type.collection.empty)
      switch view.elements(place) {
      case .external(let location): #expect(expected == .external(location))
      case .inline(let elements):
        #expect(try elements.value(elements.count) == .null)
        switch column.type.collection {
        case .list: #expect(try expected == .inline(.list(elements.values())))
        case .set: #expect(try expected == .inline(.set(elements.values())))
        case .map: #expect(try expected == .inline(.map(elements.entries())))
        case .none: break
        }
      }
    }
  }

  @Test(arguments: ColumnType.all)
  func `hostile chunks are errors or read within their bytes`(
    type: ColumnType
  ) throws {
    var random = SeededGenerator(seed: 17)
    for round in 0..<120 {
      var bytes = ChunkCodec.encode(random.column(type, count: 1 + random.below(9)))
      guard bytes.count > 8 else { continue }
      for _ in 0...random.below(3) {
        let position =
          round % 2 == 0 ? random.below(min(bytes.count, 12)) : random.below(bytes.count)
        bytes[position] = random.chance(30) ? 0xFF : UInt8(truncatingIfNeeded: random.next())
      }
      if random.chance(20) { bytes.removeLast(random.below(bytes.count - 8)) }
      try withGuardedBytes(bytes) { bytes in
        guard let view = try? ChunkView(bytes, type: type, key: Self.key) else { return }
        #expect(view.count <= 256)
        _ = try? view.decoded()
        for place in 0..<view.count {
          if type.form == .words { _ = view.word(place) }
          if type.form == .cells, case .inline(let bytes) = view.cell(place) {
            _ = Array(bytes)
          }
          if type.form == .pairs { _ = view.pair(place) }
          if type.form == .keys, case .inline(let keys) = view.keys(place), keys.count < 1000 {
            _ = keys.unpack()
          }
        }
      }
    }
  }

  @Test func `few distinct strings make a dictionary`() throws {
    let column = MutableColumn(ColumnType(.string))
    column.grow(to: 256)
    for place in 0..<256 where place % 5 != 0 {
      column.setNull(place, false)
      column.cells[place] = .inline(Array(["Labrador", "Poodle", "Beagle"][place % 3].utf8))
    }
    let bytes = ChunkCodec.encode(column)
    #expect(bytes.count < 200)
    try bytes.withRawBytes { bytes in
      let view = try ChunkView(bytes, type: ColumnType(.string), key: Self.key)
      #expect((3...4).contains(view.dictionaryCount))
      var codes = [UInt64](repeating: 0, count: 256)
      unsafe codes.withUnsafeMutableBufferPointer {
        if let start = $0.baseAddress { unsafe view.unpackWords(into: start) }
      }
      for place in 0..<256 where place % 5 != 0 {
        #expect(codes[place] == UInt64(view.code(place)))
        let expected = ["Labrador", "Poodle", "Beagle"][place % 3]
        #expect(
          String(decoding: view.dictionaryCell(view.code(place)), as: UTF8.self) == expected
        )
      }
      #expect(view.dictionaryCell(99).isEmpty)
    }
  }

  @Test func `whole seconds, truth values and close keys take little room`() {
    func size(_ type: ColumnType, _ fill: (MutableColumn, Int) -> Void) -> Int {
      let column = MutableColumn(type)
      column.grow(to: 256)
      for place in 0..<256 {
        if type.collection == .none { column.setNull(place, false) }
        fill(column, place)
      }
      return ChunkCodec.encode(column).count
    }
    #expect(size(ColumnType(.bool)) { $0.words[$1] = UInt64($1 & 1) } == 8 + 32 + 8)
    #expect(
      size(ColumnType(.int)) { $0.words[$1] = UInt64(1_000_000 + $1) } == 8 + 256 + 8
    )
    #expect(
      size(ColumnType(.date)) { $0.words[first: $1] = UInt64($1 % 16) } == 8 + 128 + 8 + 8
    )
    #expect(
      size(ColumnType(.link)) { $0.words[$1] = 500 + UInt64($1 * 7) } == 8 + 352 + 8
    )
    // Offsets of what is equally long are a slope of 4 bytes and a base.
    #expect(
      size(.backlinks) { $0.keys[$1] = .inline([UInt64($1)]) } == 8 + 4 + 8 + 256 + 8
    )
    let name = Array("Dog 000".utf8)
    let names = size(ColumnType(.string)) {
      $0.cells[$1] = .inline(name + [UInt8($1), UInt8($1), UInt8($1)])
    }
    #expect(names == 8 + 4 + 8 + 2560)
  }
}
