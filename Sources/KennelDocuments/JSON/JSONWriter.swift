/// Puts JSON together, byte by byte, without spaces.
struct JSONWriter {
  var bytes: [UInt8] = []

  /// Appends text that is JSON already.
  mutating func append(_ text: String) {
    bytes.append(contentsOf: text.utf8)
  }

  /// Appends one byte of punctuation.
  mutating func append(_ mark: Unicode.Scalar) {
    bytes.append(UInt8(ascii: mark))
  }

  /// Appends the name of a member and its colon.
  mutating func append(name: String) {
    append(quoted: name)
    append(":" as Unicode.Scalar)
  }

  /// Appends a string in quotes.
  mutating func append(quoted string: String) {
    append("\"" as Unicode.Scalar)
    if string.utf8.contains(where: Self.mayNeedEscape) {
      for scalar in string.unicodeScalars { append(escaping: scalar) }
    } else {
      bytes.append(contentsOf: string.utf8)
    }
    append("\"" as Unicode.Scalar)
  }

  /// A string as JSON.
  static func quoted(_ string: String) -> String {
    var writer = JSONWriter()
    writer.append(quoted: string)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  /// Whether a byte is, or begins, something that is escaped.
  private static func mayNeedEscape(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == 0x22 || byte == 0x5C || byte == 0x7F
      || byte == 0xC2 || byte == 0xD8 || byte == 0xE2 || byte == 0xEF
  }

  private mutating func append(escaping scalar: Unicode.Scalar) {
    switch scalar {
    case "\"": append("\\\"")
    case "\\": append("\\\\")
    case "\n": append("\\n")
    case "\r": append("\\r")
    case "\t": append("\\t")
    case _ where Self.isHidden(scalar):
      let digits = String(scalar.value, radix: 16)
      append("\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits)
    default: bytes.append(contentsOf: UTF8.encode(scalar).map(Array.init) ?? [])
    }
  }

  /// Whether a terminal could take a character for a command, or a reader miss it: control
  /// characters, line and paragraph separators, marks of direction, the byte order mark.
  private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x00...0x1F, 0x7F...0x9F, 0x61C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF:
      true
    default: false
    }
  }

  /// The length of the character that bytes begin with, where it is a hidden one beyond ASCII's first
  /// 32, which libraries escape.
  static func hiddenLength(_ bytes: some Collection<UInt8>) -> Int? {
    guard let first = bytes.first, mayNeedEscape(first) else { return nil }
    let length = first == 0x7F ? 1 : first < 0xE0 ? 2 : 3
    let text = String(decoding: bytes.prefix(length), as: UTF8.self)
    guard let scalar = text.unicodeScalars.first, isHidden(scalar) else { return nil }
    return length
  }

  /// Appends hidden characters as escapes.
  static func appendEscapes(
    of bytes: some Collection<UInt8>,
    to output: inout [UInt8]
  ) {
    var writer = JSONWriter()
    for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
      writer.append(escaping: scalar)
    }
    output += writer.bytes
  }
}
