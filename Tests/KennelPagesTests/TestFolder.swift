import Glibc
import KennelPages

/// A folder of its own that goes with the value.
final class TestFolder: Sendable {
  let path: String

  init() {
    var template = Array("/tmp/kennel-pages-XXXXXX".utf8CString)
    path = unsafe template.withUnsafeMutableBufferPointer { buffer in
      guard let base = buffer.baseAddress, let made = unsafe mkdtemp(base) else { return "/tmp" }
      return unsafe String(cString: made)
    }
  }

  var file: String { path + "/test.pages" }

  deinit {
    if let folder = unsafe opendir(path) {
      while let entry = unsafe readdir(folder) {
        let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
          unsafe pointer.withMemoryRebound(to: CChar.self, capacity: 256) {
            unsafe String(cString: $0)
          }
        }
        unsafe unlink(path + "/" + name)
      }
      unsafe closedir(folder)
    }
    unsafe rmdir(path)
  }

  func read() -> [UInt8] { Self.read(file) }

  /// Opens the closed file alone: a program that another test starts holds its descriptors for a moment.
  func openAlone() throws(PageStoreError) -> PageStore? {
    for _ in 0..<200 {
      if let store = try PageStore.openAlone(file) { return store }
      usleep(5000)
    }
    return nil
  }

  /// Writes bytes in place.
  func patch(_ offset: Int, _ bytes: [UInt8]) {
    let descriptor = unsafe open(file, O_RDWR)
    defer { close(descriptor) }
    _ = unsafe pwrite(descriptor, bytes, bytes.count, off_t(offset))
  }

  func truncate(to byteCount: Int) {
    unsafe Glibc.truncate(file, off_t(byteCount))
  }

  static func read(_ path: String) -> [UInt8] {
    let descriptor = unsafe open(path, O_RDONLY)
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
    Self.write(file, bytes)
  }

  /// Writes other bytes into a file, as `cp` does.
  static func overwrite(_ path: String, _ bytes: [UInt8]) {
    let descriptor = unsafe open(path, O_WRONLY | O_TRUNC)
    defer { close(descriptor) }
    _ = unsafe bytes.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
  }

  static func write(_ path: String, _ bytes: [UInt8]) {
    let descriptor = unsafe open(path, O_RDWR | O_CREAT | O_EXCL, 0o600)
    defer { close(descriptor) }
    _ = unsafe bytes.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
  }
}

extension Writer {
  func put(_ tree: Tree, _ key: UInt64, _ text: String) throws {
    try unsafe Array(text.utf8).withUnsafeBytes { try unsafe put(tree, key, $0) }
  }

  func put(_ tree: Tree, key: [UInt8], _ value: [UInt8]) throws {
    try unsafe key.withUnsafeBytes { key in
      try unsafe value.withUnsafeBytes { try unsafe put(tree, key: key, $0) }
    }
  }

  func put(_ tree: Tree, _ key: UInt64, _ value: [UInt8]) throws {
    try unsafe value.withUnsafeBytes { try unsafe put(tree, key, $0) }
  }

  @discardableResult
  func delete(_ tree: Tree, key: [UInt8]) throws -> Bool {
    try unsafe key.withUnsafeBytes { try unsafe delete(tree, key: $0) }
  }

  func bytes(_ tree: Tree, _ key: UInt64) throws -> [UInt8]? {
    try unsafe get(tree, key).map { unsafe Array($0) }
  }
}

extension PageSnapshot {
  func text(_ tree: Tree, _ key: UInt64) throws -> String? {
    try unsafe get(tree, key).map { unsafe String(decoding: $0, as: UTF8.self) }
  }

  func bytes(_ tree: Tree, _ key: UInt64) throws -> [UInt8]? {
    try unsafe get(tree, key).map { unsafe Array($0) }
  }

  func bytes(_ tree: Tree, key: [UInt8]) throws -> [UInt8]? {
    try unsafe key.withUnsafeBytes { try unsafe get(tree, key: $0).map { unsafe Array($0) } }
  }
}

extension PageStore {
  func text(_ tree: Tree, _ key: UInt64) throws -> String? { try snapshot().text(tree, key) }

  /// One commit with one entry.
  func store(_ tree: Tree, _ key: UInt64, _ text: String) throws {
    let writer = try beginWrite(timeoutInMilliseconds: 10_000)
    try writer.put(tree, key, text)
    try writer.commit()
  }
}
