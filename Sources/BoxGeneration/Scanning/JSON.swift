import FoundationEssentials
import SwiftScanning

/// A JSON value; members keep their order, numbers their text.
indirect enum JSON: Equatable {
  case null
  case flag(Bool)
  case number(String)
  case string(String)
  case array([JSON])
  case object(Object)

  struct Member {
    let key: String
    let value: JSON
    /// The line of its value, from 1.
    var line = 0
  }

  struct Object: Equatable {
    var members: [Member] = []
    /// The line of its brace, from 1.
    var line = 0

    subscript(key: String) -> JSON? { members.first { $0.key == key }?.value }

    private var values: [String: JSON] {
      Dictionary(members.map { ($0.key, $0.value) }) { first, _ in first }
    }

    /// Whether both say the same, whatever the order of their members.
    static func == (a: Object, b: Object) -> Bool { a.values == b.values }
  }

  var text: String? { if case .string(let text) = self { text } else { nil } }
  var integer: Int64? { if case .number(let text) = self { Int64(text) } else { nil } }
  var flag: Bool? { if case .flag(let flag) = self { flag } else { nil } }
  var object: Object? { if case .object(let object) = self { object } else { nil } }

  /// The elements of an array, if each of them is of one kind.
  func array<Element>(of kind: (JSON) -> Element?) -> [Element]? {
    guard case .array(let elements) = self else { return nil }
    let values = elements.compactMap(kind)
    return values.count == elements.count ? values : nil
  }

  /// The value as text, with two blanks for each level.
  func written(_ indentation: String = "") -> String {
    let inner = indentation + "  "
    func lines(_ lines: [String], _ open: String, _ close: String) -> String {
      if lines.isEmpty { return open + close }
      return "\(open)\n\(inner)\(lines.joined(separator: ",\n" + inner))\n\(indentation)\(close)"
    }
    switch self {
    case .null: return "null"
    case .flag(let flag): return "\(flag)"
    case .number(let text): return text
    case .string(let text): return JSON.quoted(text)
    case .array(let elements): return lines(elements.map { $0.written(inner) }, "[", "]")
    case .object(let object):
      return lines(
        object.members.map { "\(JSON.quoted($0.key)): \($0.value.written(inner))" },
        "{",
        "}"
      )
    }
  }

  /// The text in quotes, with the escapes that JSON needs.
  private static func quoted(_ text: String) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .withoutEscapingSlashes
    return String(decoding: (try? encoder.encode(text)) ?? Data(), as: UTF8.self)
  }
}

/// Why a text is not JSON.
struct JSONError: Error {
  let line: Int
  let message: String
}

// Foundation's readers keep neither the order of members nor their lines, and accept a name that is there
// twice, as after a merge: the tokens of JSON are tokens of Swift, too.
extension JSON {
  /// Reads a text that is one value.
  init(_ text: String) throws(JSONError) {
    var cursor = TokenCursor(text)
    self = try JSON.read(&cursor, depth: 0)
    guard cursor.token == nil else { throw JSON.error(cursor, "more text follows") }
  }

  /// Reads a value.
  static func read(_ cursor: inout TokenCursor, depth: Int) throws(JSONError) -> JSON {
    guard let token = cursor.token else { throw error(cursor, "it ends too early") }
    guard depth < 100 else { throw error(cursor, "it is nested too deeply") }
    if token.kind == .string { return .string(try string(&cursor)) }
    if cursor.take("{") { return .object(try object(&cursor, token.line, depth + 1)) }
    if cursor.take("[") {
      var elements: [JSON] = []
      if cursor.take("]") { return .array(elements) }
      repeat { elements.append(try read(&cursor, depth: depth + 1)) } while cursor.take(",")
      guard cursor.take("]") else {
        throw error(cursor, "a comma or a closing bracket is missing")
      }
      return .array(elements)
    }
    return try word(&cursor)
  }

  private static func error(_ cursor: TokenCursor, _ message: String) -> JSONError {
    JSONError(line: (cursor.token ?? cursor.tokens.last)?.line ?? 1, message: message)
  }

  private static func object(
    _ cursor: inout TokenCursor,
    _ line: Int,
    _ depth: Int
  ) throws(JSONError) -> Object {
    var object = Object(line: line)
    if cursor.take("}") { return object }
    repeat {
      guard cursor.token?.kind == .string else {
        throw error(cursor, "a name in quotes is missing")
      }
      let key = try string(&cursor)
      guard object[key] == nil else { throw error(cursor, "the name \"\(key)\" is there twice") }
      guard cursor.take(":") else { throw error(cursor, "a colon is missing") }
      let line = cursor.token?.line ?? 0
      object.members.append(
        Member(key: key, value: try read(&cursor, depth: depth), line: line)
      )
    } while cursor.take(",")
    guard cursor.take("}") else { throw error(cursor, "a comma or a closing brace is missing") }
    return object
  }

  private static func word(_ cursor: inout TokenCursor) throws(JSONError) -> JSON {
    let start = cursor
    let word = cursor.word(with: ["+", "-", "."])
    switch word {
    case "null": return .null
    case "true", "false": return .flag(word == "true")
    default:
      guard word.wholeMatch(of: /-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?/) != nil else {
        throw error(start, word.isEmpty ? "a value is missing" : "'\(word)' is no value")
      }
      return .number(word)
    }
  }

  private static func string(_ cursor: inout TokenCursor) throws(JSONError) -> String {
    let literal = cursor.token?.text ?? ""
    guard literal.count > 1, literal.hasSuffix("\"") else {
      throw error(cursor, "a closing quote is missing")
    }
    guard let text = try? JSONDecoder().decode(String.self, from: Data(literal.utf8)) else {
      throw error(cursor, "a text has an escape that JSON does not have")
    }
    cursor.skip()
    return text
  }
}
