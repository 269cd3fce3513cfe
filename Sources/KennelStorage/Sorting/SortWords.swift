/// Several columns as one number each object is sorted by.
///
/// Most columns have few different values: an age takes 7 bits, a breed 4. As many columns as fit
/// 64 bits are sorted by at once, and of the first that does not fit as much as there is room for:
/// of a text the bytes after those that all texts begin with. Few objects are alike in all of it.
@unsafe struct SortWords {
  private let entries: UnsafeMutablePointer<SortEntry>
  private let count: Int
  /// The bits of the numbers that no column has taken yet.
  private var room = 64

  /// Fills the first `count` entries and returns the first column that does not lie in them as a
  /// whole; `nil` where nothing could be filled in.
  static func fill(
    _ entries: UnsafeMutablePointer<SortEntry>,
    _ columns: [(column: SortColumn, isAscending: Bool)],
    count: Int
  ) -> Int? {
    var words = unsafe SortWords(entries: entries, count: count)
    for index in 0..<count { unsafe entries[index] = SortEntry(digit: 0, index: UInt32(index)) }
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

  private init(entries: UnsafeMutablePointer<SortEntry>, count: Int) {
    unsafe self.entries = entries
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
          unsafe entries[index].digit = (entries[index].digit & keep) &<< make | value
        }
        return
      }
      unsafe nulls.withUnsafeBufferPointer { nulls in
        for index in unsafe 0..<count {
          let value = unsafe nulls[index] ? 0 : words[index] &- low &+ up
          unsafe entries[index].digit =
            unsafe (entries[index].digit & keep) &<< make | (value &>> shift ^ turn)
        }
      }
    }
    unsafe room -= taken
    return hasRoom
  }

  /// Takes as many bytes of texts as there is room for.
  private mutating func append(_ text: GatheredText, _ isAscending: Bool) -> Bool {
    let nullBits = text.nulls.isEmpty ? 0 : 1
    guard unsafe room > nullBits else { return false }
    let bits = unsafe room - nullBits
    let turn: UInt64 = unsafe isAscending ? 0 : room == 64 ? .max : (1 << UInt64(room)) - 1
    let make = unsafe UInt64(room & 63)
    let keep: UInt64 = unsafe room == 64 ? 0 : .max
    let shared = text.sharedByteCount
    unsafe text.withDigits { digits in
      for index in unsafe 0..<count {
        let isNull = nullBits == 1 && text.nulls[index]
        var value = unsafe isNull ? 0 : digits.digit(index, shared) &>> UInt64(64 &- bits)
        if nullBits == 1, !isNull { value |= 1 &<< UInt64(bits) }
        unsafe entries[index].digit = (entries[index].digit & keep) &<< make | (value ^ turn)
      }
    }
    unsafe room = 0
    return false
  }
}
