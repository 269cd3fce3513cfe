import KennelStorage
import KennelTestSupport
import Synchronization
import Testing

/// The file of a draft, beside others who look into its folder.
@Suite struct JournalFileTests {
  @Test func `nobody who tidies up takes a journal that is being made`() async throws {
    let folder = try TemporaryFolder()
    let header = JournalHeader(fileID: UUIDValue(high: 1, low: 2), baseCommit: 3, path: "/a.kennel")
    let isOver = Atomic(false)
    async let tidying: Void = {
      while !isOver.load(ordering: .relaxed) { JournalFile.removeUnfinished(in: folder.path) }
    }()
    defer { isOver.store(true, ordering: .relaxed) }
    for number in 0..<5_000 {
      var journal = try JournalFile.make(
        folder.file("x.journal"),
        header,
        count: 1,
        body: { _ in [UInt8(truncatingIfNeeded: number)] }
      )
      #expect(journal.hasName)
      try journal.remove()
    }
    isOver.store(true, ordering: .relaxed)
    await tidying
  }
}
