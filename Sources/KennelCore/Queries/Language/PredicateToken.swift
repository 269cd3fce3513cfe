internal import KennelStorage

/// A piece of a predicate's text that means something.
struct PredicateToken {
  enum Kind: Equatable {
    /// A name or a keyword.
    case word(String)
    /// A name that is no keyword whatever it says: `#in`, `` `first name` ``.
    case name(String)
    /// A word after an at sign.
    case at(String)
    /// A word after a dollar sign.
    case variable(String)
    /// A name and what stands in parentheses behind it, without its quotes: `uuid(…)`.
    case call(String, String)
    /// Text in quotes.
    case string(String)
    /// A number or a date.
    case value(Value)
    /// `%@`, `%K`, `%d` and their like, by what follows the percent sign.
    case placeholder(String)
    /// An operator or a punctuation mark.
    case symbol(String)
    /// The end of the text.
    case end
  }

  let kind: Kind
  /// The column of its first character, from 1.
  let column: Int
  /// The column of its last character.
  let end: Int
  /// The text as it was written.
  let text: String

  /// The word in capitals where this is one.
  let keyword: String?

  init(kind: Kind, column: Int, end: Int, text: String) {
    self.kind = kind
    self.column = column
    self.end = end
    self.text = text
    keyword = if case .word(let word) = kind { word.uppercased() } else { nil }
  }

  /// Whether it is a word that the language does not keep for itself.
  var isName: Bool {
    keyword.map { !PredicateKeywords.all.contains($0) } ?? false
  }

  /// How a message speaks of it.
  var quoted: String {
    kind == .end ? "the end" : "'\(text)'"
  }
}

/// The words that the predicate language keeps for itself.
enum PredicateKeywords {
  static let all = values.union(comparators).union([
    "AND", "OR", "NOT", "ANY", "SOME", "ALL", "NONE", "SUBQUERY", "SELF",
    "TRUEPREDICATE", "FALSEPREDICATE", "ASC", "ASCENDING", "DESC", "DESCENDING",
  ])

  /// Those that compare.
  static let comparators = Predicate.Comparator.allCases.map(\.rawValue).filter {
    $0.unicodeScalars.allSatisfy(PredicateLexer.startsWord)
  }

  /// The operators of other languages, and their names here.
  static let foreign = [
    "STARTS": "BEGINSWITH", "STARTSWITH": "BEGINSWITH", "HASPREFIX": "BEGINSWITH",
    "HASSUFFIX": "ENDSWITH", "HAS": "CONTAINS", "INCLUDES": "CONTAINS", "MATCH": "MATCHES",
    "GLOB": "LIKE", "REGEXP": "MATCHES", "ILIKE": "LIKE[c]", "IS": "==", "EQ": "==", "EQUALS": "==",
    "NE": "!=", "LT": "<", "LE": "<=", "LTE": "<=", "GT": ">", "GE": ">=", "GTE": ">=",
  ]

  /// Those that are values.
  static let values: Set<String> = [
    "NIL", "NULL", "TRUE", "FALSE", "YES", "NO", "NAN", "INF", "INFINITY",
  ]

  /// The name as a predicate has to write it.
  static func escaped(_ name: String) -> String {
    let scalars = Array(name.unicodeScalars)
    let isPlain = scalars.first.map(PredicateLexer.startsWord) ?? false
    guard isPlain, scalars.allSatisfy(PredicateLexer.continuesWord), !isInstant(scalars) else {
      var text = "`"
      for scalar in scalars {
        if scalar == "`" || scalar == "\\" { text += "\\" }
        text.unicodeScalars.append(scalar)
      }
      return text + "`"
    }
    return all.contains(name.uppercased()) ? "#" + name : name
  }

  /// Whether the name could be read as the start of `T1700000000:0`.
  private static func isInstant(_ scalars: [Unicode.Scalar]) -> Bool {
    scalars.count > 1 && scalars[0] == "T" && scalars.dropFirst().allSatisfy(isDigit)
  }

  private static func isDigit(_ scalar: Unicode.Scalar) -> Bool {
    ("0"..."9").contains(scalar)
  }
}
