extension ValueText {
  /// Returns the value that a text stands for, read as a given type.
  ///
  /// The whole text must be the value. Only decimal fractions are rounded, to the nearest float or
  /// double. `null` is null for every optional type but strings, for which it is ordinary text. For
  /// a mixed property, lists and maps are read too.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - type: The type; not a collection.
  /// - Returns: The value.
  /// - Throws: ``ValueTextError``, which says what was expected.
  public static func parse(
    _ text: String,
    as type: PropertyType
  ) throws(ValueTextError) -> Value {
    guard type.collection == .none else {
      throw ValueTextError(
        "Expected a single value; the elements of a \(type.collection) are given one by one"
      )
    }
    if text == "null", type.kind != .string {
      guard type.isOptional || type.kind == .mixed || type.kind == .link else {
        throw ValueTextError("Expected \(expectation(type)); null is not allowed here")
      }
      return .null
    }
    if type.kind == .mixed, NestedText.begins(text) { return try NestedText.parse(text) }
    if let value = try scalar(text, type) { return value }
    throw ValueTextError("Expected \(expectation(type))")
  }

  /// `nil` where a general sentence says what is wrong.
  private static func scalar(
    _ text: String,
    _ type: PropertyType
  ) throws(ValueTextError) -> Value? {
    switch type.kind {
    case .mixed: return try mixed(text)
    case .link: return link(text).map(Value.link)
    case let kind:
      let value = try kind.scalar?.parsed(text)
      if case .int(let number)? = value, !type.intRange.contains(number) { return nil }
      return value
    }
  }

  private static func link(_ text: String) -> ObjectIdentity? {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let classKey = UInt16(parts[0]), let key = UInt64(parts[1]),
      key > 0, key < ObjectKey.limit
    else { return nil }
    return ObjectIdentity(ClassKey(rawValue: classKey), ObjectKey(rawValue: key))
  }

  private static func mixed(_ text: String) throws(ValueTextError) -> Value? {
    if text == "true" || text == "false" { return .bool(text == "true") }
    // By the byte: a combining mark behind the quote makes one character of both.
    if text.utf8.first == UInt8(ascii: "\"") { return unquote(text).map(Value.string) }
    if text.hasSuffix(")"), let open = text.firstIndex(of: "(") {
      let name = text[..<open]
      let kind = ValueKind.allCases.first { "\($0)" == name && $0 != .mixed && $0 != .string }
      if let kind {
        let inner = text[text.index(after: open)...].dropLast()
        return try parse(String(inner), as: PropertyType(kind))
      }
    }
    if let number = Int64(text) { return .int(number) }
    if let number = try FloatText<Double>.parse(text), number.isFinite { return .double(number) }
    return nil
  }

  /// The text between double quotes that ``quote(_:)`` wrote; `nil` for any other.
  public static func unquote(_ text: String) -> String? {
    var scalars = Substring(text).unicodeScalars
    guard scalars.popFirst() == "\"", scalars.popLast() == "\"" else { return nil }
    var result = String.UnicodeScalarView()
    while let scalar = scalars.popFirst() {
      guard scalar != "\"" else { return nil }
      guard scalar == "\\" else {
        result.append(scalar)
        continue
      }
      switch scalars.popFirst() {
      case "\"": result.append("\"")
      case "\\": result.append("\\")
      case "/": result.append("/")
      case "n": result.append("\n")
      case "r": result.append("\r")
      case "t": result.append("\t")
      case "u":
        let digits = scalars.prefix(4)
        guard digits.count == 4, digits.allSatisfy(\.properties.isASCIIHexDigit),
          let code = UInt32(String(digits), radix: 16), let escaped = Unicode.Scalar(code)
        else { return nil }
        scalars = scalars.dropFirst(4)
        result.append(escaped)
      default: return nil
      }
    }
    return String(result)
  }

  /// Describes the text of a type, to end a sentence with.
  private static func expectation(_ type: PropertyType) -> String {
    switch type.kind {
    case .int:
      return "a whole number from \(type.intRange.lowerBound) to \(type.intRange.upperBound)"
    case .mixed:
      return "a number, true, false, null, text in double quotes, a kind and its text such as"
        + " date(2024-05-01), a list such as [1, 2] or a map such as {\"key\": 1}"
    case .link: return "a class and an object by their numbers, such as 3/42"
    case let kind: return kind.scalar?.textForm ?? "a value"
    }
  }
}
