import Foundation
import KennelCore
import KennelTestSupport
import Testing

private func firstCounter(in database: Database) throws -> ObjectIdentity {
  let schema = try #require(try database.snapshot().schema["Counter"])
  return ObjectIdentity(schema.key, ObjectKey(rawValue: 1))
}

@Suite struct `A database whose lock file cannot be used` {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.file("a.kennel")
    try Database.open(path).write { transaction in
      try transaction.define([define("Counter", ["value": .int])])
      try transaction.put(try transaction.make("Counter"), "value", .int(1))
    }
  }

  /// A folder at the name of the lock file keeps this process from having one, whoever runs the test.
  private func open() throws -> Database {
    unsafe unlink(path + "-lock")
    unsafe mkdir(path + "-lock", 0o700)
    defer { unsafe rmdir(path + "-lock") }
    return try Database.open(path, configuration: .init(access: .readOnly))
  }

  @Test func `is read as it was when it was opened, and others can write`() async throws {
    let database = try open()
    #expect(!database.canWrite && !database.seesNewCommits)
    #expect(database.readOnlyReason == "it was opened read-only; new commits are not seen")
    let counter = try firstCounter(in: database)
    await #expect(processExitsWith: .success) { [path = path as String] in
      let database = try Database.open(path)
      #expect(database.seesNewCommits && database.readOnlyReason == nil)
      // The commit of the other process, and those since.
      let kept = database.keptCommitCount
      let counter = try firstCounter(in: database)
      for number in 2..<50 {
        try database.write { try $0.put(counter, "value", .int(Int64(number))) }
      }
      #expect(database.keptCommitCount == kept + 48)
    }
    #expect(try database.snapshot().value(counter, "value") == .int(1))
    #expect(database.filePlace == .unchanged)
    let error = #expect(throws: DatabaseError.self) { try database.write { _ in } }
    #expect(error?.code == .readOnly)
    try database.writeCopy(to: folder.file("copy.kennel"))
    let copy = try Database.open(folder.file("copy.kennel"))
    #expect(try copy.snapshot().value(counter, "value") == .int(1))
    #expect(copy.seesNewCommits)
    // Who reads it is not left with another file in its hands.
    #expect(try !Database.compact(path))
  }

  @Test func `is not opened to be written, and the error says why`() throws {
    unsafe unlink(path + "-lock")
    unsafe mkdir(path + "-lock", 0o700)
    let error = #expect(throws: DatabaseError.self) { try Database.open(path) }
    #expect(error?.code == .cannotOpen)
    #expect(
      error?.message
        == "Cannot open \(path): what is at the name of its lock file a.kennel-lock is not a lock file; "
        + "remove it"
    )
  }
}
