import Glibc
import Synchronization

/// Files and folders that go when the program ends.
enum TemporaryFiles {
  private static let paths = Mutex<[String]>([])

  /// Has files removed at the end, or by a signal or a crash; folders come before what lies in them.
  static func add(_ added: String...) {
    paths.withLock { $0 += added }
    for path in added { Interruption.willLeave(path) }
  }

  /// Removes them; called before the program ends.
  static func remove() {
    paths.withLock { paths in
      for path in paths.reversed() where unlink(path) != 0 { rmdir(path) }
      paths = []
    }
  }
}
