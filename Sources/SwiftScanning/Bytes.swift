/// The bytes of source texts that scanners look for.
///
/// ```swift
/// let lines = source.utf8.split(separator: ASCII.newline)
/// print(lines.count)
/// ```
// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
public enum ASCII {
  public static let tab = UInt8(ascii: "\t")
  public static let newline = UInt8(ascii: "\n")
  public static let carriageReturn = UInt8(ascii: "\r")
  public static let space = UInt8(ascii: " ")
  public static let quote = UInt8(ascii: "\"")
  public static let numberSign = UInt8(ascii: "#")
  public static let openParenthesis = UInt8(ascii: "(")
  public static let closeParenthesis = UInt8(ascii: ")")
  public static let asterisk = UInt8(ascii: "*")
  public static let dot = UInt8(ascii: ".")
  public static let slash = UInt8(ascii: "/")
  public static let at = UInt8(ascii: "@")
  public static let backslash = UInt8(ascii: "\\")
  public static let grave = UInt8(ascii: "`")
}

extension UInt8 {
  /// Whether it is a digit of ASCII.
  public var isDigit: Bool { self >= 0x30 && self <= 0x39 }

  /// Whether an identifier can contain the byte; every byte beyond ASCII counts.
  public var isWordByte: Bool {
    isDigit || (self | 0x20 >= 0x61 && self | 0x20 <= 0x7a) || self == 0x5f || self == 0x24
      || self >= 0x80
  }

  /// Whether it separates tokens of a line.
  public var isBlank: Bool {
    self == ASCII.space || self == ASCII.tab || self == ASCII.carriageReturn
  }
}
