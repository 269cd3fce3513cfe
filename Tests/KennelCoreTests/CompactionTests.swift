import Foundation
import KennelCore
import KennelTestSupport
import Testing

@Suite struct `Compacting a file` {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.file("notes.kennel")
  }

  /// Makes a file in which most of the room is free: ten of five thousand notes are left.
  private func makeNotes() throws {
    let database = try Database.open(path)
    try database.write { transaction in
      try transaction.define([define("Note", ["number": .int, "text": .string])])
      for number in 0..<5_000 {
        _ = try transaction.make(
          "Note",
          [
            "number": .int(Int64(number)),
            "text": .string(String(repeating: "note \(number) ", count: 9)),
          ]
        )
      }
    }
    try database.write { transaction in
      let note = try transaction.classKey("Note")
      for key in try transaction.objects(of: note).keys.dropFirst(10) {
        try transaction.delete([ObjectIdentity(note, key)])
      }
    }
  }

  private func add(_ number: Int64) throws {
    try Database.open(path).write { transaction in
      _ = try transaction.make("Note", ["number": .int(number)])
    }
  }

  /// The numbers of all notes, after a check of the whole file.
  private func numbers() throws -> [Value] {
    let database = try Database.open(path)
    expectSound(database)
    let snapshot = try database.snapshot()
    let note = try snapshot.classKey("Note")
    return try snapshot.objects(of: note).keys.map {
      try snapshot.value(ObjectIdentity(note, $0), "number")
    }
  }

  private var firstTen: [Value] { (0..<10).map { .int($0) } }

  private func status() -> stat {
    var status = stat()
    unsafe #expect(stat(path, &status) == 0)
    return status
  }

  private func names() throws -> Set<String> {
    Set(try FileManager.default.contentsOfDirectory(atPath: folder.path))
  }

  @Test func `gives the room of what was deleted back, and changes nothing else`() throws {
    try makeNotes()
    let id = try Database.open(path).fileID
    unsafe chmod(path, 0o640)
    let before = status()
    #expect(try Database.compact(path))
    #expect(status().st_size < before.st_size / 2 && status().st_ino != before.st_ino)
    #expect(status().st_mode == before.st_mode)
    #expect(try numbers() == firstTen)
    #expect(try Database.open(path).fileID == id)
    try add(10)
    let database = try Database.open(path)
    let snapshot = try database.snapshot()
    #expect(
      try snapshot.objects(of: snapshot.classKey("Note"), limit: .max).keys.last?.rawValue == 5_001
    )
    #expect(try names() == ["notes.kennel", "notes.kennel-lock"])
  }

  @Test func `gives the room of dead objects among living ones back`() throws {
    do {
      let database = try Database.open(path)
      try database.write { transaction in
        try transaction.define([
          define("Note", ["number": .int, "text": .string, "next": .link("Note")])
        ])
        var last: ObjectIdentity?
        for number in 0..<5_000 {
          let note = try transaction.make(
            "Note",
            [
              "number": .int(Int64(number)), "text": .string("a note about number \(number)"),
              "next": last.map { .link($0) } ?? .null,
            ]
          )
          last = note
        }
      }
      try database.write { transaction in
        let note = try transaction.classKey("Note")
        let keys = try transaction.objects(of: note).keys.filter { $0.rawValue % 100 != 1 }
        try transaction.delete(keys.map { ObjectIdentity(note, $0) })
      }
    }
    let before = status()
    #expect(try Database.compact(path))
    #expect(status().st_size < before.st_size / 2)
    #expect(try numbers() == (0..<50).map { .int($0 * 100) })
    let after = status()
    #expect(try Database.compact(path))
    #expect(status().st_size == after.st_size)
  }

  @Test func `asks with the size of the file and what is in use of it, and may be told not to`()
    throws
  {
    try makeNotes()
    let before = status()
    var asked: [(total: Int, used: Int)] = []
    let isCompacted = try Database.compact(path) { total, used in
      asked.append((total, used))
      return false
    }
    #expect(!isCompacted && asked.count == 1)
    let usage = try #require(asked.first)
    #expect(usage.total == Int(before.st_size) && usage.used > 0 && usage.used < usage.total / 2)
    let after = status()
    #expect(after.st_ino == before.st_ino && after.st_size == before.st_size)
    #expect(after.st_mtim.tv_sec == before.st_mtim.tv_sec)
    #expect(after.st_mtim.tv_nsec == before.st_mtim.tv_nsec)
    try Database.compact(path)
    try Database.compact(path) { total, used in
      asked.append((total, used))
      return false
    }
    // The copy is no larger than what was in use, but for a page or two.
    #expect(asked.count == 2 && asked[1].total <= usage.used + 4 * 4096)
  }

  @Test func `leaves a file that somebody has open`() async throws {
    try makeNotes()
    let inode = status().st_ino
    func isLeft() throws -> Bool {
      let isCompacted = try Database.compact(path) { _, _ in
        Issue.record("It was asked")
        return true
      }
      return !isCompacted && status().st_ino == inode
    }
    let database = try Database.open(path)
    #expect(try isLeft())
    await #expect(processExitsWith: .success) { [path = path as String] in
      let isCompacted = try Database.compact(path) { _, _ in exit(3) }
      #expect(!isCompacted)
    }
    withExtendedLifetime(database) {}
  }

  @Test func `leaves a file that is only read, also as another process reads it`() async throws {
    try makeNotes()
    var database: Database? = try Database.open(
      path,
      configuration: Database.Configuration(access: .readOnly)
    )
    var snapshot = try database?.snapshot()
    await #expect(processExitsWith: .success) { [path = path as String] in
      let isCompacted = try Database.compact(path) { _, _ in exit(3) }
      #expect(!isCompacted)
      try Database.open(path).write { transaction in
        _ = try transaction.make("Note", ["number": .int(77)])
      }
    }
    let note = try #require(snapshot?.schema["Note"])
    #expect(snapshot?.count(of: note.key) == 10)
    snapshot = nil
    database = nil
    #expect(try numbers() == firstTen + [.int(77)])
  }

  @Test func `leaves a file with several names, but for links that lead to one`() throws {
    try makeNotes()
    let (soft, hard) = (folder.file("soft"), folder.file("hard"))
    unsafe #expect(symlink(path, soft) == 0)
    #expect(try Database.compact(soft))
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: soft) == path)
    #expect(try Database.compact(path))
    unsafe #expect(link(path, hard) == 0)
    #expect(try !Database.compact(path))
    #expect(try !Database.compact(hard))
    #expect(try numbers() == firstTen)
  }

  @Test func `whoever opens the file meanwhile waits, and loses nothing`() throws {
    try makeNotes()
    let done = DispatchSemaphore(value: 0)
    nonisolated(unsafe) var failures: [any Error] = []
    let isCompacted = try Database.compact(path) { _, _ in
      for number in 10..<14 {
        Thread.detachNewThread {
          do { try add(Int64(number)) } catch { unsafe failures.append(error) }
          done.signal()
        }
      }
      // None of them gets in.
      return done.wait(timeout: .now() + 0.1) == .timedOut
    }
    for _ in 0..<4 { done.wait() }
    unsafe #expect(isCompacted && failures.isEmpty)
    #expect(Set(try numbers()) == Set((0..<14).map { .int($0) }))
  }

  @Test func `refuses what is none of Kennel's, and leaves it`() throws {
    #expect(code { try Database.compact(path) } == .cannotOpen)
    let letter = Data("This is a letter, and a long one: it goes on for a while.".utf8)
    try letter.write(to: URL(fileURLWithPath: path))
    #expect(code { try Database.compact(path) } == .notADatabase)
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == letter)
  }

  @Test func `leaves a damaged file, and no copy`() throws {
    try makeNotes()
    let file = try #require(FileHandle(forUpdatingAtPath: path))
    let size = try file.seekToEnd()
    for page in 3..<size / 4096 where page % 2 == 0 {
      try file.seek(toOffset: page * 4096)
      try file.write(contentsOf: Data(repeating: 0xff, count: 64))
    }
    try file.close()
    let before = try Data(contentsOf: URL(fileURLWithPath: path))
    #expect(code { try Database.compact(path) } != nil)
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
    #expect(try !names().contains { $0.contains("compacting") })
  }

  /// What was acknowledged is there whether the process dies before, in or after compacting.
  @Test func `leaves the file or its copy when it is killed`() throws {
    var random = SystemRandomNumberGenerator()
    var between = 0
    // How long it has just taken to compact the file, so that it is killed at each step of that.
    var lasted = Duration.milliseconds(12)
    var began = ContinuousClock.now
    for round in 0..<12 {
      let child = try TortureChild(["compact", path])
      var done: Int64 = 0
      var isBetween = false
      var rest = Int.random(in: 2...3, using: &random)
      while let line = child.line() {
        let words = line.split(separator: " ")
        isBetween = words.first == "done"
        if isBetween { done = try #require(words.last.flatMap { Int64($0) }) }
        guard isBetween || words.first == "compacted" else { throw TestFailure("\(line)") }
        if isBetween { began = .now } else { lasted = .now - began }
        rest -= isBetween ? 1 : 0
        guard rest == 0, isBetween else { continue }
        usleep(UInt32(Double.random(in: 0..<1, using: &random) * (lasted / .microseconds(1))))
        child.kill()
      }
      #expect(child.end() == SIGKILL)
      between += isBetween ? 1 : 0
      let found = try numbers()
      #expect(found.contains(.int(done)) || found.contains(.int(done + 1)), "round \(round)")
      #expect(found.count == 1_000 || found.count == 1_001, "round \(round)")
    }
    print("killed 12 times, \(between) of them while compacting")
    #expect(try Database.compact(path))
    #expect(try names() == ["notes.kennel"])
  }
}

@Suite struct `Commits are kept` {
  @Test func `from the oldest that somebody looks at to the newest`() async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("test.kennel")
    let database = try Database.open(path)
    try database.write { try $0.define([define("Note", ["number": .int])]) }
    #expect(database.keptCommitCount == 1)
    do {
      let oldest = try database.snapshot()
      for number in 0..<3 {
        try database.write { _ = try $0.make("Note", ["number": .int(Int64(number))]) }
      }
      #expect(database.keptCommitCount == 4)
      let newest = try database.snapshot()
      #expect(database.keptCommitCount == 4)
      await #expect(processExitsWith: .success) { [path = path as String] in
        let count = try Database.open(path).keptCommitCount
        #expect(count == 4)
      }
      withExtendedLifetime((oldest, newest)) {}
    }
    #expect(database.keptCommitCount == 1)
  }
}
