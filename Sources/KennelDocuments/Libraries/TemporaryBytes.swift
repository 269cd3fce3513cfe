import Glibc

/// Bytes that are kept until they are read again: a few in memory, more in a file without a name.
///
/// The file goes with the process, whatever ends it.
final class TemporaryBytes {
  /// How many bytes stay in memory.
  private static let limit = 1 << 20

  private var bytes: [UInt8] = []
  private var descriptor: Int32 = -1

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  func append(_ more: [UInt8]) throws(DocumentError) {
    bytes += more
    if bytes.count >= Self.limit { try write() }
  }

  /// Gives what was appended, chunk by chunk, from the beginning; none at the end.
  func reader() throws(DocumentError) -> () throws -> [UInt8] {
    guard descriptor >= 0 else {
      var rest = bytes
      return {
        defer { rest = [] }
        return rest
      }
    }
    try write()
    guard lseek(descriptor, 0, SEEK_SET) == 0 else { throw Self.problem("read") }
    return { try self.next() }
  }

  private func next() throws(DocumentError) -> [UInt8] {
    while true {
      var count = 0
      let chunk = unsafe [UInt8](unsafeUninitializedCapacity: 1 << 18) { buffer, initialized in
        count = unsafe read(descriptor, buffer.baseAddress, buffer.count)
        initialized = max(count, 0)
      }
      if count >= 0 { return chunk }
      if errno != EINTR { throw Self.problem("read") }
    }
  }

  private func write() throws(DocumentError) {
    if descriptor < 0 { descriptor = try Self.open() }
    var start = 0
    while start < bytes.count {
      let written = unsafe bytes.withUnsafeBytes { buffer in
        unsafe Glibc.write(
          descriptor,
          buffer.baseAddress.map { unsafe $0 + start },
          bytes.count - start
        )
      }
      if written < 0, errno != EINTR { throw Self.problem("write") }
      start += max(written, 0)
    }
    bytes.removeAll(keepingCapacity: true)
  }

  private static func open() throws(DocumentError) -> Int32 {
    let folder = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? "/tmp"
    var name = Array("\(folder)/kennel-XXXXXX".utf8CString)
    let descriptor = unsafe mkstemp(&name)
    guard descriptor >= 0 else { throw problem("make") }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    unsafe unlink(name)
    return descriptor
  }

  private static func problem(_ attempt: String) -> DocumentError {
    DocumentError(
      line: nil,
      unsafe "Cannot \(attempt) a temporary file: \(String(cString: strerror(errno))); TMPDIR says where"
    )
  }
}
