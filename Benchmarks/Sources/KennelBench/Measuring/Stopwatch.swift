import Glibc

/// How long something took.
struct Elapsed: Codable {
  /// By a clock on the wall that never steps back.
  var milliseconds: Double
  /// Of the processor, all threads of the process together.
  var processorMilliseconds: Double

  /// Measures a body.
  static func of<Result>(_ body: () throws -> Result) rethrows -> (Result, Elapsed) {
    let wall = now(CLOCK_MONOTONIC)
    let processor = now(CLOCK_PROCESS_CPUTIME_ID)
    let result = try body()
    let elapsed = Elapsed(
      milliseconds: now(CLOCK_MONOTONIC) - wall,
      processorMilliseconds: now(CLOCK_PROCESS_CPUTIME_ID) - processor
    )
    return (result, elapsed)
  }

  /// A clock that never steps back, in seconds.
  static func seconds() -> Double { now(CLOCK_MONOTONIC) / 1e3 }

  private static func now(_ clock: clockid_t) -> Double {
    var time = timespec()
    unsafe clock_gettime(clock, &time)
    return Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) / 1e6
  }
}
