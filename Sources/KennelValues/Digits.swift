extension BinaryInteger {
  /// The digits of a number, behind as many zeros as it takes to have `count` of them.
  @inlinable
  package func digits(_ count: Int, radix: Int = 10) -> String {
    let digits = String(self, radix: radix)
    return String(repeating: "0", count: Swift.max(0, count - digits.utf8.count)) + digits
  }
}

/// Whether a byte is a decimal digit.
func isDigit(_ byte: UInt8) -> Bool {
  (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
}
