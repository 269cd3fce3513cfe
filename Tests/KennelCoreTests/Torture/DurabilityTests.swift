import Foundation
import KennelCore
import KennelTestSupport
import Testing

/// What the engine says is done is on the disk by then.
///
/// Nothing but a power failure shows the difference, so the writes and syncs of a program are recorded
/// and compared with what it was told.
@Suite struct `What is acknowledged was synced` {
  private let folder: TemporaryFolder
  private var path: String { folder.file("recorded.kennel") }

  init() throws { folder = try TemporaryFolder() }

  private func record(_ what: String, _ rest: String...) throws -> FileRecord {
    let record = folder.file("\(what).record")
    let child = try TortureChild(["record", what, path, record] + rest)
    #expect(child.line() == nil)
    #expect(child.end() == nil)
    return try FileRecord(contentsOf: record)
  }

  @Test func `when a database is made, with its name, and when a commit returns`() throws {
    let record = try record("commit")
    var file = UnsyncedBytes(of: try FileRecord.number(of: path))
    let folderNumber = try FileRecord.number(
      of: URL(fileURLWithPath: path)
        .deletingLastPathComponent().path
    )
    var folder = UnsyncedBytes(of: folderNumber)
    var before = (writes: 0, syncs: 0)
    var syncsOfCommits: [Int] = []
    for event in record.events {
      file.apply(event)
      folder.apply(event)
      guard case .note(let text) = event else { continue }
      switch text {
      case "opened":
        #expect(file.writeCount > 0 && file.ranges.isEmpty)
        #expect(folder.syncCount > 0)
      case "committing": before = (file.writeCount, file.syncCount)
      default:
        #expect(file.ranges.isEmpty, "commit \(syncsOfCommits.count)")
        #expect(file.writeCount > before.writes)
        syncsOfCommits.append(file.syncCount - before.syncs)
      }
    }
    // One sync is enough for a small commit; the pages of a large one are synced first.
    #expect(syncsOfCommits == [1, 1, 1, 1, 1, 1, 2, 1])
  }

  @Test func `before a meta page says that the pages of its commit are there`() throws {
    let record = try record("commit")
    var file = UnsyncedBytes(of: try FileRecord.number(of: path))
    var keptCount = 0
    for event in record.events {
      if case .write(_, let offset, let bytes) = event,
        PageBytes.isSynchronizedMetaPage(offset, bytes)
      {
        keptCount += 1
        #expect(file.ranges.isEmpty)
      }
      file.apply(event)
    }
    #expect(keptCount >= 1)
  }

  @Test func `and opening a file whose last commit was undone writes nothing`() throws {
    let whole = folder.file("whole.kennel")
    let database = try Database.open(whole)
    try database.write { try $0.define([ClassDefinition("Note")]) }
    let number = try database.snapshot().commitNumber
    // Who closes a file says in it that all of it is there.
    try withExtendedLifetime(database) {
      try PageBytes.copy(whole, to: path, cuttingCommit: number)
    }
    let record = try record("undo")
    var file = UnsyncedBytes(of: try FileRecord.number(of: path))
    for event in record.events {
      file.apply(event)
      guard case .note(let text) = event else { continue }
      #expect(text == "opened")
    }
    #expect(file.writeCount == 0)
  }

  @Test func `when the journal of a draft announces a commit, which comes after it`() throws {
    let journals = folder.file("journals")
    let record = try record("draft", journals)
    let database = try FileRecord.number(of: path)
    var others: [UInt64: UnsyncedBytes] = [:]
    var isAnnounced = false
    var isCommitted = false
    for event in record.events {
      switch event {
      case .write(let file, _, _) where file != database:
        others[file, default: UnsyncedBytes(of: file)].apply(event)
      case .syncBegan(let file), .syncEnded(let file, _), .truncation(let file, _):
        others[file]?.apply(event)
      case .write: break
      case .note("announced"):
        isAnnounced = true
        // The lock file is written through memory.
        let written = others.values.filter { $0.writeCount > 0 }
        #expect(!written.isEmpty)
        #expect(written.allSatisfy { $0.syncCount > 0 && $0.ranges.isEmpty })
      case .note: isCommitted = isAnnounced
      }
    }
    #expect(isCommitted)
  }
}
