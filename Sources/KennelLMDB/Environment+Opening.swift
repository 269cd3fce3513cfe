import CLMDB
import Glibc
import Synchronization

extension Environment {
  /// The open files of this process.
  ///
  /// Its lock is taken before the lock of an environment.
  private static let registry = Mutex<[FileIdentity: Environment]>([:])

  /// Opens a file, or returns the environment that this process already has for it.
  ///
  /// The meta pages and the size of the file are checked before LMDB reads them. A file that may
  /// not be written is opened for reading; `readOnlyReason` has the reason. With `create`, a
  /// missing file is created with mode 0600. `mapSizeInBytes` limits the initial size of the map.
  ///
  /// - Throws: `LMDBError` with the problem.
  package static func open(
    path: String,
    access: Access = .readWrite,
    create: Bool = false,
    mapSizeInBytes: Int? = nil
  ) throws(LMDBError) -> Environment {
    let path = try FileName.followed(path)
    while true {
      let known = try registry.withLock { (open) throws(LMDBError) in
        try joined(path, access, open)
      }
      if let known { return known }
      let isThere = FileIdentity(path: path) != nil
      if let kind = FileSystemKind.networkName(path: isThere ? path : parent(of: path)) {
        throw LMDBError(.networkFileSystem(kind), .open, path: path)
      }
      // Can wait for a process that holds the file exclusively; other files do not wait.
      let hold = try FileHold.shared(path: path)
      let made: Environment?
      do throws(LMDBError) {
        made = try registry.withLock { (open) throws(LMDBError) in
          if let known = try joined(path, access, open) {
            hold?.letGo()
            return known
          }
          let made = try make(path, access, create: create, mapSizeInBytes, hold)
          if let made { open[made.identity] = made }
          return made
        }
      } catch {
        hold?.letGo()
        throw error
      }
      if let made { return made }
      hold?.letGo()
    }
  }

  /// Opens a file that no process has open, and locks others out until it is closed.
  ///
  /// - Returns: The environment, or `nil` if a process has the file open, the file has several
  ///   names, or it cannot be written.
  /// - Throws: `LMDBError` with the problem.
  package static func openAlone(path: String) throws(LMDBError) -> Environment? {
    let path = try FileName.followed(path)
    var status = stat()
    guard unsafe lstat(path, &status) == 0 else { throw LMDBError(code: errno, .open, path: path) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw LMDBError(.notAFile, .open, path: path) }
    guard status.st_nlink == 1,
      FileSystemKind.networkName(path: path) == nil,
      let hold = try FileHold.alone(path: path)
    else { return nil }
    do throws(LMDBError) {
      // Enough room to write everything again; a larger map is not needed.
      let mapSize = MapSize.grown(2 * Int(status.st_size))
      let environment = try make(path, .readWrite, create: false, mapSize, hold)
      if let environment, environment.canWrite { return environment }
      if let environment { environment.close() } else { hold.letGo() }
      return nil
    } catch {
      hold.letGo()
      throw error
    }
  }

  /// The environment of this process for a file.
  private static func joined(
    _ path: String,
    _ access: Access,
    _ open: [FileIdentity: Environment]
  ) throws(LMDBError) -> Environment? {
    guard let existing = FileIdentity(path: path), let environment = open[existing] else {
      return nil
    }
    try environment.join(access)
    return environment
  }

  /// Balances one `open`.
  ///
  /// The last call closes the file after the last pin is released.
  package func close() {
    state.withLock { $0.users = max(0, $0.users - 1) }
    shutDownIfUnused()
  }

  private func join(_ access: Access) throws(LMDBError) {
    try requireOwnProcess(.open)
    if access == .readWrite && readOnlyReason == .requested {
      throw error(.openReadOnlyHere, .open)
    }
    state.withLock { $0.users += 1 }
  }

  /// Closes the file if it is unused.
  func shutDownIfUnused() {
    Environment.registry.withLock { open in
      let isLast = state.withLock { state in
        guard state.users == 0, state.pins == 0, state.writes == 0, !state.isShut else {
          return false
        }
        state.isShut = true
        return true
      }
      guard isLast, isOwnProcess else { return }
      let idle = state.withLock { state in
        defer { state.idle = [] }
        return state.idle
      }
      for index in idle.indices { unsafe mdb_txn_abort(idle[index].raw) }
      writer.stop()
      singleSync?.finish()
      unsafe mdb_env_close(handle.raw)
      hold.letGo()
      open[identity] = nil
    }
  }

  static func parent(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// Opens a file, or creates it without a hold; `nil` if another process interfered.
  private static func make(
    _ path: String,
    _ access: Access,
    create: Bool,
    _ wanted: Int?,
    _ hold: FileHold?
  ) throws(LMDBError) -> Environment? {
    var fileSize = 0
    var isNew = hold == nil
    var mode: mode_t = 0o600
    var reason = access == .readOnly ? ReadOnlyReason.requested : nil
    var undone: UInt64?
    if let hold {
      undone = try InterruptedCommit.undo(in: hold, path: path, access)
      do throws(LMDBError) {
        fileSize = try MetaPages.read(descriptor: hold.descriptor, path: path).fileSize
      } catch {
        guard error.problem == .empty, create, access == .readWrite else { throw error }
        try UnfinishedFile.clear(hold, path: path)
        isNew = true
      }
      var status = stat()
      if unsafe fstat(hold.descriptor, &status) == 0 { mode |= status.st_mode & 0o666 }
      reason = reason ?? readOnlyReason(path: path)
    } else {
      guard try requireMissing(path) else { return nil }
      if !create || access == .readOnly { throw LMDBError(.noSuchFile, .open, path: path) }
    }
    // A refused process leaves no lock file.
    if let hold, hold.isMarked, FileIdentity(path: path + "-lock") == nil {
      throw LMDBError(.openByAnotherName, .open, path: path)
    }
    try LockFileRoom.take(path, mode: mode)
    let least = wanted == nil ? MapSize.grown(fileSize) : fileSize
    let most = wanted.map { max($0, fileSize) } ?? MapSize.first(fileSize: fileSize)
    let handle: Handle
    let mapSize: Int
    do throws(LMDBError) {
      (handle, mapSize) = try openLMDB(path, reason, mode: mode, least...max(least, most))
    } catch {
      // There is no file yet that could be copied elsewhere.
      let isRefused = error.problem == .lockFileUnavailable(code: EACCES)
      throw hold == nil && isRefused ? LMDBError(.permissionDenied, .open, path: path) : error
    }
    var own: FileHold?
    do throws(LMDBError) {
      if hold == nil { own = try FileHold.sharedAtOnce(path: path) }
      if let own { CommitLock.markUse(own.descriptor) }
      if let held = hold ?? own, FileIdentity(ofOpenFile: handle) == held.identity {
        guard held.marks(lockFile: path + "-lock") else {
          throw LMDBError(.openByAnotherName, .open, path: path)
        }
        if isNew { try UnfinishedFile.finish(held.descriptor, path: path) }
        return try finish(path, reason, handle, mapSizeInBytes: mapSize, isNew: isNew, held, undone)
      }
      unsafe mdb_env_close(handle.raw)
      own?.letGo()
      return nil
    } catch {
      unsafe mdb_env_close(handle.raw)
      own?.letGo()
      throw error
    }
  }

  /// Whether a file to be created is still missing; false if it appeared meanwhile.
  private static func requireMissing(_ path: String) throws(LMDBError) -> Bool {
    var status = stat()
    if unsafe stat(path, &status) == 0 {
      if status.st_mode & S_IFMT == S_IFREG { return false }
      throw LMDBError(.notAFile, .open, path: path)
    }
    guard errno == ENOENT else { throw LMDBError(code: errno, .open, path: path) }
    let folder = parent(of: path)
    if FileIdentity(path: folder) == nil {
      throw LMDBError(.noSuchDirectory(folder), .open, path: path)
    }
    return true
  }

  /// Why an existing file cannot be written, or `nil`; found by opening it.
  private static func readOnlyReason(path: String) -> ReadOnlyReason? {
    let descriptor = unsafe Glibc.open(path, O_RDWR | O_CLOEXEC)
    if descriptor >= 0 {
      Glibc.close(descriptor)
      return nil
    }
    return errno == EROFS ? .readOnlyFileSystem : .permissions
  }

  /// Opens LMDB's environment with the largest map that the process may have.
  private static func openLMDB(
    _ path: String,
    _ reason: ReadOnlyReason?,
    mode: mode_t,
    _ sizes: ClosedRange<Int>
  ) throws(LMDBError) -> (Handle, mapSizeInBytes: Int) {
    // Commits are synced by `SingleSyncCommit`.
    var flags = UInt32(MDB_NOSUBDIR | MDB_NOTLS | MDB_NOSYNC)
    if reason != nil { flags |= UInt32(MDB_RDONLY) }
    var size = sizes.upperBound
    while true {
      var raw: OpaquePointer?
      guard unsafe mdb_env_create(&raw) == 0, let raw = unsafe raw else {
        throw LMDBError(.outOfMemory, .open, path: path)
      }
      unsafe mdb_env_set_mapsize(raw, size)
      unsafe mdb_env_set_maxdbs(raw, MDB_dbi(Tree.allCases.count))
      unsafe mdb_env_set_maxreaders(raw, UInt32(readerLimit))
      let code = unsafe mdb_env_open(raw, path, flags, mode)
      if code == 0 { return unsafe (Handle(raw: raw), size) }
      unsafe mdb_env_close(raw)
      if code == ENOMEM, size > sizes.lowerBound {
        size = max(sizes.lowerBound, size / 2)
        continue
      }
      throw LMDBError(openProblem(code), .open, path: path)
    }
  }

  /// The problem behind a code: the meta pages were valid and readable, so it concerns the lock
  /// file.
  private static func openProblem(_ code: Int32) -> LMDBError.Problem {
    switch code {
    case EACCES, EPERM, EROFS, EISDIR: .lockFileUnavailable(code: code)
    case MDB_VERSION_MISMATCH, MDB_INVALID: .foreignLockFile
    default: LMDBError.Problem(code: code)
    }
  }

  private static func finish(
    _ path: String,
    _ reason: ReadOnlyReason?,
    _ handle: Handle,
    mapSizeInBytes: Int,
    isNew: Bool,
    _ hold: FileHold,
    _ undoneCommit: UInt64?
  ) throws(LMDBError) -> Environment {
    let meta = try MetaPages.read(descriptor: hold.descriptor, path: path)
    let map = FileMap.reserve(
      descriptor: hold.descriptor,
      wanted: mapSizeInBytes,
      needed: meta.fileSize
    )
    guard let map else { throw LMDBError(.outOfMemory, .open, path: path) }
    let pageSize = meta.newest.pageSize
    var singleSync: SingleSyncCommit?
    if reason == nil {
      singleSync = unsafe SingleSyncCommit(path: path, pageSize: pageSize, metaPages: map.base)
      if singleSync == nil { throw LMDBError(code: errno, .open, path: path) }
    }
    return Environment(
      path: path,
      readOnlyReason: reason,
      pageSize: pageSize,
      handle: handle,
      hold: hold,
      singleSync: singleSync,
      undoneCommit: undoneCommit,
      state: State(
        isChecked: isNew && meta.newest.transactionID == 0,
        mapSizeInBytes: mapSizeInBytes,
        map: map
      )
    )
  }
}

extension FileIdentity {
  /// The identity of the file that LMDB opened.
  fileprivate init?(ofOpenFile handle: Environment.Handle) {
    var descriptor: mdb_filehandle_t = -1
    guard unsafe mdb_env_get_fd(handle.raw, &descriptor) == 0,
      let facts = FileFacts(descriptor: descriptor)
    else { return nil }
    self = facts.identity
  }
}
