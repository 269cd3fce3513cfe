public import KennelCore

/// Up to eight keys of objects that an iterator hands out next.
///
/// They are a vector, which has no parts to the compiler: it copies and destroys what has an array or
/// eight properties as a part by asking its type for how to do it, which costs more than a walk.
@usableFromInline
internal struct KeyBatch {
  @usableFromInline internal var words: SIMD8<UInt64>

  @inlinable
  @inline(__always)
  internal init() { words = SIMD8() }

  /// The key at a position modulo 8.
  @inlinable
  @inline(__always)
  internal mutating func key(_ position: Int) -> ObjectKey {
    let offset = (position & 7) &* MemoryLayout<UInt64>.size
    return withUnsafeMutableBytes(of: &words) {
      ObjectKey(rawValue: $0.load(fromByteOffset: offset, as: UInt64.self))
    }
  }

  /// Has the keys written as an array, which lies in memory alike.
  @inline(__always)
  internal mutating func fill<Answer>(_ body: (inout [8 of ObjectKey]) -> Answer) -> Answer {
    withUnsafeMutablePointer(to: &words) { words in
      body(&UnsafeMutableRawPointer(words).assumingMemoryBound(to: [8 of ObjectKey].self).pointee)
    }
  }
}
