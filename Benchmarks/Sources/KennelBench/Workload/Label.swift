/// Texts such as `Dog 12`, made at the same small cost for every engine.
enum Label {
  /// The most bytes that a label has: a prefix of up to 12 and 20 digits.
  static let capacity = 32

  /// Writes a prefix and a number without allocating.
  ///
  /// - Returns: How many bytes were written.
  static func write(
    _ prefix: StaticString,
    _ number: Int,
    into buffer: UnsafeMutableBufferPointer<UInt8>
  ) -> Int {
    var length = prefix.utf8CodeUnitCount
    for index in 0..<length { buffer[index] = prefix.utf8Start[index] }
    var digits = 1
    var bound = 10
    while number >= bound {
      digits += 1
      bound *= 10
    }
    length += digits
    var rest = number
    for index in 1...digits {
      buffer[length - index] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
      rest /= 10
    }
    return length
  }

  /// A prefix and a number as a string, without an allocation where it has at most 15 bytes.
  static func text(_ prefix: StaticString, _ number: Int) -> String {
    let capacity = prefix.utf8CodeUnitCount + 7 <= 15 && number < 10_000_000 ? 15 : capacity
    return String(unsafeUninitializedCapacity: capacity) { write(prefix, number, into: $0) }
  }
}
