/// A bit for each of the 256 places of a cluster, as ``MutableColumn/nulls`` has them.
package typealias PlaceBits = (UInt64, UInt64, UInt64, UInt64)

/// ``PlaceBits`` with the operations that the codec needs.
struct PlaceSetBits {
  var words: PlaceBits

  init(_ words: PlaceBits) { self.words = words }

  /// The first `count` bits of a bitmap; none without one.
  init(from bitmap: UnsafeRawPointer?, count: Int) {
    words = (0, 0, 0, 0)
    guard let bitmap = unsafe bitmap else { return }
    let bytes = min(ChunkLayout.bitmapByteCount(count), 32)
    unsafe withUnsafeMutableBytes(of: &words) { target in
      unsafe target.copyMemory(from: UnsafeRawBufferPointer(start: bitmap, count: bytes))
    }
    words = (
      UInt64(littleEndian: words.0), UInt64(littleEndian: words.1),
      UInt64(littleEndian: words.2), UInt64(littleEndian: words.3)
    )
  }

  /// All places.
  static var all: PlaceSetBits { PlaceSetBits((.max, .max, .max, .max)) }

  subscript(place: Int) -> Bool {
    let word =
      switch place &>> 6 {
      case 0: words.0
      case 1: words.1
      case 2: words.2
      default: words.3
      }
    return word &>> UInt64(place & 63) & 1 != 0
  }

  /// Sets the bit of a place.
  mutating func insert(_ place: Int) {
    let bit: UInt64 = 1 << UInt64(place & 63)
    switch place >> 6 {
    case 0: words.0 |= bit
    case 1: words.1 |= bit
    case 2: words.2 |= bit
    default: words.3 |= bit
    }
  }

  /// Sets every bit from a place to the end.
  mutating func set(from start: Int) {
    words.0 |= Self.mask(from: start)
    words.1 |= Self.mask(from: start - 64)
    words.2 |= Self.mask(from: start - 128)
    words.3 |= Self.mask(from: start - 192)
  }

  /// The places in both.
  func intersection(_ other: PlaceSetBits) -> PlaceSetBits {
    PlaceSetBits(
      (
        words.0 & other.words.0, words.1 & other.words.1,
        words.2 & other.words.2, words.3 & other.words.3
      )
    )
  }

  /// The places not in it.
  var inverted: PlaceSetBits { PlaceSetBits((~words.0, ~words.1, ~words.2, ~words.3)) }

  /// The places below a limit.
  func prefix(_ limit: Int) -> PlaceSetBits {
    var rest = PlaceSetBits((0, 0, 0, 0))
    rest.set(from: limit)
    return intersection(rest.inverted)
  }

  /// One more than the last place; 0 without one.
  var end: Int {
    if words.3 != 0 { return 256 - words.3.leadingZeroBitCount }
    if words.2 != 0 { return 192 - words.2.leadingZeroBitCount }
    if words.1 != 0 { return 128 - words.1.leadingZeroBitCount }
    return 64 - words.0.leadingZeroBitCount
  }

  private static func mask(from start: Int) -> UInt64 {
    start >= 64 ? 0 : start <= 0 ? .max : .max << UInt64(start)
  }
}
