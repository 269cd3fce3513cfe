extension [UInt8] {
  /// Like `withUnsafeBytes`, keeping the type of what the body throws.
  internal func withRawBytes<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try unsafe span.bytes.withUnsafeBytes(body)
  }
}

/// Numbers at any offset, in the order of the bytes that the processor has.
extension UnsafeRawPointer {
  @inline(__always)
  func word16(_ offset: Int) -> Int {
    unsafe Int(loadUnaligned(fromByteOffset: offset, as: UInt16.self))
  }

  @inline(__always)
  func word32(_ offset: Int) -> Int {
    unsafe Int(loadUnaligned(fromByteOffset: offset, as: UInt32.self))
  }

  @inline(__always)
  func word64(_ offset: Int) -> UInt64 {
    unsafe loadUnaligned(fromByteOffset: offset, as: UInt64.self)
  }
}
