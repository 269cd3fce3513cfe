extension PageStore {
  /// Writes a commit to a new file, without free pages.
  ///
  /// - Parameters:
  ///   - snapshot: The commit.
  ///   - path: Where the new file is made.
  /// - Throws: `PageStoreError` if there is a file, the disk is full, or a page is damaged. No file
  ///   is left then.
  /// - Complexity: O(*n*), where *n* is the number of pages.
  package static func copy(_ snapshot: Snapshot, to path: String) throws(PageStoreError) {
    let made = try attempt(.copy, path) { () throws(SystemError) in
      try System.openFile(path, .createNew)
    }
    System.closeFile(made)
    do throws(PageStoreError) {
      let store = try open(
        path: path,
        create: true,
        pageSize: snapshot.pageSize,
        fileID: snapshot.store.fileID
      )
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
    } catch {
      System.unlinkFile(path)
      System.unlinkFile(path + "-lock")
      throw error
    }
    System.unlinkFile(path + "-lock")
  }

  /// Puts a copy without free pages in the place of a file that nobody has open.
  ///
  /// There is the one or the other whenever the process ends. Who opens the file meanwhile waits.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - isWanted: Asked with the size of the file and of its free pages, in bytes.
  /// - Returns: Whether it was done: not if somebody has the file open, or it was not wanted.
  /// - Throws: `PageStoreError` if the file is damaged, cannot be written, or the disk is full. The
  ///   file is as it was then.
  package static func compact(
    _ path: String,
    if isWanted: (_ byteCount: Int, _ freeByteCount: Int) -> Bool
  ) throws(PageStoreError) -> Bool {
    let path = try attempt(.copy, path) { () throws(SystemError) in
      try System.canonicalPath(path)
    }
    let copy = path + "-compacting"
    let alone = try attempt(.copy, path) { () throws(SystemError) in
      try FileHold.alone(path: path)
    }
    guard let alone else { return false }
    defer { alone.close() }
    let original = try attempt(.copy, path) { () throws(SystemError) in
      try System.facts(alone.descriptor)
    }
    guard original.linkCount == 1 else { return false }
    let choice = try Recovery.choose(path, alone.descriptor, known: LockFile.known(path, original))
    let meta = choice.meta
    let store = try unlocked(path, alone, meta)
    let snapshot = try store.snapshot()
    let report = try PageStoreCheck.run(snapshot)
    guard isWanted(original.byteCount, report.freePages * meta.pageSize) else { return false }
    System.unlinkFile(copy)
    try self.copy(snapshot, to: copy)
    do throws(PageStoreError) {
      let made = try open(path: copy)
      defer { made.close() }
      guard try PageStoreCheck.run(made.snapshot()).entries == report.entries else {
        throw PageStoreError(.damaged(in: "the copy", "entries are missing"), .copy, path: path)
      }
    } catch {
      System.unlinkFile(copy)
      throw error
    }
    System.unlinkFile(copy + "-lock")
    do throws(SystemError) {
      let descriptor = try System.openFile(copy, .readWrite)
      defer { System.closeFile(descriptor) }
      try System.adopt(original, for: descriptor)
      try System.synchronize(descriptor)
      try System.renameFile(copy, to: path)
      try System.synchronizeFolder(of: path)
    } catch {
      System.unlinkFile(copy)
      throw PageStoreError(code: error.code, .copy, path: path)
    }
    return true
  }

  /// A store for a file that is held exclusively, which needs no lock file.
  private static func unlocked(
    _ path: String,
    _ hold: FileHold,
    _ meta: MetaPage
  ) throws(PageStoreError) -> PageStore {
    try attempt(.copy, path) { () throws(SystemError) in
      let lock = try LockFile.none()
      lock.newest = meta.commit
      return PageStore(
        path: path,
        meta: meta,
        readOnlyReason: .requested,
        undoneCommit: nil,
        hold: hold,
        lock: lock,
        file: SystemFile(hold.descriptor),
        map: try FileMap.reserve(
          descriptor: hold.descriptor,
          needed: Int(meta.pageCount) * meta.pageSize,
          pageSize: meta.pageSize
        )
      )
    }
  }
}
