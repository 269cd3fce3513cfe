import Glibc
import KennelCore

extension ObjectId {
  /// A new identifier, as MongoDB's drivers make one: the seconds since 1970 and random bits.
  static func made() -> ObjectId {
    let seconds = UInt64(UInt32(truncatingIfNeeded: time(nil)))
    return ObjectId(
      high: seconds << 32 | UInt64(UInt32.random(in: .min ... .max)),
      low: .random(in: .min ... .max)
    )
  }
}
