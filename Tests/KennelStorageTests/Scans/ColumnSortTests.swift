import KennelStorage
import Testing

/// Sorting by columns against the standard library's sort.
struct ColumnSortTests {
  /// A generator of numbers that is the same each time.
  private struct Random: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var mixed = state
      mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
      mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
      return mixed ^ mixed >> 31
    }
  }

  private static let texts = [
    "", "a", "a\0", "a\0\0", "ab", "abcdefgh", "abcdefgh\0", "abcdefghi", "b",
  ]

  private func makeText(_ count: Int, _ random: inout Random, nulls: Bool) -> GatheredText {
    var column = GatheredText()
    let longPrefix = String(repeating: "x", count: 30)
    for _ in 0..<count {
      let isNull = nulls && random.next() % 5 == 0
      if !isNull {
        let text =
          random.next() % 2 == 0
          ? Self.texts.randomElement(using: &random) ?? ""
          : longPrefix + String(random.next() % 50)
        column.bytes += Array(text.utf8)
      }
      column.starts.append(UInt32(column.bytes.count))
      if nulls { column.nulls.append(isNull) }
    }
    return column
  }

  private func makeWords(
    _ count: Int,
    _ random: inout Random,
    distinct: UInt64,
    nulls: Bool
  ) -> GatheredWords {
    var column = GatheredWords(words: (0..<count).map { _ in (random.next() % distinct) << 20 })
    if nulls { column.nulls = (0..<count).map { _ in random.next() % 7 == 0 } }
    return column
  }

  @Test func `numbers of all sizes, many at once, are sorted with their nulls`() {
    for seed in 0..<8 {
      var random = Random(state: UInt64(seed))
      let count = seed == 0 ? 70_000 : 2_000
      let ends: [UInt64] = [0, 1, .max, .max - 1, 1 << 63]
      func words(_ bits: UInt64, nulls: Bool) -> GatheredWords {
        var column = GatheredWords()
        for _ in 0..<count {
          let isNull = nulls && random.next() % 9 == 0
          if nulls { column.nulls.append(isNull) }
          let word = random.next() % 50 == 0 ? ends.randomElement(using: &random) : nil
          column.words.append(isNull ? 0 : word ?? (random.next() & (.max >> (64 - bits))))
        }
        return column
      }
      let columns: [(SortColumn, Bool)] = [
        (.words(words(seed < 4 ? 3 : 64, nulls: seed % 2 == 0)), seed % 3 != 0),
        (.words(words(40, nulls: seed % 3 == 0)), seed % 2 == 0),
        (.words(words(64, nulls: true)), seed == 5),
      ]
      var sort = ColumnSort(columns, count: count)
      let isDone = sort.run(isCancelled: { false })
      #expect(isDone)
      for index in 1..<count {
        let (left, right) = (Int(sort.order[index - 1]), Int(sort.order[index]))
        var order = 0
        for (column, isAscending) in columns where order == 0 {
          order = column.compare(left, right) * (isAscending ? 1 : -1)
        }
        if order > 0 || order == 0 && left >= right {
          Issue.record("seed \(seed): \(left) comes before \(right)")
          return
        }
      }
      #expect(Set(sort.order).count == count)
    }
  }

  @Test(arguments: [0, 1, 2, 24, 25, 300, 3000])
  func `positions are sorted by all columns and stay in order where alike`(count: Int) {
    for seed in 1...4 {
      var random = Random(state: UInt64(seed) &* 77)
      let pairs = GatheredPairs(count, &random)
      let columns: [(SortColumn, Bool)] = [
        (.text(makeText(count, &random, nulls: seed % 2 == 0)), seed != 3),
        (.words(makeWords(count, &random, distinct: 20, nulls: true)), seed == 1),
        (.values((0..<count).map { _ in .int(Int64(random.next() % 3)) }), seed > 2),
        (.pairs(pairs), false),
      ].shuffled(using: &random)
      var sort = ColumnSort(columns, count: count)
      let isDone = sort.run(isCancelled: nil)
      #expect(isDone)
      let expected = (0..<UInt32(count)).sorted { left, right in
        for (column, isAscending) in columns {
          let order = column.compare(Int(left), Int(right))
          if order != 0 { return (order < 0) == isAscending }
        }
        return left < right
      }
      #expect(sort.order == expected, "seed \(seed)")
    }
  }

  @Test(arguments: [0, 3], ["", "\0", "Dog "])
  func `short texts are sorted as numbers, one before those that begin with it`(
    words: Int,
    prefix: String
  ) {
    let ends = ["", "a", "a\0", "a\0\0", "ab", "abcdef", "abcdefg", "b\0"]
    for seed in 1...4 {
      var random = Random(state: UInt64(seed))
      var text = GatheredText()
      for _ in 0..<2_000 {
        let isNull = seed % 2 == 0 && random.next() % 5 == 0
        if !isNull { text.bytes += Array((prefix + ends[Int(random.next() % 8)]).utf8) }
        text.starts.append(UInt32(text.bytes.count))
        if seed % 2 == 0 { text.nulls.append(isNull) }
      }
      let others = (0..<words).map { _ in
        makeWords(2_000, &random, distinct: 3, nulls: seed == 4)
      }
      let columns: [(SortColumn, Bool)] =
        others.map { (.words($0), seed != 2) } + [(.text(text), seed < 3)]
      var sort = ColumnSort(columns, count: 2_000)
      let isDone = sort.run(isCancelled: nil)
      #expect(isDone)
      let expected = (0..<UInt32(2_000)).sorted { left, right in
        for (column, isAscending) in columns {
          let order = column.compare(Int(left), Int(right))
          if order != 0 { return (order < 0) == isAscending }
        }
        return left < right
      }
      #expect(sort.order == expected, "seed \(seed)")
    }
  }

  @Test func `texts compare as their bytes do`() {
    var column = GatheredText()
    for text in Self.texts {
      column.bytes += Array(text.utf8)
      column.starts.append(UInt32(column.bytes.count))
    }
    for left in Self.texts.indices {
      for right in Self.texts.indices {
        let order = SortColumn.text(column).compare(left, right)
        #expect((order < 0) == Self.texts[left].hasBytes(before: Self.texts[right]))
        #expect((order == 0) == (left == right))
      }
    }
  }

  @Test func `a sort says how far it is`() {
    var random = Random(state: 5)
    let few = GatheredWords(words: (0..<300_000).map { _ in random.next() % 1000 })
    let many = GatheredWords(words: (0..<300_000).map { _ in random.next() })
    for columns in [[few, many], [many, few]] {
      var sort = ColumnSort(columns.map { (.words($0), true) }, count: 300_000)
      var parts: [Double] = []
      let isDone = sort.run(isCancelled: nil) { parts.append($0) }
      #expect(isDone)
      #expect(parts == parts.sorted())
      #expect(parts.count > 5)
      #expect((parts.first ?? 1) < 0.5)
      #expect(0.9...1 ~= parts.last ?? 0)
    }
  }

  @Test func `a cancelled sort says so`() {
    let words = GatheredWords(words: (0..<200_000).map { UInt64($0 % 3) })
    var sort = ColumnSort([(.words(words), true), (.words(words), false)], count: 200_000)
    let isDone = sort.run(isCancelled: { true })
    #expect(!isDone)
  }
}

extension GatheredPairs {
  fileprivate init(_ count: Int, _ random: inout some RandomNumberGenerator) {
    self.init()
    for _ in 0..<count {
      firsts.append(random.next() % 3)
      seconds.append(random.next() % 4)
    }
  }
}
