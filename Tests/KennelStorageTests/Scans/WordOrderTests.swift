import KennelStorage
import Testing

/// The ranks of words against the comparison of values.
struct WordOrderTests {
  static let words: [(ValueKind, [Value])] = [
    (.bool, [.bool(false), .bool(true)]),
    (
      .int,
      [.min, -1_000_000_007, -3, -1, 0, 1, 2, 3, 20, 1 << 53, (1 << 53) + 1, .max].map(Value.int)
    ),
    (
      .double,
      [
        -.infinity, -1e300, -2.5, -1, -.leastNonzeroMagnitude, -0.0, 0.0, .leastNonzeroMagnitude, 1,
        2.5, 3, 1e300, .infinity, .nan,
        -.nan, Double(bitPattern: 0x7FF0_0000_0000_0001),
      ].map(Value.double)
    ),
    (
      .float,
      [
        -.infinity, -2.5, -0.0, 0.0, .leastNonzeroMagnitude, 0.1, 1, 2.5, 16_777_216, .infinity,
        .nan,
      ].map(
        Value.float
      )
    ),
  ]

  static let literals: [Value] =
    words.flatMap(\.1) + [
      .int(1 << 24), .double(0.1), .double(9.3e18), .double(-9.3e18), .double(2.999999),
      .string("x"), .null,
    ]

  @Test(arguments: words)
  func `ranks equal to a literal are those of the values that compare as equal`(
    kind: ValueKind,
    values: [Value]
  ) throws {
    let order = WordOrder(kind)
    for literal in Self.literals {
      let ranks = order.ranks(equalTo: literal)
      for value in values {
        let rank = order.rank(of: try #require(value.word))
        #expect(rank <= order.highest)
        switch value.compare(literal) {
        case nil: #expect(ranks == nil, "\(value) and \(literal)")
        case let comparison?:
          let found = try #require(ranks)
          let isBefore = found.start.map { rank < $0 } ?? true
          let isAfter = found.end.map { rank >= $0 } ?? false
          #expect((isBefore, isAfter) == (comparison < 0, comparison > 0), "\(value) \(literal)")
        }
      }
    }
  }

  @Test(arguments: words)
  func `ranks are in the order of the values`(kind: ValueKind, values: [Value]) throws {
    let order = WordOrder(kind)
    for left in values {
      for right in values {
        let ranks = (
          order.rank(of: try #require(left.word)), order.rank(of: try #require(right.word))
        )
        let comparison = try #require(left.compare(right))
        #expect((ranks.0 < ranks.1) == (comparison < 0), "\(left) \(right)")
        #expect((ranks.0 == ranks.1) == (comparison == 0), "\(left) \(right)")
      }
    }
  }
}
