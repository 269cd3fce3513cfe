#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The `errno` of a call that failed.
package struct SystemError: Error, Equatable, Sendable {
  package let code: Int32

  package init(code: Int32) { self.code = code }

  /// The error of the call before.
  static var last: SystemError { SystemError(code: errno) }
}

/// The identity of a file, independent of its path.
struct FileIdentity: Hashable, Sendable {
  let device: UInt64
  let inode: UInt64
}

struct FileFacts {
  let identity: FileIdentity
  let byteCount: Int
  let isRegularFile: Bool
  let linkCount: Int
  let mode: UInt32
  let owner: UInt32
  let group: UInt32

  fileprivate init(_ facts: stat) {
    identity = FileIdentity(
      device: UInt64(truncatingIfNeeded: facts.st_dev),
      inode: UInt64(facts.st_ino)
    )
    byteCount = Int(facts.st_size)
    isRegularFile = facts.st_mode & S_IFMT == S_IFREG
    linkCount = Int(facts.st_nlink)
    mode = UInt32(facts.st_mode & 0o7777)
    owner = facts.st_uid
    group = facts.st_gid
  }
}

/// Every call into the C library, and what differs between systems.
///
/// A failure is the `errno`, thrown as ``SystemError``.
enum System {
  enum Access {
    case readOnly
    case readWrite
    case createIfMissing
    case createNew
  }

  // MARK: - Files

  static func openFile(
    _ path: String,
    _ access: Access,
    mode: UInt32 = 0o600,
    followsLinks: Bool = true
  ) throws(SystemError) -> Int32 {
    let flags =
      switch access {
      case .readOnly: O_RDONLY
      case .readWrite, .createIfMissing: O_RDWR
      case .createNew: O_RDWR | O_CREAT | O_EXCL
      }
    // Nor is it waited for the other end of a pipe.
    let others = O_CLOEXEC | (followsLinks ? 0 : O_NOFOLLOW | O_NONBLOCK)
    while true {
      var descriptor = unsafe open(path, flags | others, mode_t(mode))
      // Not at once: in a folder for all, a file of another user may not be opened to be created.
      if descriptor < 0, errno == ENOENT, access == .createIfMissing {
        descriptor = unsafe open(path, flags | others | O_CREAT | (followsLinks ? 0 : O_EXCL), mode)
        if descriptor < 0, errno == EEXIST { continue }
      }
      if descriptor >= 0 { return descriptor }
      if errno != EINTR { throw .last }
    }
  }

  static func closeFile(_ descriptor: Int32) { _ = close(descriptor) }

  static func facts(_ descriptor: Int32) throws(SystemError) -> FileFacts {
    var facts = stat()
    guard unsafe fstat(descriptor, &facts) == 0 else { throw .last }
    return FileFacts(facts)
  }

  static func facts(path: String) throws(SystemError) -> FileFacts {
    var facts = stat()
    guard unsafe stat(path, &facts) == 0 else { throw .last }
    return FileFacts(facts)
  }

  /// The identity of the file at a path, without a look at its times; `nil` if there is none.
  ///
  /// See ``byteCount(_:)``.
  static func identity(path: String) -> FileIdentity? {
    #if canImport(Glibc)
    // Swift does not import statx(2): the device and the inode are at these places of its result.
    if let statx = unsafe statx {
      return unsafe withUnsafeTemporaryAllocation(byteCount: 256, alignment: 8) {
        (facts) -> FileIdentity? in
        let inodeOnly: UInt32 = 0x100
        guard let base = facts.baseAddress,
          unsafe statx(AT_FDCWD, path, 0, inodeOnly, base) == 0
        else { return nil }
        let major = unsafe UInt64(base.load(fromByteOffset: 0x88, as: UInt32.self))
        let minor = unsafe UInt64(base.load(fromByteOffset: 0x8C, as: UInt32.self))
        // makedev(3)
        let high = (major & 0xFFFF_F000) << 32 | (major & 0xFFF) << 8
        let low = (minor & 0xFFFF_FF00) << 12 | minor & 0xFF
        return FileIdentity(
          device: high | low,
          inode: unsafe base.load(fromByteOffset: 0x20, as: UInt64.self)
        )
      }
    }
    #endif
    return (try? facts(path: path))?.identity
  }

  #if canImport(Glibc)
  private typealias Statx =
    @convention(c) (Int32, UnsafePointer<CChar>, Int32, UInt32, UnsafeMutableRawPointer) -> Int32

  private static let statx: Statx? = unsafe dlsym(nil, "statx").map {
    unsafe unsafeBitCast($0, to: Statx.self)
  }
  #endif

  /// The path without symbolic links; the file must exist.
  static func canonicalPath(_ path: String) throws(SystemError) -> String {
    guard let text = unsafe realpath(path, nil) else { throw .last }
    defer { unsafe free(text) }
    return unsafe String(cString: text)
  }

  /// Tells the running thread from every other living one.
  ///
  /// Never inlined: in an asynchronous function the compiler would take the thread before an `await`
  /// for the one after it.
  @inline(never)
  static var thread: UInt {
    #if canImport(Glibc)
    UInt(pthread_self())
    #else
    UInt(bitPattern: pthread_self())
    #endif
  }

  static func unlinkFile(_ path: String) { _ = unsafe unlink(path) }

  static func renameFile(_ from: String, to: String) throws(SystemError) {
    guard unsafe rename(from, to) == 0 else { throw .last }
  }

  /// Gives a file another owner and other permissions.
  static func adopt(_ facts: FileFacts, for descriptor: Int32) throws(SystemError) {
    let own = try self.facts(descriptor)
    if own.owner != facts.owner || own.group != facts.group {
      guard fchown(descriptor, facts.owner, facts.group) == 0 else { throw .last }
    }
    guard fchmod(descriptor, mode_t(facts.mode)) == 0 else { throw .last }
  }

  /// Whether this process may write to a file, or may change that it may not.
  static func mayWrite(_ path: String, _ facts: FileFacts) -> Bool {
    if [0, facts.owner].contains(geteuid()) { return true }
    return unsafe faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) == 0
  }

  /// Gives a file the owner and the group of another one as far as that is allowed, and permissions: those
  /// of the group only if it is the same.
  static func share(_ descriptor: Int32, like facts: FileFacts, mode: UInt32) {
    if fchown(descriptor, facts.owner, facts.group) != 0 {
      _ = fchown(descriptor, uid_t.max, facts.group)
    }
    let isShared = (try? self.facts(descriptor))?.group == facts.group
    _ = fchmod(descriptor, mode_t(isShared ? mode : mode & ~0o070))
  }

  /// The size of a file, without a look at its times.
  ///
  /// After a look at the times of a file the system gives the next write a new time, and the next
  /// synchronization waits for the inode too, which makes a small commit a fifth slower.
  static func byteCount(_ descriptor: Int32) throws(SystemError) -> Int {
    let end = lseek(descriptor, 0, SEEK_END)
    guard end >= 0 else { throw .last }
    return Int(end)
  }

  // MARK: - Bytes

  /// Reads up to `count` bytes; fewer at the end of the file.
  static func read(
    _ descriptor: Int32,
    at offset: Int,
    count: Int
  ) throws(SystemError) -> [UInt8] {
    var total = 0
    var failure: SystemError?
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      while total < count, let base = buffer.baseAddress {
        let got = unsafe pread(descriptor, base + total, count - total, off_t(offset + total))
        if got < 0 && errno == EINTR { continue }
        if got < 0 { failure = .last }
        if got <= 0 { break }
        total += got
      }
      initialized = total
    }
    if let failure { throw failure }
    return bytes
  }

  /// Writes pieces one behind the other.
  static func write(
    _ descriptor: Int32,
    at offset: Int,
    _ pieces: [UnsafeRawBufferPointer]
  ) throws(SystemError) {
    // The most that a call takes (IOV_MAX).
    let most = 1024
    var position = offset
    for start in stride(from: 0, to: unsafe pieces.count, by: most) {
      let group = unsafe pieces[start..<min(start + most, pieces.count)]
      let vectors = unsafe group.map {
        unsafe iovec(iov_base: UnsafeMutableRawPointer(mutating: $0.baseAddress), iov_len: $0.count)
      }
      let wanted = unsafe group.reduce(0) { $0 + $1.count }
      let written = unsafe pwritev(descriptor, vectors, Int32(vectors.count), off_t(position))
      // A signal, or the end of the disk: one after the other tells which.
      if written != wanted { try unsafe writeOneByOne(descriptor, at: position, group) }
      position += wanted
    }
  }

  private static func writeOneByOne(
    _ descriptor: Int32,
    at offset: Int,
    _ pieces: ArraySlice<UnsafeRawBufferPointer>
  ) throws(SystemError) {
    var position = offset
    for index in unsafe pieces.indices {
      var rest = unsafe pieces[index]
      while let base = rest.baseAddress, unsafe !rest.isEmpty {
        let written = unsafe pwrite(descriptor, base, rest.count, off_t(position))
        if written < 0 && errno == EINTR { continue }
        guard written > 0 else { throw written == 0 ? SystemError(code: ENOSPC) : .last }
        unsafe rest = unsafe UnsafeRawBufferPointer(rebasing: rest[written...])
        position += written
      }
    }
  }

  /// Waits until the bytes of a file, and its size, are on the disk.
  static func synchronize(_ descriptor: Int32) throws(SystemError) {
    #if canImport(Darwin)
    while fcntl(descriptor, F_FULLFSYNC) != 0 {
      if errno != EINTR { throw .last }
    }
    #else
    while fdatasync(descriptor) != 0 {
      if errno != EINTR { throw .last }
    }
    #endif
  }

  /// Waits until a new name in a folder is on the disk.
  static func synchronizeFolder(of path: String) throws(SystemError) {
    let descriptor = try openFile(parent(of: path), .readOnly)
    defer { closeFile(descriptor) }
    while fsync(descriptor) != 0 {
      if errno != EINTR { throw .last }
    }
  }

  static func parent(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// Takes the disk space of a file, so that a write to its map cannot fail.
  static func reserve(_ descriptor: Int32, byteCount: Int) throws(SystemError) {
    #if canImport(Darwin)
    let zeros = [UInt8](repeating: 0, count: byteCount)
    try unsafe zeros.withRawBytes { (bytes) throws(SystemError) in
      try unsafe write(descriptor, at: 0, [bytes])
    }
    #else
    while case let code = posix_fallocate(descriptor, 0, off_t(byteCount)), code != 0 {
      if code != EINTR { throw SystemError(code: code) }
    }
    #endif
  }

  // MARK: - Memory

  static func map(
    _ descriptor: Int32,
    byteCount: Int,
    isWritable: Bool
  ) throws(SystemError) -> UnsafeMutableRawPointer {
    let protection = isWritable ? PROT_READ | PROT_WRITE : PROT_READ
    let address = unsafe mmap(nil, byteCount, protection, MAP_SHARED, descriptor, 0)
    guard let address = unsafe address, unsafe address != MAP_FAILED else { throw .last }
    return unsafe address
  }

  /// Zeros that take no memory until they are written.
  static func zeros(byteCount: Int) throws(SystemError) -> UnsafeMutableRawPointer {
    #if canImport(Darwin)
    let flags = MAP_PRIVATE | MAP_ANON
    #else
    let flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE
    #endif
    let address = unsafe mmap(nil, byteCount, PROT_READ | PROT_WRITE, flags, -1, 0)
    guard let address = unsafe address, unsafe address != MAP_FAILED else { throw .last }
    return unsafe address
  }

  /// Zeros for what must not leave the process: not in a core dump, and not in the child of a fork.
  static func secretZeros(byteCount: Int) throws(SystemError) -> UnsafeMutableRawPointer {
    let address = unsafe try zeros(byteCount: byteCount)
    #if !canImport(Darwin)
    _ = unsafe madvise(address, byteCount, MADV_DONTDUMP)
    _ = unsafe madvise(address, byteCount, MADV_WIPEONFORK)
    #endif
    return unsafe address
  }

  /// Gives back the memory that a map of a file takes; what is read again comes from the system's cache.
  static func giveBack(_ address: UnsafeMutableRawPointer, byteCount: Int) {
    _ = unsafe madvise(address, byteCount, MADV_DONTNEED)
  }

  static func unmap(_ address: UnsafeMutableRawPointer, byteCount: Int) {
    _ = unsafe munmap(address, byteCount)
  }

  /// Makes sure that a map of so many bytes is possible.
  static func requireAddressSpace(byteCount: Int) throws(SystemError) {
    unsafe unmap(try zeros(byteCount: byteCount), byteCount: byteCount)
  }

  /// The bytes of address space that the process may have.
  static var addressSpaceLimit: Int {
    var limit = rlimit()
    #if canImport(Glibc)
    let which = __rlimit_resource_t(RLIMIT_AS.rawValue)
    #else
    let which = RLIMIT_AS
    #endif
    guard unsafe getrlimit(which, &limit) == 0 else { return .max }
    return Int(clamping: limit.rlim_cur)
  }

  // MARK: - Processes

  static var processID: Int { Int(getpid()) }

  /// Identifies the time since the system was started; zeros if that cannot be known.
  static let bootID: FileID = {
    let none = FileID(high: 0, low: 0)
    guard let descriptor = try? openFile("/proc/sys/kernel/random/boot_id", .readOnly) else {
      return none
    }
    defer { closeFile(descriptor) }
    guard let bytes = try? read(descriptor, at: 0, count: 64), !bytes.isEmpty else { return none }
    return FileID(
      high: PageSum.of(bytes, seed: 1),
      low: PageSum.of(bytes, seed: 2)
    )
  }()

  /// Runs a function in each child of a fork.
  static func afterFork(_ body: @convention(c) () -> Void) -> Bool {
    pthread_atfork(nil, nil, body) == 0
  }

  static func pause(milliseconds: Int) {
    _ = usleep(UInt32(milliseconds * 1000))
  }

  /// Milliseconds on a clock that is not set.
  static var milliseconds: Int {
    var time = timespec()
    _ = unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return Int(time.tv_sec) * 1000 + Int(time.tv_nsec) / 1_000_000
  }

  // MARK: - Words

  static func text(of code: Int32) -> String {
    guard let text = unsafe strerror(code) else { return "error \(code)" }
    return unsafe String(cString: text)
  }

  static func problem(of code: Int32) -> PageStoreError.Problem {
    if code == ENOSPC { return .diskFull }
    if code == EDQUOT { return .quotaExceeded }
    if code == EIO { return .inputOutput }
    if [EMFILE, ENFILE].contains(code) { return .tooManyOpenFiles }
    if [EACCES, EPERM].contains(code) { return .permissionDenied }
    if [EISDIR, ENXIO].contains(code) { return .notAFile }
    if code == ENOENT { return .noSuchFile }
    if code == EFBIG { return .fileTooLarge }
    if code == ENOMEM { return .outOfMemory }
    if code == EROFS { return .readOnly(.readOnlyFileSystem) }
    return .system(code: code)
  }

  static func isDiskFull(_ code: Int32) -> Bool { code == ENOSPC || code == EDQUOT }

  static func isPermission(_ error: SystemError) -> Bool {
    error.code == EACCES || error.code == EPERM
  }

  static func isReadOnlyFileSystem(_ error: SystemError) -> Bool { error.code == EROFS }

  /// The code for a file that is not at its name any more.
  static let staleFile = ESTALE

  /// The code for a file that is not what should be at its name.
  static let foreignFile = EEXIST

  /// Whether there is something at a name that is no file, or a link.
  static func isForeign(_ code: Int32) -> Bool {
    [foreignFile, ELOOP, EISDIR, ENXIO, ENODEV].contains(code)
  }

  static func isMissing(_ error: SystemError) -> Bool { error.code == ENOENT }

  /// The name of the network file system of a file; `nil` for a local one.
  ///
  /// Locks and maps do not reach other machines.
  static func networkFileSystem(_ descriptor: Int32) -> String? {
    #if canImport(Darwin)
    var facts = statfs()
    guard unsafe fstatfs(descriptor, &facts) == 0 else { return nil }
    return facts.f_flags & UInt32(MNT_LOCAL) == 0 ? "a remote one" : nil
    #else
    var facts = stat()
    guard unsafe fstat(descriptor, &facts) == 0,
      let mounts = try? openFile("/proc/self/mountinfo", .readOnly)
    else { return nil }
    defer { closeFile(mounts) }
    // A line: two numbers, the device, six words and more, a dash, the kind, …
    var bytes: [UInt8] = []
    while let more = try? read(mounts, at: bytes.count, count: 1 << 14), !more.isEmpty {
      bytes += more
    }
    let text = String(decoding: bytes, as: UTF8.self)
    let device = "\(major(facts.st_dev)):\(minor(facts.st_dev))"
    for line in text.split(separator: "\n") {
      let words = line.split(separator: " ")
      guard words.count > 2, words[2] == device, let dash = words.firstIndex(of: "-"),
        dash + 1 < words.count
      else { continue }
      let kind = words[dash + 1]
      return networkKinds.contains { kind == $0 || kind.hasPrefix($0 + "4") } ? String(kind) : nil
    }
    return nil
    #endif
  }

  #if !canImport(Darwin)
  private static let networkKinds = [
    "nfs", "cifs", "smb3", "smbfs", "ncpfs", "afs", "coda", "9p", "ceph", "lustre", "beegfs",
    "gpfs", "ocfs2", "gfs2", "fuse.sshfs",
  ]

  /// The numbers of a device (makedev(3)).
  private static func major(_ device: dev_t) -> UInt64 {
    let device = UInt64(device)
    return (device >> 8) & 0xFFF | (device >> 32) & 0xFFFF_F000
  }

  private static func minor(_ device: dev_t) -> UInt64 {
    let device = UInt64(device)
    return device & 0xFF | (device >> 12) & 0xFFFF_FF00
  }
  #endif
}
