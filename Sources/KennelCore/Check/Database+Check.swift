public import KennelStorage

extension Database {
  /// Checks every page, checksum, value, link, backlink, owner and index entry of the file.
  ///
  /// It checks the newest commit and does not block writers. Linear in the size of the file.
  ///
  /// - Parameter progress: Called periodically with the fraction done, from 0 to 1. Return false to
  ///   cancel.
  /// - Returns: The faults, in the order of the file; empty if there are none.
  /// - Throws: `DatabaseError` with code `cancelled` if cancelled, or another if the file cannot be
  ///   read at all.
  public func check(progress: ((Double) -> Bool)? = nil) throws(DatabaseError) -> [Finding] {
    guard let findings = try storing(FileCheck.run(store, progress: progress)) else {
      throw DatabaseError(.cancelled, "The check of \(path) was cancelled", path: path)
    }
    return findings
  }
}
