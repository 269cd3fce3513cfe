import KennelCore
import KennelTestSupport

/// The journal of a draft, in a folder of its own.
final class JournalTwin {
  private let folder: TemporaryFolder
  private var journal: DraftJournal
  private var number = 0

  init(_ database: Database) throws {
    folder = try TemporaryFolder()
    journal = DraftJournal(for: database, in: folder.path)
  }

  /// Keeps the draft; from time to time the process "dies", and another one restores it.
  func compare(_ draft: Draft) throws {
    number += 1
    try journal.keep(draft.records, number: number)
    guard number % 8 == 0 else { return }
    journal.close()
    journal = DraftJournal(for: draft.database, in: folder.path)
    let found = journal.findKept()
    if draft.isEmpty {
      if !found.isEmpty { throw TwinRun.Difference("a journal is left of an empty draft") }
      return
    }
    guard found.count == 1, found[0].state == .restorable, found[0].lostByteCount == 0 else {
      throw TwinRun.Difference("\(found.map(\.state)) are kept of one draft")
    }
    let kept = found[0]
    if kept.records.map(\.operation) != draft.records.map(\.operation)
      || kept.records.map(\.number) != draft.records.map(\.number)
    {
      throw TwinRun.Difference("what is kept is not what was done")
    }
    try compareRestored(kept, draft)
    journal.adopt(kept)
  }

  private func compareRestored(_ kept: RecoveredDraft, _ draft: Draft) throws {
    let restored = try draft.database.makeDraft()
    // A draft that does not know the newest commit is another one after it was restored.
    guard restored.base.commitNumber == draft.base.commitNumber else { return }
    try restored.restore(kept.records)
    if restored.changes != draft.changes || restored.conflicts != draft.conflicts {
      throw TwinRun.Difference(
        "restored: \(restored.changes) \(restored.conflicts), not \(draft.changes) "
          + "\(draft.conflicts)"
      )
    }
    for schema in restored.reader.schema.classes {
      for object in try restored.reader.objects(of: schema.key) {
        for property in schema.properties {
          let value = try restored.reader.value(of: object, property: property.key)
          if try value != draft.reader.value(of: object, property: property.key) {
            throw TwinRun.Difference("\(object).\(property.name) is restored as \(value)")
          }
        }
      }
      if restored.reader.count(of: schema.key) != draft.reader.count(of: schema.key) {
        throw TwinRun.Difference("objects of \(schema.name) are not restored")
      }
    }
    while try restored.undo() != nil {}
    if !restored.isEmpty { throw TwinRun.Difference("what is restored cannot be undone") }
  }
}
