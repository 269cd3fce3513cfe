import Glibc
import KennelCore

/// The copy of an encrypted file: in memory alone.
///
/// It lies in the system's file system in memory, readable by its owner, until it is open; then it
/// loses its name, and the system frees it with the process, however that ends. The system may still
/// swap it out, as it may the memory of every program.
enum MemoryCopy {
  private static let parent = "/dev/shm"
  /// The type that `statfs` gives file systems in memory, TMPFS_MAGIC.
  private static let memoryType = 0x0102_1994

  static func make(of path: String, _ fill: (Database) throws -> Void) throws -> Database {
    var status = statfs()
    guard unsafe statfs(parent, &status) == 0, Int(status.f_type) == memoryType else {
      throw CommandError(
        "Cannot open \(path): it is encrypted, and \(parent), where a copy would be in memory, is no "
          + "file system in memory; 'kennel import' makes a database of it, which is not encrypted"
      )
    }
    let folder = "\(parent)/kennel-\(getuid())-\(getpid())"
    let file = folder + "/copy.kennel"
    Interruption.willLeave(folder, file, file + "-lock")
    guard unsafe mkdir(folder, 0o700) == 0 else {
      throw CommandError.system("Cannot create \(folder)")
    }
    defer {
      removeDatabase(file)
      unsafe rmdir(folder)
    }
    let database = try Interruption.hold { try Database.open(file) }
    do {
      try fill(database)
    } catch let error as DatabaseError {
      throw CommandError(error.message.replacing(file, with: "the copy of \(path) in memory"))
    }
    return database
  }
}
