/// A node of the file: a header of eight bytes and the elements after it.
///
/// Safe to use: `FileBytes.node` checks that all elements are in the file, every access checks its
/// index, and no node outlives the reading that made it (`FileBytes.reading`).
@safe struct Node {
  /// How the elements are packed.
  enum Packing {
    /// Integers of `width` bits.
    case bits
    /// Elements of `width` bytes.
    case bytes
    /// `count` bytes.
    case blob
  }

  /// The offset of the node in the file.
  let offset: Int
  let isInner: Bool
  let hasRefs: Bool
  /// The flag whose meaning depends on the kind of node.
  let flag: Bool
  let packing: Packing
  let width: Int
  let count: Int
  private let elements: UnsafeRawPointer

  /// Reads a header; `nil` if no node has this packing.
  init?(offset: Int, at start: UnsafeRawPointer) {
    let flags = unsafe start.load(fromByteOffset: 4, as: UInt8.self)
    switch (flags >> 3) & 3 {
    case 0: packing = .bits
    case 1: packing = .bytes
    case 2: packing = .blob
    default: return nil
    }
    self.offset = offset
    isInner = flags & 0x80 != 0
    hasRefs = flags & 0x40 != 0
    flag = flags & 0x20 != 0
    width = (1 << Int(flags & 7)) >> 1
    count = (5...7).reduce(0) {
      unsafe $0 << 8 | Int(start.load(fromByteOffset: $1, as: UInt8.self))
    }
    unsafe elements = start + Node.headerSize
  }

  static let headerSize = 8

  /// Whether a node begins with what Realm writes in the place of a checksum, `AAAA`.
  static func hasMark(at start: UnsafeRawPointer) -> Bool {
    unsafe start.loadUnaligned(as: UInt32.self) == 0x4141_4141
  }

  /// The bytes that the elements take.
  var byteCount: Int {
    switch packing {
    case .bits: (count * width + 7) / 8
    case .bytes: count * width
    case .blob: count
    }
  }

  private func expect(_ condition: Bool, _ what: @autoclosure () -> String) throws(RealmFileError) {
    guard condition else { throw damaged(what(), at: offset) }
  }

  /// The integer at `index`; those of 8 bits and more have a sign.
  func integer(_ index: Int) throws(RealmFileError) -> Int64 {
    try expect(packing == .bits, "a node of other elements where integers are expected")
    try expect(index >= 0 && index < count, "a node of \(count) elements has no number \(index)")
    return load(index)
  }

  /// An integer that is never negative.
  func unsigned(_ index: Int) throws(RealmFileError) -> UInt64 {
    let value = try integer(index)
    return width >= 64 || value >= 0
      ? UInt64(bitPattern: value) : UInt64(bitPattern: value) & (1 << UInt64(width) - 1)
  }

  /// All integers.
  ///
  /// The caller bounds `count`, because elements of width 0 take no bytes in the file.
  func integers() throws(RealmFileError) -> [Int64] {
    try expect(packing == .bits, "a node of other elements where integers are expected")
    return unsafe [Int64](unsafeUninitializedCapacity: count) { buffer, initialized in
      switch width {
      case 0: unsafe buffer.initialize(repeating: 0)
      case 8: unsafe fill(buffer, from: Int8.self)
      case 16: unsafe fill(buffer, from: Int16.self)
      case 32: unsafe fill(buffer, from: Int32.self)
      case 64: unsafe fill(buffer, from: Int64.self)
      default:
        for index in 0..<count { unsafe buffer.initializeElement(at: index, to: load(index)) }
      }
      initialized = count
    }
  }

  /// All integers, none of which is negative.
  func unsignedIntegers() throws(RealmFileError) -> [UInt64] {
    let mask = width >= 64 ? UInt64.max : 1 << UInt64(width) - 1
    return try integers().map { UInt64(bitPattern: $0) & mask }
  }

  private func fill<Element: FixedWidthInteger>(
    _ buffer: UnsafeMutableBufferPointer<Int64>,
    from type: Element.Type
  ) {
    for index in 0..<count {
      let value = unsafe elements.loadUnaligned(
        fromByteOffset: index * MemoryLayout<Element>.size,
        as: Element.self
      )
      unsafe buffer.initializeElement(at: index, to: Int64(Element(littleEndian: value)))
    }
  }

  private func load(_ index: Int) -> Int64 {
    switch width {
    case 0: return 0
    case 8: return Int64(unsafe elements.load(fromByteOffset: index, as: Int8.self))
    case 16: return Int64(word(index * 2, as: Int16.self))
    case 32: return Int64(word(index * 4, as: Int32.self))
    case 64: return word(index * 8, as: Int64.self)
    default:
      let bit = index * width
      let byte = unsafe elements.load(fromByteOffset: bit >> 3, as: UInt8.self)
      return Int64(byte >> UInt8(bit & 7) & (1 << UInt8(width) - 1))
    }
  }

  private func word<Word: FixedWidthInteger>(_ offset: Int, as type: Word.Type) -> Word {
    Word(littleEndian: unsafe elements.loadUnaligned(fromByteOffset: offset, as: type))
  }

  /// The unsigned word of `Word`'s size at a byte offset of the elements.
  func bits<Word: FixedWidthInteger & UnsignedInteger>(
    atByte byte: Int,
    as type: Word.Type
  ) throws(RealmFileError) -> Word {
    let size = MemoryLayout<Word>.size
    try expect(byte >= 0 && byte <= byteCount - size, "a value beyond the end of its node")
    return word(byte, as: type)
  }

  /// The byte at an offset of the elements.
  func byte(_ index: Int) throws(RealmFileError) -> UInt8 {
    try bits(atByte: index, as: UInt8.self)
  }

  /// A copy of some bytes of the elements.
  func bytes(from start: Int, count: Int) throws(RealmFileError) -> [UInt8] {
    try expect(
      start >= 0 && count >= 0 && start <= byteCount - count,
      "bytes beyond the end of their node"
    )
    return unsafe [UInt8](UnsafeRawBufferPointer(start: elements + start, count: count))
  }

  /// Some bytes of the elements as text; `nil` if they are not UTF-8.
  func text(from start: Int, count: Int) throws(RealmFileError) -> String? {
    try expect(
      start >= 0 && count >= 0 && start <= byteCount - count,
      "text beyond the end of its node"
    )
    let bytes = unsafe UnsafeRawBufferPointer(start: elements + start, count: count)
    // Most text is ASCII, and `String(validating:)` is slow for short text.
    return unsafe bytes.allSatisfy { $0 < 0x80 }
      ? unsafe String(decoding: bytes, as: UTF8.self)
      : unsafe String(validating: bytes, as: UTF8.self)
  }
}
