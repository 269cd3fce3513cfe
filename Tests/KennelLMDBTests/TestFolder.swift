import Glibc
import KennelLMDB

/// A folder of its own that goes with the value.
final class TestFolder: Sendable {
  let path: String

  init() {
    var template = Array("/tmp/kennel-lmdb-XXXXXX".utf8CString)
    path = unsafe template.withUnsafeMutableBufferPointer { buffer in
      guard let base = buffer.baseAddress, let made = unsafe mkdtemp(base) else { return "/tmp" }
      return unsafe String(cString: made)
    }
  }

  var file: String { path + "/test.kennel" }

  deinit {
    for name in ["test.kennel", "test.kennel-lock", "moved", "hard", "symbolic"] {
      unsafe unlink(path + "/" + name)
    }
    unsafe rmdir(path)
  }

  func read() -> [UInt8] {
    let descriptor = unsafe open(file, O_RDONLY)
    defer { close(descriptor) }
    let size = Int(lseek(descriptor, 0, SEEK_END))
    return unsafe [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      count = unsafe max(0, pread(descriptor, buffer.baseAddress, size, 0))
    }
  }

  /// Makes the file anew, with a new inode and without a lock file.
  func write(_ bytes: [UInt8]) {
    unsafe unlink(file)
    unsafe unlink(file + "-lock")
    let descriptor = unsafe open(file, O_RDWR | O_CREAT | O_EXCL, 0o600)
    defer { close(descriptor) }
    _ = unsafe bytes.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
  }
}

extension Environment {
  /// One commit with one entry.
  func store(_ key: UInt64, _ text: String, timeoutInMilliseconds: Int? = nil) throws {
    markChecked()
    let transaction = try beginWrite(timeoutInMilliseconds: timeoutInMilliseconds)
    try transaction.put(.chunks, key, text)
    try transaction.commit()
  }

  /// What a write transaction finds under a key.
  func text(_ key: UInt64) throws -> String? {
    markChecked()
    let transaction = try beginWrite()
    defer { transaction.abort() }
    return try unsafe transaction.get(.chunks, key).map {
      unsafe String(decoding: $0, as: UTF8.self)
    }
  }
}

extension WriteTransaction {
  func put(_ tree: Tree, _ key: UInt64, _ text: String, append: Bool = false) throws {
    try unsafe Array(text.utf8).withUnsafeBytes { try unsafe put(tree, key, $0, append: append) }
  }
}
