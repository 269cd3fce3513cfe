import Foundation

/// JSON with integers and truth values told apart.
enum JSON: Decodable {
  case null
  case bool(Bool)
  case int(Int64)
  case text(String)
  case array([JSON])
  case object([String: JSON])

  init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    if value.decodeNil() {
      self = .null
    } else if let bool = try? value.decode(Bool.self) {
      self = .bool(bool)
    } else if let int = try? value.decode(Int64.self) {
      self = .int(int)
    } else if let text = try? value.decode(String.self) {
      self = .text(text)
    } else if let array = try? value.decode([JSON].self) {
      self = .array(array)
    } else {
      self = .object(try value.decode([String: JSON].self))
    }
  }

  var int: Int64? { if case .int(let int) = self { int } else { nil } }
  var text: String? { if case .text(let text) = self { text } else { nil } }
  var array: [JSON] { if case .array(let array) = self { array } else { [] } }
  var object: [String: JSON] { if case .object(let object) = self { object } else { [:] } }

  subscript(name: String) -> JSON { object[name] ?? .null }
}
