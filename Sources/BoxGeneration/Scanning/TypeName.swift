import SwiftScanning

/// The type of a property as it is written.
indirect enum TypeName: Hashable {
  /// A dotted name with its generic arguments.
  case named([String], [TypeName])
  case optional(TypeName)
  case array(TypeName)
  /// A dictionary, a tuple, a function, an existential: nothing that is stored.
  case other(String)

  /// Reads a type that fills a range of tokens.
  init(_ range: Range<Int>, of tokens: [SwiftToken]) {
    var cursor = TokenCursor(tokens, in: range)
    if let type = cursor.readType(), cursor.token == nil {
      self = type
    } else {
      self = .other(Self.text(of: tokens[range]))
    }
  }

  /// The modules whose types are known by their own names.
  fileprivate static let modules: Set = ["Swift", "Foundation", "KennelBox", "ObjectBox"]

  /// Tokens as one writes them.
  static func text(of tokens: ArraySlice<SwiftToken>) -> String {
    var text = ""
    for token in tokens {
      let isClosing = [")", "]", ">", ",", ":", ".", "?", "!", "<"].contains(token.text)
      if let last = text.last, !isClosing, !"([<.".contains(last) { text += " " }
      text += token.text
    }
    return text
  }

  static func simple(_ name: String) -> TypeName { .named([name], []) }

  /// The type without its optional marks.
  var unwrapped: TypeName {
    if case .optional(let type) = self { return type.unwrapped }
    return self
  }

  var isOptional: Bool {
    if case .optional = self { return true }
    return false
  }

  /// The names and arguments of a type that is no array, without its optional mark.
  var name: (path: [String], arguments: [TypeName])? {
    if case .named(let path, let arguments) = unwrapped { return (path, arguments) }
    return nil
  }

  /// The type as Swift.
  var text: String {
    switch self {
    case .named(let path, let arguments):
      path.joined(separator: ".")
        + (arguments.isEmpty ? "" : "<\(arguments.map(\.text).joined(separator: ", "))>")
    case .optional(let type): type.text + "?"
    case .array(let type): "[\(type.text)]"
    case .other(let text): text
    }
  }
}

extension TokenCursor {
  /// Reads one type, or nothing if none is here that could be stored.
  mutating func readType() -> TypeName? {
    guard var type = readPlain() else { return nil }
    while take("?") || take("!") { type = .optional(type) }
    return type
  }

  private mutating func readPlain() -> TypeName? {
    if take("[") {
      guard let element = readType(), take("]") else { return nil }
      return .array(element)
    }
    if take("(") {
      guard let inner = readType(), take(")") else { return nil }
      return inner
    }
    var path: [String] = []
    var arguments: [TypeName] = []
    repeat {
      guard let word = token, word.kind == .word, !["any", "some"].contains(word.text) else {
        return nil
      }
      path.append(word.text.filter { $0 != "`" })
      skip()
      if take("<") {
        repeat {
          guard let argument = readType() else { return nil }
          arguments.append(argument)
        } while take(",")
        guard take(">") else { return nil }
      }
    } while take(".")
    if path.count > 1, TypeName.modules.contains(path[0]) { path.removeFirst() }
    if arguments.count == 1, path == ["Optional"] { return .optional(arguments[0]) }
    if arguments.count == 1, path == ["Array"] { return .array(arguments[0]) }
    return .named(path, arguments)
  }
}
