import CLMDB
import Glibc
import Synchronization

extension Environment {
  /// The open files of this process.
  ///
  /// Its lock is taken before that of an environment.
  private static let registry = Mutex<[FileIdentity: Environment]>([:])

  /// Opens a file, or hands out the environment that this process has for it already.
  ///
  /// The file's meta pages and size are looked at before LMDB sees them. A file that
  /// may not be written is opened for reading, and `readOnlyReason` says why. With
  /// `create` a missing file is made, with mode 0600. `mapSizeInBytes` limits the addresses
  /// that are reserved at first.
  ///
  /// - Throws: `LMDBError` whose problem says what stood in the way.
  package static func open(
    path: String,
    access: Access = .readWrite,
    create: Bool = false,
    mapSizeInBytes: Int? = nil
  ) throws(LMDBError) -> Environment {
    try registry.withLock { (open) throws(LMDBError) -> Environment in
      let existing = FileIdentity(path: path)
      if let existing, let environment = open[existing] {
        try environment.join(access)
        return environment
      }
      if let kind = FileSystemKind.networkName(path: existing == nil ? parent(of: path) : path) {
        throw LMDBError(.networkFileSystem(kind), .open, path: path)
      }
      let environment = try make(path, access, create: create, mapSizeInBytes)
      open[environment.identity] = environment
      return environment
    }
  }

  /// Takes back one `open`.
  ///
  /// The last one closes the file, once the last pin is released.
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

  /// Closes the file where nobody uses it any more.
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
      for transaction in idle { mdb_txn_abort(transaction.raw) }
      writer.stop()
      mdb_env_close(handle.raw)
      Glibc.close(descriptor)
      open[identity] = nil
    }
  }

  private static func parent(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  private static func make(
    _ path: String,
    _ access: Access,
    create: Bool,
    _ wanted: Int?
  ) throws(LMDBError) -> Environment {
    var status = stat()
    let exists = stat(path, &status) == 0
    if !exists {
      let code = errno
      guard code == ENOENT else { throw LMDBError(code: code, .open, path: path) }
      let folder = parent(of: path)
      if FileIdentity(path: folder) == nil {
        throw LMDBError(.noSuchDirectory(folder), .open, path: path)
      }
      if !create || access == .readOnly { throw LMDBError(.noSuchFile, .open, path: path) }
    } else if status.st_mode & S_IFMT != S_IFREG {
      throw LMDBError(.notAFile, .open, path: path)
    }
    var fileSize = 0
    var isNew = !exists
    if exists {
      let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else { throw LMDBError(code: errno, .open, path: path) }
      defer { Glibc.close(descriptor) }
      do {
        fileSize = try MetaPages.read(descriptor: descriptor, path: path).fileSize
      } catch {
        guard error.problem == .empty, create, access == .readWrite else { throw error }
        isNew = true
      }
    }
    let reason =
      access == .readOnly ? ReadOnlyReason.requested : exists ? readOnlyReason(path: path) : nil
    let mode = exists ? status.st_mode & 0o666 | 0o600 : 0o600
    let least = wanted == nil ? MapSize.grown(fileSize) : fileSize
    let most = wanted.map { max($0, fileSize) } ?? MapSize.first(fileSize: fileSize)
    let (handle, mapSize) = try openLMDB(path, reason, mode: mode, least...max(least, most))
    return try finish(path, reason, handle, mapSizeInBytes: mapSize, isNew: isNew)
  }

  /// Why an existing file cannot be written, if so; found by opening it.
  private static func readOnlyReason(path: String) -> ReadOnlyReason? {
    let descriptor = Glibc.open(path, O_RDWR | O_CLOEXEC)
    if descriptor >= 0 {
      Glibc.close(descriptor)
      return nil
    }
    return errno == EROFS ? .readOnlyFileSystem : .permissions
  }

  /// Opens LMDB's environment with as large a map as the process may have.
  private static func openLMDB(
    _ path: String,
    _ reason: ReadOnlyReason?,
    mode: mode_t,
    _ sizes: ClosedRange<Int>
  ) throws(LMDBError) -> (Handle, mapSizeInBytes: Int) {
    var flags = UInt32(MDB_NOSUBDIR | MDB_NOTLS)
    if reason != nil { flags |= UInt32(MDB_RDONLY) }
    var size = sizes.upperBound
    while true {
      var raw: OpaquePointer?
      guard mdb_env_create(&raw) == 0, let raw else {
        throw LMDBError(.outOfMemory, .open, path: path)
      }
      mdb_env_set_mapsize(raw, size)
      mdb_env_set_maxdbs(raw, MDB_dbi(Tree.allCases.count))
      mdb_env_set_maxreaders(raw, UInt32(readerLimit))
      let code = mdb_env_open(raw, path, flags, mode)
      if code == 0 { return (Handle(raw: raw), size) }
      mdb_env_close(raw)
      if code == ENOMEM, size > sizes.lowerBound {
        size = max(sizes.lowerBound, size / 2)
        continue
      }
      throw LMDBError(openProblem(code), .open, path: path)
    }
  }

  /// The meta pages were fine, and the file could be read: what is left is the lock file.
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
    isNew: Bool
  ) throws(LMDBError) -> Environment {
    let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC)
    do throws(LMDBError) {
      guard descriptor >= 0 else { throw LMDBError(code: errno, .open, path: path) }
      var status = stat()
      guard fstat(descriptor, &status) == 0 else { throw LMDBError(code: errno, .open, path: path) }
      let meta = try MetaPages.read(descriptor: descriptor, path: path)
      let map = FileMap.reserve(
        descriptor: descriptor,
        wanted: mapSizeInBytes,
        needed: meta.fileSize
      )
      guard let map else { throw LMDBError(.outOfMemory, .open, path: path) }
      return Environment(
        path: path,
        readOnlyReason: reason,
        pageSize: meta.newest.pageSize,
        handle: handle,
        descriptor: descriptor,
        identity: FileIdentity(status),
        state: State(
          isChecked: isNew && meta.newest.transactionID == 0,
          mapSizeInBytes: mapSizeInBytes,
          map: map
        )
      )
    } catch {
      mdb_env_close(handle.raw)
      if descriptor >= 0 { Glibc.close(descriptor) }
      throw error
    }
  }
}
