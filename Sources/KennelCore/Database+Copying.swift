import KennelStorage

extension Database {
  /// Writes the newest commit to a new file, without the room that is free in this one.
  ///
  /// Linear in the size of the file. Where the file can be written, it waits for the writer's lock and
  /// keeps other writers waiting. The copy keeps the file's id and is a database of its own.
  ///
  /// - Parameter path: Where there is no file yet.
  /// - Throws: `DatabaseError` if there is one, this one is damaged, or the disk is full; no file is left
  ///   then.
  public func writeCopy(to path: String) throws(DatabaseError) {
    try storing { () throws(StorageError) in try store.copy(to: path) }
  }
}
