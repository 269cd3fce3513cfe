internal import KennelStorage

/// Values as predicates write them.
enum PredicateLiteral {
  /// The names that make a value of the text in parentheses behind them: `uuid(…)`.
  static let calls = Set(["object", "geobox", "geopolygon", "geocircle"] + kinds.keys)

  /// The kinds of scalars by the names of their literals.
  private static let kinds = Dictionary(
    uniqueKeysWithValues: ValueKind.scalars.flatMap { kind in
      (kind.scalar?.literalNames ?? []).map { ($0, kind) }
    }
  )

  /// The number that a text spells, kept exactly: an int where it is whole and fits, a double
  /// where that is what it says, a decimal otherwise.
  static func number(_ text: String, column: Int) throws(PredicateError) -> Value {
    var digits = Substring(text)
    let isNegative = digits.first == "-"
    if isNegative || digits.first == "+" { digits = digits.dropFirst() }
    if digits.lowercased().hasPrefix("0x") {
      let sign = isNegative ? "-" : ""
      if let number = Int64(sign + digits.dropFirst(2), radix: 16) { return .int(number) }
      throw PredicateError("'\(text)' does not fit 64 bits", column: column)
    }
    if digits.lowercased() == "nan" { return .double(.nan) }
    if ["inf", "infinity"].contains(digits.lowercased()) {
      return .double(isNegative ? -Double.infinity : .infinity)
    }
    if digits.allSatisfy(\.isNumber), let number = Int64(text) { return .int(number) }
    guard let number = Double(text) else {
      throw PredicateError("'\(text)' is not a number", column: column)
    }
    if let decimal = Decimal128(text) {
      let isExact = Decimal128("\(number)")?.compare(decimal) == 0
      let isDouble = isExact && !digits.allSatisfy(\.isNumber)
      return isDouble ? .double(number) : .decimal128(decimal)
    }
    throw PredicateError(
      "'\(text)' has more digits than a number can keep",
      column: column,
      expected: "at most 34 digits"
    )
  }

  /// The date that a text spells: ISO 8601, or `2024-05-01@17:30:15:500` with nanoseconds.
  static func date(_ text: String, column: Int) throws(PredicateError) -> Timestamp {
    let parts = text.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
    var spelled = text
    if parts.count == 2, !parts[0].isEmpty {
      let times = parts[1].split(separator: ":", omittingEmptySubsequences: false)
      spelled = "\(parts[0])T" + times.prefix(3).joined(separator: ":")
      if times.count == 4 {
        let zeros = String(repeating: "0", count: Swift.max(0, 9 - times[3].count))
        spelled += ".\(zeros)\(times[3])"
      }
      spelled += "Z"
    }
    if case .date(let date) = try value(spelled, as: .date, column: column) { return date }
    throw PredicateError("'\(text)' is not a date", column: column)
  }

  /// The point in time of `T` seconds `:` nanoseconds, both of one sign.
  static func instant(seconds: String, nanoseconds: String) -> Timestamp? {
    guard let whole = Int64(seconds), let rest = Int64(nanoseconds),
      rest.magnitude < 1_000_000_000
    else { return nil }
    guard rest < 0 else { return Timestamp(seconds: whole, nanoseconds: UInt32(rest)) }
    let (below, isOut) = whole.subtractingReportingOverflow(1)
    guard whole <= 0, !isOut else { return nil }
    return Timestamp(seconds: below, nanoseconds: UInt32(1_000_000_000 + rest))
  }

  /// The value of a scalar type that a text spells.
  static func value(
    _ text: String,
    as type: PropertyType,
    column: Int
  ) throws(PredicateError) -> Value {
    do {
      return try ValueText.parse(text, as: type)
    } catch {
      throw PredicateError("'\(text)' is not a \(type): \(error.message)", column: column)
    }
  }

  /// The value of `uuid(…)` and its like; a link's class is looked up by `classKey`, or is the
  /// number of its key after a number sign.
  static func call(
    _ name: String,
    _ body: String,
    column: Int,
    classKey: (String) -> ClassKey?
  ) throws(PredicateError) -> Value {
    let name = name.lowercased()
    switch kinds[name] {
    case .date: return .date(try date(body, column: column))
    case .data:
      return try value(body.contains(":") ? body : "hex:" + body, as: .data, column: column)
    case let kind?: return try value(body, as: PropertyType(kind), column: column)
    case nil where name == "object": return try object(body, column: column, classKey: classKey)
    case nil: return .string(try GeoArea(name, body, column: column).description)
    }
  }

  /// The link that `object(…)` spells.
  private static func object(
    _ body: String,
    column: Int,
    classKey: (String) -> ClassKey?
  ) throws(PredicateError) -> Value {
    let parts = body.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count >= 2, let last = parts.last, let key = UInt64(last),
      key < ObjectKey.limit
    else {
      throw PredicateError(
        "'\(body)' names no object",
        column: column,
        expected: "a class, a slash and a key, as in object(Dog/42)"
      )
    }
    let className = parts.dropLast().joined(separator: "/")
    let number = className.hasPrefix("#") ? UInt16(className.dropFirst()) : nil
    guard let found = classKey(className) ?? number.map(ClassKey.init(rawValue:)) else {
      throw PredicateError("There is no class '\(className)'", column: column)
    }
    return .link(ObjectIdentity(found, ObjectKey(rawValue: key)))
  }
}
