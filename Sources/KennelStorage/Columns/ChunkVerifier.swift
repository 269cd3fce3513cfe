/// A fault in bytes that should be a chunk.
struct ChunkFault: Error {
  let what: String

  init(_ what: String) { self.what = what }

  func storageError(in key: ChunkKey) -> StorageError {
    .damaged(in: "chunk \(key.classKey.rawValue)/\(key.cluster)/\(key.column)", what)
  }
}

/// The first eight bytes of a chunk.
struct ChunkHeader {
  private let word: UInt64

  init(_ bytes: StoredBytes) { word = UInt64(littleEndian: bytes.loadUnaligned(as: UInt64.self)) }

  var version: UInt8 { UInt8(truncatingIfNeeded: word) >> 4 }
  var encoding: ChunkEncoding? { ChunkEncoding(rawValue: UInt8(truncatingIfNeeded: word) & 15) }
  var flags: UInt8 { UInt8(truncatingIfNeeded: word &>> 8) }
  var firstWidth: Int { Int(truncatingIfNeeded: word &>> 16 & 0xFF) }
  var secondWidth: Int { Int(truncatingIfNeeded: word &>> 24 & 0xFF) }
  var count: Int { Int(truncatingIfNeeded: word &>> 32) }
}

/// The beginning of a chunk whose bytes are trusted, whatever its encoding.
///
/// Safe to use while the bytes are valid: what it says of itself has been verified.
@safe struct ChunkParts {
  let header: ChunkHeader
  let nulls: ChunkBitmap
  let externals: ChunkBitmap
  let slope: UInt64
  let rest: UnsafeRawPointer
  let end: UnsafeRawPointer

  /// A chunk without places, for bytes that no verified chunk can have; never written to.
  @safe nonisolated(unsafe) private static let nothing: StoredBytes = {
    let zeros = UnsafeMutableRawBufferPointer.allocate(byteCount: 64, alignment: 8)
    unsafe zeros.initializeMemory(as: UInt8.self, repeating: 0)
    return unsafe StoredBytes(zeros.baseAddress, count: 64)
  }()

  init(_ bytes: StoredBytes) {
    let body = bytes.count >= ChunkLayout.headerByteCount ? bytes : Self.nothing
    header = ChunkHeader(body)
    var next = ChunkLayout.headerByteCount
    let bitmap = ChunkLayout.bitmapByteCount(header.count)
    let base = unsafe body.start.unsafelyUnwrapped
    if header.flags & ChunkLayout.nullsFlag != 0 {
      nulls = unsafe ChunkBitmap(base + next)
      next += bitmap
    } else {
      nulls = unsafe ChunkBitmap(nil)
    }
    if header.flags & ChunkLayout.externalsFlag != 0 {
      externals = unsafe ChunkBitmap(base + next)
      let total = body.slice(next..<next + bitmap).reduce(0) { $0 &+ $1.nonzeroBitCount }
      next += bitmap + total * ChunkLayout.externalByteCount
    } else {
      externals = unsafe ChunkBitmap(nil)
    }
    if header.flags & ChunkLayout.slopeFlag != 0 {
      let number = body.loadUnaligned(fromByteOffset: next, as: UInt32.self)
      slope = UInt64(UInt32(littleEndian: number))
      next += 4
    } else {
      slope = 0
    }
    unsafe rest = base + next
    unsafe end = base + body.count
  }
}

/// The checks of a chunk's bytes, in the order in which they make each other possible.
enum ChunkVerifier {
  /// Checks everything that ``ChunkView/init(verified:type:)`` and the view's methods rely on.
  static func verify(
    _ body: StoredBytes,
    type: ColumnType,
    limit: Int = ChunkLayout.placeLimit
  ) throws(ChunkFault) {
    var rest = ByteWindow(body)
    let header = ChunkHeader(try rest.take(ChunkLayout.headerByteCount))
    guard header.version == ChunkLayout.version, let encoding = header.encoding,
      encoding.fits(type)
    else { throw ChunkFault("its encoding is none that its type has") }
    let (firstWidth, secondWidth) = (header.firstWidth, header.secondWidth)
    guard PackedView.isWidth(firstWidth), PackedView.isWidth(secondWidth) else {
      throw ChunkFault("it has numbers of an impossible width")
    }
    let count = header.count
    guard count <= limit else { throw ChunkFault("it has too many places") }
    let takesSlope = encoding == .cells || encoding == .keys
    let known =
      ChunkLayout.nullsFlag | ChunkLayout.externalsFlag | (takesSlope ? ChunkLayout.slopeFlag : 0)
    guard header.flags & ~known == 0 else { throw ChunkFault("it has unknown flags") }
    let bitmap = ChunkLayout.bitmapByteCount(count)
    if header.flags & ChunkLayout.nullsFlag != 0 { _ = try rest.take(bitmap) }
    if header.flags & ChunkLayout.externalsFlag != 0 {
      let total = try rest.take(bitmap).reduce(0) { $0 &+ $1.nonzeroBitCount }
      _ = try rest.take(total * ChunkLayout.externalByteCount)
    }
    let hasSlope = header.flags & ChunkLayout.slopeFlag != 0
    let slope = hasSlope ? UInt64(try rest.take(UInt32.self)) : 0
    switch encoding {
    case .words:
      let words = try rest.takePacked(count, width: firstWidth)
      if type.kind == .link, type.collection == .none {
        try verifyKeys(words, count)
      }
    case .pairs:
      _ = try rest.takePacked(count, width: firstWidth)
      let second = try rest.takePacked(count, width: secondWidth)
      guard unsafe type.kind != .date || second.isBelow(1_000_000_000, count: count) else {
        throw ChunkFault("a date has too many nanoseconds")
      }
    case .cells:
      let offsets = try rest.takePacked(count + 1, width: firstWidth)
      _ = try rest.take(try verifyOffsets(offsets, count, slope: slope))
    case .dictionary:
      try verifyDictionary(&rest, count, firstWidth, secondWidth)
    case .keys:
      let offsets = try rest.takePacked(count + 1, width: firstWidth)
      let total = try verifyOffsets(offsets, count, slope: slope)
      guard total <= ChunkLayout.elementLimit else { throw ChunkFault("it has too many keys") }
      try verifyKeys(try rest.takePacked(total, width: secondWidth), total)
    case .elements, .entries:
      try verifyCollections(&rest, count, firstWidth, type)
    }
    guard rest.isEmpty else { throw ChunkFault("it has bytes that belong to nothing") }
  }

  private static func verifyDictionary(
    _ rest: inout ByteWindow,
    _ count: Int,
    _ firstWidth: Int,
    _ secondWidth: Int
  ) throws(ChunkFault) {
    let entryCount = Int(try rest.take(UInt32.self))
    guard entryCount <= count else { throw ChunkFault("its dictionary is too long") }
    let codes = try rest.takePacked(count, width: firstWidth)
    guard unsafe codes.isBelow(UInt64(entryCount), count: count) else {
      throw ChunkFault("a place names no entry of its dictionary")
    }
    let offsets = try rest.takePacked(entryCount + 1, width: secondWidth)
    _ = try rest.take(try verifyOffsets(offsets, entryCount))
  }

  private static func verifyCollections(
    _ rest: inout ByteWindow,
    _ count: Int,
    _ width: Int,
    _ type: ColumnType
  ) throws(ChunkFault) {
    let offsets = try rest.takePacked(count + 1, width: width)
    let total = try verifyOffsets(offsets, count)
    if type.collection == .map {
      let keys = try rest.take(Int(try rest.take(UInt32.self)))
      try verifyElements(keys, total, ColumnType(.string))
    }
    let length = Int(try rest.take(UInt32.self))
    try verifyElements(try rest.take(length), total, ColumnType(type.kind))
  }

  private static func verifyElements(
    _ body: StoredBytes,
    _ total: Int,
    _ type: ColumnType
  ) throws(ChunkFault) {
    try verify(body, type: type.asElements, limit: ChunkLayout.elementLimit)
    let header = ChunkHeader(body)
    guard header.count == total else {
      throw ChunkFault("its collections do not have the elements that there are")
    }
    guard header.flags & ChunkLayout.externalsFlag == 0 else {
      throw ChunkFault("an element is external")
    }
  }

  /// The last of `count + 1` ascending offsets that begin with 0.
  private static func verifyOffsets(
    _ offsets: PackedView,
    _ count: Int,
    slope: UInt64 = 0
  ) throws(ChunkFault) -> Int {
    guard unsafe offsets[0] == 0 else { throw ChunkFault("its offsets do not begin with 0") }
    // Parts that are all equally long: the offsets are a line, which ascends.
    if offsets.width == 0 {
      let (last, wraps) = slope.multipliedReportingOverflow(by: UInt64(count))
      guard !wraps, last <= UInt64(UInt32.max) else {
        throw ChunkFault("its offsets are too large")
      }
      return Int(last)
    }
    var previous: UInt64 = 0
    var falls: UInt64 = 0
    // Nothing wraps around: the base and a slope's part have at most 57 bits.
    if Int64(bitPattern: offsets.base).magnitude < 1 << 56, offsets.width <= 32 {
      // Without a way out of the loop, and without multiplying: every text that is read first
      // pays for this.
      var bit = 0
      var line = offsets.base
      for _ in 0..<count {
        bit &+= offsets.width
        line &+= slope
        let loaded = unsafe offsets.start.loadUnaligned(fromByteOffset: bit &>> 3, as: UInt64.self)
        let shift = UInt64(truncatingIfNeeded: bit & 7)
        let offset = (UInt64(littleEndian: loaded) &>> shift & offsets.mask) &+ line
        falls |= offset &- previous
        previous = offset
      }
      // A difference below zero has its highest bit set; none of these is as great otherwise.
      falls &>>= 63
    } else {
      for position in 1..<(count + 1) {
        let offset = unsafe offsets[position] &+ slope &* UInt64(position)
        if offset < previous { falls = 1 }
        previous = offset
      }
    }
    guard falls == 0 else { throw ChunkFault("its offsets are not ascending") }
    // No chunk is longer than a value of a page store can be.
    guard previous <= UInt64(UInt32.max) else { throw ChunkFault("its offsets are too large") }
    return Int(previous)
  }

  private static func verifyKeys(_ keys: PackedView, _ count: Int) throws(ChunkFault) {
    guard unsafe keys.isBelow(ObjectKey.limit, count: count) else {
      throw ChunkFault("an object key is too large")
    }
  }
}

/// Bytes that are taken from the front, never more than there are.
///
/// Safe to use while the bytes are valid: every length is checked.
@safe struct ByteWindow {
  private var bytes: StoredBytes

  init(_ bytes: StoredBytes) { self.bytes = bytes }

  var isEmpty: Bool { bytes.isEmpty }

  /// The bytes that were not taken yet.
  var all: StoredBytes { bytes }

  mutating func take(_ count: Int) throws(ChunkFault) -> StoredBytes {
    guard count >= 0, count <= bytes.count else { throw ChunkFault("it ends too early") }
    defer { bytes = bytes.slice(count..<bytes.count) }
    return bytes.slice(0..<count)
  }

  mutating func take<Number: FixedWidthInteger & BitwiseCopyable>(
    _ type: Number.Type
  ) throws(ChunkFault) -> Number {
    Number(littleEndian: try take(MemoryLayout<Number>.size).loadUnaligned(as: type))
  }

  mutating func takePacked(_ count: Int, width: Int) throws(ChunkFault) -> PackedView {
    guard let address = try unsafe take(PackedView.byteCount(count, width: width)).start
    else {
      throw ChunkFault("it ends too early")
    }
    return unsafe PackedView(address, count: count, width: width)
  }
}
