/// What a copy of a file is encrypted with.
package enum CopyEncryption: Sendable {
  /// With the key slots of the file, if it has any.
  case same
  case key(any PageKey)
  /// The copy is an open file.
  case none

  func key(in store: PageStore) -> (any PageKey)? {
    switch self {
    case .same: store.cipher
    case .key(let key): key
    case .none: nil
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
    // Key slots without a meta page that belongs to them may be those of an interrupted beginning.
    let table = try attempt(.open, path) { () throws(SystemError) in
      try SlotTable.read(descriptor)
    }
    guard let table, metas.all.isEmpty else {
      if metas.needsCipher {
        let defect = "both copies of the key slots are gone, and nothing can be read without them"
        throw PageStoreError(.damaged(in: "the file header", defect), .open, path: path)
      }
      if key != nil, !metas.all.isEmpty { throw PageStoreError(.notEncrypted, .open, path: path) }
      return nil
    }
    guard let key else { throw PageStoreError(.keyNeeded, .open, path: path) }
    do throws(CipherFailure) {
      let cipher = try key.cipher(slots: table.slots, for: table.fileID)
      return FileCipher(slots: table.slots, cipher: cipher)
    } catch {
      throw PageStoreError(.cipher(error), .open, path: path)
    }
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
    let found = try attempt(.write, path) { () throws(SystemError) in
      try SlotTable.read(hold.descriptor)
    }
    guard var table = found else { throw error(.notEncrypted, .write) }
    do throws(CipherFailure) {
      table.slots = try change(table.slots)
    } catch {
      throw self.error(.cipher(error), .write)
    }
    table.version &+= 1
    do throws(FileFailure) {
      try table.write(to: file)
    } catch {
      throw PageStoreError(code: error.code, .write, path: path)
    }
  }
}
