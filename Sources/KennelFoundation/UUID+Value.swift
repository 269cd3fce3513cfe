public import Foundation
public import KennelCore

extension UUID {
  /// Creates an identifier from a stored one.
  ///
  /// ```swift
  /// print(UUID(UUIDValue(high: 0, low: 1)))
  /// ```
  ///
  /// - Parameter words: The stored identifier.
  public init(_ words: UUIDValue) {
    func byte(_ index: UInt64) -> UInt8 {
      let word = index < 8 ? words.high : words.low
      return UInt8(truncatingIfNeeded: word >> (8 * (7 - index % 8)))
    }
    self.init(
      uuid: (
        byte(0), byte(1), byte(2), byte(3), byte(4), byte(5), byte(6), byte(7),
        byte(8), byte(9), byte(10), byte(11), byte(12), byte(13), byte(14), byte(15)
      )
    )
  }
}

extension UUIDValue {
  /// Creates an identifier to store.
  ///
  /// ```swift
  /// let id = UUID()
  /// print(UUID(UUIDValue(id)) == id)
  /// ```
  ///
  /// - Parameter id: The identifier.
  public init(_ id: UUID) {
    let (a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p) = id.uuid
    func word(_ bytes: [UInt8]) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
    self.init(high: word([a, b, c, d, e, f, g, h]), low: word([i, j, k, l, m, n, o, p]))
  }
}
