import Synchronization

/// An open file of pages.
///
/// A process has one for each file, however often it opens it. Any number of threads may read
/// snapshots while one writes; they never wait for each other.
///
/// ```swift
/// let store = try PageStore.open(path: path, create: true)
/// let tree = Tree(0, keys: .numbers)
/// let writer = try store.beginWrite()
/// try writer.put(tree, 7, bytes)
/// try writer.commit()
/// let value = try store.snapshot().get(tree, 7)
/// ```
package final class PageStore: Sendable {
  /// How the caller uses the file.
  package enum Access: Sendable {
    case readWrite
    case readOnly
  }

  /// Why a file is read-only.
  package enum ReadOnlyReason: Equatable, Sendable {
    case requested
    case permissions
    case readOnlyFileSystem
    /// The lock file cannot be made or written.
    case lockFile(code: Int32)
  }

  package let path: String
  package let pageSize: Int
  package let fileID: FileID
  package let readOnlyReason: ReadOnlyReason?
  /// Whether there is only the commit that was the newest when the file was opened, because the lock file
  /// cannot be used, which would say which one is.
  package let isPinned: Bool
  /// The commit that was given up when the file was opened, because not all of it was there.
  package let undoneCommit: UInt64?

  /// The cipher of an encrypted file.
  let cipher: FileCipher?
  let hold: FileHold
  let lock: LockFile
  let file: any DataFile
  let turn = Turn()
  private let forkCount = Forks.current
  /// The thread that would wait for itself if it waited for the writer; 0 for none.
  private let writingThread = Atomic<UInt>(0)
  private let state: Mutex<State>

  /// The mutable state, under one lock.
  private struct State {
    /// How often the store was opened and not yet closed.
    var users = 1
    /// Writers, begun or waiting.
    var writers = 0
    var isShut = false
    /// The newest map; snapshots keep older ones.
    var map: FileMap
    /// How many snapshots there are of each commit.
    var pins: [UInt64: Int] = [:]
    var latest = Latest()
    /// The meta page that was read or written last.
    var meta: MetaPage
    /// The commit that this process made last.
    var made: MetaPage?
    /// The memory of the last writer, for the next.
    var dirty: DirtyPages?
  }

  /// The snapshot that was made last.
  private struct Latest {
    /// Looked at first: a snapshot that is not returned must not be released under the lock.
    var commit: UInt64?
    weak var snapshot: PageSnapshot?
  }

  init(
    path: String,
    meta: MetaPage,
    readOnlyReason: ReadOnlyReason?,
    isPinned: Bool = false,
    undoneCommit: UInt64?,
    cipher: FileCipher?,
    hold: FileHold,
    lock: LockFile,
    file: any DataFile,
    map: FileMap
  ) {
    self.path = path
    pageSize = meta.pageSize
    fileID = meta.fileID
    self.readOnlyReason = readOnlyReason
    self.isPinned = isPinned
    self.undoneCommit = undoneCommit
    self.cipher = cipher
    self.hold = hold
    self.lock = lock
    self.file = file
    state = Mutex(State(map: map, meta: meta))
  }

  var identity: FileIdentity { hold.identity }
  var isOwnProcess: Bool { Forks.current == forkCount }

  package var canWrite: Bool { readOnlyReason == nil }

  /// The number of the newest commit of any process.
  ///
  /// Needs no lock and no system call.
  package var newestCommit: UInt64 { lock.newest }

  /// The current size of the file.
  package var fileByteCount: Int {
    state.withLock { $0.isShut ? 0 : (try? System.byteCount(hold.descriptor)) ?? 0 }
  }

  /// The processes that have pinned commits, and the oldest of each.
  package var readers: [LockFile.Reader] { state.withLock { $0.isShut ? [] : lock.readers() } }

  /// The oldest commit that any process has pinned.
  package var oldestPinned: UInt64? {
    let commits = readers.map(\.commit)
    let foreign = state.withLock { $0.isShut ? nil : hold.oldestPin }
    return (commits + [foreign].compactMap { $0 }).min()
  }

  /// The oldest commit that any process has pinned; looks closer at those below a limit.
  func oldestPinned(below limit: UInt64) -> UInt64 {
    min(lock.oldestPinned(below: limit), hold.oldestPin ?? .max)
  }

  /// Says what became of the file while it was open.
  package enum Displacement {
    /// Another file has its name.
    case replaced
    /// Nothing has its name.
    case gone
    /// It has what none of its processes wrote, or less.
    case overwritten

    package var problem: PageStoreError.Problem {
      switch self {
      case .replaced: .replacedOnDisk
      case .gone: .goneFromDisk
      case .overwritten: .overwrittenOnDisk
      }
    }
  }

  /// Whether the name no longer leads to the file, or another program has written to it.
  package var displacement: Displacement? {
    guard let found = System.identity(path: path) else { return .gone }
    if found != identity { return .replaced }
    return state.withLock { !$0.isShut && isOverwritten($0.meta) } ? .overwritten : nil
  }

  func requireInPlace(_ operation: PageStoreError.Operation) throws(PageStoreError) {
    if let displacement { throw error(displacement.problem, operation) }
  }

  /// Whether the file was cut off, or the meta pages are those of other commits than its processes have
  /// made.
  ///
  /// If the other commit cannot be read, that says nothing: it may just be written.
  private func isOverwritten(_ known: MetaPage) -> Bool {
    guard let byteCount = try? System.byteCount(hold.descriptor), byteCount >= known.byteCount
    else { return true }
    while true {
      let newest = lock.newest
      let isForeign = [newest, newest ^ 1].contains { commit in
        let offset = MetaPage.offset(ofCommit: commit)
        guard let meta = try? readMeta(offset) else {
          return commit == newest && !isReadable(newest)
        }
        if meta.fileID != fileID { return true }
        // Of the commits of others it does not know.
        if isPinned, meta.commit > newest { return false }
        if meta.commit > newest { return meta.commit != lock.lastWritten }
        // The newest commit is in its place, and the one before in the other.
        if meta.commit == known.commit { return meta.roots != known.roots }
        return commit == newest && meta.commit != newest
      }
      if !isForeign { return false }
      if lock.newest == newest { return true }
    }
  }

  /// Whether the meta page of the newest commit can be read, which is written at most once more.
  private func isReadable(_ newest: UInt64) -> Bool {
    (0..<MetaPages.mostReads).contains { _ in
      (try? readMeta(MetaPage.offset(ofCommit: newest))) != nil
    }
  }

  private func readMeta(_ offset: Int) throws(MetaPage.Defect) -> MetaPage {
    try MetaPages.read(hold.descriptor, offset, cipher?.cipher)
  }

  /// A meta page for the disk.
  func encoded(
    _ meta: MetaPage,
    _ operation: PageStoreError.Operation
  ) throws(PageStoreError) -> [UInt8] {
    do throws(CipherFailure) {
      return try meta.encoded(cipher?.cipher)
    } catch {
      throw self.error(.cipher(error), operation)
    }
  }

  func error(
    _ problem: PageStoreError.Problem,
    _ operation: PageStoreError.Operation
  ) -> PageStoreError {
    PageStoreError(problem, operation, path: path)
  }

  func requireOwnProcess(_ operation: PageStoreError.Operation) throws(PageStoreError) {
    if !isOwnProcess { throw error(.forkedChild, operation) }
  }

  // MARK: - Snapshots

  /// The newest commit.
  ///
  /// - Throws: `PageStoreError` if the file was closed, truncated or damaged, or the process is a
  ///   forked child.
  package func snapshot() throws(PageStoreError) -> PageSnapshot {
    try requireOwnProcess(.beginRead)
    return try state.withLock { (state) throws(PageStoreError) in
      if state.isShut { throw error(.closed, .beginRead) }
      while true {
        let newest = lock.newest
        if state.latest.commit == newest, let snapshot = state.latest.snapshot { return snapshot }
        // An older pin of this process protects the newest commit too.
        if state.pins.isEmpty {
          lock.oldestPinned = newest
          if lock.newest != newest { continue }
        }
        do throws(PageStoreError) {
          guard let meta = try meta(newest, &state) else { continue }
          return try makeSnapshot(meta, &state)
        } catch {
          if state.pins.isEmpty { lock.oldestPinned = nil }
          throw error
        }
      }
    }
  }

  private func makeSnapshot(
    _ meta: MetaPage,
    _ state: inout State
  ) throws(PageStoreError) -> PageSnapshot {
    try Self.requireWhole(path, hold, meta, .beginRead)
    let map = try attempt(.beginRead, path, self.map(holding: meta.pageCount, &state))
    let source = PageSource(path: path, map: map, limit: meta.pageCount)
    state.pins[meta.commit, default: 0] += 1
    let snapshot = PageSnapshot(self, meta, source)
    state.latest = Latest(commit: meta.commit, snapshot: snapshot)
    return snapshot
  }

  /// Ends a snapshot.
  func unpin(_ commit: UInt64) {
    // A child of a fork shares the slot with its parent, and the lock may be held forever.
    guard isOwnProcess else { return }
    let isUnused = state.withLock { state in
      let count = state.pins[commit, default: 1] - 1
      state.pins[commit] = count == 0 ? nil : count
      if count == 0 { lock.oldestPinned = state.pins.keys.min() }
      return state.users == 0 && state.pins.isEmpty
    }
    if isUnused { shutDownIfUnused() }
  }

  private func map(holding pages: UInt32, _ state: inout State) throws(SystemError) -> FileMap {
    if Int(pages) > state.map.pageCount {
      state.map = try FileMap.reserve(
        descriptor: hold.descriptor,
        needed: Int(pages) * pageSize,
        layout: state.map.layout,
        cipher: cipher?.cipher
      )
    }
    return state.map
  }

  /// The meta page of the newest commit; `nil` if another became the newest meanwhile.
  private func meta(_ commit: UInt64, _ state: inout State) throws(PageStoreError) -> MetaPage? {
    if state.meta.commit == commit { return state.meta }
    // Whoever made the commit may be writing the page once more, to say that it is on the disk.
    for _ in 0..<MetaPages.mostReads {
      let meta = try? readMeta(MetaPage.offset(ofCommit: commit))
      if lock.newest != commit { return nil }
      guard let meta, meta.commit == commit, meta.pageSize == pageSize, meta.fileID == fileID else {
        continue
      }
      state.meta = meta
      return meta
    }
    throw error(.damaged(in: "meta page \(commit & 1)", "it is not commit \(commit)"), .beginRead)
  }

  // MARK: - Writing

  /// Whether the running thread has the writer and keeps it, as it said.
  package var isWritingHere: Bool { writingThread.load(ordering: .relaxed) == System.thread }

  /// Notes that the running thread keeps the writer, or does not any more.
  package func noteWritingHere(_ isWriting: Bool) {
    writingThread.store(isWriting ? System.thread : 0, ordering: .relaxed)
  }

  /// Begins to write; waits for other writers of all processes.
  ///
  /// - Parameters:
  ///   - timeoutInMilliseconds: How long to wait; `nil` for as long as it takes.
  ///   - isCancelled: Asked before the wait, now and then during it, and after it.
  /// - Returns: The writer, to be ended by `commit` or `abort`.
  /// - Throws: `PageStoreError` if the file cannot be written, was replaced or closed, if a commit
  ///   of any process could not be synchronized, or if other writers take too long.
  package func beginWrite(
    timeoutInMilliseconds: Int? = nil,
    isCancelled: (() -> Bool)? = nil
  ) throws(PageStoreError) -> Writer {
    try requireOwnProcess(.beginWrite)
    if let readOnlyReason { throw error(.readOnly(readOnlyReason), .beginWrite) }
    let wait = Wait(milliseconds: timeoutInMilliseconds, isCancelled: isCancelled)
    if wait.isCancelled?() == true { throw error(.cancelled, .beginWrite) }
    let isShut = state.withLock { state in
      if !state.isShut { state.writers += 1 }
      return state.isShut
    }
    if isShut { throw error(.closed, .beginWrite) }
    guard turn.take(wait) else {
      finishWrite(hasTurn: false)
      // The thread that has the turn may itself be waiting for another process.
      throw givenUp(wait, lock.writerProcessID ?? System.processID)
    }
    do throws(PageStoreError) {
      return try beginWrite(wait)
    } catch {
      finishWrite(hasTurn: true)
      throw error
    }
  }

  /// Why a wait has ended without success.
  private func givenUp(_ wait: Wait, _ holder: Int?) -> PageStoreError {
    let isCancelled = wait.isCancelled?() == true
    return error(isCancelled ? .cancelled : .writerBusy(processID: holder), .beginWrite)
  }

  private func beginWrite(_ wait: Wait) throws(PageStoreError) -> Writer {
    let isTaken = try attempt(.beginWrite, path, lock.takeWriter(wait))
    if !isTaken { throw givenUp(wait, lock.writerProcessID) }
    // The lock and the cancellation may have come together.
    if wait.isCancelled?() == true { throw error(.cancelled, .beginWrite) }
    try requireInPlace(.beginWrite)
    if lock.failed != nil { throw error(.needsReopening, .beginWrite) }
    return try state.withLock { (state) throws(PageStoreError) in
      let newest = lock.newest
      guard let meta = try meta(newest, &state) else {
        throw error(.damaged(in: "the lock file", "the newest commit changed"), .beginWrite)
      }
      guard meta.commit + 1 < Format.commitLimit else {
        let defect = "no commit can follow commit \(meta.commit)"
        throw error(.damaged(in: "the file header", defect), .beginWrite)
      }
      try Self.requireWhole(path, hold, meta, .beginWrite)
      let dirty = state.dirty ?? DirtyPages(meta.layout)
      state.dirty = nil
      do throws(SystemError) {
        let map = try map(holding: meta.pageCount, &state)
        let source = PageSource(path: path, map: map, limit: meta.pageCount, dirty: dirty)
        try Settling.settle(self, meta, source)
        return Writer(self, meta, source, dirty)
      } catch {
        throw PageStoreError(code: error.code, .beginWrite, path: path)
      }
    }
  }

  /// A map for the pages that a writer has written.
  func map(holding pages: UInt32) throws(SystemError) -> FileMap {
    try state.withLock { (state) throws(SystemError) in try map(holding: pages, &state) }
  }

  /// Ends a writer: gives back the lock and the turn.
  func endWrite(_ committed: MetaPage?, _ dirty: DirtyPages) {
    guard isOwnProcess else { return }
    state.withLock { state in
      if let committed { (state.meta, state.made) = (committed, committed) }
      dirty.removeAll()
      state.dirty = dirty
    }
    finishWrite(hasTurn: true)
  }

  private func finishWrite(hasTurn: Bool) {
    if hasTurn {
      lock.giveBackWriter()
      turn.giveBack()
    }
    let isUnused = state.withLock { state in
      state.writers -= 1
      return state.users == 0
    }
    if isUnused { shutDownIfUnused() }
  }

  // MARK: - Opening again and closing

  /// Counts another user.
  func join(_ access: Access) throws(PageStoreError) {
    try requireOwnProcess(.open)
    if access == .readWrite, readOnlyReason == .requested { throw error(.openReadOnlyHere, .open) }
    state.withLock { $0.users += 1 }
  }

  /// Balances one `open`.
  ///
  /// The last call closes the file, after the last snapshot and the last writer have ended.
  package func close() {
    guard isOwnProcess else { return }
    state.withLock { $0.users = max(0, $0.users - 1) }
    shutDownIfUnused()
  }

  /// Says in the newest meta page that it is on the disk with its pages, if this process made it.
  ///
  /// So whoever opens the file next takes a damaged page for what it is, and not for one that a power
  /// failure has taken. It needs no synchronization: what it says is true already.
  func markSynchronized() {
    guard var meta = state.withLock({ $0.made }), lock.failed == nil,
      (try? lock.takeWriter(Wait(milliseconds: 0))) == true
    else { return }
    defer { lock.giveBackWriter() }
    guard lock.newest == meta.commit else { return }
    meta.durability = .everything
    guard let bytes = try? encoded(meta, .commit) else { return }
    try? file.write(bytes, at: MetaPage.offset(ofCommit: meta.commit))
  }

  /// Marks the store as closed if nobody uses it; true once.
  func shutIfUnused() -> Bool {
    state.withLock { state in
      guard state.users == 0, state.pins.isEmpty, state.writers == 0, !state.isShut else {
        return false
      }
      state.isShut = true
      return true
    }
  }
}
