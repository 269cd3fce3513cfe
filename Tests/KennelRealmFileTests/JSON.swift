/// JSON with integers and truth values told apart; floating-point numbers are not read.
enum JSON {
  case null
  case bool(Bool)
  case int(Int64)
  case text(String)
  case array([JSON])
  case object([String: JSON])

  var int: Int64? { if case .int(let int) = self { int } else { nil } }
  var text: String? { if case .text(let text) = self { text } else { nil } }
  var array: [JSON] { if case .array(let array) = self { array } else { [] } }
  var object: [String: JSON] { if case .object(let object) = self { object } else { [:] } }

  subscript(name: String) -> JSON { object[name] ?? .null }

  /// Reads a text that is valid JSON.
  init(_ text: [UInt8]) {
    var next = 0
    self = JSON.read(text, &next)
  }

  private static func read(_ text: [UInt8], _ next: inout Int) -> JSON {
    switch text[next] {
    case UInt8(ascii: "{"):
      var members: [String: JSON] = [:]
      readParts(text, &next) { next in
        let name = string(text, &next)
        skip(text, &next)
        members[name] = read(text, &next)
      }
      return .object(members)
    case UInt8(ascii: "["):
      var elements: [JSON] = []
      readParts(text, &next) { elements.append(read(text, &$0)) }
      return .array(elements)
    case UInt8(ascii: "\""): return .text(string(text, &next))
    default:
      let end = text[next...].firstIndex { ",]} \n".utf8.contains($0) } ?? text.count
      let word = String(decoding: text[next..<end], as: UTF8.self)
      next = end
      return Int64(word).map { .int($0) } ?? (word == "null" ? .null : .bool(word == "true"))
    }
  }

  private static func skip(_ text: [UInt8], _ next: inout Int) {
    while ":, \n".utf8.contains(text[next]) { next += 1 }
  }

  /// Reads up to the bracket that closes.
  private static func readParts(_ text: [UInt8], _ next: inout Int, _ read: (inout Int) -> Void) {
    next += 1
    while true {
      skip(text, &next)
      if "]}".utf8.contains(text[next]) { break }
      read(&next)
    }
    next += 1
  }

  private static func string(_ text: [UInt8], _ next: inout Int) -> String {
    var bytes: [UInt8] = []
    next += 1
    while text[next] != UInt8(ascii: "\"") {
      guard text[next] == UInt8(ascii: "\\") else {
        bytes.append(text[next])
        next += 1
        continue
      }
      let letter = Unicode.Scalar(text[next + 1])
      next += 2
      switch letter {
      case "u":
        var unit = UInt32(String(decoding: text[next..<next + 4], as: UTF8.self), radix: 16) ?? 0
        next += 4
        if unit >= 0xd800 && unit < 0xdc00 {
          let low = String(decoding: text[next + 2..<next + 6], as: UTF8.self)
          unit = 0x10000 + (unit - 0xd800) << 10 + ((UInt32(low, radix: 16) ?? 0) - 0xdc00)
          next += 6
        }
        bytes += Unicode.Scalar(unit).map { Array(String($0).utf8) } ?? []
      case "n": bytes.append(10)
      case "t": bytes.append(9)
      case "r": bytes.append(13)
      case "b": bytes.append(8)
      case "f": bytes.append(12)
      default: bytes.append(UInt8(ascii: letter))
      }
    }
    next += 1
    return String(decoding: bytes, as: UTF8.self)
  }
}
