import Glibc
import KennelPages
import Synchronization
import Testing

/// A file whose process ends at a certain write or synchronization.
private final class EndingFile: DataFile {
  private let file: SystemFile
  private let left: Atomic<Int>
  private let synchronizations: Atomic<Int>
  /// Whether a part of the last write still happens.
  private let isTorn: Bool

  init(_ file: SystemFile, steps: Int, synchronizations: Int = .max, isTorn: Bool) {
    self.file = file
    self.synchronizations = Atomic(synchronizations)
    left = Atomic(steps)
    self.isTorn = isTorn
  }

  func write(_ pieces: [UnsafeRawBufferPointer], at offset: Int) throws(SystemError) {
    if left.subtract(1, ordering: .relaxed).oldValue == 0 {
      if isTorn, let first = unsafe pieces.first {
        let half = unsafe UnsafeRawBufferPointer(rebasing: first.prefix(first.count / 2))
        try? unsafe file.write([half], at: offset)
      }
      endAtOnce()
    }
    try unsafe file.write(pieces, at: offset)
  }

  func synchronize() throws(SystemError) {
    if synchronizations.subtract(1, ordering: .relaxed).oldValue == 0 { endAtOnce() }
    if left.subtract(1, ordering: .relaxed).oldValue == 0 { endAtOnce() }
    try file.synchronize()
  }
}

private func endAtOnce() {
  kill(getpid(), SIGKILL)
}

/// A file that does something before one of its writes and synchronizations.
private final class ForkingFile: DataFile {
  private let file: SystemFile
  private let left: Atomic<Int>
  private let body: @Sendable () -> Void

  init(_ file: SystemFile, at step: Int, _ body: @escaping @Sendable () -> Void) {
    self.file = file
    left = Atomic(step)
    self.body = body
  }

  private func step() {
    if left.subtract(1, ordering: .relaxed).oldValue == 0 { body() }
  }

  func write(_ pieces: [UnsafeRawBufferPointer], at offset: Int) throws(SystemError) {
    step()
    try unsafe file.write(pieces, at: offset)
  }

  func synchronize() throws(SystemError) {
    step()
    try file.synchronize()
  }
}

/// Forks a child that must be refused everything and lives on while there is the file, a minute at most, and
/// ends this process.
///
/// Swift hides `fork`; a child that does nothing but ask needs no more of its runtime.
private func forkAndEnd(_ store: PageStore, _ writer: Writer, _ snapshot: PageSnapshot) {
  guard let symbol = unsafe dlsym(nil, "fork") else { return }
  let fork = unsafe unsafeBitCast(symbol, to: (@convention(c) () -> pid_t).self)
  let child = fork()
  if child == 0 {
    func problem(_ body: () throws(PageStoreError) -> Void) -> PageStoreError.Problem? {
      do throws(PageStoreError) { try body() } catch { return error.problem }
      return nil
    }
    let problems = [
      problem { () throws(PageStoreError) in _ = try store.snapshot() },
      problem { () throws(PageStoreError) in _ = try store.beginWrite() },
      problem { () throws(PageStoreError) in try writer.commit() },
      problem { () throws(PageStoreError) in _ = unsafe try snapshot.get(numbers, 1) },
    ]
    guard problems.allSatisfy({ $0 == .forkedChild }) else { _exit(4) }
    // It lives longer than its parent, and the test does not wait for it: that has the other ends
    // of its pipes.
    for descriptor in 0..<256 as Range<Int32> {
      var facts = stat()
      guard unsafe fstat(descriptor, &facts) == 0 else { continue }
      if [S_IFIFO, S_IFSOCK].contains(facts.st_mode & S_IFMT) { close(descriptor) }
    }
    for _ in 0..<3_000 where unsafe access(store.path, F_OK) == 0 { usleep(20_000) }
    _exit(3)
  }
  usleep(200_000)
  var status: Int32 = 0
  // It must not have ended with the code for a failure.
  if unsafe waitpid(child, &status, WNOHANG) != 0 { _exit(5) }
  endAtOnce()
}

/// What several processes do to each other.
///
/// The others are exit tests.
@Suite("Several processes")
struct ProcessTests {
  private let folder = TestFolder()

  @Test
  func `a reader that died keeps no pages`() async throws {
    let store = try PageStore.open(path: folder.file, create: true)
    defer { store.close() }
    try store.store(numbers, 1, "one")
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = folder.file as String] in
      let store = try PageStore.open(path: path)
      let snapshot = try store.snapshot()
      #expect(snapshot.commit == 1)
      #expect(store.readers.count == 1)
      endAtOnce()
    }
    for number in 0..<10 { try store.store(numbers, 1, "\(number)") }
    let before = try store.snapshot().pageCount
    for number in 0..<100 { try store.store(numbers, 1, "\(number)") }
    #expect(try store.snapshot().pageCount == before)
  }

  @Test
  func `a reader of another process keeps its pages`() async throws {
    let folder = TestFolder()
    let store = try PageStore.open(path: folder.file, create: true)
    defer { store.close() }
    try store.store(numbers, 1, "one")
    let snapshot = try store.snapshot()
    await #expect(processExitsWith: .success) { [path = folder.file as String] in
      let store = try PageStore.open(path: path)
      #expect(store.readers.map(\.commit) == [1])
      for number in 0..<100 { try store.store(numbers, 1, "\(number)") }
    }
    #expect(try snapshot.text(numbers, 1) == "one")
    _ = try PageStoreCheck.run(snapshot)
    #expect(try store.text(numbers, 1) == "99")
  }

  @Test(arguments: 0..<8)
  func `a writer that dies at any step leaves the last commit and no lock`(step: Int) async throws {
    let folder = TestFolder()
    let store = try PageStore.open(path: folder.file, create: true)
    try store.store(numbers, 1, "one")
    let isOpen = step % 2 == 0
    if !isOpen { store.close() }
    await #expect(processExitsWith: .signal(SIGKILL)) {
      [path = folder.file as String, step = step as Int] in
      let store = try PageStore.open(path: path) {
        EndingFile($0, steps: 3 + step / 2, isTorn: step % 4 < 2)
      }
      try store.store(numbers, 1, "two")
      let writer = try store.beginWrite()
      try writer.put(numbers, 1, "three")
      try writer.commit()
      let last = try store.beginWrite()
      try last.put(numbers, 1, "four")
      endAtOnce()
    }
    let after = isOpen ? store : try PageStore.open(path: folder.file)
    defer { after.close() }
    let text = try after.text(numbers, 1)
    #expect(text == "two" || text == "three")
    _ = try PageStoreCheck.run(try after.snapshot())
    for number in 0..<5 {
      try after.store(numbers, 1, "\(number)")
      #expect(try after.text(numbers, 1) == "\(number)")
    }
    _ = try PageStoreCheck.run(try after.snapshot())
  }

  @Test
  func `the meta page of a large commit whose writer died is gone before its pages are`()
    async throws
  {
    var random = SeededNumbers(seed: 31)
    let log = RecordingFile.Log()
    let store = try PageStore.open(path: folder.file, create: true) { RecordingFile($0, log) }
    var model = Model()
    for _ in 0..<6 { model = try store.commitChanges(40, model, &random) }
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = folder.file as String] in
      // The pages are synchronized, the meta page is written.
      let store = try PageStore.open(path: path) {
        EndingFile($0, steps: .max, synchronizations: 1, isTorn: false)
      }
      let writer = try store.beginWrite()
      writer.mostUnsyncedPages = 0
      for key in 0..<400 as Range<UInt64> { try writer.put(numbers, key, "large") }
      try writer.commit()
    }
    let start = folder.read()
    let known = log.events.count
    let after = try store.commitChanges(40, model, &random)
    log.acknowledge(1)
    store.close()
    var large = model
    for key in 0..<400 as Range<UInt64> { large.numbers[key] = Array("large".utf8) }
    log.forget(known)
    try PowerLossTests().checkImages(of: log, from: start, [model, large], last: after, &random)
  }

  @Test
  func `another process waits for the writer, and gives up when asked to`() async throws {
    let store = try PageStore.open(path: folder.file, create: true)
    defer { store.close() }
    try store.store(numbers, 1, "one")
    let writer = try store.beginWrite()
    let own = Int(getpid())
    await #expect(processExitsWith: .success) { [path = folder.file as String, own = own as Int] in
      let store = try PageStore.open(path: path)
      let busy = PageStoreError(.writerBusy(processID: own), .beginWrite, path: store.path)
      #expect(throws: busy) { try store.beginWrite(timeoutInMilliseconds: 50) }
      #expect(throws: PageStoreError(.cancelled, .beginWrite, path: store.path)) {
        var asked = 0
        _ = try store.beginWrite {
          asked += 1
          return asked > 5
        }
      }
      // Reading does not wait.
      #expect(try store.snapshot().commit == 1)
    }
    #expect(throws: PageStoreError(.writerBusy(processID: own), .beginWrite, path: store.path)) {
      try store.beginWrite(timeoutInMilliseconds: 20)
    }
    #expect(throws: PageStoreError(.cancelled, .beginWrite, path: store.path)) {
      var asked = 0
      _ = try store.beginWrite {
        asked += 1
        return asked > 5
      }
    }
    try writer.commit()
    // What is not wanted before it begins does not begin, though nobody is in its way.
    #expect(throws: PageStoreError(.cancelled, .beginWrite, path: store.path)) {
      _ = try store.beginWrite { true }
    }
    try store.store(numbers, 1, "two")
  }

  @Test
  func `a commit that another process could not synchronize is read by nobody, and ends writing`()
    async throws
  {
    let store = try PageStore.open(path: folder.file, create: true)
    try store.store(numbers, 1, "one")
    await #expect(processExitsWith: .success) { [path = folder.file as String] in
      let log = RecordingFile.Log()
      let store = try PageStore.open(path: path) { RecordingFile($0, log) }
      log.fail([.synchronize], code: EIO)
      #expect(throws: PageStoreError.self) { try store.store(numbers, 1, "two") }
    }
    #expect(try store.text(numbers, 1) == "one")
    #expect(throws: PageStoreError(.needsReopening, .beginWrite, path: store.path)) {
      try store.store(numbers, 1, "three")
    }
    store.close()
    let again = try PageStore.open(path: folder.file)
    defer { again.close() }
    try again.store(numbers, 1, "three")
    #expect(try again.text(numbers, 1) == "three")
  }

  @Test
  func `a file whose lock file was deleted is refused while another process uses the old one`()
    async throws
  {
    let store = try PageStore.open(path: folder.file, create: true)
    try store.store(numbers, 1, "one")
    unsafe unlink(store.path + "-lock")
    await #expect(processExitsWith: .success) { [path = folder.file as String] in
      #expect(throws: PageStoreError(.openByAnotherName, .open, path: path)) {
        try PageStore.open(path: path)
      }
    }
    try store.store(numbers, 1, "two")
    store.close()
    await #expect(processExitsWith: .success) { [path = folder.file as String] in
      let store = try PageStore.open(path: path)
      #expect(try store.text(numbers, 1) == "two")
      try store.store(numbers, 1, "three")
    }
  }

  @Test
  func `a file with two names is opened by one of them only`() async throws {
    let store = try PageStore.open(path: folder.file, create: true)
    defer { store.close() }
    try store.store(numbers, 1, "one")
    unsafe link(folder.file, folder.path + "/hard")
    await #expect(processExitsWith: .success) { [path = folder.path as String] in
      #expect(throws: PageStoreError(.openByAnotherName, .open, path: path + "/hard")) {
        try PageStore.open(path: path + "/hard")
      }
    }
  }

  /// As the file descriptor of a process that is being started, which is a copy until it runs a program.
  @Test
  func `a name that was in use until a moment ago does not matter`() throws {
    let store = try PageStore.open(path: folder.file, create: true)
    try store.store(numbers, 1, "one")
    store.close()
    // Other tests start programs meanwhile, which would hold it as long as they run.
    let descriptor = unsafe open(folder.file, O_RDONLY | O_CLOEXEC)
    // Of the descriptor, not of the process: F_OFD_SETLK, which Swift does not import.
    var lock = flock()
    (lock.l_type, lock.l_whence, lock.l_start, lock.l_len) = (Int16(F_RDLCK), 0, 1, 1)
    try #require(unsafe fcntl(descriptor, 37, &lock) == 0)
    // A thread of its own: a task may have to wait for the other tests.
    var thread = pthread_t()
    let argument = unsafe UnsafeMutableRawPointer(bitPattern: Int(descriptor))
    let started = unsafe pthread_create(
      &thread,
      nil,
      { argument in
        usleep(50_000)
        close(Int32(Int(bitPattern: argument)))
        return nil
      },
      argument
    )
    try #require(started == 0)
    let again = try PageStore.open(path: folder.file)
    #expect(try again.text(numbers, 1) == "one")
    again.close()
    pthread_join(thread, nil)
  }

  @Test(arguments: 0..<6)
  func `a lock file that is stale, foreign or damaged is made anew`(kind: Int) throws {
    let folder = TestFolder()
    let store = try PageStore.open(path: folder.file, create: true)
    try store.store(numbers, 1, "one")
    try store.store(numbers, 1, "two")
    store.close()
    let lock = folder.file + "-lock"
    var bytes = TestFolder.read(lock)
    var random = SeededNumbers(seed: UInt64(kind))
    switch kind {
    case 0: bytes = []
    case 1: bytes = Array("somebody else's".utf8)
    // Another start of the system, and another newest commit.
    case 2: for index in 16..<64 { bytes[index] = .random(in: 0...255, using: &random) }
    case 3: for index in bytes.indices { bytes[index] = .random(in: 0...255, using: &random) }
    case 4: bytes[8] += 1
    // The same start, and a commit that is not there: the file was replaced by a copy.
    default: bytes[48] = 200
    }
    unsafe unlink(lock)
    TestFolder.write(lock, bytes)
    let again = try PageStore.open(path: folder.file)
    defer { again.close() }
    #expect(again.newestCommit == 2)
    #expect(again.readers.isEmpty)
    #expect(try again.text(numbers, 1) == "two")
    try again.store(numbers, 1, "three")
    #expect(try again.text(numbers, 1) == "three")
  }

  @Test
  func `what a lock file says from before the system was started proves nothing`() throws {
    let store = try PageStore.open(path: folder.file, create: true)
    try store.store(numbers, 1, "one")
    let before = folder.read()
    try store.store(numbers, 1, "two")
    let metaPages = Array(folder.read()[..<8192])
    store.close()
    // The process ended without closing, and the pages of the newest commit did not reach the disk.
    folder.patch(0, metaPages)
    folder.patch(8192, [UInt8](repeating: 0, count: folder.read().count - 8192))
    folder.patch(8192, Array(before[8192...]))
    let lock = folder.file + "-lock"
    var bytes = TestFolder.read(lock)
    bytes[16] ^= 1
    unsafe unlink(lock)
    TestFolder.write(lock, bytes)
    let again = try PageStore.open(path: folder.file)
    defer { again.close() }
    #expect(again.undoneCommit == 2)
    #expect(try again.text(numbers, 1) == "one")
    try again.store(numbers, 1, "three")
  }

  /// The step of a commit that the process forks in; before the first it has a snapshot and a writer.
  @Test(arguments: [-1, 0, 1, 2, 3])
  func `a forked child can use nothing, and holds nothing when its parent is killed`(
    step: Int
  ) async throws {
    let folder = TestFolder()
    let store = try PageStore.open(path: folder.file, create: true)
    try store.store(numbers, 1, "one")
    Tally.count(.forks)
    await #expect(processExitsWith: .signal(SIGKILL)) {
      [path = folder.file as String, step = step as Int] in
      let atStep = Mutex<(@Sendable () -> Void)?>(nil)
      let store = try PageStore.open(path: path) {
        ForkingFile($0, at: step) { atStep.withLock { $0 }?() }
      }
      let writer = try store.beginWrite()
      writer.mostUnsyncedPages = 0
      try writer.put(numbers, 1, "two")
      let snapshot = try store.snapshot()
      if step < 0 {
        forkAndEnd(store, writer, snapshot)
      } else {
        atStep.withLock { $0 = { forkAndEnd(store, writer, snapshot) } }
        try writer.commit()
      }
    }
    // The child still runs.
    let text = try store.text(numbers, 1)
    #expect(text == "one")
    try store.store(numbers, 1, "three")
    #expect(store.readers.isEmpty)
    #expect(try store.text(numbers, 1) == "three")
    _ = try PageStoreCheck.run(try store.snapshot())
    store.close()
    // Nor does it count as a process that has the file open.
    let alone = try #require(try folder.openAlone())
    alone.close()
  }

  @Test
  func `three writers and five readers that are killed at any time lose nothing`() async throws {
    let store = try PageStore.open(path: folder.file, create: true)
    defer { store.close() }
    let writer = try store.beginWrite()
    for key in 0..<200 as Range<UInt64> { try writer.put(numbers, key, "0") }
    try writer.commit()
    for round in 0..<3 * repetitions {
      await withTaskGroup(of: Void.self) { group in
        for number in 0..<8 {
          group.addTask { [path = folder.file] in
            await Self.run(path, isWriter: number < 3, seed: round * 8 + number)
            Tally.count(.kills)
          }
        }
      }
      let snapshot = try store.snapshot()
      try requireSame(snapshot)
      _ = try PageStoreCheck.run(snapshot)
    }
    #expect(store.readers.count <= 1)
    #expect(store.newestCommit > 20)
  }

  /// Runs a process for a while and kills it.
  private static func run(_ path: String, isWriter: Bool, seed: Int) async {
    await #expect(processExitsWith: .signal(SIGKILL)) {
      [path = path as String, isWriter = isWriter as Bool, seed = seed as Int] in
      var random = SeededNumbers(seed: UInt64(seed))
      let steps = Int.random(in: 20...120, using: &random)
      let store = try PageStore.open(path: path) { file in
        isWriter ? EndingFile(file, steps: steps, isTorn: seed % 2 == 0) as any DataFile : file
      }
      var last = 0
      for _ in 0..<(isWriter ? 10_000 : steps * 20) {
        if isWriter {
          let writer = try store.beginWrite(timeoutInMilliseconds: 20_000)
          let found = try #require(try writer.bytes(numbers, 0))
          let next = try #require(Int(String(decoding: found, as: UTF8.self))) + 1
          for key in 0..<200 as Range<UInt64> { try writer.put(numbers, key, "\(next)") }
          try writer.commit()
        }
        let found = try requireSame(try store.snapshot())
        guard found >= last else { throw Model.Mistake() }
        last = found
      }
      endAtOnce()
    }
  }
}

/// All values of a commit are the same number.
@discardableResult
func requireSame(_ snapshot: PageSnapshot) throws -> Int {
  let first = try #require(try snapshot.text(numbers, 0))
  for key in 0..<200 as Range<UInt64> {
    let other = try snapshot.text(numbers, key)
    guard other == first else { throw Model.Mistake() }
  }
  return try #require(Int(first))
}
