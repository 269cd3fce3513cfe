import KennelPages

extension Store {
  /// Writes the newest commit to a new file, without the pages that are free.
  ///
  /// Writers go on meanwhile.
  ///
  /// - Parameter path: Where there is no file yet.
  /// - Throws: `StorageError` if there is one, this one is damaged, or the disk is full; no file is left
  ///   then.
  package func copy(to path: String) throws(StorageError) {
    do throws(PageStoreError) {
      try PageStore.copy(pages.snapshot(), to: path)
    } catch {
      throw StorageError(error)
    }
  }
}
