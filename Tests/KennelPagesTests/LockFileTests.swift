import Glibc
import KennelPages
import Testing

/// Becomes a user who owns nothing, where this process may do everything.
private func dropPrivileges() {
  guard geteuid() == 0 else { return }
  #expect(setegid(65534) == 0 && seteuid(65534) == 0)
}

private func mode(_ path: String) -> mode_t {
  var facts = stat()
  return unsafe stat(path, &facts) == 0 ? facts.st_mode & 0o777 : 0
}

/// The lock file, and files whose lock file cannot be used.
@Suite("A lock file")
final class LockFileTests {
  private let folder = TestFolder()
  private var lock: String { folder.file + "-lock" }

  deinit { unsafe chmod(folder.path, 0o700) }

  /// Makes a file with two commits; without a lock file.
  private func makeFile() throws {
    let store = try PageStore.open(path: folder.file, create: true)
    for number in 0..<400 as Range<UInt64> { try store.store(numbers, number, "old") }
    try store.store(numbers, 1, "one")
    store.close()
    unsafe unlink(lock)
  }

  // MARK: - What is at its name

  @Test(arguments: ["a link", "a link to nothing", "another name", "a folder", "a pipe"])
  func `is not made out of what somebody else has put at its name`(kind: String) throws {
    try makeFile()
    let other = folder.path + "/precious"
    if kind != "a link to nothing" { TestFolder.write(other, Array("precious".utf8)) }
    switch kind {
    case "another name": unsafe link(other, lock)
    case "a folder": unsafe mkdir(lock, 0o700)
    case "a pipe": unsafe mkfifo(lock, 0o600)
    default: unsafe symlink(other, lock)
    }
    let error = #expect(throws: PageStoreError.self) { try PageStore.open(path: folder.file) }
    #expect(
      error?.description.hasSuffix(
        "what is at the name of its lock file test.pages-lock is not a lock file; remove it"
      ) == true
    )
    if kind == "a link to nothing" {
      #expect(unsafe access(other, F_OK) != 0)
    } else {
      #expect(TestFolder.read(other) == Array("precious".utf8))
    }
    // Who wants to read can do without.
    let store = try PageStore.open(path: folder.file, access: .readOnly)
    #expect(try store.text(numbers, 1) == "one")
    store.close()
    unsafe rmdir(lock)
  }

  @Test
  func `may be used by whoever may use its file`() throws {
    try makeFile()
    for (file, wanted) in [(0o664, 0o664), (0o644, 0o644), (0o600, 0o600), (0o440, 0o640)] {
      unsafe chmod(folder.file, mode_t(file))
      try PageStore.open(path: folder.file, access: .readOnly).close()
      #expect(mode(lock) == mode_t(wanted), "\(String(file, radix: 8))")
    }
  }

  @Test
  func `belongs to the owner of its file, also if root makes it`() throws {
    try makeFile()
    // Only root can give files away.
    let (user, group) = geteuid() == 0 ? (65534, 65534) : (geteuid(), getegid())
    unsafe chown(folder.file, user, group)
    try PageStore.open(path: folder.file).close()
    var facts = stat()
    #expect(unsafe stat(lock, &facts) == 0 && facts.st_uid == user && facts.st_gid == group)
  }

  @Test
  func `is not made by who may only read, so that the owner can`() async throws {
    try makeFile()
    // Everybody may make files there.
    unsafe chmod(folder.path, 0o1777)
    unsafe chmod(folder.file, 0o644)
    let isRoot = geteuid() == 0
    await #expect(processExitsWith: .success) {
      [path = folder.file as String, isRoot = isRoot as Bool] in
      dropPrivileges()
      let store = try PageStore.open(path: path)
      #expect(try store.text(numbers, 1) == "one")
      // Who runs the test as the owner of the file makes it.
      #expect(store.isPinned == isRoot && store.canWrite == !isRoot)
      #expect((unsafe access(path + "-lock", F_OK) == 0) == !isRoot)
    }
  }

  // MARK: - Reading without it

  @Test(arguments: [0o444, 0o666] as [mode_t])
  func `that may not be made is not needed to read`(mode: mode_t) async throws {
    try makeFile()
    unsafe chmod(folder.file, mode)
    unsafe chmod(folder.path, 0o555)
    await #expect(processExitsWith: .success) {
      [path = folder.file as String, isWritable = (mode == 0o666) as Bool] in
      dropPrivileges()
      let store = try PageStore.open(path: path)
      #expect(store.readOnlyReason == (isWritable ? .lockFile(code: EACCES) : .permissions))
      #expect(store.isPinned && !store.canWrite)
      #expect(try store.text(numbers, 1) == "one")
      #expect(throws: PageStoreError.self) { try store.beginWrite() }
      _ = try PageStoreCheck.run(try store.snapshot())
      // Whoever of this process comes next shares it.
      let again = try PageStore.open(path: path, access: .readOnly)
      #expect(try again.text(numbers, 1) == "one")
      again.close()
      store.close()
      #expect(unsafe access(path + "-lock", F_OK) != 0)
    }
  }

  /// A folder at its name keeps this process from having it, whoever runs the test.
  private func openWithoutLockFile() throws -> PageStore {
    unsafe unlink(lock)
    unsafe mkdir(lock, 0o700)
    defer { unsafe rmdir(lock) }
    return try PageStore.open(path: folder.file, access: .readOnly)
  }

  @Test
  func `is not needed to keep the pages that one reads`() async throws {
    try makeFile()
    let store = try openWithoutLockFile()
    defer { store.close() }
    let newest = store.newestCommit
    try await writeMuch()
    #expect(store.displacement == nil)
    let snapshot = try store.snapshot()
    #expect(snapshot.commit == newest)
    #expect(try snapshot.text(numbers, 1) == "one")
    #expect(try snapshot.text(numbers, 399) == "old")
    _ = try PageStoreCheck.run(snapshot)
  }

  /// Commits of another process, which reuse what pages they can.
  private func writeMuch() async throws {
    await #expect(processExitsWith: .success) { [path = folder.file as String] in
      let store = try PageStore.open(path: path)
      for number in 0..<100 as Range<UInt64> {
        let writer = try store.beginWrite()
        for key in stride(from: 0, to: 400, by: 7) as StrideTo<UInt64> {
          try writer.put(numbers, (key + number) % 400, "new \(number)")
        }
        try writer.commit()
      }
      store.close()
    }
  }

  @Test
  func `is not needed to keep pages, and they are free when the reader is gone`() async throws {
    try makeFile()
    try await writeMuch()
    let size = folder.read().count
    let store = try openWithoutLockFile()
    try await writeMuch()
    #expect(folder.read().count > size)
    store.close()
    let larger = folder.read().count
    try await writeMuch()
    #expect(folder.read().count == larger)
  }

  @Test
  func `of others says which commit is the newest, also if it may only be read`() async throws {
    try makeFile()
    let store = try PageStore.open(path: folder.file)
    defer { store.close() }
    try store.store(numbers, 1, "two")
    unsafe chmod(folder.file, 0o444)
    unsafe chmod(lock, 0o444)
    unsafe chmod(folder.path, 0o755)
    await #expect(processExitsWith: .success) {
      [path = folder.file as String, newest = store.newestCommit as UInt64] in
      dropPrivileges()
      let store = try PageStore.open(path: path)
      #expect(store.isPinned && store.newestCommit == newest)
      #expect(try store.text(numbers, 1) == "two")
      store.close()
    }
  }

  @Test
  func `of others that may not be read leaves open which commit is the newest`() async throws {
    try makeFile()
    let store = try PageStore.open(path: folder.file)
    try store.store(numbers, 1, "two")
    unsafe chmod(folder.file, 0o444)
    unsafe chmod(folder.path, 0o755)
    unsafe chmod(lock, 0)
    await #expect(processExitsWith: .success) { [path = folder.file as String] in
      dropPrivileges()
      #expect(throws: PageStoreError(.lockFileUnreadable, .open, path: path)) {
        try PageStore.open(path: path)
      }
    }
    store.close()
    await #expect(processExitsWith: .success) { [path = folder.file as String] in
      dropPrivileges()
      let store = try PageStore.open(path: path)
      #expect(try store.text(numbers, 1) == "two")
    }
  }

  @Test
  func `that somebody deleted while others use it leaves open which commit is the newest`()
    async throws
  {
    try makeFile()
    let store = try PageStore.open(path: folder.file)
    defer { store.close() }
    unsafe unlink(lock)
    unsafe chmod(folder.file, 0o444)
    unsafe chmod(folder.path, 0o555)
    await #expect(processExitsWith: .success) { [path = folder.file as String] in
      dropPrivileges()
      #expect(throws: PageStoreError(.lockFileUnreadable, .open, path: path)) {
        try PageStore.open(path: path)
      }
    }
  }
}
