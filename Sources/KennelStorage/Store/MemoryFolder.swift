import Glibc
import KennelPages

/// A folder for the file of a database in memory, for this user alone; it goes with the last reference.
///
/// It lies in the system's file system in memory, or in the temporary folder if the system has none.
package final class MemoryFolder: Sendable {
  private let folder: String
  /// The path of the file.
  package let file: String

  /// Creates the folder.
  ///
  /// - Throws: `StorageError` if there is no place for it.
  package init() throws(StorageError) {
    let temporary = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? "/tmp"
    guard let folder = Self.make(in: "/dev/shm") ?? Self.make(in: temporary) else {
      throw .file(PageStoreError(.noSuchDirectory(temporary), .open, path: temporary))
    }
    self.folder = folder
    file = folder + "/memory.kennel"
  }

  deinit {
    for name in [file, file + "-lock"] { unsafe unlink(name) }
    unsafe rmdir(folder)
  }

  private static func make(in parent: String) -> String? {
    guard let path = unsafe strdup("\(parent)/kennel-XXXXXX") else { return nil }
    defer { unsafe free(path) }
    return unsafe mkdtemp(path).map { unsafe String(cString: $0) }
  }
}
