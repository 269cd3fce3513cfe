// swift-format-ignore-file: NeverForceUnwrap

import CFileRecorder
import KennelCore

/// Commits, undoes and keeps with every write and sync recorded, and notes what it was told is done.
struct RecordedWriter {
  let path: String

  /// Commits small transactions, and a large one between them.
  ///
  /// Notes `opened`, and `committing` and `committed` around each commit.
  func commit() throws {
    let database = try Database.open(path)
    unsafe file_recorder_note("opened")
    try noting { try database.write { try Self.define(in: $0) } }
    for number in 1...5 {
      try noting { try database.write { try Self.make(1, number, in: $0) } }
    }
    try noting { try database.write { try Self.make(20_000, 6, in: $0) } }
    try noting { try database.write { try Self.make(1, 7, in: $0) } }
  }

  /// Opens a file whose last commit was cut off, and notes `opened`.
  func undo() throws {
    let database = try Database.open(path)
    unsafe file_recorder_note(database.undoneCommitNumber == nil ? "nothing undone" : "opened")
  }

  /// Keeps a draft in a journal and commits it, as the browser does.
  ///
  /// Notes `announced` when the journal says that the commit is coming, and `committed` after it.
  func keepAndCommit(in folder: String) throws {
    let database = try Database.open(path)
    try database.write { try Self.define(in: $0) }
    let draft = try database.makeDraft()
    _ = try draft.create(draft.reader.schema["Note"]!.key, [:])
    let journal = DraftJournal(for: database, in: folder)
    try journal.keep(draft.records, number: 1)
    try journal.markCommitting(onto: draft.base.commitNumber)
    unsafe file_recorder_note("announced")
    _ = try draft.commit()
    unsafe file_recorder_note("committed")
  }

  private func noting(_ body: () throws -> Void) rethrows {
    unsafe file_recorder_note("committing")
    try body()
    unsafe file_recorder_note("committed")
  }

  private static func define(in transaction: WriteTransaction) throws {
    let text = PropertyDefinition("text", .string)
    try transaction.define([ClassDefinition("Note", properties: [text])])
  }

  private static func make(_ count: Int, _ number: Int, in transaction: WriteTransaction) throws {
    let note = transaction.schema["Note"]!
    for index in 0..<count {
      let text = String(repeating: "note \(number), \(index). ", count: 20)
      _ = try transaction.create(note.key, [note["text"]!.key: .string(text)])
    }
  }
}
