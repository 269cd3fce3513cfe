import Synchronization

/// The file beside a data file where its processes tell each other what they do.
///
/// Nothing in it has to survive: it is made anew when no process has it open.
///
/// | offset | what |
/// |---|---|
/// | 0 | "KnlLocks" |
/// | 8 | `LockFile.version` |
/// | 16 | the start of the system since which it is valid |
/// | 32 | the device and inode of the data file |
/// | 48 | the newest commit: the one that readers use |
/// | 56 | a commit whose synchronization failed, plus one; or 0 |
/// | 64 | 1 while the newest commit is not known to be on the disk |
/// | 72 | how many slots were ever in use |
/// | 80 | the commit whose meta page was written last, or is being written |
/// | 128… | slots of 64 bytes: the process, and one more than the oldest commit that it has pinned |
///
/// Bytes of it are locked (`FileLock.process`); such a lock ends with its process, and a forked
/// child has none.
///
/// | byte | locked by |
/// |---|---|
/// | 0 | who opens or makes the file |
/// | 1 | the writer |
/// | 16 + n | the process with slot n, as long as it has the file open |
///
/// Safe to use: the map lives as long as the object, and slot numbers are below the limit.
@safe package final class LockFile: @unchecked Sendable {
  static let magic: UInt64 = 0x736B_636F_4C6C_6E4B
  static let version: UInt64 = 2
  static let slotLimit = 1024
  static let byteCount = 128 + slotLimit * 64
  private static let (setupByte, writerByte, firstSlotByte) = (0, 1, 16)

  /// -1 where the file system is read-only and nobody can write, and where nobody else has the file.
  let descriptor: Int32
  let identity: FileIdentity
  private let memory: UnsafeMutableRawPointer
  /// The slot of this process.
  private var slot = 0

  /// A process's pinned commit.
  package struct Reader: Equatable, Sendable {
    package let processID: Int
    package let commit: UInt64
  }

  /// Opens or creates the file and waits for others that do so.
  ///
  /// The caller calls `finishSetup`. In a folder for all, somebody else may have put something at its name
  /// that leads to a file of this user: links are not followed, and a file with several names is not
  /// written unless it is a lock file. Who could not give it to the owner of the data file does not make
  /// it: the owner might not be able to write it.
  static func beginSetup(
    path: String,
    for data: FileFacts,
    creates: Bool = true
  ) throws(SystemError) -> LockFile {
    while true {
      let access = creates ? System.Access.createIfMissing : .readWrite
      let descriptor = try System.openFile(path, access, followsLinks: false)
      do throws(SystemError) {
        _ = try FileLock.set(descriptor, .process, .exclusive, at: setupByte, waits: true)
        let facts = try System.facts(descriptor)
        guard facts.isRegularFile else { throw SystemError(code: System.foreignFile) }
        let isOurs = try words(descriptor)[0] == magic
        guard facts.linkCount <= 1 || isOurs else { throw SystemError(code: System.foreignFile) }
        if let found = try? System.facts(path: path), found.identity == facts.identity {
          if facts.byteCount < byteCount { try reserve(descriptor, path, facts) }
          if facts.byteCount == 0 || isOurs && facts.byteCount == byteCount {
            share(descriptor, facts, with: data)
          }
          let memory = try unsafe System.map(descriptor, byteCount: byteCount, isWritable: true)
          return unsafe LockFile(descriptor, facts.identity, memory)
        }
      } catch {
        System.closeFile(descriptor)
        throw error
      }
      System.closeFile(descriptor)
    }
  }

  /// Lets those use the lock file who may use the data file, whoever came first.
  private static func share(_ descriptor: Int32, _ facts: FileFacts, with data: FileFacts) {
    let mode = data.mode & 0o666 | 0o600
    if facts.mode == mode, facts.owner == data.owner, facts.group == data.group { return }
    System.share(descriptor, like: data, mode: mode)
  }

  /// Makes room for the slots, or leaves no file without them.
  private static func reserve(
    _ descriptor: Int32,
    _ path: String,
    _ facts: FileFacts
  ) throws(SystemError) {
    do throws(SystemError) {
      try System.reserve(descriptor, byteCount: byteCount)
    } catch {
      if facts.byteCount == 0 { System.unlinkFile(path) }
      throw error
    }
  }

  /// The stand-in where no other process needs to be told anything.
  static func none() throws(SystemError) -> LockFile {
    unsafe LockFile(
      -1,
      FileIdentity(device: 0, inode: 0),
      try unsafe System.zeros(byteCount: byteCount)
    )
  }

  /// Reads the lock file of a data file that nobody has open; `nil` if it is not valid.
  static func known(_ path: String, _ data: FileFacts) -> Recovery.Known? {
    guard (try? System.facts(path: path + "-lock")) != nil,
      let lock = try? beginSetup(path: path + "-lock", for: data)
    else { return nil }
    defer { lock.close() }
    guard lock.isValid(for: data.identity) else { return nil }
    return Recovery.Known(newest: lock.newest, failed: lock.failed)
  }

  /// Reads a lock file that may not be written; `nil` if it is not valid.
  static func glance(
    _ path: String,
    _ data: FileIdentity
  ) throws(SystemError) -> Recovery.Known? {
    let descriptor = try System.openFile(path, .readOnly, followsLinks: false)
    defer { System.closeFile(descriptor) }
    let words = try words(descriptor)
    guard isValid(for: data, { words[$0 / 8] }) else { return nil }
    return Recovery.Known(newest: words[6], failed: words[7] == 0 ? nil : words[7] - 1)
  }

  /// The words before the slots; zeros where the file is shorter.
  private static func words(_ descriptor: Int32) throws(SystemError) -> [UInt64] {
    let bytes = try System.read(descriptor, at: 0, count: 128)
    return (0..<16).map { word in
      (0..<8).reduce(0) { sum, index in
        let place = word * 8 + index
        return sum | (place < bytes.count ? UInt64(bytes[place]) << (8 * UInt64(index)) : 0)
      }
    }
  }

  private init(_ descriptor: Int32, _ identity: FileIdentity, _ memory: UnsafeMutableRawPointer) {
    self.descriptor = descriptor
    self.identity = identity
    unsafe self.memory = memory
    if descriptor >= 0 { Forks.add(descriptor) }
  }

  deinit { unsafe System.unmap(memory, byteCount: Self.byteCount) }

  /// Gives back all locks.
  func close() {
    oldestPinned = nil
    guard descriptor >= 0 else { return }
    Forks.remove(descriptor)
    System.closeFile(descriptor)
  }

  // MARK: - Words

  private func word(_ offset: Int) -> UnsafePointer<Atomic<UInt64>> {
    unsafe UnsafePointer((memory + offset).assumingMemoryBound(to: Atomic<UInt64>.self))
  }

  private func load(_ offset: Int) -> UInt64 {
    unsafe word(offset).pointee.load(ordering: .sequentiallyConsistent)
  }

  private func store(_ value: UInt64, _ offset: Int) {
    unsafe word(offset).pointee.store(value, ordering: .sequentiallyConsistent)
  }

  /// The newest commit, which readers use.
  var newest: UInt64 {
    get { load(48) }
    set { store(newValue, 48) }
  }

  /// The commit whose synchronization failed.
  var failed: UInt64? {
    get { load(56) == 0 ? nil : load(56) - 1 }
    set { store(newValue.map { $0 + 1 } ?? 0, 56) }
  }

  /// Whether the newest commit is not known to be on the disk.
  var isUnsettled: Bool {
    get { load(64) != 0 }
    set { store(newValue ? 1 : 0, 64) }
  }

  /// The commit whose meta page was written last, or is being written: its writer may be killed before
  /// it is the newest.
  var lastWritten: UInt64 {
    get { load(80) }
    set { store(newValue, 80) }
  }

  // MARK: - Setup

  /// Whether other processes have the file open.
  func isInUse() throws(SystemError) -> Bool {
    try FileLock.isTaken(
      descriptor,
      .process,
      at: Self.firstSlotByte,
      count: Self.slotLimit
    )
  }

  /// Whether the file was made for this data file since the system was started.
  func isValid(for data: FileIdentity) -> Bool { Self.isValid(for: data, load) }

  private static func isValid(for data: FileIdentity, _ load: (Int) -> UInt64) -> Bool {
    let boot = System.bootID
    return load(0) == magic && load(8) == version
      && load(16) == boot.high && load(24) == boot.low && boot != FileID(high: 0, low: 0)
      && load(32) == data.device && load(40) == data.inode
  }

  /// Makes the file anew; no other process may have it open.
  func reset(for data: FileIdentity) {
    // The magic number comes last, so that a process that ends here leaves no valid file.
    store(0, 0)
    for offset in stride(from: 8, to: Self.byteCount, by: 8) { store(0, offset) }
    let boot = System.bootID
    for (offset, value) in [
      (8, Self.version), (16, boot.high), (24, boot.low), (32, data.device), (40, data.inode),
    ] {
      store(value, offset)
    }
    store(Self.magic, 0)
  }

  /// Takes a slot for this process; false if there is none.
  func takeSlot() throws(SystemError) -> Bool {
    guard descriptor >= 0 else { return true }
    for index in 0..<Self.slotLimit {
      let byte = Self.firstSlotByte + index
      guard try FileLock.set(descriptor, .process, .exclusive, at: byte) else { continue }
      slot = index
      store(UInt64(System.processID), slotOffset(index))
      store(0, slotOffset(index) + 8)
      if load(72) < index + 1 { store(UInt64(index + 1), 72) }
      return true
    }
    return false
  }

  func finishSetup() {
    guard descriptor >= 0 else { return }
    _ = try? FileLock.set(descriptor, .process, .none, at: Self.setupByte)
  }

  // MARK: - Readers

  private func slotOffset(_ index: Int) -> Int { 128 + index * 64 }

  /// The oldest commit that this process has pinned.
  var oldestPinned: UInt64? {
    get {
      let value = load(slotOffset(slot) + 8)
      return value == 0 ? nil : value - 1
    }
    set { store(newValue.map { $0 + 1 } ?? 0, slotOffset(slot) + 8) }
  }

  /// The pinned commits of all processes; forgets those of processes that have ended.
  func readers() -> [Reader] {
    var found: [Reader] = []
    let used = min(Int(clamping: load(72)), Self.slotLimit)
    for index in 0..<used {
      let value = load(slotOffset(index) + 8)
      if value == 0 { continue }
      if index != slot, descriptor >= 0 {
        let byte = Self.firstSlotByte + index
        // Who gets the lock of a slot knows that its process has ended.
        if (try? FileLock.set(descriptor, .process, .exclusive, at: byte)) == true {
          store(0, slotOffset(index) + 8)
          _ = try? FileLock.set(descriptor, .process, .none, at: byte)
          continue
        }
      }
      found.append(Reader(processID: Int(clamping: load(slotOffset(index))), commit: value - 1))
    }
    return found
  }

  /// The oldest pinned commit of any process; looks at the life of processes only where it matters.
  func oldestPinned(below limit: UInt64) -> UInt64 {
    let used = min(Int(clamping: load(72)), Self.slotLimit)
    var oldest = UInt64.max
    for index in 0..<used {
      let value = load(slotOffset(index) + 8)
      if value != 0 { oldest = min(oldest, value - 1) }
    }
    return oldest >= limit ? oldest : readers().map(\.commit).min() ?? .max
  }

  // MARK: - The writer

  /// Waits for the writers of other processes; false if the wait is over first.
  func takeWriter(_ wait: Wait) throws(SystemError) -> Bool {
    if descriptor < 0 { return true }
    if wait.isEndless {
      return try FileLock.set(descriptor, .process, .exclusive, at: Self.writerByte, waits: true)
    }
    while true {
      if try FileLock.set(descriptor, .process, .exclusive, at: Self.writerByte) { return true }
      if wait.isOver { return false }
      System.pause(milliseconds: wait.pause)
    }
  }

  /// The other process that writes; `nil` if there is none, or it cannot be seen from here.
  var writerProcessID: Int? {
    descriptor < 0 ? nil : FileLock.owner(descriptor, at: Self.writerByte)
  }

  func giveBackWriter() {
    guard descriptor >= 0 else { return }
    _ = try? FileLock.set(descriptor, .process, .none, at: Self.writerByte)
  }
}
