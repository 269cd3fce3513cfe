internal import KennelCore

/// Scalars as the text that a person reads and types.
enum ScalarText {
  static func text(of value: Value) -> String {
    if case .string(let text) = value { return text }
    return ValueText.describe(value)
  }

  /// Reads a typed text; the message of a refusal names the range or the form expected.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - type: The type of the value.
  ///   - now: The time of the clock, where dates may be said by their distance from it.
  /// - Returns: The value, or why the text is none.
  static func parse(
    _ text: String,
    as type: PropertyType,
    now: Timestamp? = nil
  ) -> Result<Value, ValidationError> {
    // Blanks come with what is pasted; in a text they count.
    let text = type.kind == .string ? text : text.trimmed
    switch type.kind {
    case .string:
      return .success(.string(text))
    case .int:
      return integer(text, type)
    case .date where now != nil && text != "null":
      if let date = Timestamp(text) ?? now.flatMap({ RelativeDate.parse(text, now: $0) }) {
        return .success(.date(date))
      }
      return .failure(ValidationError("Expected \(form(of: type))"))
    case let kind:
      do {
        return .success(try ValueText.parse(kind.isNumber ? withDigit(text) : text, as: type))
      } catch {
        return .failure(ValidationError(error.message))
      }
    }
  }

  /// A number with the 0 that a person leaves out before the point, as in `-.5`.
  private static func withDigit(_ text: String) -> String {
    for sign in ["", "-", "+"] where text.hasPrefix("\(sign).") {
      return "\(sign)0\(text.dropFirst(sign.count))"
    }
    return text
  }

  private static func integer(
    _ text: String,
    _ type: PropertyType
  ) -> Result<Value, ValidationError> {
    let range = type.intRange
    guard let number = Int64(text), range.contains(number), text.first != "+" else {
      let wanted = "a whole number from \(range.lowerBound) to \(range.upperBound)"
      // The longest range leaves no room on a narrow screen for what was typed.
      return .failure(
        ValidationError(type.bitWidth >= 64 ? "Not \(wanted)" : "\(quoted(text)) is not \(wanted)")
      )
    }
    return .success(.int(number))
  }

  /// A value as the query language writes it; `nil` where it has no such form.
  static func literal(_ value: Value, in schema: Schema) -> String? {
    if case .date(let date) = value { return literal(date) }
    switch value.shape {
    case .null: return "NULL"
    case .scalar(let scalar):
      if let flag = scalar as? Bool { return flag ? "TRUE" : "FALSE" }
      if let text = scalar as? String { return ValueText.quote(text, with: "\"") }
      // A float is a double here, since numbers of all kinds compare.
      let isFinite = scalar.number?.nearestDouble.isFinite == true && value.kind != .decimal128
      return isFinite ? scalar.valueText : "\(Predicate.Expression.literal(value))"
    case .link(let object):
      guard !object.key.isProvisional, let name = schema[object.classKey]?.name else { return nil }
      guard !name.contains(")") else { return "\(Predicate.Expression.literal(value))" }
      return "object(\(name)/\(object.key.rawValue))"
    case .list, .set, .map: return nil
    }
  }

  /// A date without a time where it is midnight; far years do not stand alone.
  static func literal(_ date: Timestamp) -> String {
    let text = "\(date)"
    guard let first = text.first, first.isNumber else { return "date(\(text))" }
    let midnight = "T00:00:00Z"
    return text.hasSuffix(midnight) ? String(text.dropLast(midnight.count)) : text
  }

  private static func quoted(_ text: String) -> String {
    text.beginning(scalars: 24).map { "“\($0)…”" } ?? "“\(text)”"
  }

  /// Describes the texts that are values of a type.
  static func form(of type: PropertyType) -> String {
    type.kind == .int && type.bitWidth < 64
      ? "a whole number from \(type.intRange.lowerBound) to \(type.intRange.upperBound)"
      : KindEditor(type.kind).form
  }
}

/// Why something that was typed or asked for is not done.
package struct ValidationError: Error {
  package var message: String

  init(_ message: String) {
    self.message = message
  }
}
