import Glibc
import KennelLMDB
import Testing

/// What several processes do to each other.
///
/// The others are exit tests.
struct ProcessTests {
  let folder = TestFolder()

  @Test func `the place of a reader that died is freed`() async throws {
    let environment = try Environment.open(path: folder.file, create: true)
    defer { environment.close() }
    try environment.store(1, "one")
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = folder.file as String] in
      let pin = try Environment.open(path: path).beginRead()
      #expect(pin.transactionID == 1)
      kill(getpid(), SIGKILL)
    }
    #expect(environment.clearDeadReaders() == 1)
    #expect(environment.clearDeadReaders() == 0)
  }

  @Test func `a writer that died leaves the last commit and no lock`() async throws {
    let environment = try Environment.open(path: folder.file, create: true)
    defer { environment.close() }
    try environment.store(1, "one")
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = folder.file as String] in
      let environment = try Environment.open(path: path)
      try environment.store(1, "two")
      let transaction = try environment.beginWrite()
      try transaction.put(.chunks, 1, "three")
      kill(getpid(), SIGKILL)
    }
    #expect(environment.latestTransactionID() == 2)
    #expect(try environment.text(1) == "two")
    try environment.store(1, "four", timeoutInMilliseconds: 2_000)
  }

  @Test func `another process waits for the writer, and gives up when asked to`() async throws {
    let environment = try Environment.open(path: folder.file, create: true)
    defer { environment.close() }
    try environment.store(1, "one")
    let transaction = try environment.beginWrite()
    await #expect(processExitsWith: .success) { [path = folder.file as String] in
      let environment = try Environment.open(path: path)
      environment.markChecked()
      #expect(throws: LMDBError(.writerBusy, .beginWrite, path: path)) {
        try environment.beginWrite(timeoutInMilliseconds: 50)
      }
      // Reading does not wait.
      #expect(try environment.beginRead().transactionID == 1)
    }
    try transaction.commit()
  }

  @Test func `a file that another process made larger is mapped anew`() async throws {
    let environment = try Environment.open(
      path: folder.file,
      create: true,
      mapSizeInBytes: 1 << 20
    )
    defer { environment.close() }
    try environment.store(1, "one")
    let pin = try environment.beginRead()
    await #expect(processExitsWith: .success) { [path = folder.file as String] in
      let environment = try Environment.open(path: path)
      environment.markChecked()
      let transaction = try environment.beginWrite()
      let megabytes = [UInt8](repeating: 1, count: 4 << 20)
      try unsafe megabytes.withUnsafeBytes { try unsafe transaction.put(.pieces, 1, $0) }
      try transaction.commit()
    }
    let newest = try pin.renew()
    #expect(newest.transactionID == 2)
    #expect(newest.readablePageCount == newest.pageCount)
    try environment.store(2, "two")
    #expect(try environment.text(2) == "two")
  }

  @Test func `a write that exceeds a limit leaves the file as it was`() async throws {
    try Environment.open(path: folder.file, create: true).store(1, "one")
    await #expect(processExitsWith: .success) { [path = folder.file as String] in
      signal(SIGXFSZ, SIG_IGN)
      var limit = rlimit(rlim_cur: 1 << 20, rlim_max: 1 << 20)
      unsafe #expect(setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0)
      let environment = try Environment.open(path: path)
      environment.markChecked()
      let transaction = try environment.beginWrite()
      for key in UInt64(2)..<1_000 {
        try transaction.put(.chunks, key, String(repeating: "x", count: 4_000))
      }
      let problem = problem { try transaction.commit() }
      #expect(problem == .fileTooLarge)
      #expect(try environment.text(1) == "one")
      #expect(try environment.text(2) == nil)
      try environment.store(3, "three")
      #expect(environment.latestTransactionID() == 2)
    }
  }

  @Test func `a small address space gets a small map`() async throws {
    await #expect(processExitsWith: .success) { [path = folder.file as String] in
      var limit = rlimit(rlim_cur: 2 << 30, rlim_max: 2 << 30)
      unsafe #expect(setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0)
      let environment = try Environment.open(path: path, create: true)
      #expect(environment.mapSizeInBytes < 1 << 30)
      try environment.store(1, "one")
      #expect(try environment.text(1) == "one")
    }
  }

  @Test func `a file that is open by one name is not opened by another`() async throws {
    let environment = try Environment.open(path: folder.file, create: true)
    try environment.store(1, "one")
    unsafe link(folder.file, folder.path + "/hard")
    await #expect(processExitsWith: .success) { [path = folder.path as String] in
      #expect(throws: LMDBError(.openByAnotherName, .open, path: path + "/hard")) {
        try Environment.open(path: path + "/hard")
      }
      unsafe #expect(access(path + "/hard-lock", F_OK) != 0, "the refusal left a lock file")
      let same = try Environment.open(path: path + "/test.kennel")
      #expect(try same.text(1) == "one")
    }
    environment.close()
    await #expect(processExitsWith: .success) { [path = folder.path as String] in
      let other = try Environment.open(path: path + "/hard")
      #expect(try other.text(1) == "one")
      #expect(throws: Never.self) { try other.store(2, "two") }
    }
    unsafe unlink(folder.path + "/hard-lock")
  }

  @Test func `links lead to one lock file`() async throws {
    unsafe symlink("test.kennel", folder.path + "/symbolic")
    unsafe symlink(folder.path + "/symbolic", folder.path + "/hard")
    let environment = try Environment.open(path: folder.path + "/hard", create: true)
    defer { environment.close() }
    #expect(environment.path == folder.file)
    try environment.store(1, "one")
    await #expect(processExitsWith: .success) { [path = folder.path as String] in
      let same = try Environment.open(path: path + "/symbolic")
      #expect(try same.text(1) == "one")
      unsafe #expect(access(path + "/symbolic-lock", F_OK) != 0)
      unsafe #expect(access(path + "/test.kennel-lock", F_OK) == 0)
    }
  }

  @Test func `a link that leads to itself is an error`() {
    unsafe symlink("symbolic", folder.path + "/symbolic")
    #expect(throws: LMDBError.self) { try Environment.open(path: folder.path + "/symbolic") }
  }

  @Test func `many files are open at once, and the program has addresses left`() async throws {
    await #expect(processExitsWith: .success) { [path = folder.file as String] in
      let environments = try (0..<300).map { number in
        try Environment.open(path: path + "\(number)", create: true)
      }
      for (number, environment) in environments.enumerated() {
        try environment.store(1, "file \(number)")
        #expect(environment.mapSizeInBytes > 1 << 30)
      }
      #expect(try environments[299].text(1) == "file 299")
      let half = 1 << 45
      let addresses = unsafe mmap(
        nil,
        half,
        PROT_NONE,
        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
        -1,
        0
      )
      unsafe #expect(addresses != MAP_FAILED)
      for number in 0..<300 {
        unsafe unlink(path + "\(number)")
        unsafe unlink(path + "\(number)-lock")
      }
    }
  }

  @Test func `a file that may not be written is opened for reading`() async throws {
    try Environment.open(path: folder.file, create: true).store(1, "one")
    unsafe chmod(folder.path, 0o777)
    unsafe chmod(folder.file, 0o444)
    unsafe chmod(folder.file + "-lock", 0o666)
    await #expect(processExitsWith: .success) { [path = folder.file as String] in
      if getuid() == 0 { #expect(setuid(65_534) == 0) }
      let environment = try Environment.open(path: path)
      #expect(environment.readOnlyReason == .permissions)
      #expect(try environment.beginRead().transactionID == 1)
      #expect(throws: LMDBError(.readOnly(.permissions), .beginWrite, path: path)) {
        try environment.beginWrite()
      }
    }
  }

  @Test func `where the lock file cannot be made the file is not read`() async throws {
    try Environment.open(path: folder.file, create: true).close()
    unsafe unlink(folder.file + "-lock")
    unsafe chmod(folder.path, 0o555)
    unsafe chmod(folder.file, 0o444)
    await #expect(processExitsWith: .success) { [path = folder.file as String] in
      if getuid() == 0 { #expect(setuid(65_534) == 0) }
      #expect(throws: LMDBError(.lockFileUnavailable(code: EACCES), .open, path: path)) {
        try Environment.open(path: path)
      }
    }
    unsafe chmod(folder.path, 0o755)
    unsafe chmod(folder.file, 0)
    await #expect(processExitsWith: .success) { [path = folder.file as String] in
      if getuid() == 0 { #expect(setuid(65_534) == 0) }
      #expect(throws: LMDBError(.permissionDenied, .open, path: path)) {
        try Environment.open(path: path)
      }
    }
  }

  /// Swift hides `fork`; a child that does nothing but ask needs no more of its runtime.
  @Test func `a child after a fork is refused`() async throws {
    await #expect(processExitsWith: .success) { [path = folder.file as String] in
      typealias Fork = @convention(c) () -> pid_t
      let environment = try Environment.open(path: path, create: true)
      try environment.store(1, "one")
      let pin = try environment.beginRead()
      let symbol = try unsafe #require(dlsym(nil, "fork"))
      let child = unsafe unsafeBitCast(symbol, to: Fork.self)()
      if child == 0 {
        let refused = [
          problem { _ = try environment.beginRead() },
          problem { _ = try environment.beginWrite() },
          problem { _ = try Environment.open(path: path) },
        ]
        pin.release()
        environment.close()
        _exit(refused == [.forkedChild, .forkedChild, .forkedChild] ? 3 : 4)
      }
      var status: Int32 = 0
      unsafe #expect(waitpid(child, &status, 0) == child)
      #expect(status == 3 << 8)
      try environment.store(1, "two")
    }
  }
}

/// What stood in the way of `body`.
private func problem(_ body: () throws -> Void) -> LMDBError.Problem? {
  do {
    try body()
    return nil
  } catch {
    return (error as? LMDBError)?.problem
  }
}
