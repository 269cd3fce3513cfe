/// Several columns as one number each object is sorted by.
///
/// Most columns have few different values: an age takes 7 bits, a breed 4. As many columns as fit
/// 64 bits are sorted by at once, and of the first that does not fit as much as there is room for:
/// of a text the bytes after those that all texts begin with. Few objects are alike in all of it.
@unsafe struct SortWords {
  private let digits: UnsafeMutablePointer<UInt64>
  private let count: Int
  /// The bits of the numbers that no column has taken yet.
  private var room = 64

  /// Writes the first `count` numbers and returns the first column that does not lie in them as a
  /// whole; `nil` where nothing could be filled in.
  static func fill(
    _ digits: UnsafeMutablePointer<UInt64>,
    _ columns: [(column: SortColumn, isAscending: Bool)],
    count: Int
  ) -> Int? {
    var words = unsafe SortWords(digits: digits, count: count)
    unsafe digits.update(repeating: 0, count: count)
    for (number, (column, isAscending)) in columns.enumerated() {
      let isWhole =
        switch column {
        case .words(let column): unsafe words.append(column.words, column.nulls, isAscending)
        case .pairs(let column):
          // Dates are whole seconds mostly.
          unsafe words.append(column.firsts, column.nulls, isAscending)
            && column.seconds.allSatisfy { $0 == 0 }
        case .text(let text): unsafe words.append(text, isAscending)
        case .values: false
        }
      if !isWhole { return unsafe words.room == 64 ? nil : number }
    }
    return columns.count
  }

  private init(digits: UnsafeMutablePointer<UInt64>, count: Int) {
    unsafe self.digits = digits
    unsafe self.count = count
  }

  /// Takes a column of numbers; whether all that tells them apart found room.
  private mutating func append(
    _ words: [UInt64],
    _ nulls: [Bool],
    _ isAscending: Bool
  ) -> Bool {
    guard unsafe room > 0 else { return false }
    var low = UInt64.max
    var high: UInt64 = 0
    for index in unsafe 0..<count where nulls.isEmpty || !nulls[index] {
      low = min(low, words[index])
      high = max(high, words[index])
    }
    if low > high { (low, high) = (0, 0) }
    // Null is 0, and every value one more than its distance from the least.
    let isCounted = !nulls.isEmpty && high &- low < .max
    let spread = high &- low &+ (isCounted ? 1 : 0)
    let bits = 64 - spread.leadingZeroBitCount
    let hasRoom = unsafe bits <= room && (nulls.isEmpty || isCounted)
    let taken = unsafe min(bits, room)
    let shift = UInt64(bits - taken)
    let up: UInt64 = isCounted ? 1 : 0
    let turn: UInt64 = isAscending ? 0 : taken == 64 ? .max : (1 << UInt64(taken)) - 1
    let make = taken == 64 ? 0 : UInt64(taken)
    let keep: UInt64 = taken == 64 ? 0 : .max
    unsafe words.withUnsafeBufferPointer { words in
      guard let words = words.baseAddress else { return }
      if nulls.isEmpty {
        for index in unsafe 0..<count {
          let value = unsafe (words[index] &- low) &>> shift ^ turn
          unsafe digits[index] = (digits[index] & keep) &<< make | value
        }
        return
      }
      unsafe nulls.withUnsafeBufferPointer { nulls in
        for index in unsafe 0..<count {
          let value = unsafe nulls[index] ? 0 : words[index] &- low &+ up
          unsafe digits[index] =
            unsafe (digits[index] & keep) &<< make | (value &>> shift ^ turn)
        }
      }
    }
    unsafe room -= taken
    return hasRoom
  }

  /// Takes as many bytes of texts as there is room for; whether all that tells them apart found room.
  private mutating func append(_ text: GatheredText, _ isAscending: Bool) -> Bool {
    let nullBits = text.nulls.isEmpty ? 0 : 1
    guard unsafe room > nullBits else { return false }
    let shared = text.sharedByteCount
    // Short texts fit as a whole, with their lengths: a text comes before those that begin with it.
    let rest = text.greatestByteCount - shared
    let countBits = 64 - UInt64(max(rest, 0)).leadingZeroBitCount
    let isWhole = unsafe rest < 8 && 8 * rest + countBits + nullBits <= room
    let bits = unsafe isWhole ? 8 * max(rest, 0) + countBits : room - nullBits
    let taken = bits + nullBits
    let turn: UInt64 = isAscending ? 0 : taken == 64 ? .max : (1 << UInt64(taken)) - 1
    let make = UInt64(taken & 63)
    let keep: UInt64 = taken == 64 ? 0 : .max
    let (cut, up) = isWhole ? (64 - 8 * max(rest, 0), countBits) : (64 - bits, 0)
    unsafe text.withDigits { texts in
      for index in unsafe 0..<count {
        let isNull = nullBits == 1 && text.nulls[index]
        var value: UInt64 = 0
        if !isNull {
          value = unsafe (texts.digit(index, shared) >> UInt64(cut)) << UInt64(up)
          if isWhole { value |= UInt64(truncatingIfNeeded: text.count(index) &- shared) }
          if nullBits == 1 { value |= 1 &<< UInt64(bits) }
        }
        unsafe digits[index] = (digits[index] & keep) &<< make | (value ^ turn)
      }
    }
    unsafe room -= taken
    return isWhole
  }
}
