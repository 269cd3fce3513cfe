/// A day of the proleptic Gregorian calendar and a time of that day, in UTC.
///
/// Year 0 is the one before year 1; negative years lie before it.
package struct CalendarDate: Equatable {
  package var year: Int64
  package var month: Int
  package var day: Int
  /// Seconds since midnight, below 86,400.
  package var secondOfDay: Int

  /// The years that have a calendar date; points in time outside are written as seconds.
  static let years: ClosedRange<Int64> = -999_999...999_999

  package init(year: Int64, month: Int, day: Int, secondOfDay: Int = 0) {
    self.year = year
    self.month = month
    self.day = day
    self.secondOfDay = secondOfDay
  }

  /// The date of seconds since 1970; `nil` outside ``years``.
  package init?(secondsSince1970 seconds: Int64) {
    let secondsPerDay: Int64 = 86_400
    var day = seconds / secondsPerDay
    var second = seconds % secondsPerDay
    if second < 0 {
      second += secondsPerDay
      day -= 1
    }
    // Days are counted from 1 March of year 0, so that a leap day is the last of its year, in
    // eras of 400 years, each of which has the same 146,097 days.
    let shifted = day + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra =
      (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    // March is month 0; five months in a row have 153 days.
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    month = Int(monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9)
    year = era * 400 + yearOfEra + (month <= 2 ? 1 : 0)
    self.day = Int(dayOfYear - (153 * monthFromMarch + 2) / 5) + 1
    secondOfDay = Int(second)
    guard Self.years.contains(year) else { return nil }
  }

  /// Seconds since 1970, of a year within ``years``.
  package var secondsSince1970: Int64 {
    let year = month <= 2 ? year - 1 : year
    let era = (year >= 0 ? year : year - 399) / 400
    let yearOfEra = year - era * 400
    let monthFromMarch = Int64(month > 2 ? month - 3 : month + 9)
    let dayOfYear = (153 * monthFromMarch + 2) / 5 + Int64(day) - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return (era * 146_097 + dayOfEra - 719_468) * 86_400 + Int64(secondOfDay)
  }

  /// The days of a month.
  package static func dayCount(year: Int64, month: Int) -> Int {
    if month == 2 { return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28 }
    return [4, 6, 9, 11].contains(month) ? 30 : 31
  }
}
