/// What a copy of a file is encrypted with.
package enum CopyEncryption: Sendable {
  /// With the key slots of the file, if it has any.
  case same
  case key(any PageKey)
  /// The copy is an open file.
  case none

  /// The key for a copy; of a file that stays as it is, the slots that it has now: keys may have been added and
  /// removed since it was opened.
  func key(in store: PageStore) throws(PageStoreError) -> (any PageKey)? {
    switch self {
    case .same:
      guard let known = store.cipher else { return nil }
      let table = try attempt(.copy, store.path, SlotTable.read(store.hold.descriptor))
      guard let table else { throw PageStore.withoutSlots(.copy, store.path) }
      return FileCipher(fileID: known.fileID, slots: table.slots, cipher: known.cipher)
    case .key(let key): return key
    case .none: return nil
    }
  }
}

extension PageStore {
  /// Whether the file is encrypted.
  package var isEncrypted: Bool { cipher != nil }

  /// Whether there is an encrypted file at a path.
  package static func isEncrypted(path: String) -> Bool {
    guard let descriptor = try? System.openFile(path, .readOnly) else { return false }
    defer { System.closeFile(descriptor) }
    let metas = MetaPages(descriptor)
    let slots = try? SlotTable.read(descriptor)
    return metas.needsCipher || metas.all.isEmpty && slots != nil
  }

  /// Opens the key slots of a file; `nil` for an open file.
  ///
  /// - Throws: `PageStoreError` if the key is missing, wrong, or there is nothing to open with it.
  static func fileCipher(
    of descriptor: Int32,
    _ path: String,
    _ key: (any PageKey)?
  ) throws(PageStoreError) -> FileCipher? {
    let metas = MetaPages(descriptor)
    // Key slots behind an open meta page may be those of an interrupted beginning.
    if !metas.all.isEmpty {
      if key != nil { throw PageStoreError(.notEncrypted, .open, path: path) }
      return nil
    }
    guard let table = try attempt(.open, path, SlotTable.read(descriptor)) else {
      if metas.needsCipher { throw withoutSlots(.open, path) }
      return nil
    }
    guard let key else { throw PageStoreError(.keyNeeded, .open, path: path) }
    do throws(CipherFailure) {
      let cipher = try key.cipher(slots: table.slots, for: table.fileID)
      return FileCipher(fileID: table.fileID, slots: table.slots, cipher: cipher)
    } catch {
      throw PageStoreError(.cipher(error), .open, path: path)
    }
  }

  fileprivate static func withoutSlots(
    _ operation: PageStoreError.Operation,
    _ path: String
  ) -> PageStoreError {
    let defect = "both copies of the key slots are gone, and nothing can be read without them"
    return PageStoreError(.damaged(in: "the file header", defect), operation, path: path)
  }

  /// Replaces the key slots of an encrypted file; its pages stay as they are.
  ///
  /// - Parameter change: The slots from those that there are.
  /// - Throws: `PageStoreError` if the file cannot be written.
  package func changeSlots(
    _ change: ([UInt8]) throws(CipherFailure) -> [UInt8]
  ) throws(PageStoreError) {
    let writer = try beginWrite()
    defer { writer.abort() }
    let found = try attempt(.write, path, SlotTable.read(hold.descriptor))
    guard var table = found else { throw error(.notEncrypted, .write) }
    do throws(CipherFailure) {
      table.slots = try change(table.slots)
    } catch {
      throw self.error(.cipher(error), .write)
    }
    table.version &+= 1
    try attempt(.write, path, table.write(to: file))
  }
}
