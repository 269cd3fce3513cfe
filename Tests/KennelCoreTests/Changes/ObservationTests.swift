import Foundation
import KennelCore
import KennelTestSupport
import Synchronization
import Testing

@Suite struct ObservationTests {
  /// What a handler was told, to be waited for.
  private final class Told: Sendable {
    private let results = Mutex<[Result<ChangeSet, DatabaseError>]>([])

    func note(_ result: Result<ChangeSet, DatabaseError>) {
      results.withLock { $0.append(result) }
    }

    var changes: [ChangeSet] { results.withLock { $0.compactMap { try? $0.get() } } }

    var failures: [DatabaseError] {
      results.withLock { results in
        results.compactMap { if case .failure(let error) = $0 { error } else { nil } }
      }
    }

    /// Waits, ten seconds at most.
    func wait(until isDone: (Told) -> Bool) -> Bool {
      for _ in 0..<2000 {
        if isDone(self) { return true }
        usleep(5000)
      }
      return false
    }
  }

  @Test func `a handler is told of each change, and of the last one for certain`() throws {
    let kennels = try Kennels()
    defer { kennels.remove() }
    let told = Told()
    let first = kennels.database.commitNumber
    let observation = try kennels.database.observe(told.note)
    for number in 1...30 {
      try kennels.database.write {
        try $0.set(kennels.rex, property: kennels.name, to: .string("Rex \(number)"))
      }
    }
    let last = kennels.database.commitNumber
    #expect(told.wait { $0.changes.last?.toCommit == last })
    observation.stop()
    let changes = told.changes
    #expect(changes.first?.fromCommit == first)
    for (earlier, later) in zip(changes, changes.dropFirst()) {
      #expect(earlier.toCommit == later.fromCommit)
      #expect(
        earlier.changed.first?.properties.first?.new == later.changed.first?.properties.first?.old
      )
    }
    #expect(changes.last?.changed.first?.properties.first?.new == .string("Rex 30"))
    #expect(told.failures.isEmpty)
  }

  @Test func `a stopped observation is silent`() throws {
    let kennels = try Kennels()
    defer { kennels.remove() }
    let told = Told()
    let observation = try kennels.database.observe(told.note)
    observation.stop()
    observation.stop()
    try kennels.database.write {
      try $0.set(kennels.rex, property: kennels.name, to: .string("Bello"))
    }
    usleep(150_000)
    #expect(told.changes.isEmpty)
  }

  @Test func `an observation that nobody holds ends`() throws {
    let kennels = try Kennels()
    defer { kennels.remove() }
    let told = Told()
    _ = try kennels.database.observe(told.note)
    try kennels.database.write {
      try $0.set(kennels.rex, property: kennels.name, to: .string("Bello"))
    }
    usleep(150_000)
    #expect(told.changes.isEmpty)
  }

  @Test func `a handler may stop its own observation`() throws {
    let kennels = try Kennels()
    defer { kennels.remove() }
    let told = Told()
    let holder = Mutex<Database.Observation?>(nil)
    try holder.withLock { holder in
      holder = try kennels.database.observe { result in
        told.note(result)
      }
    }
    try kennels.database.write {
      try $0.set(kennels.rex, property: kennels.name, to: .string("Bello"))
    }
    #expect(told.wait { $0.changes.count == 1 })
    holder.withLock { $0 = nil }
  }

  @Test func `a file that was replaced is told once`() throws {
    let temporary = try TemporaryDatabase()
    let told = Told()
    let observation = try temporary.database.observe(told.note)
    defer { observation.stop() }
    let other = temporary.folder.file("other.kennel")
    try Data([1, 2, 3]).write(to: URL(fileURLWithPath: other))
    unsafe #expect(rename(other, temporary.path) == 0)
    #expect(told.wait { $0.failures.count == 1 })
    #expect(told.failures.map(\.code) == [.fileReplaced])
    #expect(throws: DatabaseError.self) { try temporary.database.snapshot() }
  }
}
