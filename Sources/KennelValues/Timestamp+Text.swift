extension Timestamp: LosslessStringConvertible {
  /// The point in time as ISO 8601 has it, in UTC.
  ///
  /// Years beyond 9999 have a plus sign, years before 0 a minus sign. If the year has more than six
  /// digits, the text is `@` and the seconds since 1970, with nine digits of nanoseconds if there
  /// are any.
  public var description: String {
    guard let date = CalendarDate(secondsSince1970: seconds) else {
      let fraction = nanoseconds == 0 ? "" : "." + nanoseconds.digits(9)
      return "@\(seconds)\(fraction)"
    }
    let year = date.year.magnitude.digits(4)
    let sign = date.year < 0 ? "-" : date.year > 9999 ? "+" : ""
    let hour = (date.secondOfDay / 3600).digits(2)
    let minute = (date.secondOfDay / 60 % 60).digits(2)
    let second = (date.secondOfDay % 60).digits(2)
    let day = "\(sign)\(year)-\(date.month.digits(2))-\(date.day.digits(2))"
    return "\(day)T\(hour):\(minute):\(second)\(fraction)Z"
  }

  /// Reads ISO 8601, such as `2024-05-01` or `1969-12-31T23:59:59.5+02:00`.
  ///
  /// Without a time it is midnight, without an offset UTC. What ``description`` writes for far
  /// years is read too. `nil` for any other text, and for more than nine digits of a second.
  public init?(_ text: String) {
    var scan = TimestampScan(text)
    guard let timestamp = scan.read() else { return nil }
    self = timestamp
  }

  private var fraction: String {
    guard nanoseconds > 0 else { return "" }
    var digits = Substring(nanoseconds.digits(9))
    while digits.hasSuffix("0") { digits = digits.dropLast() }
    return "." + digits
  }
}

/// Text of a point in time, read from the front.
private struct TimestampScan {
  private var rest: ArraySlice<UInt8>

  init(_ text: String) { rest = Array(text.utf8)[...] }

  mutating func read() -> Timestamp? {
    if skip("@") { return readSeconds() }
    guard let year = readYear(), skip("-"), let month = readNumber(digits: 2), skip("-"),
      let day = readNumber(digits: 2), (1...12).contains(month),
      (1...CalendarDate.dayCount(year: year, month: month)).contains(day)
    else { return nil }
    var date = CalendarDate(year: year, month: month, day: day)
    var nanoseconds: UInt32 = 0
    var offset: Int64 = 0
    if !rest.isEmpty {
      guard skip("T") || skip("t") || skip(" "), let time = readTime() else { return nil }
      date.secondOfDay = time.second
      nanoseconds = time.nanoseconds
      guard let written = readOffset() else { return nil }
      offset = written
    }
    guard rest.isEmpty else { return nil }
    return Timestamp(seconds: date.secondsSince1970 - offset, nanoseconds: nanoseconds)
  }

  /// The stored seconds and, of exactly nine digits, nanoseconds.
  private mutating func readSeconds() -> Timestamp? {
    let parts = rest.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard parts.count <= 2, let seconds = Int64(String(decoding: parts[0], as: UTF8.self)) else {
      return nil
    }
    guard parts.count == 2 else { return Timestamp(seconds: seconds) }
    rest = parts[1]
    guard let nanoseconds = readNumber(digits: 9), rest.isEmpty else { return nil }
    return Timestamp(seconds: seconds, nanoseconds: UInt32(nanoseconds))
  }

  private mutating func readYear() -> Int64? {
    let isNegative = skip("-")
    let isMarked = isNegative || skip("+")
    let count = rest.prefix(while: isDigit).count
    guard isMarked ? (4...6).contains(count) : count == 4, let year = readNumber(digits: count)
    else { return nil }
    return isNegative ? -Int64(year) : Int64(year)
  }

  private mutating func readTime() -> (second: Int, nanoseconds: UInt32)? {
    guard let hour = readNumber(digits: 2), hour < 24, skip(":"),
      let minute = readNumber(digits: 2), minute < 60
    else { return nil }
    guard skip(":") else { return (hour * 3600 + minute * 60, 0) }
    guard let second = readNumber(digits: 2), second < 60 else { return nil }
    var nanoseconds: UInt32 = 0
    if skip(".") || skip(",") {
      let digits = rest.prefix(while: isDigit)
      rest = rest[digits.endIndex...]
      guard !digits.isEmpty, digits.dropFirst(9).allSatisfy({ $0 == UInt8(ascii: "0") }) else {
        return nil
      }
      for position in 0..<9 {
        let digit = position < digits.count ? digits[digits.startIndex + position] - 48 : 0
        nanoseconds = nanoseconds * 10 + UInt32(digit)
      }
    }
    return (hour * 3600 + minute * 60 + second, nanoseconds)
  }

  /// Seconds east of UTC.
  private mutating func readOffset() -> Int64? {
    if rest.isEmpty || skip("Z") || skip("z") { return 0 }
    let isWest = skip("-")
    guard isWest || skip("+"), let hour = readNumber(digits: 2), hour < 24 else { return nil }
    let hasColon = skip(":")
    var minute = 0
    if hasColon || !rest.isEmpty {
      guard let written = readNumber(digits: 2), written < 60 else { return nil }
      minute = written
    }
    let offset = Int64(hour * 3600 + minute * 60)
    return isWest ? -offset : offset
  }

  private mutating func readNumber(digits: Int) -> Int? {
    guard rest.count >= digits, rest.prefix(digits).allSatisfy(isDigit) else { return nil }
    let number = rest.prefix(digits).reduce(0) { $0 * 10 + Int($1 - 48) }
    rest = rest.dropFirst(digits)
    return number
  }

  private mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard rest.first == UInt8(ascii: character) else { return false }
    rest = rest.dropFirst()
    return true
  }
}
