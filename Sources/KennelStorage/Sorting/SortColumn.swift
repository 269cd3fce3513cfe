/// The values of a property or path of many objects, as numbers wherever that is possible.
package enum SortColumn {
  case words(GatheredWords)
  case pairs(GatheredPairs)
  case text(GatheredText)
  case values([Value])

  /// Whether each value is null; empty where none is.
  private var nulls: [Bool] {
    switch self {
    case .words(let words): words.nulls
    case .pairs(let pairs): pairs.nulls
    case .text(let text): text.nulls
    case .values: []
    }
  }

  /// Which of two values comes first: below zero the left one, above zero the right one.
  package func compare(_ left: Int, _ right: Int) -> Int {
    if !nulls.isEmpty {
      switch (nulls[left], nulls[right]) {
      case (true, true): return 0
      case (true, false): return -1
      case (false, true): return 1
      case (false, false): break
      }
    }
    switch self {
    case .words(let words): return Self.order(words.words[left], words.words[right])
    case .pairs(let pairs):
      let order = Self.order(pairs.firsts[left], pairs.firsts[right])
      return order != 0 ? order : Self.order(pairs.seconds[left], pairs.seconds[right])
    case .text(let text): return text.compare(left, right)
    case .values(let values):
      if values[left].isOrdered(before: values[right]) { return -1 }
      return values[right].isOrdered(before: values[left]) ? 1 : 0
    }
  }

  private static func order(_ left: UInt64, _ right: UInt64) -> Int {
    left == right ? 0 : left < right ? -1 : 1
  }
}

extension GatheredText {
  /// The length of a text in bytes.
  func count(_ index: Int) -> Int { Int(starts[index + 1]) - Int(starts[index]) }

  /// Eight bytes of a text from a position on, the first highest; zeros past its end.
  func digit(_ index: Int, _ position: Int) -> UInt64 {
    let start = Int(starts[index]) + position
    let rest = Int(starts[index + 1]) - start
    var digit: UInt64 = 0
    for offset in 0..<8 {
      digit = digit << 8 | (offset < rest ? UInt64(bytes[start + offset]) : 0)
    }
    return digit
  }

  /// How many bytes all texts begin with that are not null, at most 255.
  var sharedByteCount: Int {
    let present = starts.indices.dropLast().lazy.filter { nulls.isEmpty || !nulls[$0] }
    guard let known = present.first else { return 0 }
    var shared = min(255, count(known))
    for index in present {
      var position = 0
      while position < min(shared, count(index)),
        bytes[Int(starts[known]) + position] == bytes[Int(starts[index]) + position]
      {
        position += 1
      }
      shared = position
      if shared == 0 { break }
    }
    return shared
  }

  /// The length of the longest text in bytes.
  var greatestByteCount: Int { starts.indices.dropLast().reduce(0) { max($0, count($1)) } }

  func compare(_ left: Int, _ right: Int) -> Int {
    let common = min(count(left), count(right))
    for position in stride(from: 0, to: common, by: 8) {
      let (one, other) = (digit(left, position), digit(right, position))
      if one != other { return one < other ? -1 : 1 }
    }
    return count(left) - count(right)
  }
}
