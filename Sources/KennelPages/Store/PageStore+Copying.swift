extension PageStore {
  /// Writes a commit to a new file, without free pages.
  ///
  /// - Parameters:
  ///   - snapshot: The commit.
  ///   - path: Where the new file is made.
  ///   - encryption: What the new file is encrypted with.
  /// - Throws: `PageStoreError` if there is a file, the disk is full, or a page is damaged. No file
  ///   is left then.
  /// - Complexity: O(*n*), where *n* is the number of pages.
  package static func copy(
    _ snapshot: PageSnapshot,
    to path: String,
    _ encryption: CopyEncryption = .same
  ) throws(PageStoreError) {
    let made = try attempt(.copy, path, System.openFile(path, .createNew))
    System.closeFile(made)
    do throws(PageStoreError) {
      let store = try makeAlone(path, like: snapshot, encryption)
      defer { store.close() }
      let writer = try store.beginWrite()
      for (number, root) in snapshot.meta.roots.prefix(Format.treeLimit).enumerated() {
        guard let keys = Tree.Keys(rawValue: root.keys) else { continue }
        let tree = Tree(number, keys: keys)
        var cursor = try snapshot.cursor(tree)
        var isThere = try cursor.first()
        while isThere {
          let value = try unsafe cursor.value()
          switch keys {
          case .numbers: try unsafe writer.put(tree, cursor.number, value)
          case .bytes: try unsafe writer.put(tree, key: cursor.bytes, value)
          }
          isThere = try cursor.next()
        }
      }
      try writer.setNote(snapshot.note)
      try writer.commit()
      try synchronizeName(of: path)
    } catch {
      System.unlinkFile(path)
      throw error
    }
  }

  /// Waits until the name that a copy got is on the disk.
  ///
  /// - Throws: `PageStoreError` if the folder cannot be synchronized.
  package static func synchronizeName(of path: String) throws(PageStoreError) {
    try attempt(.copy, path, System.synchronizeFolder(of: path))
  }

  /// Makes an empty file one with an empty commit, and locks everybody out until `close`.
  private static func makeAlone(
    _ path: String,
    like snapshot: PageSnapshot,
    _ encryption: CopyEncryption
  ) throws(PageStoreError) -> PageStore {
    let hold = try attempt(.copy, path, FileHold.alone(path: path))
    guard let hold else { throw PageStoreError(.openByAnotherName, .copy, path: path) }
    do throws(PageStoreError) {
      let key = try encryption.key(in: snapshot.store)
      var meta = MetaPage(
        pageSize: snapshot.pageSize,
        fileID: snapshot.store.fileID,
        isEncrypted: key != nil
      )
      meta.note = snapshot.note
      let cipher = try writeFirst(meta, SystemFile(hold.descriptor), path, key)
      let choice = Recovery.Choice(meta: meta, undone: nil, isSettled: true)
      return try unlocked(path, hold, choice, cipher)
    } catch {
      hold.close()
      throw error
    }
  }

  /// Opens a file that nobody has open, and locks everybody out until `close`.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - key: What an encrypted file is opened with.
  /// - Returns: `nil` if somebody has the file open, it has several names, or a commit could not be
  ///   synchronized.
  /// - Throws: `PageStoreError` if there is no such file, it is damaged, or it cannot be written.
  package static func openAlone(
    _ path: String,
    key: (any PageKey)? = nil
  ) throws(PageStoreError) -> PageStore? {
    let path = try attempt(.open, path, System.canonicalPath(path))
    guard let alone = try attempt(.open, path, FileHold.alone(path: path)) else { return nil }
    do throws(PageStoreError) {
      let facts = try attempt(.open, path, System.facts(alone.descriptor))
      let known = facts.isRegularFile ? LockFile.known(path, facts) : nil
      guard facts.isRegularFile else { throw PageStoreError(.notAFile, .open, path: path) }
      guard facts.linkCount == 1, known?.failed == nil else {
        alone.close()
        return nil
      }
      let cipher = try fileCipher(of: alone.descriptor, path, key)
      let choice = try Recovery.choose(path, alone.descriptor, cipher?.cipher, known: known)
      try requireWhole(path, alone, choice.meta)
      // It would not know of what is committed now.
      System.unlinkFile(path + "-lock")
      return try unlocked(path, alone, choice, cipher)
    } catch {
      alone.close()
      throw error
    }
  }

  /// Opens a copy that was just made.
  ///
  /// A child that was forked while it was made holds it, too, until it runs a program of its own.
  private static func openCopy(
    _ path: String,
    _ key: (any PageKey)?
  ) throws(PageStoreError) -> PageStore {
    for _ in 0..<200 {
      if let store = try openAlone(path, key: key) { return store }
      System.pause(milliseconds: 10)
    }
    throw PageStoreError(.writerBusy(processID: nil), .copy, path: path)
  }

  /// A store for a file that is held exclusively, which needs no lock file.
  private static func unlocked(
    _ path: String,
    _ hold: FileHold,
    _ choice: Recovery.Choice,
    _ cipher: FileCipher?
  ) throws(PageStoreError) -> PageStore {
    let lock = try attempt(.open, path, LockFile.none())
    lock.begin(with: choice)
    lock.isUnsettled = !choice.isSettled
    return PageStore(
      path: path,
      meta: choice.meta,
      readOnlyReason: nil,
      undoneCommit: choice.undone,
      cipher: cipher,
      hold: hold,
      lock: lock,
      file: SystemFile(hold.descriptor),
      map: try reserveMap(path, hold, choice.meta, cipher)
    )
  }

  /// Puts a copy without free pages in the place of a file that was opened with ``openAlone(_:)``.
  ///
  /// There is the one or the other whenever the process ends. Who opens the file meanwhile waits.
  ///
  /// - Parameter encryption: What the copy is encrypted with.
  /// - Throws: `PageStoreError` if the file is damaged or the disk is full. The file is as it was then.
  package func replaceWithCopy(_ encryption: CopyEncryption = .same) throws(PageStoreError) {
    let copy = path + "-compacting"
    let snapshot = try snapshot()
    let report = try PageStoreCheck.run(snapshot)
    System.unlinkFile(copy)
    try Self.copy(snapshot, to: copy, encryption)
    do throws(PageStoreError) {
      let made = try Self.openCopy(copy, try encryption.key(in: self))
      defer { made.close() }
      guard try PageStoreCheck.run(made.snapshot()).entries == report.entries else {
        throw PageStoreError(.damaged(in: "the copy", "entries are missing"), .copy, path: path)
      }
    } catch {
      System.unlinkFile(copy)
      throw error
    }
    do throws(SystemError) {
      let descriptor = try System.openFile(copy, .readWrite)
      defer { System.closeFile(descriptor) }
      try System.adopt(try System.facts(hold.descriptor), for: descriptor)
      try System.synchronize(descriptor)
      try System.renameFile(copy, to: path)
      try System.synchronizeFolder(of: path)
    } catch {
      System.unlinkFile(copy)
      throw PageStoreError(code: error.code, .copy, path: path)
    }
  }
}
