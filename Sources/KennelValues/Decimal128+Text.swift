extension Decimal128: CustomStringConvertible {
  /// The number as IEEE 754's scientific string.
  ///
  /// The text has no exponent, as in `42` and `1.50`, if the number's own exponent is zero or
  /// negative and at most five zeros follow the point before the first other digit. Otherwise it
  /// has one, as in `1E+5`.
  public var description: String {
    switch parts {
    case .infinity(let isNegative):
      return isNegative ? "-Infinity" : "Infinity"
    case .notANumber(let isNegative, let isSignaling, let payload):
      let name = isSignaling ? "sNaN" : "NaN"
      return (isNegative ? "-" : "") + name + (payload == 0 ? "" : String(payload))
    case .finite(let isNegative, let coefficient, let exponent):
      let digits = String(coefficient)
      let sign = isNegative ? "-" : ""
      // The exponent of the first digit.
      let adjusted = exponent + digits.utf8.count - 1
      guard exponent <= 0, adjusted >= -6 else {
        let rest = digits.dropFirst()
        let point = rest.isEmpty ? "" : "."
        return "\(sign)\(digits.prefix(1))\(point)\(rest)E\(adjusted < 0 ? "" : "+")\(adjusted)"
      }
      if exponent == 0 { return sign + digits }
      if adjusted >= 0 {
        return "\(sign)\(digits.dropLast(-exponent)).\(digits.suffix(-exponent))"
      }
      return sign + "0." + String(repeating: "0", count: -adjusted - 1) + digits
    }
  }

  /// Reads a number exactly.
  ///
  /// Digits may have a point and an exponent (`1.50`, `-1E+5`); `Infinity` and `NaN` are read
  /// too. `nil` for any other text, and for numbers that need more than 34 digits or a larger
  /// exponent: nothing is rounded.
  public init?(_ text: String) {
    var rest = Substring(text).utf8
    let isNegative = rest.first == UInt8(ascii: "-")
    if isNegative || rest.first == UInt8(ascii: "+") { rest.removeFirst() }
    if let parts = Self.special(String(Substring(rest)).lowercased(), isNegative) {
      self.init(parts)
      return
    }
    guard let number = DecimalScan(rest), let parts = number.parts(isNegative) else { return nil }
    self.init(parts)
  }

  private static func special(_ text: String, _ isNegative: Bool) -> Parts? {
    if text == "inf" || text == "infinity" { return .infinity(isNegative: isNegative) }
    let isSignaling = text.hasPrefix("snan")
    guard isSignaling || text.hasPrefix("nan") else { return nil }
    let digits = text.dropFirst(isSignaling ? 4 : 3)
    guard digits.utf8.allSatisfy(isDigit), let payload = digits.isEmpty ? 0 : UInt128(digits)
    else { return nil }
    return .notANumber(isNegative: isNegative, isSignaling: isSignaling, payload: payload)
  }
}

/// Digits, a point and an exponent, read from text.
private struct DecimalScan {
  /// The digits from the first that is not zero on.
  private var digits: [UInt8] = []
  /// The exponent of the last digit.
  private var exponent = 0

  init?(_ text: some Collection<UInt8>) {
    var hasDigits = false
    var isFraction = false
    var position = text.startIndex
    while position < text.endIndex {
      let byte = text[position]
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        hasDigits = true
        if !digits.isEmpty || byte != UInt8(ascii: "0") { digits.append(byte - 48) }
        if isFraction { exponent -= 1 }
      case UInt8(ascii: ".") where !isFraction:
        isFraction = true
      case UInt8(ascii: "e"), UInt8(ascii: "E"):
        // Exponents of more digits than Int has are far out of range.
        let rest = String(decoding: text[text.index(after: position)...], as: UTF8.self)
        guard hasDigits, let written = Int(rest), written.magnitude < 1 << 40 else { return nil }
        exponent += written
        return
      default: return nil
      }
      position = text.index(after: position)
    }
    guard hasDigits else { return nil }
  }

  /// The number, with zeros moved between digits and exponent where that makes it fit.
  func parts(_ isNegative: Bool) -> Decimal128.Parts? {
    var digits = digits
    var exponent = exponent
    if digits.isEmpty {
      let range = Decimal128.exponents
      exponent = min(max(exponent, range.lowerBound), range.upperBound)
    }
    while digits.count > Decimal128.digitLimit || exponent < Decimal128.exponents.lowerBound {
      guard digits.last == 0 else { return nil }
      digits.removeLast()
      exponent += 1
    }
    while exponent > Decimal128.exponents.upperBound {
      guard digits.count < Decimal128.digitLimit else { return nil }
      digits.append(0)
      exponent -= 1
    }
    let coefficient = digits.reduce(UInt128(0)) { $0 * 10 + UInt128($1) }
    return .finite(isNegative: isNegative, coefficient: coefficient, exponent: exponent)
  }
}
