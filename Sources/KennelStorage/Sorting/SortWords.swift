/// Several columns as one number each object is sorted by.
///
/// Most columns have few different values: an age takes 7 bits, a breed 4. As many columns as fit
/// 64 bits are sorted by at once, and of the first that does not fit as much as there is room for:
/// of a text the bytes after those that all texts begin with. Few objects are alike in all of it.
struct SortWords {
  private(set) var digits: [UInt64]
  /// The bits of the numbers that no column has taken yet.
  private var room = 64

  init(count: Int) { digits = Array(repeating: 0, count: count) }

  /// Takes columns into the numbers; returns how many lie in them as a whole.
  mutating func fill(_ columns: [(column: SortColumn, isAscending: Bool)]) -> Int {
    for (number, (column, isAscending)) in columns.enumerated() {
      let isWhole =
        switch column {
        case .words(let column): append(column.words, column.nulls, isAscending)
        case .pairs(let column):
          // Dates are whole seconds mostly.
          append(column.firsts, column.nulls, isAscending)
            && column.seconds.allSatisfy { $0 == 0 }
        case .text(let text): append(text, isAscending)
        case .values: false
        }
      if !isWhole { return number }
    }
    return columns.count
  }

  /// Sorts positions by their numbers, which are moved with them, by one byte after the other, the last
  /// first.
  ///
  /// Where `goesOn`, which is told how much is done, says no, the sort ends, and says no itself.
  mutating func sort(_ order: inout [UInt32], goesOn: (Double) -> Bool) -> Bool {
    let first = digits.first ?? 0
    let differing = digits.reduce(0) { $0 | ($1 ^ first) }
    var otherDigits = digits
    var otherOrder = order
    for shift in stride(from: 0, to: 64 as UInt64, by: 8) {
      guard goesOn(Double(shift) / 64) else { return false }
      if differing >> shift & 255 == 0 { continue }
      var starts = [Int](repeating: 0, count: 257)
      for digit in digits { starts[Int(digit >> shift & 255) + 1] += 1 }
      for value in 0..<256 { starts[value + 1] += starts[value] }
      for index in digits.indices {
        let value = Int(digits[index] >> shift & 255)
        otherDigits[starts[value]] = digits[index]
        otherOrder[starts[value]] = order[index]
        starts[value] += 1
      }
      swap(&digits, &otherDigits)
      swap(&order, &otherOrder)
    }
    return true
  }

  /// Takes a column of numbers; whether all that tells them apart found room.
  private mutating func append(_ words: [UInt64], _ nulls: [Bool], _ isAscending: Bool) -> Bool {
    guard room > 0 else { return false }
    var low = UInt64.max
    var high: UInt64 = 0
    for index in words.indices where nulls.isEmpty || !nulls[index] {
      low = min(low, words[index])
      high = max(high, words[index])
    }
    if low > high { (low, high) = (0, 0) }
    // Null is 0, and every value one more than its distance from the least.
    let isCounted = !nulls.isEmpty && high - low < .max
    let up: UInt64 = isCounted ? 1 : 0
    let bits = 64 - (high - low + up).leadingZeroBitCount
    let taken = min(bits, room)
    let isWhole = bits <= room && (nulls.isEmpty || isCounted)
    push(taken, isAscending) { index in
      !nulls.isEmpty && nulls[index] ? 0 : (words[index] - low + up) >> (bits - taken)
    }
    return isWhole
  }

  /// Takes as many bytes of texts as there is room for; whether all that tells them apart found room.
  private mutating func append(_ text: GatheredText, _ isAscending: Bool) -> Bool {
    let nullBits = text.nulls.isEmpty ? 0 : 1
    guard room > nullBits else { return false }
    let shared = text.sharedByteCount
    // Short texts fit as a whole, with their lengths: a text comes before those that begin with it.
    let rest = max(text.greatestByteCount - shared, 0)
    let countBits = 64 - UInt64(rest).leadingZeroBitCount
    let isWhole = rest < 8 && 8 * rest + countBits + nullBits <= room
    let bits = isWhole ? 8 * rest + countBits : room - nullBits
    push(bits + nullBits, isAscending) { index in
      if nullBits == 1, text.nulls[index] { return 0 }
      let digit = text.digit(index, shared)
      let value =
        isWhole
        ? (digit >> (64 - 8 * rest)) << countBits | UInt64(text.count(index) - shared)
        : digit >> (64 - bits)
      return nullBits == 1 ? value | 1 << UInt64(bits) : value
    }
    return isWhole
  }

  /// Puts a number of so many bits behind what there is; they are turned around where they descend.
  private mutating func push(_ bits: Int, _ isAscending: Bool, _ value: (Int) -> UInt64) {
    let turn: UInt64 = isAscending ? 0 : ~(UInt64.max << bits)
    for index in digits.indices { digits[index] = digits[index] << bits | (value(index) ^ turn) }
    room -= bits
  }
}
