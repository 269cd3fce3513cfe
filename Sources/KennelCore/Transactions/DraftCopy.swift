import Glibc
import KennelStorage

/// The content of a draft, to be written to a new file.
///
/// ```swift
/// try draft.copy.write(to: path)
/// ```
///
/// It can be written on another thread while the draft is used.
public struct DraftCopy: Sendable {
  private let database: Database
  private let commitNumber: Int
  private let entries: [DraftEntry]

  fileprivate init(_ draft: Draft) {
    database = draft.database
    commitNumber = draft.base.commitNumber
    entries = draft.entries.filter { $0.performed != nil }
  }

  /// Writes the commit that the draft is based on, followed by the changes of the draft as one more
  /// commit.
  ///
  /// If the draft has no changes, writes the newest commit. Linear in the size of the file. The
  /// copy appears when it is complete. The database file may have been deleted or replaced.
  ///
  /// - Parameters:
  ///   - path: The path of the copy, which must not exist.
  ///   - isCancelled: Returns whether to cancel; called before the file gets its name.
  /// - Throws: `DatabaseError` if the path exists, there is a newer commit than the draft's base,
  ///   the copy was cancelled, the file is damaged, or the disk is full. No file is left then.
  public func write(
    to path: String,
    unless isCancelled: () -> Bool = { false }
  ) throws(DatabaseError) {
    guard unsafe access(path, F_OK) != 0 else { throw Self.taken(path) }
    let draft = "\(path).\(getpid()).new"
    unsafe unlink(draft)
    defer { for name in [draft, draft + "-lock"] { unsafe unlink(name) } }
    try fill(draft, as: path)
    if isCancelled() {
      throw DatabaseError(.cancelled, "The copy \(path) was not made", path: path)
    }
    guard unsafe link(draft, path) == 0 || errno != EEXIST && rename(draft, path) == 0 else {
      if errno == EEXIST { throw Self.taken(path) }
      let reason = systemReason(errno)
      throw DatabaseError(.cannotOpen, "Cannot copy to \(path): \(reason)", path: path)
    }
    do throws(StorageError) {
      try DatabaseFile.synchronizeName(of: path)
    } catch {
      unsafe unlink(path)
      throw DatabaseError(error)
    }
  }

  private func fill(_ draft: String, as path: String) throws(DatabaseError) {
    do throws(DatabaseError) {
      if entries.isEmpty { return try database.writeCopy(to: draft) }
      try requireSameCommit()
      try database.writeCopy(to: draft)
      try requireSameCommit()
      let transaction = try Database.open(draft).beginWrite()
      defer { transaction.rollback() }
      _ = try transaction.perform(entries)
      try transaction.commit()
    } catch {
      // Nobody knows the other name.
      throw DatabaseError(error.code, error.message.replacing(draft, with: path), path: path)
    }
  }

  /// The newest commit alone.
  fileprivate init(_ database: Database) {
    self.database = database
    commitNumber = 0
    entries = []
  }

  private func requireSameCommit() throws(DatabaseError) {
    if database.commitNumber != commitNumber {
      throw DatabaseError(.conflict, "Another program committed meanwhile; try again")
    }
  }

  private static func taken(_ path: String) -> DatabaseError {
    DatabaseError(
      .cannotOpen,
      "Cannot copy to \(path): there is a file already; choose another name",
      path: path
    )
  }
}

extension Database {
  /// Writes the newest commit to a new file, unless cancelled.
  ///
  /// See ``writeCopy(to:)``.
  ///
  /// - Parameters:
  ///   - path: The path of the copy, which must not exist.
  ///   - isCancelled: Returns whether to cancel; called before the file gets its name.
  /// - Throws: `DatabaseError` if the path exists, this file is damaged, the disk is full, or the
  ///   copy was cancelled. No file is left then.
  public func writeCopy(
    to path: String,
    unless isCancelled: () -> Bool
  ) throws(DatabaseError) {
    try DraftCopy(self).write(to: path, unless: isCancelled)
  }
}

extension Draft {
  /// A copy of the draft that can be written to a file.
  ///
  /// Operations in ``Draft/conflicts`` are left out; ``Draft/reader`` does not show them either.
  public var copy: DraftCopy { DraftCopy(self) }
}
