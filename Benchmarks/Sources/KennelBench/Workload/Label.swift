/// Texts such as `Dog 12`, made at the same small cost for every engine.
enum Label {
  /// The most bytes that a label has: a prefix of up to 12 and 20 digits.
  static let capacity = 32

  /// How many bytes a label takes.
  @inline(__always)
  static func length(_ prefix: StaticString, _ number: Int) -> Int {
    var digits = 1
    var bound = 10
    while number >= bound {
      digits += 1
      bound *= 10
    }
    return prefix.utf8CodeUnitCount + digits
  }

  /// Writes a prefix and a number into the first bytes of a buffer, as many as the length says.
  @inline(__always)
  static func write(
    _ prefix: StaticString,
    _ number: Int,
    length: Int,
    into buffer: UnsafeMutableBufferPointer<UInt8>
  ) {
    let digits = length - prefix.utf8CodeUnitCount
    for index in 0..<prefix.utf8CodeUnitCount { buffer[index] = prefix.utf8Start[index] }
    var rest = number
    for index in 1...digits {
      buffer[length - index] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
      rest /= 10
    }
  }

  /// A prefix and a number as a string; one of up to 15 bytes needs no memory of its own.
  static func text(_ prefix: StaticString, _ number: Int) -> String {
    let length = length(prefix, number)
    return String(unsafeUninitializedCapacity: length) { buffer in
      write(prefix, number, length: length, into: buffer)
      return length
    }
  }
}
