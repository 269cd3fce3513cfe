import KennelPages

extension DatabaseFile {
  /// Writes the newest commit to a new file, without the pages that are free.
  ///
  /// Writers go on meanwhile.
  ///
  /// - Parameters:
  ///   - path: Where there is no file yet.
  ///   - encryption: What the copy is encrypted with.
  /// - Throws: `StorageError` if there is one, this one is damaged, or the disk is full; no file is left
  ///   then.
  package func copy(
    to path: String,
    _ encryption: DatabaseEncryption = .unchanged
  ) throws(StorageError) {
    try inPages { () throws(PageStoreError) in
      try PageStore.copy(pages.snapshot(), to: path, encryption.ofCopy)
    }
  }

  /// Waits until the name that a copy got is on the disk.
  ///
  /// - Throws: `StorageError` if the folder cannot be synchronized.
  package static func synchronizeName(of path: String) throws(StorageError) {
    try inPages { () throws(PageStoreError) in try PageStore.synchronizeName(of: path) }
  }
}
