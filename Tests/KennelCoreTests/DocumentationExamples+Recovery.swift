import KennelCore
import KennelTestSupport
import Testing

/// The lines of the function are examples of doc comments; a tidy test compares them.
@Suite struct `The examples of recovering` {
  @Test func `run`() throws {
    let source = try TemporaryDatabase()
    let dog = try EveryKind.make(in: source.database)
    let damaged = source.path
    try withTemporaryDatabase { database in
      let report = try Database.recover(damaged, into: database)
      print(report.objectCount)
      for loss in report.losses { print(loss.message) }
      let lost = report.losses.filter { $0.kind == .objects }
      print(lost.map(\.className))
      let isComplete = report.losses.allSatisfy { $0.kind == .olderValues }
      print(isComplete)
      #expect(report.objectCount == 1 && report.losses.isEmpty)
      try EveryKind.expectFilled(dog, in: database.snapshot())
    }
  }
}
