/// Bytes as hexadecimal and base64 text, and back.
enum BytesText {
  static func hexadecimal(_ bytes: [UInt8]) -> String {
    let digits = Array("0123456789abcdef".utf8)
    var text: [UInt8] = []
    text.reserveCapacity(2 * bytes.count)
    for byte in bytes {
      text.append(digits[Int(byte >> 4)])
      text.append(digits[Int(byte & 15)])
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// The bytes that pairs of hexadecimal digits spell; `nil` for any other text.
  static func bytes(hexadecimal text: some Collection<UInt8>) -> [UInt8]? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count / 2)
    var upper: UInt8?
    for byte in text {
      guard let digit = digit(byte) else { return nil }
      if let high = upper {
        bytes.append(high << 4 | digit)
        upper = nil
      } else {
        upper = digit
      }
    }
    return upper == nil ? bytes : nil
  }

  /// The bytes that base64 with its padding spells; `nil` for any other text.
  static func bytes(base64 text: some Collection<UInt8>) -> [UInt8]? {
    guard text.count % 4 == 0 else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count / 4 * 3)
    var pending: UInt32 = 0
    var bitCount = 0
    var padding = 0
    for byte in text {
      if byte == UInt8(ascii: "=") {
        padding += 1
        continue
      }
      guard padding == 0, let six = sixBits(byte) else { return nil }
      pending = pending << 6 | UInt32(six)
      bitCount += 6
      if bitCount >= 8 {
        bitCount -= 8
        bytes.append(UInt8(truncatingIfNeeded: pending >> UInt32(bitCount)))
      }
    }
    // What is left over of the last character must be zeros, and the padding must make up for it.
    guard padding <= 2, bitCount == 2 * padding, pending & ((1 << UInt32(bitCount)) - 1) == 0 else {
      return nil
    }
    return bytes
  }

  static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }

  private static func sixBits(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte - UInt8(ascii: "A")
    case UInt8(ascii: "a")...UInt8(ascii: "z"): byte - UInt8(ascii: "a") + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0") + 52
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
  }
}
