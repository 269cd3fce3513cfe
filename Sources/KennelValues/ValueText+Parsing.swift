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
    case .bool:
      return text == "true" ? .bool(true) : text == "false" ? .bool(false) : nil
    case .int: return try integer(text, type)
    case .float: return try FloatText<Float>.parse(text).map(Value.float)
    case .double: return try FloatText<Double>.parse(text).map(Value.double)
    case .string: return .string(text)
    case .data: return bytes(text).map(Value.data)
    case .date: return Timestamp(text).map(Value.date)
    case .objectId: return ObjectId(text).map(Value.objectId)
    case .uuid: return UUIDValue(text).map(Value.uuid)
    case .decimal128: return decimal(text).map(Value.decimal128)
    case .mixed: return try mixed(text)
    case .link: return link(text).map(Value.link)
    }
  }

  private static func integer(
    _ text: String,
    _ type: PropertyType
  ) throws(ValueTextError) -> Value? {
    let range = type.intRange
    guard let number = Int64(text) else { return nil }
    guard range.contains(number) else { throw ValueTextError("Expected \(expectation(type))") }
    return .int(number)
  }

  private static func bytes(_ text: String) -> [UInt8]? {
    if text.hasPrefix("hex:") { return BytesText.bytes(hexadecimal: text.utf8.dropFirst(4)) }
    if text.hasPrefix("base64:") { return BytesText.bytes(base64: text.utf8.dropFirst(7)) }
    return nil
  }

  private static func decimal(_ text: String) -> Decimal128? {
    guard text.hasPrefix("0x") else { return Decimal128(text) }
    guard let bytes = BytesText.bytes(hexadecimal: text.utf8.dropFirst(2)), bytes.count == 16 else {
      return nil
    }
    let high = bytes[..<8].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    let low = bytes[8...].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return Decimal128(high: high, low: low)
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

  /// What a text of a type looks like, to end a sentence with.
  private static func expectation(_ type: PropertyType) -> String {
    switch type.kind {
    case .bool: return "true or false"
    case .int:
      let range = type.intRange
      return "a whole number from \(range.lowerBound) to \(range.upperBound)"
    case .float, .double: return "a number such as 1.5 or 2e10, inf, -inf or nan"
    case .string: return "text"
    case .data: return "bytes as hex:0aff or base64:Cv8="
    case .date: return "a date such as 2024-05-01 or 2024-05-01T12:30:00.5Z"
    case .objectId: return "24 hexadecimal digits"
    case .uuid: return "a UUID such as 123e4567-e89b-12d3-a456-426614174000"
    case .decimal128: return "a decimal number of at most 34 digits, such as 1.50 or 1E+5"
    case .mixed:
      return "a number, true, false, null, text in double quotes, a kind and its text such as"
        + " date(2024-05-01), a list such as [1, 2] or a map such as {\"key\": 1}"
    case .link: return "a class and an object by their numbers, such as 3/42"
    }
  }
}
