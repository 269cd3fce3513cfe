/// The words of a decoded column: one for each of 256 places, or two.
///
/// Safe to use while the column lives: of a place only the lowest eight bits count, and whoever asks for a
/// first or a second word knows by the column's form that places have two.
@usableFromInline
@safe package struct ColumnWords {
  @usableFromInline package let start: UnsafeMutablePointer<UInt64>

  init(_ start: UnsafeMutablePointer<UInt64>) { unsafe self.start = start }

  /// The word of a place.
  @inlinable
  @inline(__always)
  package subscript(place: Int) -> UInt64 {
    get { unsafe start[place & 255] }
    nonmutating set { unsafe start[place & 255] = newValue }
  }

  /// The first of two words of a place.
  @inlinable
  @inline(__always)
  package subscript(first place: Int) -> UInt64 {
    get { unsafe start[2 &* (place & 255)] }
    nonmutating set { unsafe start[2 &* (place & 255)] = newValue }
  }

  /// The second of two words of a place.
  @inlinable
  @inline(__always)
  package subscript(second place: Int) -> UInt64 {
    get { unsafe start[2 &* (place & 255) &+ 1] }
    nonmutating set { unsafe start[2 &* (place & 255) &+ 1] = newValue }
  }

  /// Both words of a place.
  @inlinable
  @inline(__always)
  package subscript(pair place: Int) -> (UInt64, UInt64) {
    get { (self[first: place], self[second: place]) }
    nonmutating set { (self[first: place], self[second: place]) = newValue }
  }
}
