internal import KennelCore

/// How the texts of a column spell points in time.
///
/// All do it in one way, so that each is written again as it was. A time without a zone is taken for one
/// in UTC.
package struct DateForm: Hashable, Sendable {
  /// The text between the day and the time of day; `nil` where the texts are days.
  package var separator: UInt8?
  /// The digits of fractions of a second.
  package var fractionDigits = 0
  /// Whether the texts end with `Z`.
  package var hasZone = false

  /// Reads a text such as `2024-05-01` or `2024-05-01 12:30:00.250`.
  ///
  /// - Parameter bytes: The text.
  /// - Returns: The form and the time; `nil` for a text of no form, or that names no day.
  static func read(_ bytes: Span<UInt8>) -> (form: DateForm, time: Timestamp)? {
    var reader = DigitReader()
    var form = DateForm()
    guard let year = reader.number(4, bytes), reader.skip("-", bytes),
      let month = reader.number(2, bytes), reader.skip("-", bytes),
      let day = reader.number(2, bytes), (1...12).contains(month), day >= 1,
      day <= CalendarDate.dayCount(year: Int64(year), month: month)
    else { return nil }
    var second = 0
    var nanoseconds = 0
    if reader.skip(" ", bytes) || reader.skip("T", bytes) {
      form.separator = bytes[reader.position - 1]
      guard let hour = reader.number(2, bytes), reader.skip(":", bytes),
        let minute = reader.number(2, bytes), reader.skip(":", bytes),
        let rest = reader.number(2, bytes), hour < 24, minute < 60, rest < 60
      else { return nil }
      second = hour * 3_600 + minute * 60 + rest
      if reader.skip(".", bytes) {
        var unit = 100_000_000
        while unit > 0, let digit = reader.number(1, bytes) {
          nanoseconds += digit * unit
          unit /= 10
          form.fractionDigits += 1
        }
        if form.fractionDigits == 0 { return nil }
      }
      form.hasZone = reader.skip("Z", bytes)
    }
    guard reader.position == bytes.count else { return nil }
    let date = CalendarDate(year: Int64(year), month: month, day: day, secondOfDay: second)
    return Timestamp(seconds: date.secondsSince1970, nanoseconds: UInt32(nanoseconds))
      .map { (form, $0) }
  }

  /// The text of a time; `nil` where no text of this form names it.
  func text(_ time: Timestamp) -> String? {
    guard let date = CalendarDate(secondsSince1970: time.seconds), (0...9_999).contains(date.year)
    else { return nil }
    let day = [date.year.digits(4), date.month.digits(2), date.day.digits(2)]
      .joined(separator: "-")
    let second = date.secondOfDay
    let fraction = time.nanoseconds.digits(9)
    guard fraction.dropFirst(fractionDigits).allSatisfy({ $0 == "0" }) else { return nil }
    guard let separator else { return second == 0 ? day : nil }
    let clock = [second / 3_600, second / 60 % 60, second % 60].map { $0.digits(2) }
      .joined(separator: ":")
    return day + String(Unicode.Scalar(separator)) + clock
      + (fractionDigits > 0 ? ".\(fraction.prefix(fractionDigits))" : "") + (hasZone ? "Z" : "")
  }

  /// Reads a text of digits and marks.
  private struct DigitReader {
    private(set) var position = 0

    mutating func skip(_ mark: Unicode.Scalar, _ bytes: Span<UInt8>) -> Bool {
      guard position < bytes.count, bytes[position] == UInt8(mark.value) else { return false }
      position += 1
      return true
    }

    mutating func number(_ digits: Int, _ bytes: Span<UInt8>) -> Int? {
      guard bytes.count - position >= digits else { return nil }
      var number = 0
      for index in position..<position + digits {
        let digit = bytes[index] &- UInt8(ascii: "0")
        guard digit < 10 else { return nil }
        number = number * 10 + Int(digit)
      }
      position += digits
      return number
    }
  }
}
