import KennelStorage

extension Database {
  /// Writes the newest commit to a new file, without the room that is free in this one.
  ///
  /// Linear in the size of the file. Where the file can be written, it waits for the writer's lock and
  /// keeps other writers waiting. The copy keeps the file's id and is a database of its own. A file
  /// that was deleted or replaced while it was open can be copied as any other.
  ///
  /// - Parameter path: Where there is no file yet.
  /// - Throws: `DatabaseError` if there is one, this one is damaged, or the disk is full; no file is left
  ///   then.
  public func writeCopy(to path: String) throws(DatabaseError) {
    try storing { () throws(StorageError) in try store.copy(to: path) }
  }

  /// Makes a file smaller by the room that is free in it.
  ///
  /// Linear in the size of the file. A copy is written beside it, with `-compacting` behind the name,
  /// synchronized, checked, and put in its place: whenever the process ends, there is the one or the
  /// other; the next compaction removes a copy that was left. Nothing is done while anybody has
  /// the file open, in whatever process; who opens it meanwhile waits. Keys and the file's id stay.
  ///
  /// - Parameters:
  ///   - path: The file's path.
  ///   - isWanted: Asked, with the file's size and how much of it is in use, in bytes, once nobody else
  ///     can open it; it must not open the file itself. What a deleted object has left between objects
  ///     that live counts as used, and is given back too.
  /// - Returns: Whether it was done: not where somebody has the file open, it has several names, it may
  ///   not be written, or it was not wanted.
  /// - Throws: `DatabaseError` if there is no such file, it is damaged or none of Kennel's, or the disk
  ///   is full; the file is as it was then.
  @discardableResult
  public static func compact(
    _ path: String,
    if isWanted: (_ totalByteCount: Int, _ usedByteCount: Int) -> Bool = { _, _ in true }
  ) throws(DatabaseError) -> Bool {
    try storing { () throws(StorageError) in try Store.compact(path, if: isWanted) }
  }

  /// How many commits the file keeps: from the oldest that somebody looks at, in whatever process, to
  /// the newest.
  ///
  /// What was deleted or changed since the oldest of them is still there and costs room. Linear in the
  /// number of those who look.
  public var keptCommitCount: Int { store.keptCommitCount }
}
