extension [UInt8] {
  /// Appends a number, little-endian.
  @inline(__always)
  package mutating func append(number: some FixedWidthInteger) {
    unsafe Swift.withUnsafeBytes(of: number.littleEndian) { unsafe append(contentsOf: $0) }
  }

  /// Appends what a body appends, with its length before it.
  mutating func append<Length: FixedWidthInteger & BitwiseCopyable>(
    length: Length.Type,
    of body: (inout [UInt8]) -> Void
  ) {
    let start = count
    append(number: Length.zero)
    body(&self)
    let length = Length(count - start - MemoryLayout<Length>.size).littleEndian
    unsafe withUnsafeMutableBytes {
      unsafe $0.storeBytes(of: length, toByteOffset: start, as: Length.self)
    }
  }
}

/// Reads the numbers and bytes of the stored forms that are not chunks.
///
/// Safe to use while the bytes are valid: every length is checked.
@safe package struct ByteReader {
  private let bytes: StoredBytes
  private var offset = 0
  /// The key that it is stored under, for messages.
  private let key: UInt64?
  private let what: String

  package init(_ bytes: StoredBytes, key: UInt64? = nil, what: String) {
    self.bytes = bytes
    self.key = key
    self.what = what
  }

  package var isAtEnd: Bool { offset == bytes.count }

  package mutating func read<Number: FixedWidthInteger & BitwiseCopyable>(
    _ type: Number.Type
  ) throws(StorageError) -> Number {
    let size = MemoryLayout<Number>.size
    guard offset + size <= bytes.count else { throw damage("it ends too early") }
    defer { offset += size }
    return Number(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: Number.self))
  }

  package mutating func readBytes(_ count: Int) throws(StorageError) -> StoredBytes {
    guard count >= 0, count <= bytes.count - offset else { throw damage("it ends too early") }
    defer { offset += count }
    return bytes.slice(offset..<offset + count)
  }

  package func damage(_ reason: String) -> StorageError {
    .damaged(in: key.map { "\(what) \($0)" } ?? what, reason)
  }
}
