import KennelCore

extension Timestamp {
  /// The milliseconds since the epoch; `nil` if that is not exact, or beyond 64 bits.
  var milliseconds: Int64? {
    guard nanoseconds % 1_000_000 == 0 else { return nil }
    return flooredMilliseconds
  }

  /// The milliseconds since the epoch without the rest; `nil` beyond 64 bits.
  var flooredMilliseconds: Int64? {
    let rest = Int64(nanoseconds / 1_000_000)
    // The last second before the lowest number is in range with its rest only.
    let (high, overflow) = (seconds < 0 ? seconds &+ 1 : seconds)
      .multipliedReportingOverflow(by: 1000)
    if overflow { return nil }
    let (sum, isBeyond) = high.addingReportingOverflow(seconds < 0 ? rest - 1000 : rest)
    return isBeyond ? nil : sum
  }

  /// Creates a point in time of whole milliseconds.
  init(milliseconds: Int64) {
    let (seconds, rest) = milliseconds.quotientAndRemainder(dividingBy: 1000)
    let isBefore = rest < 0
    let nanoseconds = UInt32(isBefore ? rest + 1000 : rest) * 1_000_000
    self =
      Timestamp(seconds: isBefore ? seconds - 1 : seconds, nanoseconds: nanoseconds)
      ?? Timestamp(seconds: seconds)
  }
}
