import Foundation
import Kennel
@_spi(Faces) import KennelCore
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(5))) struct `A write in a write` {
  private func expectRefusal(_ path: String, _ body: () throws -> Void) {
    let error = #expect(throws: DatabaseError.self, performing: body)
    #expect(error?.code == .nestedWrite)
    #expect(
      error?.message == "Cannot begin a write transaction of \(path): this thread is in one "
        + "already, and would wait for it forever. Make the change in that transaction, or after it"
    )
  }

  @Test func `is an error that says what to do, and the outer one goes on`() throws {
    let family = try FamilyFile()
    let (database, rex) = (family.database, family.rex)
    try database.write { db in
      expectRefusal(database.path) {
        try database.write { inner in try inner.edit(rex) { $0.age = 1 } }
      }
      try db.edit(rex) { $0.age = 7 }
    }
    try #expect(database.snapshot().current(rex)?.age == 7)
    try database.write { db in try db.edit(rex) { $0.age = 8 } }
    try #expect(database.snapshot().current(rex)?.age == 8)
  }

  @Test func `is one through whichever database of the file`() throws {
    let family = try FamilyFile()
    let path = family.database.path
    let other = try Kennel.Database.open(path, models: Person.self)
    let core = try KennelCore.Database.open(path)
    try family.database.write { _ in
      expectRefusal(path) { try other.write { _ in } }
      expectRefusal(path) { try core.write { _ in } }
      expectRefusal(path) { _ = try core.beginWrite() }
    }
    try core.write { _ in expectRefusal(path) { try family.database.write { _ in } } }
  }

  @Test func `is one for the commit of a draft`() throws {
    let family = try FamilyFile()
    let (database, rex) = (family.database, family.rex)
    let draft = try database.draft()
    try draft.edit(rex) { $0.age = 5 }
    try database.write { _ in expectRefusal(database.path) { _ = try draft.commit() } }
    guard case .committed = try draft.commit() else {
      Issue.record("The draft was not committed")
      return
    }
    try #expect(database.snapshot().current(rex)?.age == 5)
  }

  @Test func `is one in an asynchronous write`() async throws {
    let family = try FamilyFile()
    let database = family.database
    try await database.write { _ in expectRefusal(database.path) { try database.write { _ in } } }
  }

  @Test func `is none for another file, or after the first one failed`() throws {
    struct Refusal: Error {}
    let (one, other) = (try FamilyFile(), try FamilyFile())
    try one.database.write { db in
      try other.database.write { db in try db.edit(other.rex) { $0.age = 6 } }
      try db.edit(one.rex) { $0.age = 6 }
    }
    #expect(throws: Refusal.self) { try one.database.write { _ in throw Refusal() } }
    try one.database.write { db in try db.edit(one.rex) { $0.age = 5 } }
    try #expect(one.database.snapshot().current(one.rex)?.age == 5)
  }

  @Test func `of another thread waits for its turn`() async throws {
    let family = try FamilyFile()
    let (database, rex) = (family.database, family.rex)
    let first = try KennelCore.Database.open(database.path).beginWrite()
    async let second: Void = database.write { db in try db.edit(rex) { $0.age = 9 } }
    first.rollback()
    try await second
    try #expect(database.snapshot().current(rex)?.age == 9)
  }
}

@Suite(.timeLimit(.minutes(5))) struct `A write with a limit` {
  @Test func `waits no longer for another writer, and says who writes`() throws {
    let family = try FamilyFile()
    let (database, rex) = (family.database, family.rex)
    let writer = try KennelCore.Database.open(database.path).beginWrite()
    let error = #expect(throws: DatabaseError.self) {
      try database.write(waitingAtMost: .milliseconds(20)) { db in try db.edit(rex) { $0.age = 1 } }
    }
    #expect(error?.code == .busy && error?.processID == Int(getpid()))
    writer.rollback()
    try database.write(waitingAtMost: .seconds(9)) { db in try db.edit(rex) { $0.age = 2 } }
    try #expect(database.snapshot().current(rex)?.age == 2)
  }

  @Test func `waits no longer once nobody wants it`() throws {
    let family = try FamilyFile()
    let database = try KennelCore.Database.open(family.database.path)
    let writer = try KennelCore.Database.open(family.database.path).beginWrite()
    defer { writer.rollback() }
    var questions = 0
    let start = ContinuousClock.now
    let error = #expect(throws: DatabaseError.self) {
      try database.beginWrite(waitingAtMost: .seconds(5)) {
        questions += 1
        return questions > 3
      }
    }
    #expect(error?.code == .cancelled && questions >= 4)
    #expect(ContinuousClock.now - start < .seconds(4))
  }

  @Test func `does not wait for asynchronous ones without a limit`() async throws {
    let family = try FamilyFile()
    let (database, rex) = (family.database, family.rex)
    let writer = try KennelCore.Database.open(database.path).beginWrite()
    async let patient: Void = database.write { db in try db.edit(rex) { $0.age = 1 } }
    let error = await #expect(throws: DatabaseError.self) {
      try await database.write(waitingAtMost: .milliseconds(20)) { _ in }
    }
    #expect(error?.code == .busy)
    writer.rollback()
    try await patient
    try #expect(database.snapshot().current(rex)?.age == 1)
  }
}

private final class Gate: Sendable {
  let isOpen = Atomic(false)
}

@Suite(.timeLimit(.minutes(5))) struct `A cancelled task` {
  @Test func `that waits for the writer writes nothing, and waits no longer`() async throws {
    let family = try FamilyFile()
    let (database, rex) = (family.database, family.rex)
    let writer = try KennelCore.Database.open(database.path).beginWrite()
    let waiting = Task { try await database.write { db in try db.edit(rex) { $0.age = 1 } } }
    let behind = Task { try await database.write { db in try db.edit(rex) { $0.age = 2 } } }
    try await Task.sleep(for: .milliseconds(20))
    for task in [waiting, behind] {
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
    }
    writer.rollback()
    try await database.write { _ in }
    try #expect(database.snapshot().current(rex)?.age == 3)
  }

  @Test func `that was cancelled before writes nothing`() async throws {
    let family = try FamilyFile()
    let (database, rex) = (family.database, family.rex)
    let task = Task {
      while !Task.isCancelled { await Task.yield() }
      try await database.write { db in try db.edit(rex) { $0.age = 1 } }
    }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    try #expect(database.snapshot().current(rex)?.age == 3)
  }

  @Test func `whose body runs goes on to the end`() async throws {
    let family = try FamilyFile()
    let (database, rex) = (family.database, family.rex)
    let (running, begun) = AsyncStream.makeStream(of: Void.self)
    let gate = Gate()
    let task = Task {
      try await database.write { db in
        begun.finish()
        while !gate.isOpen.load(ordering: .acquiring) {}
        try db.edit(rex) { $0.age = 1 }
      }
    }
    for await _ in running {}
    task.cancel()
    gate.isOpen.store(true, ordering: .releasing)
    try await task.value
    try #expect(database.snapshot().current(rex)?.age == 1)
  }
}
