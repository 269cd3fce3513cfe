/// Default values of Objective-C, written in Swift.
enum DefaultValue {
  /// The Swift text of a literal for a type, or `nil` if there is none; empty if the property has this
  /// default anyway.
  static func text(_ literal: ObjectiveCLiteral, for type: SwiftType) -> String? {
    if literal == .null || literal == .message(receiver: "NSNull", selector: "null", arguments: [])
    {
      switch type {
      case .scalar(_, isOptional: true), .object, .anything: return ""
      case .scalar, .collection, .linkingObjects: return nil
      }
    }
    switch type {
    case .scalar(let name, _): return scalar(literal, for: name)
    case .anything: return anything(literal)
    case .collection:
      return literal == .array([]) || literal == .dictionary([]) ? "" : nil
    case .object, .linkingObjects: return nil
    }
  }

  private static func scalar(_ literal: ObjectiveCLiteral, for type: String) -> String? {
    switch (type, literal) {
    case ("Bool", .bool(let flag)): return flag ? "true" : "false"
    case ("Bool", .number("0")): return "false"
    case ("Bool", .number("1")): return "true"
    case ("Int", .number(let text)): return integer(text)
    case ("Int", .bool(let flag)): return flag ? "1" : "0"
    case ("Float", .number(let text)), ("Double", .number(let text)),
      ("Decimal128", .number(let text)):
      return number(text)
    case ("String", .string(let text)): return "\"\(text)\""
    case ("Date", .message("NSDate", let selector, let arguments)):
      return date(selector, arguments)
    case ("Data", .message("NSData", "data", [])), ("Data", .message("NSData", "new", [])):
      return "Data()"
    case ("UUID", .message("NSUUID", "UUID", [])): return "UUID()"
    case ("ObjectId", .message("RLMObjectId", "objectId", [])): return "ObjectId.generate()"
    default: return nil
    }
  }

  private static func date(_ selector: String, _ arguments: [ObjectiveCLiteral]) -> String? {
    switch (selector, arguments.first) {
    case ("date", nil), ("now", nil), ("new", nil): return "Date()"
    case ("distantPast", nil): return "Date.distantPast"
    case ("distantFuture", nil): return "Date.distantFuture"
    case ("dateWithTimeIntervalSince1970:", .number(let text)):
      return number(text).map { "Date(timeIntervalSince1970: \($0))" }
    default: return nil
    }
  }

  private static func anything(_ literal: ObjectiveCLiteral) -> String? {
    switch literal {
    case .string(let text): return ".string(\"\(text)\")"
    case .bool(let flag): return ".bool(\(flag))"
    case .number(let text):
      return integer(text).map { ".int(\($0))" } ?? number(text).map { ".double(\($0))" }
    case .null, .array, .dictionary, .message: return nil
    }
  }

  private static func integer(_ text: String) -> String? {
    var digits = text[...]
    while let last = digits.last, "lLuU".contains(last) { digits.removeLast() }
    let isNegative = digits.hasPrefix("-")
    let magnitude = isNegative ? digits.dropFirst() : digits
    let value =
      magnitude.lowercased().hasPrefix("0x")
      ? Int64(magnitude.dropFirst(2), radix: 16)
      // A leading zero makes an octal number of it in C.
      : magnitude.count > 1 && magnitude.hasPrefix("0")
        ? Int64(magnitude.dropFirst(), radix: 8) : Int64(magnitude)
    return value.map { isNegative ? "-\($0)" : "\($0)" }
  }

  private static func number(_ text: String) -> String? {
    if let integer = integer(text) { return integer }
    var digits = text[...]
    while let last = digits.last, "fFlL".contains(last) { digits.removeLast() }
    if digits.hasSuffix(".") { digits += "0" }
    return Double(digits) == nil ? nil : String(digits)
  }
}
