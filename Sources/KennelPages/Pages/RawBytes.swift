extension [UInt8] {
  /// Calls a function with the bytes, which may throw its own errors.
  func withRawBytes<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try unsafe span.bytes.withUnsafeBytes(body)
  }
}
