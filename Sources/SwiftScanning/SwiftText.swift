/// Names and texts as Swift source.
///
/// ```swift
/// let code = "var \(SwiftText.name("class")) = \(SwiftText.literal("a \"good\" dog"))"
/// print(code)
/// ```
public enum SwiftText {
  private static let keywords: Set = [
    "associatedtype", "class", "deinit", "enum", "extension", "fileprivate", "func", "import",
    "init", "inout", "internal", "let", "operator", "private", "protocol", "public", "rethrows",
    "static", "struct", "subscript", "typealias", "var", "break", "case", "continue", "default",
    "defer", "do", "else", "fallthrough", "for", "guard", "if", "in", "repeat", "return", "switch",
    "where", "while", "as", "catch", "false", "is", "nil", "super", "self", "throw", "throws",
    "true", "try", "precedencegroup", "Any", "Self",
    // These are keywords in front of a type.
    "any", "borrowing", "consuming", "each", "isolated", "nonisolated", "sending", "some",
    // These are keywords behind a dot.
    "Type", "Protocol",
  ]

  /// The name, in backticks if it is a keyword.
  public static func name(_ name: String) -> String {
    keywords.contains(name) ? "`\(name)`" : name
  }

  /// A literal of ASCII and letters; it escapes every other character.
  public static func literal(_ text: String) -> String {
    var literal = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": literal += "\\\""
      case "\\": literal += "\\\\"
      case "\n": literal += "\\n"
      case "\t": literal += "\\t"
      case " "..."~": literal.unicodeScalars.append(scalar)
      case _ where scalar.properties.isIDStart: literal.unicodeScalars.append(scalar)
      default: literal += "\\u{\(String(scalar.value, radix: 16))}"
      }
    }
    return literal + "\""
  }
}
