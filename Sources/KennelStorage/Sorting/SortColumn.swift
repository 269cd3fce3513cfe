/// The values that objects are sorted by, as numbers wherever that is possible.
///
/// Each column can be asked for *digits*: the first 64 bits of each value in its order, then the
/// next. Values with the same digits all through are alike.
package enum SortColumn {
  case words(GatheredWords)
  case pairs(GatheredPairs)
  case text(GatheredText)
  case values([Value])

  /// Whether a value is null.
  func isNull(_ index: Int) -> Bool {
    switch self {
    case .words(let words): !words.nulls.isEmpty && words.nulls[index]
    case .pairs(let pairs): !pairs.nulls.isEmpty && pairs.nulls[index]
    case .text(let text): !text.nulls.isEmpty && text.nulls[index]
    case .values: false
    }
  }

  /// Whether any value is null.
  var hasNulls: Bool {
    switch self {
    case .words(let words): !words.nulls.isEmpty
    case .pairs(let pairs): !pairs.nulls.isEmpty
    case .text(let text): !text.nulls.isEmpty
    case .values: false
    }
  }

  /// Which of two values comes first: below zero the left one, above zero the right one.
  package func compare(_ left: Int, _ right: Int) -> Int {
    if hasNulls {
      switch (isNull(left), isNull(right)) {
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
    unsafe withDigits { unsafe $0.digit(index, position) }
  }

  /// Hands out the texts for many looks at them.
  func withDigits<Result>(_ body: (TextDigits) -> Result) -> Result {
    unsafe bytes.withUnsafeBytes { bytes in
      unsafe starts.withUnsafeBufferPointer { unsafe body(TextDigits(bytes: bytes, starts: $0)) }
    }
  }

  /// How many bytes all texts begin with that are not null, at most 255.
  var sharedByteCount: Int {
    unsafe withDigits { digits in
      var shared = 255
      var first: Int?
      for index in 0..<(starts.count - 1) where nulls.isEmpty || !nulls[index] {
        guard let known = first else {
          first = index
          shared = min(shared, count(index))
          continue
        }
        shared = min(shared, count(index))
        var position = 0
        while position < shared {
          let differing = unsafe digits.digit(known, position) ^ digits.digit(index, position)
          if differing != 0 {
            shared = min(shared, position + differing.leadingZeroBitCount >> 3)
          }
          position += 8
        }
        if shared == 0 { return 0 }
      }
      return first == nil ? 0 : shared
    }
  }

  /// The length of the longest text in bytes.
  var greatestByteCount: Int {
    var greatest = 0
    for index in 0..<(starts.count - 1) { greatest = Swift.max(greatest, count(index)) }
    return greatest
  }

  /// Compares two texts whose first bytes, up to a position, are known to be alike.
  func compare(_ left: Int, _ right: Int, from start: Int = 0) -> Int {
    let common = Swift.min(count(left), count(right))
    var position = start
    while position < common {
      let leftDigit = digit(left, position)
      let rightDigit = digit(right, position)
      if leftDigit != rightDigit { return leftDigit < rightDigit ? -1 : 1 }
      position += 8
    }
    return count(left) - count(right)
  }
}

/// The bytes of texts, for reading eight of them at a time.
@unsafe struct TextDigits {
  let bytes: UnsafeRawBufferPointer
  let starts: UnsafeBufferPointer<UInt32>

  /// Eight bytes of a text from a position on, the first highest; zeros past its end.
  @inline(__always)
  func digit(_ index: Int, _ position: Int) -> UInt64 {
    let start = unsafe Int(starts[index]) &+ position
    let rest = unsafe Int(starts[index &+ 1]) &- start
    guard rest > 0 else { return 0 }
    if unsafe start &+ 8 <= bytes.count {
      let word = unsafe UInt64(
        bigEndian: bytes.loadUnaligned(fromByteOffset: start, as: UInt64.self)
      )
      return rest >= 8 ? word : word & ~(UInt64.max &>> UInt64(8 &* rest))
    }
    var word: UInt64 = 0
    for offset in 0..<8 {
      word = unsafe word &<< 8 | (offset < rest ? UInt64(bytes[start &+ offset]) : 0)
    }
    return word
  }
}
