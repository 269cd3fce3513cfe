/// The key of a value in one of the integer trees: class, cluster and column in 64 bits.
///
/// | bits | 63…52 | 51…12 | 11…0 |
/// |---|---|---|---|
/// | what | class | cluster | column |
@usableFromInline
package struct ChunkKey: Hashable, Comparable, Sendable {
  @usableFromInline
  package let rawValue: UInt64

  @inlinable
  package init(rawValue: UInt64) {
    self.rawValue = rawValue
  }

  @inlinable
  package init(_ classKey: ClassKey, cluster: UInt64, column: UInt16) {
    rawValue =
      UInt64(classKey.rawValue) &<< 52 | cluster &<< 12 | UInt64(column)
  }

  @inlinable
  package var classKey: ClassKey { ClassKey(rawValue: UInt16(truncatingIfNeeded: rawValue &>> 52)) }

  @inlinable
  package var cluster: UInt64 { rawValue &>> 12 & ((1 &<< 40) &- 1) }

  @inlinable
  package var column: UInt16 { UInt16(truncatingIfNeeded: rawValue & 4095) }

  @inlinable
  package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}
