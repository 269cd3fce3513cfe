/// The only writer of a file across all processes.
///
/// It sees its own changes; others see them after `commit`. It may be used by any thread, one at a
/// time. If a step fails, it can only be given up, and the file has the commit that it had.
package final class Writer: @unchecked Sendable {
  package let store: PageStore
  /// The number that the commit will have.
  package let commitNumber: UInt64
  /// Counts the changes, so that cursors know when they are outdated.
  private(set) var changeCount = 0
  /// Whether it was neither committed nor given up.
  package private(set) var isAlive = true

  private let base: MetaPage
  let source: PageSource
  private let dirty: DirtyPages
  private var editors: [TreeEditor]
  private var output: CommitOutput
  private var newNote: [UInt8]?
  private var failure: PageStoreError?
  /// More changed pages than this are written early, to pages that nobody can reach.
  package var memoryBudgetInBytes = 24 << 20
  /// A commit with more pages than this synchronizes them before it writes its meta page.
  package var mostUnsyncedPages = Format.mostUnsyncedPages

  init(_ store: PageStore, _ base: MetaPage, _ source: PageSource, _ dirty: DirtyPages) {
    self.store = store
    self.base = base
    self.source = source
    self.dirty = dirty
    commitNumber = base.commit + 1
    editors = (0..<Format.treeLimit).map { number in
      let root = base.roots[number]
      let tree = Tree(number, keys: Tree.Keys(rawValue: root.keys) ?? .numbers)
      return TreeEditor(source, dirty, tree, root, commit: base.commit + 1)
    }
    output = CommitOutput(store, base, source)
  }

  deinit { abort() }

  func requireAlive(_ operation: PageStoreError.Operation) throws(PageStoreError) {
    if !isAlive { throw store.error(.writerFinished, operation) }
    try store.requireOwnProcess(operation)
  }

  // MARK: - Reading

  private func reader(_ tree: Tree) throws(PageStoreError) -> TreeReader {
    try requireAlive(.read)
    return try TreeReader(source, tree, editors[tree.number].root)
  }

  /// The value of a key, valid until the next change.
  ///
  /// - Throws: `PageStoreError` if a page on the way is damaged, or the writer has ended.
  package func get(_ tree: Tree, _ key: UInt64) throws(PageStoreError) -> UnsafeRawBufferPointer? {
    try unsafe reader(tree).get(TreeKey(key))
  }

  /// A cursor over a tree with the changes so far; a change makes it unusable.
  ///
  /// - Throws: `PageStoreError` if the writer has ended.
  package func cursor(_ tree: Tree) throws(PageStoreError) -> Cursor {
    Cursor(try reader(tree), of: self)
  }

  /// The number of entries of a tree.
  package func entryCount(_ tree: Tree) -> Int {
    Int(clamping: editors[tree.number].root.entries)
  }

  /// The bytes of the user that the commit will have.
  package var note: [UInt8] { newNote ?? base.note }

  // MARK: - Changing

  /// Stores a value and replaces any other with the same key.
  ///
  /// The bytes must not be those that this writer has returned.
  ///
  /// - Throws: `PageStoreError` if a page is damaged, the disk is full, or the writer has ended.
  package func put(
    _ tree: Tree,
    _ key: UInt64,
    _ value: UnsafeRawBufferPointer
  ) throws(PageStoreError) {
    try unsafe put(tree, TreeKey(key), value)
  }

  /// Stores a value and replaces any other with the same key.
  ///
  /// The bytes must not be those that this writer has returned.
  ///
  /// - Throws: `PageStoreError` if a page is damaged, the disk is full, a key is too long, or the
  ///   writer has ended.
  package func put(
    _ tree: Tree,
    key: UnsafeRawBufferPointer,
    _ value: UnsafeRawBufferPointer
  ) throws(PageStoreError) {
    try unsafe put(tree, TreeKey(key), value)
  }

  private func put(
    _ tree: Tree,
    _ key: TreeKey,
    _ value: UnsafeRawBufferPointer
  ) throws(PageStoreError) {
    let room = try unsafe reserve(tree, key, byteCount: value.count)
    if let source = value.baseAddress, let target = room.baseAddress {
      unsafe target.copyMemory(from: source, byteCount: value.count)
    }
  }

  /// Makes room for a value, to be filled before the next call to this writer.
  private func reserve(
    _ tree: Tree,
    _ key: TreeKey,
    byteCount: Int
  ) throws(PageStoreError) -> UnsafeMutableRawBufferPointer {
    try beginChange(tree, key)
    guard byteCount >= 0, byteCount < 1 << 32 else {
      throw store.error(.valueSize(byteCount), .write)
    }
    do throws(PageStoreError) {
      if dirty.byteCount > memoryBudgetInBytes { try spill() }
      return try unsafe editors[tree.number].store(key, byteCount: byteCount)
    } catch {
      throw failed(error)
    }
  }

  /// Removes a key; false if there was none.
  ///
  /// - Throws: `PageStoreError` if a page is damaged, or the writer has ended.
  @discardableResult
  package func delete(_ tree: Tree, _ key: UInt64) throws(PageStoreError) -> Bool {
    try delete(tree, TreeKey(key))
  }

  /// Removes a key; false if there was none.
  ///
  /// - Throws: `PageStoreError` if a page is damaged, or the writer has ended.
  @discardableResult
  package func delete(_ tree: Tree, key: UnsafeRawBufferPointer) throws(PageStoreError) -> Bool {
    try unsafe delete(tree, TreeKey(key))
  }

  private func delete(_ tree: Tree, _ key: TreeKey) throws(PageStoreError) -> Bool {
    try beginChange(tree, key)
    do throws(PageStoreError) {
      return try editors[tree.number].remove(key)
    } catch {
      throw failed(error)
    }
  }

  /// Removes all keys of a range.
  ///
  /// - Throws: `PageStoreError` if a page is damaged, or the writer has ended.
  package func deleteRange(_ tree: Tree, _ range: ClosedRange<UInt64>) throws(PageStoreError) {
    while true {
      var keys: [UInt64] = []
      var cursor = try cursor(tree)
      var isThere = try cursor.seek(atOrAfter: range.lowerBound)
      while isThere, cursor.number <= range.upperBound, keys.count < 4096 {
        keys.append(cursor.number)
        isThere = try cursor.next()
      }
      if keys.isEmpty { return }
      for key in keys { try delete(tree, key) }
    }
  }

  /// Replaces the bytes that each commit has for its user.
  ///
  /// They lie in the meta page, so that they cost nothing.
  ///
  /// - Throws: `PageStoreError` if there are too many, or the writer has ended.
  package func setNote(_ note: [UInt8]) throws(PageStoreError) {
    try requireAlive(.write)
    guard note.count <= Format.noteByteLimit else {
      throw store.error(.noteSize(note.count), .write)
    }
    newNote = note
  }

  /// Checks what every change needs.
  private func beginChange(_ tree: Tree, _ key: TreeKey) throws(PageStoreError) {
    try requireAlive(.write)
    if let failure = failure { throw failure }
    let root = editors[tree.number].root
    guard key.kind == tree.keys, root.keys == 0 || root.keys == tree.keys.rawValue else {
      throw store.error(.treeKeys(tree.number), .write)
    }
    if unsafe key.bytes.count > Format.maximumKeyByteCount {
      throw unsafe store.error(.keySize(key.bytes.count), .write)
    }
    if root.keys == 0 {
      editors[tree.number] =
        TreeEditor(source, dirty, tree, root, commit: commitNumber)
    }
    changeCount &+= 1
  }

  /// Remembers that the pages in memory cannot be relied on.
  private func failed(_ error: PageStoreError) -> PageStoreError {
    failure = failure ?? error
    return error
  }

  /// Writes the changed pages and forgets them.
  private func spill() throws(PageStoreError) {
    try output.spill(&editors, dirty)
    dirty.removeAll()
  }

  // MARK: - The end

  /// Commits the changes; they are durable when it returns.
  ///
  /// - Throws: `PageStoreError` if an earlier step failed, the disk is full, or the file was
  ///   replaced. If the file could not be synchronized, no process writes to it any more until all
  ///   have closed it.
  package func commit() throws(PageStoreError) {
    try requireAlive(.commit)
    do throws(PageStoreError) {
      if let failure = failure { throw failure }
      try store.requireInPlace(.commit)
      let isChanged =
        newNote != nil
        || editors.indices.contains { editors[$0].root != base.roots[$0] }
      let meta =
        isChanged ? try output.commit(&editors, dirty, note: note, mostUnsyncedPages) : nil
      isAlive = false
      store.endWrite(meta, dirty)
    } catch {
      abort()
      throw error
    }
  }

  /// Gives the changes up; does nothing after the end.
  package func abort() {
    guard isAlive else { return }
    isAlive = false
    store.endWrite(nil, dirty)
  }
}
