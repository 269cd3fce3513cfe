internal import KennelStorage

/// Values as predicates write them.
enum PredicateLiteral {
  /// The names that make a value of the text in parentheses behind them: `uuid(…)`.
  static let calls: Set<String> = [
    "uuid", "oid", "objectid", "date", "data", "decimal", "float", "object", "geobox",
    "geopolygon", "geocircle",
  ]

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
    switch digits.lowercased() {
    case "inf", "infinity": return .double(isNegative ? -Double.infinity : .infinity)
    case "nan": return .double(.nan)
    default: break
    }
    if digits.allSatisfy(\.isNumber), let number = Int64(text) { return .int(number) }
    guard let number = Double(text) else {
      throw PredicateError("'\(text)' is not a number", column: column)
    }
    let isExact = number.isFinite && Digits(text) == Digits("\(number)")
    if isExact, !digits.allSatisfy(\.isNumber) { return .double(number) }
    if let decimal = decimal(text) { return .decimal128(decimal) }
    throw PredicateError(
      "'\(text)' has more digits than a number can keep",
      column: column,
      expected: "at most 34 digits"
    )
  }

  /// The decimal that a text spells; `nil` if it spells none exactly.
  static func decimal(_ text: String) -> Decimal128? {
    guard case .decimal128(let number)? = try? ValueText.parse(text, as: .decimal128) else {
      return nil
    }
    return number
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
    switch name.lowercased() {
    case "uuid": return try value(body, as: .uuid, column: column)
    case "oid", "objectid": return try value(body, as: .objectId, column: column)
    case "date": return .date(try date(body, column: column))
    case "decimal": return try value(body, as: .decimal128, column: column)
    case "float": return try value(body, as: .float, column: column)
    case "geobox", "geopolygon", "geocircle":
      return .string(try GeoArea(name, body, column: column).description)
    case "data":
      let hasForm = body.contains(":")
      return try value(hasForm ? body : "hex:" + body, as: .data, column: column)
    default:
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

  /// The digits that matter of a decimal number, and where its point stands.
  private struct Digits: Equatable {
    var digits: [Character] = []
    var exponent = 0

    init(_ text: String) {
      let parts = text.lowercased().split(separator: "e", maxSplits: 1)
      let written = parts.count > 1 ? Int(parts[1]) ?? .max : 0
      // No number reaches that far; the limit keeps what follows from overflowing.
      exponent = Swift.max(-1_000_000, Swift.min(1_000_000, written))
      var isFraction = false
      for character in parts.first ?? "" {
        if character == "." { isFraction = true }
        guard character.isNumber else { continue }
        if isFraction { exponent -= 1 }
        digits.append(character)
      }
      while digits.last == "0" {
        digits.removeLast()
        exponent += 1
      }
      digits.removeFirst(digits.prefix { $0 == "0" }.count)
      if digits.isEmpty { exponent = 0 }
    }
  }
}
