extension [UInt8] {
  /// Like `withUnsafeBytes`, keeping the type of what the body throws.
  internal func withRawBytes<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try unsafe span.bytes.withUnsafeBytes(body)
  }
}
