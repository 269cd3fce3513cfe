/// Swift identifiers.
package enum SwiftNames {
  /// The members of the models' base class, which a property must not hide.
  package static let modelMembers: Set = [
    "description", "debugDescription", "hash", "hashValue", "realm", "objectSchema",
    "isInvalidated", "isFrozen",
  ]

  /// Whether the name is a Swift identifier, with or without backticks.
  package static func isIdentifier(_ name: String) -> Bool {
    guard let first = name.unicodeScalars.first, name != "_", isLetter(first) else { return false }
    return name.unicodeScalars.allSatisfy {
      isLetter($0) || $0.properties.generalCategory == .decimalNumber
    }
  }

  private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
    let letters: [Unicode.GeneralCategory] = [
      .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
    ]
    return scalar == "_" || letters.contains(scalar.properties.generalCategory)
  }

  /// A name or, if it is taken, another one, with a number if that is taken, too.
  static func unused(_ name: String, or other: String, _ isFree: (String) -> Bool) -> String {
    if isFree(name) { return name }
    var candidate = other
    var number = 2
    while !isFree(candidate) {
      candidate = "\(other)\(number)"
      number += 1
    }
    return candidate
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
