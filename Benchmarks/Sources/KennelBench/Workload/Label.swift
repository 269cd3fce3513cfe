/// Texts such as `Dog 12`, made at the same small cost for every engine.
enum Label {
  /// The most bytes that a label has: a prefix of up to 12 and 20 digits.
  static let capacity = 32

  /// How many bytes a label takes.
  @inline(__always)
  static func length(_ prefix: StaticString, _ number: Int) -> Int {
    var digits = 1
    var bound: UInt64 = 10
    while UInt64(truncatingIfNeeded: number) >= bound, digits < 19 {
      digits &+= 1
      bound &*= 10
    }
    return prefix.utf8CodeUnitCount &+ digits
  }

  /// Writes a prefix and a number into the first bytes of a buffer, as many as the length says.
  @inline(__always)
  static func write(
    _ prefix: StaticString,
    _ number: Int,
    length: Int,
    into buffer: UnsafeMutableBufferPointer<UInt8>
  ) {
    guard let bytes = buffer.baseAddress else { return }
    let start = prefix.utf8CodeUnitCount
    for index in 0..<start { unsafe bytes[index] = prefix.utf8Start[index] }
    var rest = UInt64(truncatingIfNeeded: number)
    var index = length
    while index > start {
      index &-= 1
      let quotient = rest / 10
      unsafe bytes[index] = UInt8(truncatingIfNeeded: 48 &+ rest &- quotient &* 10)
      rest = quotient
    }
  }

  /// A prefix and a number as a string; one of up to 15 bytes needs no memory of its own.
  static func text(_ prefix: StaticString, _ number: Int) -> String {
    let length = length(prefix, number)
    return unsafe String(unsafeUninitializedCapacity: length) { buffer in
      unsafe write(prefix, number, length: length, into: buffer)
      return length
    }
  }
}
