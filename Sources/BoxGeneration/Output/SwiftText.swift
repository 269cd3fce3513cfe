/// Swift source of names and texts.
enum SwiftText {
  private static let keywords: Set = [
    "associatedtype", "class", "deinit", "enum", "extension", "fileprivate", "func", "import",
    "init", "inout", "internal", "let", "operator", "private", "protocol", "public", "rethrows",
    "static", "struct", "subscript", "typealias", "var", "break", "case", "continue", "default",
    "defer", "do", "else", "fallthrough", "for", "guard", "if", "in", "repeat", "return", "switch",
    "where", "while", "as", "catch", "false", "is", "nil", "super", "self", "throw", "throws",
    "true", "try", "precedencegroup", "Any", "Self", "Type", "Protocol",
  ]

  /// The name, in backticks if it is a keyword.
  static func name(_ name: String) -> String { keywords.contains(name) ? "`\(name)`" : name }

  /// A literal of a text without line breaks.
  static func literal(_ text: String) -> String {
    var result = "\""
    for character in text {
      if character == "\"" || character == "\\" { result += "\\" }
      result.append(character)
    }
    return result + "\""
  }

  /// The type without `Optional`, as generated code names it.
  static func qualified(_ path: String) -> String {
    path.split(separator: ".").map { name(String($0)) }.joined(separator: ".")
  }
}
