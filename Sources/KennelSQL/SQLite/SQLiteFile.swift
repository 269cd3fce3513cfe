internal import Glibc

/// An SQLite file in its present state, with what programs keep beside it.
package struct SQLiteFile: Hashable, Sendable {
  package let path: String
  /// Tells one state of what lies beside the file from another.
  package let state: String
  /// How it is read so that nothing beside it is created; `nil` where that takes a copy.
  package let access: SQLiteConnection.Access?

  /// The suffixes of files that hold a part of the database.
  package static let companions = ["-wal", "-journal"]

  /// Looks at a file; links to it are followed.
  package init(_ path: String) {
    self.path = path
    state = ([""] + Self.companions).map { Self.state(of: path + $0) }.joined(separator: " ")
    if !Self.usesLog(path) {
      access = .locked
    } else if Self.size(of: path + "-wal") == 0 {
      // Locks are in the index of the log, which would be created.
      access = .unlocked
    } else {
      access = Self.size(of: path + "-shm") > 0 ? .withLog : nil
    }
  }

  /// How every such file begins, unless it is encrypted.
  package static let header = "SQLite format 3\0"

  /// Whether the header asks for a write-ahead log.
  private static func usesLog(_ path: String) -> Bool {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    var versions: (UInt8, UInt8) = (0, 0)
    return unsafe pread(descriptor, &versions, 2, 18) == 2 && (versions.0 > 1 || versions.1 > 1)
  }

  private static func size(of path: String) -> Int {
    var status = stat()
    return unsafe stat(path, &status) == 0 ? Int(status.st_size) : 0
  }

  private static func state(of path: String) -> String {
    var status = stat()
    guard unsafe stat(path, &status) == 0, status.st_size > 0 else { return "-" }
    let time = status.st_mtim
    return "\(status.st_ino):\(status.st_size):\(time.tv_sec).\(time.tv_nsec)"
  }
}
