import KennelStorage

extension Database {
  /// Writes the newest commit to a new file, without free space.
  ///
  /// Linear in the size of the file. Others may read and write meanwhile. The copy keeps the
  /// file's id. A file that was deleted or replaced while it was open
  /// can still be copied.
  ///
  /// - Parameters:
  ///   - path: The path of the copy, which must not exist.
  ///   - encryption: The encryption of the copy; usually that of the file.
  /// - Throws: `DatabaseError` if the path exists, this file is damaged, or the disk is full. No
  ///   file is left then.
  public func writeCopy(
    to path: String,
    encryption: Encryption = .unchanged
  ) throws(DatabaseError) {
    try requireOpen()
    try storing(store.copy(to: path, encryption))
  }

  /// Reclaims the free space of a file.
  ///
  /// Linear in the size of the file. A copy is written beside the file, under its name with
  /// `-compacting` appended. It is synced, checked and then renamed over the file. If the process
  /// is killed, either the old or the new file exists; the next compaction deletes a leftover copy.
  /// A file that any process has open is not compacted; opening it during compaction waits. Keys
  /// and the file's id stay the same.
  ///
  /// - Parameters:
  ///   - path: The file's path.
  ///   - key: The key of an encrypted file.
  ///   - encryption: The encryption that the file gets; usually the one that it has.
  ///   - isWanted: Returns whether to compact, given the size of the file and the bytes in use.
  ///     During the call no process can open the file; the closure must not open it either. Values
  ///     of deleted objects that lie among remaining ones count as used, although compaction
  ///     reclaims their space too.
  /// - Returns: Whether the file was compacted: false if a process has it open, it has several
  ///   names, it is not writable, or `isWanted` returned false.
  /// - Throws: `DatabaseError` if the file is missing, damaged or not a Kennel file, or the disk is
  ///   full. The file is unchanged then.
  @discardableResult
  public static func compact(
    _ path: String,
    key: Key? = nil,
    encryption: Encryption = .unchanged,
    if isWanted: (_ totalByteCount: Int, _ usedByteCount: Int) -> Bool = { _, _ in true }
  ) throws(DatabaseError) -> Bool {
    try storing(DatabaseFile.compact(path, key: key, encryption, if: isWanted))
  }

  /// The number of commits that the file keeps: from the oldest that any process reads to the
  /// newest.
  ///
  /// Data that was deleted or changed since the oldest of them still takes space. Linear in the
  /// number of open snapshots.
  public var keptCommitCount: Int { store.keptCommitCount }
}
