internal import KennelCore

/// Dates as a person says them: by their distance from now, or without a day.
///
/// | text | meaning |
/// |---|---|
/// | `now` | the time of the clock |
/// | `today`, `yesterday`, `tomorrow` | the beginning of the day, in UTC as all dates are shown |
/// | `-3d`, `+2h` | a distance from now: `s`, `min`, `h`, `d`, `w`, `mo` or `y` |
/// | `2024-05`, `2024` | the beginning of the month or the year |
enum RelativeDate {
  static let words = ["today", "yesterday", "now"]

  private static let day: Int64 = 86_400
  private static let days: [String: Int64] = ["today": 0, "yesterday": -1, "tomorrow": 1]
  private static let seconds = ["s": 1, "min": 60, "h": 3_600, "d": day, "w": 7 * day]
  private static let months: [String: Int64] = ["mo": 1, "y": 12]

  /// The forms, for the sentences that say what may be typed.
  static let forms = "today, -3d, +2h"

  /// The point in time that a text means; `nil` where it means none.
  static func parse(_ text: String, now: Timestamp) -> Timestamp? {
    let word = text.lowercased()
    if word == "now" { return Timestamp(seconds: now.seconds) }
    if let days = days[word] {
      return midnight(now).map { Timestamp(seconds: $0.seconds + days * day) }
    }
    return distance(text, from: now) ?? beginning(of: text)
  }

  private static func midnight(_ time: Timestamp) -> Timestamp? {
    Timestamp(String("\(time)".prefix { $0 != "T" }))
  }

  private static func beginning(of text: String) -> Timestamp? {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count <= 2, parts[0].utf8.count == 4 else { return nil }
    return Timestamp(text + (parts.count == 1 ? "-01-01" : "-01"))
  }

  private static func distance(_ text: String, from now: Timestamp) -> Timestamp? {
    guard let sign = text.first, sign == "-" || sign == "+" else { return nil }
    let digits = text.dropFirst().prefix { "0" <= $0 && $0 <= "9" }
    guard let number = Int64(digits), number <= 1_000_000_000 else { return nil }
    let count = sign == "-" ? -number : number
    let unit = text.dropFirst(1 + digits.count).lowercased()
    if let seconds = seconds[unit] { return later(now, by: count * seconds) }
    return months[unit].flatMap { later(now, months: count * $0) }
  }

  private static func later(_ now: Timestamp, by seconds: Int64) -> Timestamp? {
    let (sum, isOut) = now.seconds.addingReportingOverflow(seconds)
    return isOut ? nil : Timestamp(seconds: sum)
  }

  /// The same day of another month, or its last day where that is shorter.
  private static func later(_ now: Timestamp, months: Int64) -> Timestamp? {
    guard var date = CalendarDate(secondsSince1970: now.seconds), date.year >= 0 else { return nil }
    let total = date.year * 12 + Int64(date.month) - 1 + months
    guard (0..<120_000).contains(total) else { return nil }
    date.year = total / 12
    date.month = Int(total % 12) + 1
    date.day = min(date.day, CalendarDate.dayCount(year: date.year, month: date.month))
    return Timestamp(seconds: date.secondsSince1970)
  }
}
