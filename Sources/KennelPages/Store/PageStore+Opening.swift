import Synchronization

extension PageStore {
  /// The open files of this process.
  ///
  /// Its lock is taken before that of a store.
  private static let registry = Mutex<[FileIdentity: PageStore]>([:])

  private struct NewFile {
    let isWanted: Bool
    let pageSize: Int
    let id: FileID?
    let note: [UInt8]
    let key: (any PageKey)?
  }

  /// Opens a file, or returns the store that this process already has for it.
  ///
  /// A file that may not be written is opened for reading; `readOnlyReason` says why. Nothing is
  /// written to the file, except to a new one.
  ///
  /// - Parameters:
  ///   - path: The file; symbolic links are followed.
  ///   - access: Whether the caller wants to write.
  ///   - create: Whether a missing or empty file is made a new one.
  ///   - pageSize: The size of the pages of a new file: one of `Format.pageSizes`.
  ///   - fileID: The id of a new file; a random one if it is `nil`.
  ///   - note: The bytes of the user in a new file, at most `Format.noteByteLimit`.
  ///   - key: What an encrypted file is opened with; with it, a new file is an encrypted one.
  ///   - wrapping: Puts something between the store and its file, for tests.
  /// - Returns: The store, to be closed by `close`.
  /// - Throws: `PageStoreError` with the problem.
  /// - Complexity: O(1); after a power failure a walk over the pages of one commit, at most 1,024.
  package static func open(
    path: String,
    access: Access = .readWrite,
    create: Bool = false,
    pageSize: Int = Format.usualPageSize,
    fileID: FileID? = nil,
    note: [UInt8] = [],
    key: (any PageKey)? = nil,
    wrapping: (SystemFile) -> any DataFile = { $0 }
  ) throws(PageStoreError) -> PageStore {
    let new = NewFile(
      isWanted: create && access == .readWrite,
      pageSize: Format.isPageSize(pageSize) ? pageSize : Format.usualPageSize,
      id: fileID,
      note: Array(note.prefix(Format.noteByteLimit)),
      key: key
    )
    if let found = try? System.facts(path: path) {
      guard found.isRegularFile else { throw PageStoreError(.notAFile, .open, path: path) }
      let known = try registry.withLock { (open) throws(PageStoreError) in
        try joined(found.identity, access, key, open)
      }
      if let known { return known }
    } else if (try? System.facts(path: System.parent(of: path))) == nil {
      throw PageStoreError(.noSuchDirectory(System.parent(of: path)), .open, path: path)
    }
    let (hold, reason) = try holdFile(path, access, create: new.isWanted)
    do throws(PageStoreError) {
      return try registry.withLock { (open) throws(PageStoreError) in
        if let known = try joined(hold.identity, access, key, open) {
          hold.close()
          return known
        }
        let store = try make(path, hold, reason, new, wrapping)
        open[store.identity] = store
        return store
      }
    } catch {
      hold.close()
      // With the name that the caller knows.
      throw PageStoreError(error.problem, error.operation, path: path)
    }
  }

  private static func joined(
    _ identity: FileIdentity,
    _ access: Access,
    _ key: (any PageKey)?,
    _ open: [FileIdentity: PageStore]
  ) throws(PageStoreError) -> PageStore? {
    guard let store = open[identity] else { return nil }
    // Who has no key to the file does not get one from somebody else of the process.
    _ = try fileCipher(of: store.hold.descriptor, store.path, key)
    try store.join(access)
    return store
  }

  /// Opens the data file; for reading if it may not be written.
  private static func holdFile(
    _ path: String,
    _ access: Access,
    create: Bool
  ) throws(PageStoreError) -> (FileHold, ReadOnlyReason?) {
    var reason: ReadOnlyReason? = .requested
    if access == .readWrite {
      do throws(SystemError) {
        return (try FileHold.shared(path: path, create ? .createIfMissing : .readWrite), nil)
      } catch {
        guard System.isPermission(error) || System.isReadOnlyFileSystem(error),
          (try? System.facts(path: path)) != nil
        else { throw PageStoreError(code: error.code, .open, path: path) }
        reason = System.isPermission(error) ? .permissions : .readOnlyFileSystem
      }
    }
    let hold = try attempt(.open, path, FileHold.shared(path: path, .readOnly))
    return (hold, reason)
  }

  /// Makes a store of an open file.
  private static func make(
    _ path: String,
    _ hold: FileHold,
    _ reason: ReadOnlyReason?,
    _ new: NewFile,
    _ wrapping: (SystemFile) -> any DataFile
  ) throws(PageStoreError) -> PageStore {
    if let name = System.networkFileSystem(hold.descriptor) {
      throw PageStoreError(.networkFileSystem(name), .open, path: path)
    }
    let path = try attempt(.open, path, System.canonicalPath(path))
    // What is refused by its bytes gets no lock file.
    let metas = MetaPages(hold.descriptor)
    guard metas.isSomeSound || new.isWanted && metas.isUnfinished else {
      throw PageStoreError(metas.problem, .open, path: path)
    }
    let (lock, code) = try lockFile(path, hold, metas, isReadOnly: reason != nil)
    do throws(PageStoreError) {
      let file = wrapping(SystemFile(hold.descriptor))
      let (choice, cipher) =
        try code == nil ? setUp(path, hold, lock, file, new) : pinNewest(path, hold, lock, new.key)
      try requireWhole(path, hold, choice.meta)
      let map = try reserveMap(path, hold, choice.meta, cipher)
      guard try attempt(.open, path, lock.takeSlot()) else {
        throw PageStoreError(.tooManyProcesses(limit: LockFile.slotLimit), .open, path: path)
      }
      lock.finishSetup()
      return PageStore(
        path: path,
        meta: choice.meta,
        readOnlyReason: reason ?? code.map { .lockFile(code: $0) },
        isPinned: code != nil,
        undoneCommit: choice.undone,
        cipher: cipher,
        hold: hold,
        lock: lock,
        file: file,
        map: map
      )
    } catch {
      lock.close()
      throw error
    }
  }

  static func reserveMap(
    _ path: String,
    _ hold: FileHold,
    _ meta: MetaPage,
    _ cipher: FileCipher?
  ) throws(PageStoreError) -> FileMap {
    // The id of a meta page is open, so that anybody can change it.
    if let cipher, cipher.fileID != meta.fileID {
      throw PageStoreError(.forged(in: "the file header"), .open, path: path)
    }
    return try attempt(
      .open,
      path,
      FileMap.reserve(
        descriptor: hold.descriptor,
        needed: meta.byteCount,
        layout: meta.layout,
        cipher: cipher?.cipher
      )
    )
  }

  /// Makes sure that the file has all pages of a commit.
  ///
  /// No power failure takes any: the commit was synchronized, or its pages were just found. So a file
  /// that is too short was cut off.
  static func requireWhole(
    _ path: String,
    _ hold: FileHold,
    _ meta: MetaPage,
    _ operation: PageStoreError.Operation = .open
  ) throws(PageStoreError) {
    let byteCount = try attempt(operation, path, System.byteCount(hold.descriptor))
    if byteCount >= meta.byteCount { return }
    let defect = "it has \(byteCount) of \(meta.byteCount) bytes"
    throw PageStoreError(.damaged(in: "the file", defect), operation, path: path)
  }

  /// Opens the lock file, or a stand-in for one that cannot be used, with the code that says why.
  ///
  /// Who wants to write gets the stand-in only where a permission is missing.
  private static func lockFile(
    _ path: String,
    _ hold: FileHold,
    _ metas: MetaPages,
    isReadOnly: Bool
  ) throws(PageStoreError) -> (LockFile, code: Int32?) {
    do throws(SystemError) {
      let facts = try System.facts(hold.descriptor)
      let creates = System.mayWrite(path, facts)
      return (try LockFile.beginSetup(path: path + "-lock", for: facts, creates: creates), nil)
    } catch {
      let mayNot =
        System.isPermission(error) || System.isReadOnlyFileSystem(error) || System.isMissing(error)
      guard metas.isSomeSound, mayNot || isReadOnly, let none = try? LockFile.none() else {
        throw PageStoreError(.lockFileUnavailable(code: error.code), .open, path: path)
      }
      return (none, error.code)
    }
  }

  /// Finds out which commit is the newest, and pins it on the data file, because the lock file cannot be
  /// used.
  ///
  /// The choice is the one of a process with the lock file. If others use the file, the newest commit is
  /// the one that their lock file names: another may never be acknowledged. If nobody does, it must be
  /// certain that the lock file would not say that a commit has failed.
  private static func pinNewest(
    _ path: String,
    _ hold: FileHold,
    _ lock: LockFile,
    _ key: (any PageKey)?
  ) throws(PageStoreError) -> (Recovery.Choice, FileCipher?) {
    let cipher = try fileCipher(of: hold.descriptor, path, key)
    func glance() -> Result<Recovery.Known?, SystemError> {
      Result { () throws(SystemError) in try LockFile.glance(path + "-lock", hold.identity) }
    }
    func isMarked() throws(PageStoreError) -> Bool {
      try attempt(.open, path, hold.isMarked())
    }
    for _ in 0..<MetaPages.mostReads {
      let said = glance()
      let metas = MetaPages(hold.descriptor, cipher?.cipher).all
      var choice: Recovery.Choice?
      if try !isMarked() {
        if case .failure(let error) = said, !System.isMissing(error),
          metas.first?.durability != .everything
        {
          break
        }
        let known = (try? said.get()) ?? nil
        choice = try Recovery.choose(path, hold.descriptor, cipher?.cipher, known: known)
      } else if case .success(let known?) = said {
        choice = metas.first { $0.commit == known.newest }.map {
          Recovery.Choice(meta: $0, undone: nil, isSettled: true)
        }
      }
      if let choice {
        let commit = choice.meta.commit
        try attempt(.open, path, hold.pin(commit))
        // A writer that comes from now on sees the pin; one that came before may have overlooked it.
        if try !isMarked() || (try? glance().get())??.newest == commit {
          lock.begin(with: choice)
          return (choice, cipher)
        }
        try attempt(.open, path, hold.unpin(commit))
      }
      System.pause(milliseconds: 3)
    }
    throw PageStoreError(.lockFileUnreadable, .open, path: path)
  }

  /// Finds out which commit is the newest, and makes the lock file say so.
  private static func setUp(
    _ path: String,
    _ hold: FileHold,
    _ lock: LockFile,
    _ file: any DataFile,
    _ new: NewFile
  ) throws(PageStoreError) -> (Recovery.Choice, FileCipher?) {
    let isValid = lock.isValid(for: hold.identity)
    func isUsed() throws(SystemError) -> Bool? {
      // A process that is just being started has for a moment what its parent has closed.
      for attempt in 0..<50 {
        let (isMarked, isInUse) = (try hold.marks(lock.identity), try lock.isInUse())
        if isMarked, isValid || !isInUse { return isInUse }
        if attempt < 49 { System.pause(milliseconds: 5) }
      }
      return nil
    }
    guard let isInUse = try attempt(.open, path, isUsed()) else {
      throw PageStoreError(.openByAnotherName, .open, path: path)
    }
    let isNew = !isInUse && new.isWanted && MetaPages(hold.descriptor).isUnfinished
    if isNew { try makeNew(path, file, new) }
    let cipher = try fileCipher(of: hold.descriptor, path, new.key)
    var reads = 0
    while isInUse {
      let newest = lock.newest
      let metas = MetaPages(hold.descriptor, cipher?.cipher)
      if let meta = metas.all.first(where: { $0.commit == newest }) {
        return (Recovery.Choice(meta: meta, undone: nil, isSettled: true), cipher)
      }
      // A writer may have begun to write over it, two commits later, or be writing it once more.
      reads += 1
      if lock.newest == newest, reads > MetaPages.mostReads {
        throw PageStoreError(metas.problem, .open, path: path)
      }
    }
    let known = isValid ? Recovery.Known(newest: lock.newest, failed: lock.failed) : nil
    let wasSettled = isValid && !lock.isUnsettled
    let choice = try Recovery.choose(path, hold.descriptor, cipher?.cipher, known: known)
    lock.reset(for: hold.identity)
    lock.begin(with: choice)
    let isOnDisk = isNew || choice.meta.durability == .everything
    lock.isUnsettled = !isOnDisk && !(choice.isSettled && wasSettled)
    return (choice, cipher)
  }

  /// Makes an empty file one with an empty commit.
  private static func makeNew(
    _ path: String,
    _ file: any DataFile,
    _ new: NewFile
  ) throws(PageStoreError) {
    var meta = MetaPage(
      pageSize: new.pageSize,
      fileID: new.id ?? .random,
      isEncrypted: new.key != nil
    )
    meta.note = new.note
    _ = try writeFirst(meta, file, path, new.key)
    try attempt(.open, path, System.synchronizeFolder(of: path))
  }

  /// Writes the empty commit that a file begins with.
  ///
  /// The file gets its length first: so one with a meta page that is too short was cut off, and its
  /// making was not interrupted. Then it gets its key slots, if there is a key.
  static func writeFirst(
    _ meta: MetaPage,
    _ file: any DataFile,
    _ path: String,
    _ key: (any PageKey)?
  ) throws(PageStoreError) -> FileCipher? {
    var cipher: FileCipher?
    let first: [UInt8]
    do throws(CipherFailure) {
      let made = try key?.makeSlots(for: meta.fileID)
      cipher = made.map { FileCipher(fileID: meta.fileID, slots: $0.slots, cipher: $0.cipher) }
      first = try meta.encoded(cipher?.cipher)
    } catch {
      throw PageStoreError(.cipher(error), .open, path: path)
    }
    do throws(SystemError) {
      try file.write([UInt8](repeating: 0, count: meta.byteCount), at: 0)
      try file.synchronize()
      if let cipher { try SlotTable(fileID: meta.fileID, slots: cipher.slots).write(to: file) }
      try file.write(first, at: 0)
      try file.synchronize()
      return cipher
    } catch {
      throw PageStoreError(code: error.code, .open, path: path)
    }
  }

  /// Closes the file if nobody uses it.
  func shutDownIfUnused() {
    PageStore.registry.withLock { open in
      guard shutIfUnused(), isOwnProcess else { return }
      markSynchronized()
      lock.close()
      hold.close()
      open[identity] = nil
    }
  }
}

extension LockFile {
  /// Says which commit is the newest, after the newer one, if there is any, was undone.
  func begin(with choice: Recovery.Choice) {
    newest = choice.meta.commit
    lastWritten = choice.undone ?? choice.meta.commit
  }
}
