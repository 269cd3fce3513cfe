/// The bytes of source texts that scanners look for.
enum Byte {
  static let tab = UInt8(ascii: "\t")
  static let newline = UInt8(ascii: "\n")
  static let carriageReturn = UInt8(ascii: "\r")
  static let space = UInt8(ascii: " ")
  static let quote = UInt8(ascii: "\"")
  static let numberSign = UInt8(ascii: "#")
  static let openParenthesis = UInt8(ascii: "(")
  static let closeParenthesis = UInt8(ascii: ")")
  static let asterisk = UInt8(ascii: "*")
  static let dot = UInt8(ascii: ".")
  static let slash = UInt8(ascii: "/")
  static let at = UInt8(ascii: "@")
  static let backslash = UInt8(ascii: "\\")
  static let grave = UInt8(ascii: "`")
}

extension UInt8 {
  var isDigit: Bool { self >= 0x30 && self <= 0x39 }

  /// Whether an identifier can contain the byte; every byte beyond ASCII counts.
  var isWordByte: Bool {
    isDigit || (self | 0x20 >= 0x61 && self | 0x20 <= 0x7a) || self == 0x5f || self == 0x24
      || self >= 0x80
  }

  var isBlank: Bool { self == Byte.space || self == Byte.tab || self == Byte.carriageReturn }
}
