/// Appends numbers and bytes, little-endian, for the stored forms that are not chunks.
package struct ByteWriter {
  package private(set) var bytes: [UInt8] = []

  package init() {}

  package mutating func append(_ value: some FixedWidthInteger) {
    unsafe withUnsafeBytes(of: value.littleEndian) { unsafe bytes.append(contentsOf: $0) }
  }

  package mutating func append(bytes more: some Sequence<UInt8>) {
    bytes.append(contentsOf: more)
  }

  /// Ends the value with the checksum of the key that it is stored under and of itself.
  package mutating func appendChecksum(for key: UInt64) {
    append(keyedChecksum(key, bytes[...]))
  }
}

/// Reads what ``ByteWriter`` wrote; every length is checked.
///
/// Safe to use while the bytes are valid: every length is checked.
@safe package struct ByteReader {
  private let bytes: UnsafeRawBufferPointer
  private var offset = 0
  /// `nil` where the value has no checksum of its own.
  private let key: UInt64?
  private let what: String

  /// Starts to read a value whose bytes are known to be right.
  init(_ bytes: UnsafeRawBufferPointer, what: String) {
    unsafe self.bytes = bytes
    key = nil
    self.what = what
  }

  /// Starts to read a value that ends with its checksum, after comparing it.
  package init(
    checked bytes: UnsafeRawBufferPointer,
    for key: UInt64,
    what: String
  ) throws(StorageError) {
    self.key = key
    self.what = what
    let length = bytes.count - 4
    guard length >= 0 else {
      unsafe self.bytes = bytes
      throw damage("it has only \(bytes.count) bytes")
    }
    unsafe self.bytes = UnsafeRawBufferPointer(rebasing: bytes[..<length])
    let stored = unsafe UInt32(
      littleEndian: bytes.loadUnaligned(fromByteOffset: length, as: UInt32.self)
    )
    guard unsafe stored == keyedChecksum(key, self.bytes) else {
      throw damage("its checksum does not match")
    }
  }

  package var isAtEnd: Bool { unsafe offset == bytes.count }

  package mutating func read<Number: FixedWidthInteger & BitwiseCopyable>(
    _ type: Number.Type
  ) throws(StorageError) -> Number {
    let size = MemoryLayout<Number>.size
    guard unsafe offset + size <= bytes.count else { throw damage("it ends too early") }
    defer { offset += size }
    return unsafe Number(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: Number.self))
  }

  package mutating func readBytes(_ count: Int) throws(StorageError) -> UnsafeRawBufferPointer {
    guard count >= 0, unsafe count <= bytes.count - offset else {
      throw damage("it ends too early")
    }
    defer { offset += count }
    return unsafe UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + count])
  }

  package func damage(_ reason: String) -> StorageError {
    .damaged(in: key.map { "\(what) \($0)" } ?? what, reason)
  }
}

/// CRC-32C of a key and the bytes stored under it, so that a value in a wrong place is noticed.
package func keyedChecksum(_ key: UInt64, _ bytes: UnsafeRawBufferPointer) -> UInt32 {
  let seed = unsafe withUnsafeBytes(of: key.littleEndian) { unsafe Checksum.crc32c($0) }
  return unsafe Checksum.crc32c(bytes, continuing: seed)
}

package func keyedChecksum(_ key: UInt64, _ bytes: ArraySlice<UInt8>) -> UInt32 {
  unsafe bytes.withUnsafeBytes { unsafe keyedChecksum(key, $0) }
}
