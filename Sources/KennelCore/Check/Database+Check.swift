public import KennelStorage

extension Database {
  /// Checks the whole file: every page, checksum, value, link, backlink, owner and index entry.
  ///
  /// Only the newest commit is looked at, which other writers do not disturb. Linear in the size of
  /// the file.
  ///
  /// - Parameter progress: Called now and then with how much is done, from 0 to 1; false ends the check.
  /// - Returns: What is wrong, in the order of the file; nothing for a sound file.
  /// - Throws: `DatabaseError` with code `cancelled` if the check was ended, or if the file cannot
  ///   be read at all.
  public func check(progress: ((Double) -> Bool)? = nil) throws(DatabaseError) -> [Finding] {
    let findings = try storing { () throws(StorageError) in
      try FileCheck.run(store, progress: progress)
    }
    guard let findings else {
      throw DatabaseError(.cancelled, "The check of \(path) was cancelled", path: path)
    }
    return findings
  }
}
