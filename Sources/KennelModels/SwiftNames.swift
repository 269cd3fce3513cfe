/// Swift identifiers.
package enum SwiftNames {
  private static let keywords: Set = [
    "associatedtype", "class", "deinit", "enum", "extension", "fileprivate", "func", "import",
    "init", "inout", "internal", "let", "operator", "private", "protocol", "public", "rethrows",
    "static", "struct", "subscript", "typealias", "var", "break", "case", "continue", "default",
    "defer", "do", "else", "fallthrough", "for", "guard", "if", "in", "repeat", "return", "switch",
    "where", "while", "as", "catch", "false", "is", "nil", "super", "self", "throw", "throws",
    "true", "try", "precedencegroup", "Any", "Self",
    // These are keywords in front of a type.
    "any", "borrowing", "consuming", "each", "isolated", "nonisolated", "sending", "some",
  ]

  /// The members of the models' base class, which a property must not hide.
  package static let modelMembers: Set = [
    "description", "debugDescription", "hash", "hashValue", "realm", "objectSchema",
    "isInvalidated", "isFrozen",
  ]

  /// The name, in backticks if it is a keyword.
  package static func quoted(_ name: String) -> String {
    keywords.contains(name) ? "`\(name)`" : name
  }

  /// Whether the name is a Swift identifier, with or without backticks.
  package static func isIdentifier(_ name: String) -> Bool {
    guard let first = name.unicodeScalars.first, name != "_", isLetter(first) else { return false }
    return name.unicodeScalars.allSatisfy {
      isLetter($0) || $0.properties.generalCategory == .decimalNumber
    }
  }

  private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter: true
    default: scalar == "_"
    }
  }

  /// The most similar Swift identifier.
  package static func identifier(for name: String) -> String {
    var words: [String] = [""]
    for scalar in name.unicodeScalars {
      if isLetter(scalar) || scalar.properties.generalCategory == .decimalNumber {
        words[words.count - 1].unicodeScalars.append(scalar)
      } else if words.last != "" {
        words.append("")
      }
    }
    let rest = words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }
    let joined = (words.first ?? "") + rest.joined()
    return isIdentifier(joined) ? joined : isIdentifier("_" + joined) ? "_" + joined : "unnamed"
  }
}
