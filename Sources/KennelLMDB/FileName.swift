import Glibc

/// The name by which a file is opened.
enum FileName {
  /// Links that lead to links, as many as the system itself follows.
  private static let mostLinks = 40

  /// Where a symbolic link leads in the end, whether there is a file or not; any other path as it is.
  ///
  /// LMDB's lock file lies beside the name that a file is opened by: programs that came by different
  /// links would lock different files, and write at the same time.
  static func followed(_ path: String) throws(LMDBError) -> String {
    var name = path
    for _ in 0...mostLinks {
      guard let target = target(of: name) else { return name }
      if target.hasPrefix("/") || !name.contains("/") {
        name = target
      } else {
        name = Environment.parent(of: name) + "/" + target
      }
    }
    throw LMDBError(code: ELOOP, .open, path: path)
  }

  /// What a symbolic link says; `nil` for anything else, and where it is no text.
  private static func target(of path: String) -> String? {
    let room = Int(PATH_MAX)
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
      count = unsafe buffer.withMemoryRebound(to: CChar.self) { text in
        unsafe text.baseAddress.map { unsafe max(0, readlink(path, $0, room)) } ?? 0
      }
    }
    return bytes.isEmpty ? nil : String(validating: bytes, as: UTF8.self)
  }
}
