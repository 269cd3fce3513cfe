import COpenSSL

/// Bytes that are wiped when nobody has them any more.
///
/// Safe to use: the memory lives as long as the object, and does not change after `init`.
@safe package final class SecretBytes: @unchecked Sendable {
  private let memory: UnsafeMutableRawBufferPointer

  /// A secret that a function writes.
  package init<Failure: Error>(
    byteCount: Int,
    _ fill: (UnsafeMutableRawBufferPointer) throws(Failure) -> Void
  ) throws(Failure) {
    unsafe memory = .allocate(byteCount: byteCount, alignment: 16)
    unsafe memory.initializeMemory(as: UInt8.self, repeating: 0)
    // If it throws, `deinit` wipes what there is.
    try unsafe fill(memory)
  }

  package convenience init(_ bytes: some Collection<UInt8>) {
    unsafe self.init(byteCount: bytes.count) { memory in unsafe memory.copyBytes(from: bytes) }
  }

  deinit {
    unsafe OPENSSL_cleanse(memory.baseAddress, memory.count)
    unsafe memory.deallocate()
  }

  /// Lends the bytes, which are there as long as the body runs.
  package func withBytes<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    defer { withExtendedLifetime(self) {} }
    return try unsafe body(UnsafeRawBufferPointer(memory))
  }

  package var count: Int { unsafe memory.count }
}
