public import Foundation
public import KennelCore

/// The seconds from 1970, where a timestamp begins, to 2001, where a date does.
private let secondsBetweenEpochs: Int64 = 978_307_200

extension Date {
  /// Creates a date from a stored one.
  ///
  /// ```swift
  /// print(Date(Timestamp(seconds: 0)) == Date(timeIntervalSince1970: 0))
  /// ```
  ///
  /// - Parameter time: The stored date. A `Date` near today is precise to some 100 nanoseconds.
  public init(_ time: Timestamp) {
    let seconds = time.seconds.subtractingReportingOverflow(secondsBetweenEpochs)
    let whole = seconds.overflow ? Double(time.seconds) : Double(seconds.partialValue)
    self.init(timeIntervalSinceReferenceDate: whole + Double(time.nanoseconds) / 1e9)
  }
}

extension Timestamp {
  /// Creates a timestamp from a date, rounded to the nanosecond.
  ///
  /// A date out of range becomes the first or last second that can be stored.
  ///
  /// ```swift
  /// print(Timestamp(Date(timeIntervalSince1970: 1.5)).nanoseconds)
  /// ```
  ///
  /// - Parameter date: The date. A date whose interval is NaN becomes the last second that can be
  ///   stored.
  public init(_ date: Date) {
    let interval = date.timeIntervalSinceReferenceDate
    guard interval.isFinite, abs(interval) < 9.2e18 else {
      self.init(seconds: interval < 0 ? .min : .max)
      return
    }
    let whole = interval.rounded(.down)
    var seconds = Int64(whole) + secondsBetweenEpochs
    var nanoseconds = UInt32(((interval - whole) * 1e9).rounded())
    if nanoseconds >= 1_000_000_000 {
      nanoseconds = 0
      seconds += 1
    }
    self = Timestamp(seconds: seconds, nanoseconds: nanoseconds) ?? Timestamp(seconds: seconds)
  }
}
