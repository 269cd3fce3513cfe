/// Text of floating point numbers, read without losing anything but what binary fractions must.
enum FloatText<Number: BinaryFloatingPoint & LosslessStringConvertible> {
  /// The text of a number, with the bits of a NaN that is not the usual one.
  static func text(_ number: Number) -> String {
    guard number.isNaN else { return number.description }
    let payload = number.significandBitPattern
    let sign = number.sign == .minus ? "-" : ""
    return payload == Number.nan.significandBitPattern
      ? "\(sign)nan" : "\(sign)nan(0x\(String(payload, radix: 16)))"
  }

  /// `nil` for what is no number.
  static func parse(_ text: String) throws(ValueTextError) -> Number? {
    var rest = Substring(text)
    let isNegative = rest.hasPrefix("-")
    if isNegative || rest.hasPrefix("+") { rest = rest.dropFirst() }
    let number: Number
    switch rest {
    case "inf", "infinity", "Infinity": number = .infinity
    case "nan", "NaN": number = .nan
    case _ where rest.hasPrefix("nan(0x") && rest.hasSuffix(")"):
      guard let found = notANumber(rest.dropFirst(6).dropLast()) else { return nil }
      number = found
    default:
      guard isDecimal(rest), let found = Number(String(rest)) else { return nil }
      try check(found, rest)
      number = found
    }
    return isNegative ? Number(sign: .minus, copying: number) : number
  }

  private static func notANumber(_ digits: Substring) -> Number? {
    guard digits.utf8.allSatisfy({ BytesText.digit($0) != nil }),
      let payload = UInt64(digits, radix: 16), payload > 0
    else { return nil }
    // Whatever the format: the bits below the exponent of all ones.
    guard let significand = Number.RawSignificand(exactly: payload),
      significand >> Number.RawSignificand(Number.significandBitCount) == 0
    else { return nil }
    return Number(
      sign: .plus,
      exponentBitPattern: Number.infinity.exponentBitPattern,
      significandBitPattern: significand
    )
  }

  /// Digits with at most one point, then maybe an exponent.
  private static func isDecimal(_ text: Substring) -> Bool {
    let parts = text.utf8.split(omittingEmptySubsequences: false) {
      $0 == UInt8(ascii: "e") || $0 == UInt8(ascii: "E")
    }
    guard let mantissa = parts.first, parts.count <= 2 else { return false }
    let digits = mantissa.filter { $0 != UInt8(ascii: ".") }
    guard !digits.isEmpty, digits.count >= mantissa.count - 1, digits.allSatisfy(isDigit),
      isDigit(mantissa.first ?? 0)
    else { return false }
    guard parts.count == 2 else { return true }
    var exponent = parts[1]
    if let sign = exponent.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") {
      exponent = exponent.dropFirst()
    }
    return !exponent.isEmpty && exponent.allSatisfy(isDigit)
  }

  /// Refuses numbers beyond the format, and whole numbers that it does not have.
  private static func check(_ number: Number, _ text: Substring) throws(ValueTextError) {
    guard number.isFinite else {
      throw ValueTextError("Expected a number of at most \(Number.greatestFiniteMagnitude)")
    }
    let mantissa = text.utf8.prefix { $0 != UInt8(ascii: "e") && $0 != UInt8(ascii: "E") }
    if number == 0, mantissa.contains(where: { $0 != UInt8(ascii: "0") && $0 != UInt8(ascii: ".") })
    {
      throw ValueTextError(
        "Expected a number that is not closer to 0 than \(Number.leastNonzeroMagnitude)"
      )
    }
    guard text.utf8.allSatisfy(isDigit) else { return }
    if let exact = Decimal128(String(text)), exact.compare(Double(number)) == 0 { return }
    throw ValueTextError("Expected a number that this type has exactly; the nearest is \(number)")
  }
}

extension BinaryFloatingPoint {
  /// The magnitude of a number, bits of a NaN included, with a sign.
  fileprivate init(sign: FloatingPointSign, copying number: Self) {
    self.init(
      sign: sign,
      exponentBitPattern: number.exponentBitPattern,
      significandBitPattern: number.significandBitPattern
    )
  }
}
