internal import Glibc

/// The number of each object's value, where equal values have the same.
package struct ValueNumbers {
  /// The number of the value of each object; 0 where it is null.
  package private(set) var numbers: [UInt32]
  /// How many objects have each number.
  package private(set) var counts: [Int] = [0]

  init(count: Int) {
    numbers = Array(repeating: 0, count: count)
  }

  /// Notes the number of each object of a run; all are less than `end` is when they are known.
  @inline(__always)
  mutating func note(
    _ run: KeyRun,
    _ keys: [ObjectKey],
    nulls: PlaceSet,
    number: (Int) -> UInt32,
    end: () -> Int
  ) {
    unsafe numbers.withUnsafeMutableBufferPointer { numbers in
      for index in run.range {
        let place = keys[index].place
        unsafe numbers[index] = nulls[place] ? 0 : number(place)
      }
    }
    while counts.count < end() { counts.append(0) }
    unsafe counts.withUnsafeMutableBufferPointer { counts in
      for index in run.range { unsafe counts[Int(numbers[index])] &+= 1 }
    }
  }

  /// The position of an object that has each number, of those that any has.
  package var samples: [Int?] {
    var samples = [Int?](repeating: nil, count: counts.count)
    var missing = counts.count { $0 > 0 }
    for (position, number) in numbers.enumerated() where samples[Int(number)] == nil {
      samples[Int(number)] = position
      missing -= 1
      if missing == 0 { break }
    }
    return samples
  }
}

/// The different words of a column, and the number of each, from 1 on.
struct DistinctWords {
  private var numbers: [UInt64: UInt32] = [:]
  /// The words that were met last, by their hash: most columns that are grouped have few.
  private var recent: [256 of Recent] = .init(repeating: Recent(word: 0, number: 0))

  private struct Recent {
    var word: UInt64
    /// 0 for none.
    var number: UInt32
  }

  /// The number of a word.
  @inline(__always)
  mutating func number(of word: UInt64) -> UInt32 {
    let slot = Int(truncatingIfNeeded: (word &* 0x9E37_79B9_7F4A_7C15) &>> 56)
    let known = recent[slot]
    if known.word == word, known.number != 0 { return known.number }
    let number = find(word)
    recent[slot] = Recent(word: word, number: number)
    return number
  }

  private mutating func find(_ word: UInt64) -> UInt32 {
    if let known = numbers[word] { return known }
    let number = UInt32(end)
    numbers[word] = number
    return number
  }

  /// One more than the greatest number.
  var end: Int { numbers.count + 1 }
}

/// The different texts of a column that has few, and the number of each, from 1 on.
struct DistinctTexts {
  private var numbers: [[UInt8]: Int] = [:]
  private var texts: [[UInt8]] = []
  /// The number that the entries of a dictionary had in the one before, which mostly has the same
  /// entries in the same order.
  private var guess = 0

  private static let limit = 4096

  /// The number of a text, from 1 on; `nil` where there are too many.
  mutating func number(of text: UnsafeRawBufferPointer) -> UInt32? {
    if guess < texts.count, unsafe isGuess(text) {
      defer { guess = guess + 1 < texts.count ? guess + 1 : 0 }
      return UInt32(guess + 1)
    }
    let bytes = unsafe Array(text)
    if let known = numbers[bytes] {
      guess = known + 1 < texts.count ? known + 1 : 0
      return UInt32(known + 1)
    }
    guard texts.count < Self.limit else { return nil }
    numbers[bytes] = texts.count
    texts.append(bytes)
    return UInt32(texts.count)
  }

  /// One more than the greatest number.
  var end: Int { texts.count + 1 }

  private func isGuess(_ text: UnsafeRawBufferPointer) -> Bool {
    let known = texts[guess]
    let count = known.count
    guard count == text.count else { return false }
    return unsafe known.withUnsafeBytes { bytes in
      guard let first = bytes.baseAddress, let second = text.baseAddress else { return true }
      return unsafe memcmp(first, second, count) == 0
    }
  }

  /// By number, the place of each text among all in their order.
  var ranks: [UInt64] {
    let order = texts.indices.sorted { texts[$0].lexicographicallyPrecedes(texts[$1]) }
    var ranks = [UInt64](repeating: 0, count: end)
    for (rank, number) in order.enumerated() { ranks[number + 1] = UInt64(rank) }
    return ranks
  }
}
