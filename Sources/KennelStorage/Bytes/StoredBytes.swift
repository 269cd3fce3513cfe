package import KennelPages

/// Bytes where they lie: in a page, in a decoded column, or in an array for as long as a call takes.
///
/// Safe to use while they lie there, which is as long as a snapshot is pinned, until a writer's or a
/// column's next change, or until the call returns: every position is checked.
@usableFromInline
@safe package struct StoredBytes: RandomAccessCollection {
  @usableFromInline package let start: UnsafeRawPointer?
  @usableFromInline package let count: Int

  @inlinable
  @inline(__always)
  package init(_ start: UnsafeRawPointer?, count: Int) {
    unsafe self.start = start
    self.count = count
  }

  @inlinable
  @inline(__always)
  package init(_ buffer: UnsafeRawBufferPointer) {
    unsafe self.init(buffer.baseAddress, count: buffer.count)
  }

  /// No bytes.
  @inlinable
  package static var empty: StoredBytes { unsafe StoredBytes(nil, count: 0) }

  /// The bytes without checks of positions.
  @inlinable
  @inline(__always)
  package var buffer: UnsafeRawBufferPointer {
    unsafe UnsafeRawBufferPointer(start: start, count: count)
  }

  @usableFromInline package var startIndex: Int { 0 }
  @usableFromInline package var endIndex: Int { count }

  /// A byte; 0 where there is none.
  @inlinable
  @inline(__always)
  package subscript(position: Int) -> UInt8 {
    guard UInt(bitPattern: position) < UInt(bitPattern: count), let start = unsafe start else {
      return 0
    }
    return unsafe start.load(fromByteOffset: position, as: UInt8.self)
  }

  /// A number as it lies there; 0 where there are too few bytes.
  @inlinable
  @inline(__always)
  package func loadUnaligned<Number: FixedWidthInteger & BitwiseCopyable>(
    fromByteOffset offset: Int = 0,
    as type: Number.Type
  ) -> Number {
    guard offset >= 0, offset <= count &- MemoryLayout<Number>.size, let start = unsafe start else {
      return 0
    }
    return unsafe start.loadUnaligned(fromByteOffset: offset, as: type)
  }

  /// The bytes of a range, as far as they are there.
  @inlinable
  @inline(__always)
  package func slice(_ range: Range<Int>) -> StoredBytes {
    let range = range.clamped(to: 0..<count)
    return unsafe StoredBytes(start.map { unsafe $0 + range.lowerBound }, count: range.count)
  }
}

extension [UInt8] {
  /// Copies bytes.
  package init(_ bytes: StoredBytes) { self = unsafe Array(bytes.buffer) }

  /// Copies bytes to the end.
  package mutating func append(contentsOf bytes: StoredBytes) {
    unsafe append(contentsOf: bytes.buffer)
  }

  /// Calls a function with the bytes, which may throw its own errors.
  package func withRawBytes<Result, Failure: Error>(
    _ body: (StoredBytes) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try unsafe span.bytes.withUnsafeBytes { (bytes) throws(Failure) in
      try unsafe body(StoredBytes(bytes))
    }
  }
}

extension String {
  /// Makes a text of its bytes; `nil` if they are not UTF-8.
  package init?(utf8 bytes: StoredBytes) { unsafe self.init(utf8: bytes.buffer) }
}

extension ByteOrder {
  /// The order of bytes; of two that begin alike the shorter is less.
  @inline(__always)
  package static func compare(_ one: StoredBytes, _ other: StoredBytes) -> Int {
    unsafe compare(one.buffer, other.buffer)
  }
}
