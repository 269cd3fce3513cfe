import KennelPages

extension DatabaseFile {
  /// Writes the newest commit to a new file, without the pages that are free.
  ///
  /// Writers go on meanwhile.
  ///
  /// - Parameter path: Where there is no file yet.
  /// - Throws: `StorageError` if there is one, this one is damaged, or the disk is full; no file is left
  ///   then.
  package func copy(to path: String) throws(StorageError) {
    try inPages { () throws(PageStoreError) in try PageStore.copy(pages.snapshot(), to: path) }
  }

  /// Waits until the name that a copy got is on the disk.
  ///
  /// - Throws: `StorageError` if the folder cannot be synchronized.
  package static func synchronizeName(of path: String) throws(StorageError) {
    try inPages { () throws(PageStoreError) in try PageStore.synchronizeName(of: path) }
  }
}
