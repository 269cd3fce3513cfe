/// What is wrong with bytes that should be a chunk.
struct ChunkFault: Error {
  let what: String

  init(_ what: String) { self.what = what }

  func storageError(in key: ChunkKey) -> StorageError {
    .damaged(in: "chunk \(key.classKey.rawValue)/\(key.cluster)/\(key.column)", what)
  }
}

/// The beginning of a chunk whose bytes are trusted, whatever its encoding.
///
/// Safe to use while the bytes are valid: what it says of itself has been verified.
@safe struct ChunkParts {
  let encoding: ChunkEncoding
  let firstWidth: Int
  let secondWidth: Int
  let count: Int
  let nulls: UnsafeRawPointer?
  let externals: UnsafeRawPointer?
  let slope: UInt64
  let rest: UnsafeRawPointer
  let end: UnsafeRawPointer

  /// A chunk without places, for bytes that no verified chunk can have; never written to.
  nonisolated(unsafe) private static let nothing: UnsafeRawBufferPointer = {
    let zeros = UnsafeMutableRawBufferPointer.allocate(byteCount: 64, alignment: 8)
    unsafe zeros.initializeMemory(as: UInt8.self, repeating: 0)
    return UnsafeRawBufferPointer(zeros)
  }()

  init(_ bytes: UnsafeRawBufferPointer) {
    let isChunk = bytes.count >= ChunkLayout.headerByteCount
    let body = unsafe isChunk ? bytes : Self.nothing
    let base = unsafe body.baseAddress.unsafelyUnwrapped
    unsafe encoding = ChunkEncoding(rawValue: base.load(as: UInt8.self) & 15) ?? .words
    let flags = unsafe base.load(fromByteOffset: 1, as: UInt8.self)
    unsafe firstWidth = Int(base.load(fromByteOffset: 2, as: UInt8.self))
    unsafe secondWidth = Int(base.load(fromByteOffset: 3, as: UInt8.self))
    unsafe count = Int(UInt32(littleEndian: base.loadUnaligned(fromByteOffset: 4, as: UInt32.self)))
    var next = unsafe base + ChunkLayout.headerByteCount
    let bitmap = ChunkLayout.bitmapByteCount(count)
    if flags & ChunkLayout.nullsFlag != 0 {
      unsafe nulls = next
      unsafe next += bitmap
    } else {
      unsafe nulls = nil
    }
    if flags & ChunkLayout.externalsFlag != 0 {
      unsafe externals = next
      let set = unsafe UnsafeRawBufferPointer(start: next, count: bitmap)
      let total = unsafe set.reduce(0) { $0 &+ $1.nonzeroBitCount }
      unsafe next += bitmap + total * ChunkLayout.externalByteCount
    } else {
      unsafe externals = nil
    }
    if flags & ChunkLayout.slopeFlag != 0 {
      unsafe slope = UInt64(UInt32(littleEndian: next.loadUnaligned(as: UInt32.self)))
      unsafe next += 4
    } else {
      slope = 0
    }
    unsafe rest = next
    unsafe end = base + body.count
  }
}

/// The checks of a chunk's bytes, in the order in which they make each other possible.
enum ChunkVerifier {
  /// Checks everything that ``ChunkView/init(verified:type:)`` and the view's methods rely on.
  static func verify(
    _ body: UnsafeRawBufferPointer,
    type: ColumnType,
    limit: Int = ChunkLayout.placeLimit
  ) throws(ChunkFault) {
    var rest = unsafe ByteWindow(body)
    let start = try unsafe rest.take(ChunkLayout.headerByteCount)
    guard unsafe start[0] >> 4 == ChunkLayout.version,
      let encoding = unsafe ChunkEncoding(rawValue: start[0] & 15), encoding.fits(type)
    else { throw ChunkFault("its encoding is none that its type has") }
    guard unsafe PackedView.isWidth(Int(start[2])), unsafe PackedView.isWidth(Int(start[3])) else {
      throw ChunkFault("it has numbers of an impossible width")
    }
    let firstWidth = unsafe Int(start[2])
    let secondWidth = unsafe Int(start[3])
    let count = unsafe Int(
      UInt32(littleEndian: start.loadUnaligned(fromByteOffset: 4, as: UInt32.self))
    )
    guard count <= limit else { throw ChunkFault("it has too many places") }
    let takesSlope = encoding == .cells || encoding == .keys
    let known =
      ChunkLayout.nullsFlag | ChunkLayout.externalsFlag | (takesSlope ? ChunkLayout.slopeFlag : 0)
    guard unsafe start[1] & ~known == 0 else { throw ChunkFault("it has unknown flags") }
    let bitmap = ChunkLayout.bitmapByteCount(count)
    if unsafe start[1] & ChunkLayout.nullsFlag != 0 { _ = try unsafe rest.take(bitmap) }
    if unsafe start[1] & ChunkLayout.externalsFlag != 0 {
      let total = try unsafe rest.take(bitmap).reduce(0) { $0 &+ $1.nonzeroBitCount }
      _ = try unsafe rest.take(total * ChunkLayout.externalByteCount)
    }
    let hasSlope = unsafe start[1] & ChunkLayout.slopeFlag != 0
    let slope = hasSlope ? UInt64(try rest.takeUInt32()) : 0
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
      _ = try unsafe rest.take(try verifyOffsets(offsets, count, slope: slope))
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
    let entryCount = Int(try rest.takeUInt32())
    guard entryCount <= count else { throw ChunkFault("its dictionary is too long") }
    let codes = try rest.takePacked(count, width: firstWidth)
    guard unsafe codes.isBelow(UInt64(entryCount), count: count) else {
      throw ChunkFault("a place names no entry of its dictionary")
    }
    let offsets = try rest.takePacked(entryCount + 1, width: secondWidth)
    _ = try unsafe rest.take(try verifyOffsets(offsets, entryCount))
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
      let keys = try unsafe rest.take(Int(try rest.takeUInt32()))
      try unsafe verifyElements(keys, total, ColumnType(.string))
    }
    let length = Int(try rest.takeUInt32())
    try unsafe verifyElements(try rest.take(length), total, ColumnType(type.kind))
  }

  private static func verifyElements(
    _ body: UnsafeRawBufferPointer,
    _ total: Int,
    _ type: ColumnType
  ) throws(ChunkFault) {
    try unsafe verify(body, type: type.asElements, limit: ChunkLayout.elementLimit)
    guard unsafe body.loadUnaligned(fromByteOffset: 4, as: UInt32.self).littleEndian == total else {
      throw ChunkFault("its collections do not have the elements that there are")
    }
    guard unsafe body[1] & ChunkLayout.externalsFlag == 0 else {
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
  private var bytes: UnsafeRawBufferPointer

  init(_ bytes: UnsafeRawBufferPointer) { unsafe self.bytes = bytes }

  var isEmpty: Bool { unsafe bytes.isEmpty }

  /// What was not taken yet.
  var all: UnsafeRawBufferPointer { unsafe bytes }

  mutating func take(_ count: Int) throws(ChunkFault) -> UnsafeRawBufferPointer {
    guard count >= 0, unsafe count <= bytes.count else { throw ChunkFault("it ends too early") }
    let taken = unsafe UnsafeRawBufferPointer(rebasing: bytes[..<(bytes.startIndex + count)])
    unsafe bytes = UnsafeRawBufferPointer(rebasing: bytes[(bytes.startIndex + count)...])
    return unsafe taken
  }

  mutating func takeUInt32() throws(ChunkFault) -> UInt32 {
    unsafe UInt32(littleEndian: try take(4).loadUnaligned(as: UInt32.self))
  }

  mutating func takeUInt16() throws(ChunkFault) -> UInt16 {
    unsafe UInt16(littleEndian: try take(2).loadUnaligned(as: UInt16.self))
  }

  mutating func takeUInt64() throws(ChunkFault) -> UInt64 {
    unsafe UInt64(littleEndian: try take(8).loadUnaligned(as: UInt64.self))
  }

  mutating func takePacked(_ count: Int, width: Int) throws(ChunkFault) -> PackedView {
    guard let address = try unsafe take(PackedView.byteCount(count, width: width)).baseAddress
    else {
      throw ChunkFault("it ends too early")
    }
    return unsafe PackedView(address, count: count, width: width)
  }
}
