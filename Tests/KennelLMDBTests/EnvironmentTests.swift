import Glibc
import KennelLMDB
import Synchronization
import Testing

/// Opening, sharing and closing files.
struct EnvironmentTests {
  let folder = TestFolder()

  @Test func `the same file is the same environment, under whatever name`() throws {
    let first = try Environment.open(path: folder.file, create: true)
    let second = try Environment.open(path: folder.file)
    #expect(first === second)
    unsafe symlink(folder.file, folder.path + "/symbolic")
    unsafe link(folder.file, folder.path + "/hard")
    let third = try Environment.open(path: folder.path + "/symbolic")
    let fourth = try Environment.open(path: folder.path + "/hard", access: .readOnly)
    #expect(third === first && fourth === first)
    for environment in [first, second, third] { environment.close() }
    #expect(try first.beginRead().transactionID == 0)
    fourth.close()
    #expect(throws: LMDBError(.closed, .beginRead, path: folder.file)) { try first.beginRead() }
    let fifth = try Environment.open(path: folder.file)
    #expect(fifth !== first)
    fifth.close()
  }

  @Test func `a pin keeps a closed file open until it is released`() throws {
    let environment = try Environment.open(path: folder.file, create: true)
    try environment.store(1, "one")
    let pin = try environment.beginRead()
    environment.close()
    let again = try Environment.open(path: folder.file)
    #expect(again === environment)
    again.close()
    pin.release()
    pin.release()
    #expect(throws: LMDBError.self) { try environment.beginRead() }
  }

  @Test func `a new file can be read by its owner only`() throws {
    let environment = try Environment.open(path: folder.file, create: true)
    defer { environment.close() }
    for name in [folder.file, folder.file + "-lock"] {
      var status = stat()
      unsafe #expect(stat(name, &status) == 0)
      #expect(status.st_mode & 0o777 == 0o600)
    }
  }

  @Test func `what is not there or not a file is said so`() throws {
    let missing = folder.path + "/none/test.kennel"
    #expect(problem(of: missing, create: true) == .noSuchDirectory(folder.path + "/none"))
    #expect(problem(of: folder.file) == .noSuchFile)
    #expect(problem(of: folder.path) == .notAFile)
    #expect(problem(of: "/dev/null") == .notAFile)
    folder.write([])
    #expect(problem(of: folder.file) == .empty)
    folder.write(Array("This is a letter, not a database.".utf8))
    #expect(problem(of: folder.file) == .notADatabase("it is too short"))
    folder.write([UInt8](repeating: 65, count: 10_000))
    #expect(problem(of: folder.file) == .notADatabase("its first pages are not meta pages"))
  }

  @Test(arguments: [[], [0], [1], [0, 1]])
  func `a file that was being made when the power failed is empty, and can be made again`(
    missing: [Int]
  ) throws {
    let environment = try Environment.open(path: folder.file, create: true)
    environment.close()
    let whole = folder.read()
    #expect(whole.count == 8192)
    for length in missing.isEmpty ? [0, 4096] : [8192] {
      var bytes = whole
      for page in missing {
        bytes.replaceSubrange(
          page * 4096..<(page + 1) * 4096,
          with: repeatElement(0, count: 4096)
        )
      }
      bytes.removeSubrange(length...)
      folder.write(bytes)
      // Whoever looks changes nothing.
      #expect(problem(of: folder.file) == .empty)
      #expect(folder.read() == bytes)
      let made = try Environment.open(path: folder.file, create: true)
      try made.store(1, "one")
      made.close()
      #expect(folder.read().count > 8192)
    }
  }

  @Test func `a file that was committed to is never taken for one that was being made`() throws {
    let environment = try Environment.open(path: folder.file, create: true)
    try environment.store(1, "one")
    environment.close()
    for page in 0...1 {
      var bytes = folder.read()
      bytes.replaceSubrange(page * 4096..<(page + 1) * 4096, with: repeatElement(0, count: 4096))
      for length in [8192, bytes.count] {
        let image = Array(bytes.prefix(length))
        folder.write(image)
        // Zeros and a page without a commit hold nothing that could be lost.
        #expect((problem(of: folder.file) == .empty) == (page == 1 && length == 8192))
      }
    }
  }

  @Test func `a damaged header is an error before LMDB sees it`() throws {
    let environment = try Environment.open(path: folder.file, create: true)
    for round in 1...5 { try environment.store(1, "\(round)") }
    environment.close()
    let intact = folder.read()
    #expect(intact[4096 + 144] == 5 && intact[144] == 4)
    func damaged(_ offset: Int, _ value: UInt8) -> LMDBError.Problem? {
      var bytes = intact
      bytes[offset] = value
      folder.write(bytes)
      return problem(of: folder.file)
    }
    #expect(damaged(20, 2) == .foreignVersion(2))
    #expect(damaged(16, 0) == .notADatabase("its magic number is wrong"))
    #expect(damaged(4096 + 16, 0) == .damagedHeader("its magic number is wrong"))
    #expect(damaged(41, 0) == .damagedHeader("its page size is 0"))
    // The newest commit is 5; whatever its number becomes, commit 4 is not silently the newest.
    for number in UInt8(0)...255 where number != 5 {
      #expect(damaged(4096 + 144, number) != nil)
    }
    for number in UInt8(0)...255 where number != 4 {
      #expect(damaged(144, number) != nil)
    }
    folder.write(Array(intact.prefix(5000)))
    #expect(problem(of: folder.file) != nil)
    folder.write(intact)
    #expect(problem(of: folder.file) == nil)
  }

  @Test func `looking at a file leaves its bytes and its time`() throws {
    let environment = try Environment.open(path: folder.file, create: true)
    try environment.store(1, "one")
    environment.close()
    var before = stat()
    unsafe stat(folder.file, &before)
    let bytes = folder.read()
    for access in [Environment.Access.readOnly, .readWrite] {
      let environment = try Environment.open(path: folder.file, access: access)
      try environment.beginRead().release()
      environment.close()
    }
    var after = stat()
    unsafe stat(folder.file, &after)
    #expect(folder.read() == bytes)
    #expect(before.st_mtim.tv_sec == after.st_mtim.tv_sec)
    #expect(before.st_mtim.tv_nsec == after.st_mtim.tv_nsec)
  }

  @Test func `a file opened for reading cannot be written`() throws {
    try Environment.open(path: folder.file, create: true).close()
    let environment = try Environment.open(path: folder.file, access: .readOnly)
    defer { environment.close() }
    #expect(environment.readOnlyReason == .requested)
    #expect(throws: LMDBError(.readOnly(.requested), .beginWrite, path: folder.file)) {
      try environment.beginWrite()
    }
    #expect(problem(of: folder.file) == .openReadOnlyHere)
  }

  @Test func `a file that another has replaced is noticed`() throws {
    let environment = try Environment.open(path: folder.file, create: true)
    defer { environment.close() }
    try environment.store(1, "one")
    let transaction = try environment.beginWrite()
    #expect(environment.displacement == nil)
    unsafe rename(folder.file, folder.path + "/moved")
    #expect(environment.displacement == .goneFromDisk)
    #expect(throws: LMDBError(.goneFromDisk, .commit, path: folder.file)) {
      try transaction.commit()
    }
    folder.write([1, 2, 3])
    #expect(environment.displacement == .replacedOnDisk)
    #expect(throws: LMDBError(.replacedOnDisk, .beginWrite, path: folder.file)) {
      try environment.beginWrite()
    }
    #expect(folder.read() == [1, 2, 3])
  }

  @Test func `the newest commit is known without a snapshot`() throws {
    let environment = try Environment.open(path: folder.file, create: true)
    defer { environment.close() }
    #expect(environment.latestTransactionID() == 0)
    for number in UInt64(1)...4 {
      try environment.store(7, "seven")
      #expect(environment.latestTransactionID() == number)
    }
    let pin = try environment.beginRead()
    try environment.store(7, "eight")
    #expect(pin.transactionID == 4)
    #expect(try pin.renew().transactionID == 5)
  }

  @Test func `more snapshots than there are places is an error, and not for long`() throws {
    let environment = try Environment.open(path: folder.file, create: true)
    defer { environment.close() }
    var pins: [ReadPin] = []
    for _ in 0..<Environment.readerLimit { pins.append(try environment.beginRead()) }
    #expect(throws: LMDBError(.tooManyReaders(limit: 1024), .beginRead, path: folder.file)) {
      try environment.beginRead()
    }
    pins.removeLast()
    try environment.beginRead().release()
  }

  private func problem(of path: String, create: Bool = false) -> LMDBError.Problem? {
    do {
      try Environment.open(path: path, create: create).close()
      return nil
    } catch {
      return error.problem
    }
  }
}
