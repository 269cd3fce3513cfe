internal import KennelCore

/// Scalars as the text that a person reads and types.
enum ScalarText {
  static func text(of value: Value) -> String {
    if case .string(let text) = value { return text }
    return ValueText.describe(value)
  }

  /// Reads a typed text; the message of a refusal names the range or the form expected.
  static func parse(_ text: String, as type: PropertyType) -> Result<Value, ValidationError> {
    // Blanks come with what is pasted; in a text they count.
    let text = type.kind == .string ? text : text.trimmed
    switch type.kind {
    case .string:
      return .success(.string(text))
    case .int:
      return integer(text, type)
    case .bool, .float, .double, .data, .date, .objectId, .uuid, .decimal128, .mixed, .link:
      do {
        return .success(try ValueText.parse(text, as: type))
      } catch {
        return .failure(ValidationError(error.message))
      }
    }
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
  static func literal(_ value: Value) -> String? {
    switch value {
    case .null: return "NULL"
    case .bool(let value): return value ? "TRUE" : "FALSE"
    case .int, .double, .float: return Self.text(of: value)
    case .string(let text):
      let escaped = text.flatMap { character -> [Character] in
        character == "\"" || character == "\\" ? ["\\", character] : [character]
      }
      return "\"\(String(escaped))\""
    case .data, .date, .objectId, .uuid, .decimal128, .link, .list, .set, .map: return nil
    }
  }

  private static func quoted(_ text: String) -> String {
    text.count > 24 ? "“\(text.prefix(24))…”" : "“\(text)”"
  }

  /// What may be typed for a type.
  static func form(of type: PropertyType) -> String {
    switch type.kind {
    case .bool: "true or false"
    case .int where type.bitWidth < 64:
      "a whole number from \(type.intRange.lowerBound) to \(type.intRange.upperBound)"
    case .int: "a whole number"
    case .float: "a number that 32 bits can hold, such as 2.5, -inf or nan"
    case .double: "a number, such as 2.5, 1e-9, -inf or nan"
    case .string: "a text"
    case .data: "bytes such as hex:0aff or base64:Cv8="
    case .date: "a date such as 2024-05-01 or 2024-05-01T12:30:00.5Z"
    case .objectId: "24 hexadecimal digits"
    case .uuid: "8-4-4-4-12 hexadecimal digits"
    case .decimal128: "a decimal number of at most 34 digits"
    case .mixed: "a value"
    case .link: "an object"
    }
  }
}

/// Why something that was typed or asked for is not done.
struct ValidationError: Error {
  var message: String

  init(_ message: String) {
    self.message = message
  }
}
