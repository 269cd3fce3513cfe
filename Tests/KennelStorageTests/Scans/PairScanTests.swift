import KennelStorage
import Testing

/// Questions about dates and identifiers, asked of whole chunks and one by one.
struct PairScanTests {
  @Test(arguments: [UInt64(1), 2, 3, 4, 5, 6])
  func `pairs of a chunk are found as they are one by one`(seed: UInt64) throws {
    var dice = Dice(seed)
    for kind in [ValueKind.date, .uuid] {
      for count in [1, 8, 100, 256] {
        // Whole seconds, the same part of a second everywhere, or anything; crowded or not.
        let parts: UInt64 = [0, 5, 1_000_000_000][Int(seed % 3)]
        let spread: UInt64 = seed < 4 ? 6 : .max
        let column = MutableColumn(ColumnType(kind))
        var pairs: [(UInt64, UInt64)] = []
        for place in 0..<count {
          let second =
            parts == 5
            ? 5 : parts == 0 ? 0 : UInt64.random(in: 0..<min(parts, spread), using: &dice)
          let first = UInt64.random(in: 0...(spread - 1), using: &dice) &- 3
          let value: Value =
            kind == .date
            ? .date(
              try #require(
                Timestamp(seconds: Int64(bitPattern: first), nanoseconds: UInt32(second))
              )
            ) : .uuid(UUIDValue(high: first, low: second))
          column.grow(to: place + 1)
          column.set(place, value)
          pairs.append((first, second))
        }
        let key = ChunkKey(ClassKey(rawValue: 1), cluster: 4, column: 2)
        let live = PlaceSet(first: count)
        let bytes = ChunkCodec.encode(column, live: live)
        try bytes.withRawBytes { raw in
          let view = try ChunkView(raw, type: ColumnType(kind), key: key)
          for question in 0..<40 {
            let test = test(kind, pairs, question, &dice)
            let found = try test.places(view, among: live) { _ in [] }
            for place in 0..<count {
              #expect(found[place] == test.holds(for: pairs[place]), "\(kind) \(question)")
            }
          }
        }
      }
    }
  }

  private func test(
    _ kind: ValueKind,
    _ pairs: [(UInt64, UInt64)],
    _ question: Int,
    _ dice: inout Dice
  ) -> PairTest {
    let turn = kind.pairOrderMask ?? 0
    func end() -> UInt128 {
      let pair = pairs[Int.random(in: pairs.indices, using: &dice)]
      let second = Int64(bitPattern: pair.1) + Int64.random(in: -1...1, using: &dice)
      let first = pair.0 &+ UInt64.random(in: 0...1, using: &dice)
      return PairTest.rank(of: (first, UInt64(max(0, second))), turn: turn)
    }
    var ranges: [ClosedRange<UInt128>] = []
    for _ in 0..<(question % 4 == 3 ? 12 : 1 + question % 2) {
      let (lower, other) = (end(), end())
      switch question % 5 {
      case 0: ranges.append(lower...lower)
      case 1: ranges.append(0...lower)
      case 2: ranges.append(lower ... .max)
      default: ranges.append(min(lower, other)...max(lower, other))
      }
    }
    // Several ranges are single values.
    if ranges.count > 1 { ranges = ranges.map { $0.lowerBound...$0.lowerBound } }
    let ranks = RankTest(ranges, isNegated: question % 7 == 0, answerForNull: false)
    return PairTest(kind, ranks)
  }
}
