import Glibc

/// The name under which a file is opened.
enum FileName {
  /// The number of chained links that the system itself follows.
  private static let mostLinks = 40

  /// The target of symbolic links, existing or not; any other path unchanged.
  ///
  /// LMDB's lock file lies beside the name that a file is opened under. Programs that use different
  /// links would lock different files and write at the same time.
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

  /// The target of a symbolic link; `nil` for anything else, and if it is not text.
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
