/// Converts values to text, for documents, the command line and screens, and text back to values.
///
/// ```swift
/// let age = try ValueText.parse("3", as: .int)
/// print(ValueText.describe(age), ValueText.describeMixed(.string("3")))
/// ```
///
/// ``parse(_:as:)`` reads the text that ``describe(_:as:)`` writes for a value that is not a
/// collection, and returns the same value to the last bit. The exception is null in a string
/// property.
///
/// | kind | text |
/// |---|---|
/// | null | `null` |
/// | bool | `true`, `false` |
/// | int | `-42` |
/// | float, double | `0.1`, `-0.0`, `1e+20`, `inf`, `nan`; any other NaN by its bits, `nan(0x8000000000001)` |
/// | string | itself |
/// | data | `hex:0aff`; read from `base64:Cv8=` too |
/// | date | `1969-12-31T23:59:59.5Z`; see ``Timestamp/description`` |
/// | objectId, uuid | hexadecimal digits, in a uuid with hyphens |
/// | decimal128 | `1.50`, `1E+5`; any other bits as `0x` and 32 digits |
/// | link | class and key by number, `3/42` |
/// | list, set | `[1, 2]`, as mixed values are written |
/// | map | `{"key": 1}`, as mixed values are written |
///
/// In a mixed property, a value whose kind is plain from the text is written as itself: `5`, `1.5`
/// (a double), `true`, `"text"`. Any other value names its kind: `date(2024-05-01T00:00:00Z)`,
/// `float(1.5)`. Lists and maps in a mixed property have the same form, `[1, {"key":
/// date(2024-05-01)}]`, nested as deep as values may be.
public enum ValueText {
  /// The text of a value whose kind the reader knows.
  public static func describe(_ value: Value) -> String {
    switch value.shape {
    case .null: "null"
    case .scalar(let scalar): scalar.valueText
    case .link(let value): "\(value.classKey.rawValue)/\(value.key.rawValue)"
    case .list(let values), .set(let values):
      "[" + values.map(describeMixed).joined(separator: ", ") + "]"
    case .map(let entries):
      "{" + entries.map { "\(quote($0.key)): \(describeMixed($0.value))" }.joined(separator: ", ")
        + "}"
    }
  }

  /// The text of a value of a type: as ``describe(_:)`` writes it, or as ``describeMixed(_:)`` does
  /// if the type is mixed.
  public static func describe(_ value: Value, as type: PropertyType) -> String {
    type.kind == .mixed && type.collection == .none ? describeMixed(value) : describe(value)
  }

  /// The text of a value, with its kind where the text alone would not show it.
  public static func describeMixed(_ value: Value) -> String {
    switch value.shape {
    case .null, .list, .set, .map: describe(value)
    case .scalar(let scalar): scalar.mixedText
    case .link: "link(\(describe(value)))"
    }
  }

  /// The text in double quotes, with quotes, backslashes and control characters escaped as in
  /// JSON.
  public static func quote(_ text: String) -> String { quote(text, "\"", isBraced: false) }

  /// The text between quotes of the query language or of Swift, where the number of a control
  /// character stands in braces.
  public static func quote(_ text: String, with mark: Unicode.Scalar) -> String {
    quote(text, mark, isBraced: true)
  }

  private static func quote(_ text: String, _ mark: Unicode.Scalar, isBraced: Bool) -> String {
    var quoted = "\(mark)"
    for scalar in text.unicodeScalars {
      switch scalar {
      case mark, "\\": quoted += "\\\(scalar)"
      case "\n": quoted += "\\n"
      case "\r": quoted += "\\r"
      case "\t": quoted += "\\t"
      case _ where scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value):
        let digits = scalar.value.digits(isBraced ? 1 : 4, radix: 16)
        quoted += isBraced ? "\\u{\(digits)}" : "\\u\(digits)"
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    quoted.unicodeScalars.append(mark)
    return quoted
  }
}

/// Why a text is not a value of a type.
///
/// ```swift
/// do throws(ValueTextError) {
///   print(try ValueText.parse("three", as: .int))
/// } catch {
///   print(error.message)
/// }
/// ```
public struct ValueTextError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Says what was expected, as a sentence without a period.
  public let message: String

  /// Creates an error from its message.
  public init(_ message: String) { self.message = message }

  /// The message.
  public var description: String { message }
}
