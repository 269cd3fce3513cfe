import Glibc

extension [UInt8] {
  /// Like `withUnsafeBytes`, keeping the type of what the body throws.
  internal func withRawBytes<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try unsafe span.bytes.withUnsafeBytes(body)
  }
}

extension RawSpan {
  /// Whether both have the same bytes.
  @usableFromInline
  package func hasSameBytes(as other: RawSpan) -> Bool {
    guard byteCount == other.byteCount else { return false }
    return unsafe withUnsafeBytes { bytes in
      unsafe other.withUnsafeBytes { others in
        guard let first = bytes.baseAddress, let second = others.baseAddress else { return true }
        return unsafe memcmp(first, second, bytes.count) == 0
      }
    }
  }
}
