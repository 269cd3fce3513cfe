internal import KennelStorage

extension Predicate {
  /// An operator of a comparison.
  ///
  /// ```swift
  /// let name = Predicate.Expression.path(.init("name"))
  /// let begins = Predicate.Comparison(name, .beginsWith, .literal(.string("R")))
  /// print(try snapshot.objects(of: dog.key, where: .comparison(begins)).count)
  /// ```
  public enum Comparator: String, Hashable, Sendable, CaseIterable {
    /// Equal.
    case equal = "=="
    /// Not equal.
    case notEqual = "!="
    /// Less.
    case less = "<"
    /// Less or equal.
    case lessOrEqual = "<="
    /// Greater.
    case greater = ">"
    /// Greater or equal.
    case greaterOrEqual = ">="
    /// Equal to one of several values.
    case isIn = "IN"
    /// Between two values, both included.
    case between = "BETWEEN"
    /// The left side contains the right.
    case contains = "CONTAINS"
    /// The left side begins with the right.
    case beginsWith = "BEGINSWITH"
    /// The left side ends with the right.
    case endsWith = "ENDSWITH"
    /// The left side matches a pattern: `*` is any text, `?` one character.
    case like = "LIKE"
    /// The left side as a whole matches a regular expression, which is read by a library: see
    /// `KennelPatterns`.
    case matches = "MATCHES"
    /// The object on the left is a place in the area on the right, which is given as the text of a
    /// ``GeoArea``.
    case geoWithin = "GEOWITHIN"
  }
}

extension Predicate.Comparator {
  /// A way to compare.
  enum Form {
    case equality
    case difference
    case below(orEqual: Bool)
    case above(orEqual: Bool)
    case between
    /// Looks into text, or into data; with a few words for a person who chooses it.
    case text(summary: String, ([UInt8]) -> TextTest.Question)
    /// Matches a regular expression.
    case expression
    case area
  }

  var form: Form {
    switch self {
    case .equal, .isIn: .equality
    case .notEqual: .difference
    case .less: .below(orEqual: false)
    case .lessOrEqual: .below(orEqual: true)
    case .greater: .above(orEqual: false)
    case .greaterOrEqual: .above(orEqual: true)
    case .between: .between
    case .contains: .text(summary: "has it inside") { .contains($0) }
    case .beginsWith: .text(summary: "begins with") { .starts($0) }
    case .endsWith: .text(summary: "ends with") { .ends($0) }
    case .like:
      .text(summary: "fits a pattern: * is any text, ? one character") { .like(TextPattern($0)) }
    case .matches: .expression
    case .geoWithin: .area
    }
  }

  /// A few words for a person who chooses a comparator that looks into text; `nil` for any other.
  @_spi(Faces) public var textSummary: String? {
    switch form {
    case .text(let summary, _): summary
    case .expression: "fits a regular expression as a whole"
    case .equality, .difference, .below, .above, .between, .area: nil
    }
  }

  /// Whether it has a meaning for the bytes of data, too.
  @_spi(Faces) public var looksIntoData: Bool {
    isAboutText && self != .like && self != .matches
  }

  /// Whether it looks into text instead of comparing values.
  var isAboutText: Bool { textSummary != nil }

  /// The comparator that asks the same with the sides exchanged, if there is one.
  var mirrored: Predicate.Comparator? {
    switch form {
    case .equality where self == .equal, .difference: self
    case .below(let orEqual): orEqual ? .greaterOrEqual : .greater
    case .above(let orEqual): orEqual ? .lessOrEqual : .less
    case .equality, .between, .text, .expression, .area: nil
    }
  }
}
