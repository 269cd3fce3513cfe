internal import KennelStorage

extension Predicate: CustomStringConvertible {
  /// The predicate in the predicate language; parsing it gives an equal tree.
  ///
  /// A link to an object is written with the number of its class, `object(#3/42)`, because names of
  /// classes are not known here.
  public var description: String {
    switch self {
    case .constant(let holds): holds ? "TRUEPREDICATE" : "FALSEPREDICATE"
    case .and(let parts):
      parts.map { part in
        switch part {
        case .and, .or: "(\(part))"
        case .constant, .not, .comparison: "\(part)"
        }
      }.joined(separator: " AND ")
    case .or(let parts):
      parts.map { part in
        if case .or = part { "(\(part))" } else { "\(part)" }
      }.joined(separator: " OR ")
    case .not(let part): "NOT (\(part))"
    case .comparison(let comparison): "\(comparison)"
    }
  }
}

extension Predicate.Comparison: CustomStringConvertible {
  /// The comparison in the predicate language.
  public var description: String {
    let start = quantifier.map { $0.rawValue + " " } ?? ""
    return "\(start)\(left) \(comparator.rawValue)\(options) \(area ?? "\(right)")"
  }
}

extension Predicate.Comparison {
  /// The area on the right side, where parsing it gives the same text.
  private var area: String? {
    guard comparator == .geoWithin, case .literal(.string(let text), _) = right,
      GeoArea(text)?.description == text
    else { return nil }
    return text
  }
}

extension Predicate.StringOptions: CustomStringConvertible {
  /// The options in brackets; empty if there are none.
  public var description: String {
    guard !isEmpty else { return "" }
    let letters =
      (contains(.caseInsensitive) ? "c" : "") + (contains(.diacriticInsensitive) ? "d" : "")
    return "[\(letters)]"
  }
}

extension Predicate.Expression: CustomStringConvertible {
  /// The expression in the predicate language.
  public var description: String {
    switch self {
    case .path(let path): "\(path)"
    case .literal(let value, _): PredicateLiteral.text(value)
    case .list(let elements, _):
      "{" + elements.map(\.description).joined(separator: ", ") + "}"
    case .subquery(let subquery):
      "SUBQUERY(\(subquery.collection), $\(subquery.variable), \(subquery.predicate)).@count"
    }
  }
}

extension Predicate.Path: CustomStringConvertible {
  /// The path in the predicate language.
  public var description: String {
    var text = variable.map { "$\($0)" } ?? ""
    for step in steps {
      let (object, dot) = text.isEmpty ? ("SELF", "") : ("", ".")
      switch step {
      case .entry(let key): text += "\(object)[\(PredicateLiteral.quoted(key))]"
      case .index(let index): text += "\(object)[\(index)]"
      case .property(let name): text += dot + PredicateKeywords.escaped(name)
      case .links(let origin, let property):
        text += "\(dot)@links.\(PredicateKeywords.escaped(origin))."
        text += PredicateKeywords.escaped(property)
      case .allLinks: text += "\(dot)@links"
      case .all: text += "\(object)[*]"
      case .kind: text += "\(dot)@type"
      case .allKeys: text += "\(dot)@allKeys"
      case .allValues: text += "\(dot)@allValues"
      }
    }
    if text.isEmpty { text = "SELF" }
    if let aggregate { text += ".@\(aggregate.rawValue)" }
    return text
  }
}

extension PredicateLiteral {
  /// A value as predicates write it.
  static func text(_ value: Value) -> String {
    switch value.shape {
    case .null: "null"
    case .scalar(let scalar): text(scalar)
    case .link(let object): "object(#\(object.classKey.rawValue)/\(object.key.rawValue))"
    case .list(let values), .set(let values):
      "{" + values.map(text).joined(separator: ", ") + "}"
    case .map(let entries): "{" + entries.map { text($0.value) }.joined(separator: ", ") + "}"
    }
  }

  private static func text(_ scalar: any ScalarKind) -> String {
    if let text = scalar as? String { return quoted(text) }
    guard let name = type(of: scalar).literalNames.first else {
      return scalar.number?.nearestDouble.isNaN == true ? "nan" : scalar.valueText
    }
    return "\(name)(\(scalar.valueText))"
  }

  /// A text in quotes.
  static func quoted(_ text: String) -> String { ValueText.quote(text, with: "'") }
}
