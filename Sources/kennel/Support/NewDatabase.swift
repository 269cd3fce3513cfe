import Glibc
import KennelCore

/// A database that gets its name when it is complete.
///
/// It is written beside its path. No unfinished file appears there: not after an error in a
/// document, on a full disk, or after `kill -9`.
enum NewDatabase {
  /// Whether there is no file at the path, or an empty one.
  static func isWanted(at path: String) -> Bool {
    guard let status = status(of: path) else { return errno == ENOENT }
    return unsafe isEmpty(status) && access(path, W_OK) == 0
  }

  /// Whether a file is empty and has no other hard link.
  private static func isEmpty(_ status: stat) -> Bool {
    status.isFile && status.st_size == 0 && status.st_nlink == 1
  }

  /// Creates a database; the body fills it under another name.
  ///
  /// - Parameters:
  ///   - path: The path.
  ///   - key: What it is encrypted with; nothing if it is `nil`.
  ///   - mode: The permissions, if they are wanted to be others than of a file for its owner alone.
  ///   - fill: Fills the database.
  /// - Returns: What `fill` returned.
  /// - Throws: What the body throws, or why the file cannot be created. The path is then unchanged.
  static func make<Result>(
    at path: String,
    key: Database.Key? = nil,
    mode: mode_t? = nil,
    _ fill: (Database) throws -> Result
  ) throws -> Result {
    let target = followed(path)
    let draft = draftName(of: target)
    Interruption.watch(Interruption.leavingAlone(path))
    do {
      return try withDraft(of: target, as: path, key: key, fill) { draft in
        if let mode { chmod(draft, mode) }
        try place(draft, at: target, keepsMode: mode != nil)
      }
    } catch let error as DatabaseError {
      // Nobody knows the other name.
      throw CommandError(error.message.replacing(draft, with: path))
    }
  }

  private static func place(_ draft: String, at path: String, keepsMode: Bool) throws {
    if let status = status(of: path) {
      guard isEmpty(status) else { throw taken(path) }
      if !keepsMode { chmod(draft, status.st_mode & 0o7777) }
      if status.st_uid != geteuid() || status.st_gid != getegid() {
        _ = unsafe chown(draft, status.st_uid, status.st_gid)
      }
      guard rename(draft, path) == 0 else { throw CommandError.system("Cannot create \(path)") }
    } else {
      try moveToFreeName(draft, path)
    }
    synchronizeFolder(of: path)
  }

  /// Renames a file; fails if the name exists.
  private static func moveToFreeName(_ draft: String, _ path: String) throws {
    // In two steps, as one would put it in the place of what came into being meanwhile.
    if unsafe link(draft, path) == 0 {
      unlink(draft)
      return
    }
    if errno == EEXIST || exists(path) { throw taken(path) }
    // A file system that knows no second names.
    guard rename(draft, path) == 0 else { throw CommandError.system("Cannot create \(path)") }
  }

  private static func taken(_ path: String) -> CommandError {
    CommandError("Cannot create \(path): another program created it meanwhile")
  }
}
