import KennelCore

/// How text spells dates and numbers, beside the forms that are always read.
///
/// ```swift
/// var texts = TextForms()
/// texts.dateFormats = [try DateFormat("%d.%m.%Y")]
/// texts.hasDecimalComma = true
/// let inference = SchemaInference(texts: texts)
/// ```
public struct TextForms: Sendable {
  /// The formats of dates, which are tried before ISO 8601.
  public var dateFormats: [DateFormat] = []
  /// Whether numbers in CSV have a decimal comma, as in `1.234,5`.
  public var hasDecimalComma = false

  /// Ends a sentence about text that spells no date.
  static let dateHint = "; --date-format names other forms of dates"

  /// Creates the forms that are always read.
  public init() {}

  /// The date that a text spells; `nil` if it spells none.
  func date(_ text: String) -> Timestamp? {
    for format in dateFormats { if let date = format.date(text) { return date } }
    // Seconds since 1970, and years with a sign, are Kennel's own.
    let hasYear = text.utf8.count >= 10 && text.utf8.first.map(DateFormat.isDigit) ?? false
    return hasYear ? Timestamp(text) : nil
  }

  /// A number as programs spell it: with a point, and without separators between thousands.
  func number(_ text: String) -> String {
    hasDecimalComma ? Self.withPoint(text) ?? text : text
  }

  /// A number with a decimal comma as one with a point; `nil` if it is none.
  static func withPoint(_ text: String) -> String? {
    let sign = text.hasPrefix("-") || text.hasPrefix("+") ? text.prefix(1) : ""
    let parts = text.dropFirst(sign.count).split(separator: ",", omittingEmptySubsequences: false)
    let separators: Set<Character> = [".", " ", "'", "’", "\u{A0}", "\u{202F}"]
    let groups = parts[0].split(omittingEmptySubsequences: false) { separators.contains($0) }
    func isDigits(_ text: Substring) -> Bool {
      !text.isEmpty && text.utf8.allSatisfy(DateFormat.isDigit)
    }
    guard parts.count <= 2, groups.allSatisfy(isDigits),
      groups.count == 1 || groups[0].utf8.count <= 3,
      groups.dropFirst().allSatisfy({ $0.utf8.count == 3 }),
      parts.count == 1 || isDigits(parts[1])
    else { return nil }
    return sign + groups.joined() + (parts.count == 2 ? "." + parts[1] : "")
  }
}

/// The format of dates in text, by the letters of `date` and `strftime`.
///
/// ```swift
/// let format = try DateFormat("%d.%m.%Y %H:%M")
/// ```
///
/// `%Y` is the year, `%y` its last two digits (from 69 in the 1900s), `%m` the month, `%d` the day,
/// `%H` the hour (`%I` with `%p`, AM or PM), `%M` the minute, `%S` the second, `%f` its fraction,
/// `%z` the offset from UTC; `%%` is a percent sign. Without an offset it is UTC.
public struct DateFormat: Sendable, Hashable {
  private enum Part: Sendable, Hashable {
    case letter(Character)
    case text(Character)
  }

  private static let letters: Set<Character> = [
    "Y", "y", "m", "d", "H", "I", "p", "M", "S", "f", "z",
  ]

  private var parts: [Part] = []

  /// Creates a format.
  ///
  /// - Parameter text: The format, such as `%d.%m.%Y`.
  /// - Throws: ``DocumentError`` if it has an unknown letter, or no year, month and day.
  public init(_ text: String) throws(DocumentError) {
    var rest = Substring(text)
    while let character = rest.popFirst() {
      guard character == "%" else {
        parts.append(.text(character))
        continue
      }
      guard let letter = rest.popFirst(), letter == "%" || Self.letters.contains(letter) else {
        throw Self.problem(text)
      }
      parts.append(letter == "%" ? .text("%") : .letter(letter))
    }
    let has = { [parts] (letter: Character) in parts.contains(.letter(letter)) }
    guard has("Y") || has("y"), has("m"), has("d"), has("I") == has("p") else {
      throw Self.problem(text)
    }
  }

  private static func problem(_ text: String) -> DocumentError {
    DocumentError(
      "'\(text)' is no format of dates: write year, month and day as in %d.%m.%Y, and the time of day "
        + "as in %H:%M:%S or %I:%M %p; %y, %f and %z are known, too"
    )
  }

  static func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }

  /// The date that a text spells; `nil` if it has another form.
  func date(_ text: String) -> Timestamp? {
    var rest = Substring(text)
    // What is not written is midnight, in UTC.
    var fields: [Character: String] = ["H": "00", "M": "00", "S": "00", "f": "0", "z": "Z"]
    for part in parts {
      switch part {
      case .text(let character): guard rest.popFirst() == character else { return nil }
      case .letter(let letter):
        guard let field = Self.take(letter, from: &rest) else { return nil }
        fields[letter] = field
      }
    }
    guard rest.isEmpty, let month = fields["m"], let day = fields["d"],
      let year = fields["Y"] ?? fields["y"].map({ ($0 < "69" ? "20" : "19") + $0 }),
      let hour = Self.hour(fields)
    else { return nil }
    let time = "\(hour):\(fields["M"] ?? ""):\(fields["S"] ?? "").\(fields["f"] ?? "")"
    return Timestamp("\(year)-\(month)-\(day)T\(time)\(fields["z"] ?? "")")
  }

  private static func hour(_ fields: [Character: String]) -> String? {
    guard let half = fields["p"] else { return fields["H"] }
    guard let hour = fields["I"].flatMap({ Int($0) }), (1...12).contains(hour) else { return nil }
    return padded("\(hour % 12 + (half == "PM" ? 12 : 0))")
  }

  private static func padded(_ digits: String) -> String {
    digits.utf8.count < 2 ? "0" + digits : digits
  }

  private static func take(_ letter: Character, from rest: inout Substring) -> String? {
    if letter == "p" {
      let half = rest.prefix(2).uppercased()
      rest = rest.dropFirst(2)
      return half == "AM" || half == "PM" ? half : nil
    }
    if letter == "z" {
      let offset = rest.prefix { "+-:Z0123456789".contains($0) }
      rest = rest.dropFirst(offset.count)
      return offset.isEmpty ? nil : String(offset)
    }
    let most = letter == "Y" ? 4 : letter == "f" ? 9 : 2
    let digits = rest.utf8.prefix(most).prefix(while: isDigit)
    let isYear = letter == "Y" || letter == "y"
    guard isYear ? digits.count == most : !digits.isEmpty else { return nil }
    rest = rest.dropFirst(digits.count)
    return letter == "f" ? String(Substring(digits)) : padded(String(Substring(digits)))
  }
}
