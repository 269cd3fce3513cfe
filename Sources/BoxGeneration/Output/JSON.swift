import SwiftScanning

/// A JSON value; members keep their order, numbers their text.
indirect enum JSON: Sendable {
  case null
  case flag(Bool)
  case number(String)
  case string(String)
  case array([JSON])
  case object(Object)

  struct Member: Sendable {
    let key: String
    let value: JSON
    /// The line of its value, from 1.
    var line = 0
  }

  struct Object: Sendable {
    var members: [Member] = []
    /// The line of its brace, from 1.
    var line = 0

    subscript(key: String) -> JSON? { members.first { $0.key == key }?.value }
  }

  var text: String? {
    if case .string(let text) = self { return text }
    return nil
  }

  var integer: Int64? {
    if case .number(let text) = self { return Int64(text) }
    return nil
  }

  var flag: Bool? {
    if case .flag(let flag) = self { return flag }
    return nil
  }

  var object: Object? {
    if case .object(let object) = self { return object }
    return nil
  }

  /// The elements of an array, if each of them is of one kind.
  func array<Element>(of kind: (JSON) -> Element?) -> [Element]? {
    guard case .array(let elements) = self else { return nil }
    let values = elements.compactMap(kind)
    return values.count == elements.count ? values : nil
  }

  /// Whether two values say the same, whatever the order of their members.
  func isSame(as other: JSON) -> Bool {
    switch (self, other) {
    case (.null, .null): true
    case (.flag(let a), .flag(let b)): a == b
    case (.number(let a), .number(let b)): a == b
    case (.string(let a), .string(let b)): a == b
    case (.array(let a), .array(let b)):
      a.count == b.count && zip(a, b).allSatisfy { $0.isSame(as: $1) }
    case (.object(let a), .object(let b)):
      a.members.count == b.members.count
        && a.members.allSatisfy { member in b[member.key]?.isSame(as: member.value) == true }
    case (.null, _), (.flag, _), (.number, _), (.string, _), (.array, _), (.object, _): false
    }
  }

  /// The value as text, with two blanks for each level.
  func written(_ indentation: String = "") -> String {
    let inner = indentation + "  "
    switch self {
    case .null: return "null"
    case .flag(let flag): return "\(flag)"
    case .number(let text): return text
    case .string(let text): return JSON.quoted(text)
    case .array(let elements):
      if elements.isEmpty { return "[]" }
      let lines = elements.map { inner + $0.written(inner) }
      return "[\n\(lines.joined(separator: ",\n"))\n\(indentation)]"
    case .object(let object):
      if object.members.isEmpty { return "{}" }
      let lines = object.members.map {
        "\(inner)\(JSON.quoted($0.key)): \($0.value.written(inner))"
      }
      return "{\n\(lines.joined(separator: ",\n"))\n\(indentation)}"
    }
  }

  /// The text in quotes, with the escapes that JSON needs.
  static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      case _ where scalar.value < 0x20:
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}

/// Why a text is not JSON.
struct JSONError: Error {
  let line: Int
  let message: String
}

/// Reads JSON.
struct JSONReader {
  private let bytes: [UInt8]
  private(set) var position: Int
  private var line = 1
  private var depth = 0

  init(_ bytes: [UInt8], position: Int = 0) {
    self.bytes = bytes
    self.position = position
  }

  /// Reads a text that is one value.
  static func read(_ text: String) throws(JSONError) -> JSON {
    var reader = JSONReader(Array(text.utf8))
    let value = try reader.readValue()
    reader.skipBlanks()
    guard reader.position == reader.bytes.count else { throw reader.error("more text follows") }
    return value
  }

  private var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

  private func error(_ message: String) -> JSONError { JSONError(line: line, message: message) }

  private mutating func skipBlanks() {
    while let byte = peek, byte.isBlank || byte == Byte.newline {
      if byte == Byte.newline { line += 1 }
      position += 1
    }
  }

  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    skipBlanks()
    guard peek == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  mutating func readValue() throws(JSONError) -> JSON {
    skipBlanks()
    depth += 1
    defer { depth -= 1 }
    guard depth < 100 else { throw error("it is nested too deeply") }
    switch peek {
    case UInt8(ascii: "{"): return try readObject()
    case UInt8(ascii: "["): return try readArray()
    case Byte.quote: return .string(try readString())
    case nil: throw error("it ends too early")
    default: return try readWord()
    }
  }

  private mutating func readObject() throws(JSONError) -> JSON {
    var object = JSON.Object(line: line)
    position += 1
    if take("}") { return .object(object) }
    repeat {
      skipBlanks()
      guard peek == Byte.quote else { throw error("a name in quotes is missing") }
      let key = try readString()
      guard object[key] == nil else { throw error("the name \"\(key)\" is there twice") }
      guard take(":") else { throw error("a colon is missing") }
      skipBlanks()
      let start = line
      object.members.append(JSON.Member(key: key, value: try readValue(), line: start))
    } while take(",")
    guard take("}") else { throw error("a comma or a closing brace is missing") }
    return .object(object)
  }

  private mutating func readArray() throws(JSONError) -> JSON {
    var elements: [JSON] = []
    position += 1
    if take("]") { return .array(elements) }
    repeat { elements.append(try readValue()) } while take(",")
    guard take("]") else { throw error("a comma or a closing bracket is missing") }
    return .array(elements)
  }

  private mutating func readWord() throws(JSONError) -> JSON {
    let start = position
    while let byte = peek, byte.isWordByte || "+-.".utf8.contains(byte) { position += 1 }
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    switch text {
    case "null": return .null
    case "true", "false": return .flag(text == "true")
    default:
      guard text.wholeMatch(of: /-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?/) != nil else {
        throw error(text.isEmpty ? "a value is missing" : "'\(text)' is no value")
      }
      return .number(text)
    }
  }

  private mutating func readString() throws(JSONError) -> String {
    position += 1
    var text: [UInt8] = []
    while let byte = peek, byte >= 0x20 {
      position += 1
      switch byte {
      case Byte.quote: return String(decoding: text, as: UTF8.self)
      case Byte.backslash: text += try readEscape().utf8
      default: text.append(byte)
      }
    }
    throw error("a closing quote is missing")
  }

  private mutating func readEscape() throws(JSONError) -> String {
    guard let byte = peek else { throw error("a closing quote is missing") }
    position += 1
    switch byte {
    case Byte.quote: return "\""
    case Byte.backslash: return "\\"
    case Byte.slash: return "/"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{c}"
    case UInt8(ascii: "u"):
      let unit = try readUnit()
      if let scalar = Unicode.Scalar(unit) { return String(scalar) }
      if bytes[position...].starts(with: "\\u".utf8) {
        position += 2
        let low = try readUnit()
        if unit < 0xdc00, low & 0xfc00 == 0xdc00,
          let scalar = Unicode.Scalar(0x10000 + (unit & 0x3ff) << 10 + low & 0x3ff)
        {
          return String(scalar)
        }
      }
      throw error("half of a surrogate pair is missing")
    default: throw error("a backslash stands before what needs none")
    }
  }

  private mutating func readUnit() throws(JSONError) -> UInt32 {
    var unit: UInt32 = 0
    for _ in 0..<4 {
      guard let digit = peek.flatMap({ Character(Unicode.Scalar($0)).hexDigitValue }) else {
        throw error("four hexadecimal digits are missing")
      }
      unit = unit << 4 | UInt32(digit)
      position += 1
    }
    return unit
  }
}
