/// How a chunk's bytes are laid out.
///
/// | bytes | what |
/// |---|---|
/// | 1 | the version of this layout in the upper, the ``ChunkEncoding`` in the lower four bits |
/// | 1 | ``nullsFlag``, ``externalsFlag``, ``slopeFlag`` |
/// | 1 | the width of the first packed numbers |
/// | 1 | the width of the second packed numbers |
/// | 4 | the number of places |
/// | … | if flagged, a bit per place, set where it is null |
/// | … | if flagged, a bit per place, set where its value is external, then 20 bytes for each |
/// | 4 | if flagged, the slope of the offsets |
/// | … | what the encoding says |
///
/// The encodings, where *packed* numbers are those of ``PackedView``:
///
/// | encoding | what follows |
/// |---|---|
/// | words | packed words |
/// | pairs | packed first words, packed second words (0 bits each for whole seconds) |
/// | cells | packed offsets, one more than places; the bytes |
/// | dictionary | the number of entries (4 bytes); packed entry numbers, one per place; packed offsets, one more than entries; the entries' bytes |
/// | keys | packed offsets, one more than places; packed object keys |
/// | elements | packed offsets, one more than places; a chunk of elements |
/// | entries | packed offsets, one more than places; the length (4 bytes) of and the chunk of keys; the same of values |
///
/// Offsets with a slope are that many times their position more than what is packed: cells and lists
/// that are equally long, as many are, have no width then. Only cells and keys have one.
///
/// Everything is little-endian. A place whose value is null or external takes no bytes among the
/// cells, keys and elements; among packed words it holds some number that makes them small.
///
/// Three objects whose ages are 30, null and 32:
///
/// ```
/// 11 01 02 00  03 00 00 00   version 1, words; has nulls; 2 bits each; 3 places
/// 02                         place 1 is null
/// 20                         distances 0, 0, 2
/// 1e 00 00 00 00 00 00 00    base 30
/// ```
@usableFromInline
package enum ChunkLayout {
  package static let version: UInt8 = 1
  @usableFromInline static let headerByteCount = 8
  @usableFromInline static let externalByteCount = 20
  @usableFromInline static let nullsFlag: UInt8 = 1
  @usableFromInline static let externalsFlag: UInt8 = 2
  static let slopeFlag: UInt8 = 4
  /// The places of a cluster: who reads a whole chunk has room for as many.
  static let placeLimit = 256
  /// More elements than any writer puts into one chunk: a chunk of a few bytes that claims
  /// billions of equal elements is damaged.
  package static let elementLimit = 1 << 24

  @inlinable
  static func bitmapByteCount(_ count: Int) -> Int { (count &+ 7) &>> 3 }
}

/// A bit per place of a chunk; none is set where there is no bitmap.
///
/// Safe to use while the snapshot is pinned, for places that the chunk has.
@usableFromInline
@safe struct ChunkBitmap {
  @usableFromInline let start: UnsafeRawPointer?

  init(_ start: UnsafeRawPointer?) { unsafe self.start = start }

  @inlinable var isThere: Bool { unsafe start != nil }

  @inlinable
  @inline(__always)
  subscript(place: Int) -> Bool {
    guard let start = unsafe start else { return false }
    let byte = unsafe start.load(fromByteOffset: place &>> 3, as: UInt8.self)
    return byte &>> UInt8(place & 7) & 1 != 0
  }
}

/// The parts that follow a chunk's header.
@usableFromInline
package enum ChunkEncoding: UInt8, Sendable {
  case words = 1
  case pairs = 2
  case cells = 3
  case dictionary = 4
  case keys = 5
  case elements = 6
  case entries = 7

  /// Whether a column of this type may be encoded so.
  func fits(_ type: ColumnType) -> Bool {
    switch type.form {
    case .words: self == .words
    case .pairs: self == .pairs
    case .cells: self == .cells || self == .dictionary
    case .keys: self == .keys
    case .collections: self == (type.collection == .map ? .entries : .elements)
    }
  }
}
