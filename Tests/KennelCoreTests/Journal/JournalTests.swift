import Foundation
import KennelCore
import KennelTestSupport
import Testing

/// A draft outlives the process that it was made in.
@Suite struct JournalTests {
  private let kennels: Kennels
  private let folder: TemporaryFolder

  init() throws {
    kennels = try Kennels()
    folder = try TemporaryFolder()
  }

  private var drafts: String { folder.file("kennel/drafts") }
  private var names: [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: drafts).sorted()) ?? []
  }

  private func journal(_ database: Database? = nil) -> DraftJournal {
    DraftJournal(for: database ?? kennels.database, in: drafts)
  }

  /// A draft with an operation of every kind that these classes allow.
  private func draft() throws -> Draft {
    let draft = try kennels.database.makeDraft()
    let bo = try draft.create(kennels.dog.key, [kennels.name: .string("Bo\0\u{301}")])
    try draft.set(kennels.rex, property: kennels.name, to: .string("King"))
    try draft.insert(.link(bo), at: 1, of: kennels.ada, property: kennels.dogs)
    try draft.moveElement(from: 0, to: 2, of: kennels.ada, property: kennels.dogs)
    try draft.removeElement(at: 0, of: kennels.ada, property: kennels.dogs)
    try draft.replace(at: 0, with: .link(kennels.rex), of: kennels.ada, property: kennels.dogs)
    try draft.createEmbedded(at: Slot(kennels.ada, kennels.home))
    try draft.delete([kennels.max])
    return draft
  }

  /// Keeps a draft as a process does that ends then.
  private func keep(_ draft: Draft) throws {
    try journal().keep(draft.records, number: 1)
  }

  // MARK: - Autosave

  @Test func `what is kept comes back as a draft that can be undone`() throws {
    defer { kennels.remove() }
    let draft = try draft()
    try keep(draft)
    let journal = journal()
    let kept = try #require(journal.findKept().first)
    #expect(kept.state == .restorable)
    #expect(kept.lostByteCount == 0)
    #expect(kept.records.map(\.operation) == draft.records.map(\.operation))
    #expect(kept.records.changeCount == draft.changes.flatMap(\.items).count)
    let restored = try kennels.database.makeDraft()
    try restored.restore(kept.records)
    #expect(restored.changes == draft.changes)
    #expect(restored.conflicts.isEmpty)
    // Objects that come later do not take the keys of those that were made.
    let other = try restored.create(kennels.dog.key, [:])
    #expect(other.key.rawValue == ObjectKey.firstProvisional + 1)
    while try restored.undo() != nil {}
    #expect(restored.isEmpty)
    while try restored.redo() != nil {}
    #expect(restored.operationCount == draft.operationCount + 1)
    guard case .committed = try restored.commit() else {
      Issue.record("not committed")
      return
    }
  }

  @Test func `a journal lies there for its owner alone, while there is something in it`() throws {
    defer { kennels.remove() }
    let draft = try kennels.database.makeDraft()
    let journal = journal()
    try journal.keep(draft.records, number: 1)
    #expect(!FileManager.default.fileExists(atPath: drafts))
    try draft.set(kennels.rex, property: kennels.name, to: .string("King"))
    try journal.keep(draft.records, number: 2)
    #expect(names.count == 1)
    for (path, mode) in [(drafts, 0o700), (drafts + "/\(names[0])", 0o600)] {
      let attributes = try FileManager.default.attributesOfItem(atPath: path)
      #expect(attributes[.posixPermissions] as? Int == mode)
    }
    try draft.undo()
    try journal.keep(draft.records, number: 3)
    #expect(names.isEmpty)
    try draft.redo()
    try journal.keep(draft.records, number: 4)
    #expect(names.count == 1)
    // What comes late is older than what is there.
    try journal.keep([], number: 3)
    #expect(names.count == 1)
    draft.discard()
    try journal.keep(draft.records, number: 5)
    #expect(names.isEmpty)
  }

  @Test func `only what is new is written`() throws {
    defer { kennels.remove() }
    let draft = try kennels.database.makeDraft()
    let journal = journal()
    try draft.set(
      kennels.rex,
      property: kennels.breed,
      to: .string(String(repeating: "x", count: 3_000_000))
    )
    try journal.keep(draft.records, number: 1)
    let path = drafts + "/\(names[0])"
    func status() throws -> (size: Int, number: Int) {
      let attributes = try FileManager.default.attributesOfItem(atPath: path)
      return (
        try #require(attributes[.size] as? Int), try #require(attributes[.systemFileNumber] as? Int)
      )
    }
    let first = try status()
    #expect(first.size > 3_000_000)
    try draft.set(kennels.max, property: kennels.name, to: .string("Moritz"))
    try draft.set(kennels.rex, property: kennels.name, to: .string("King"))
    try journal.keep(draft.records, number: 2)
    let both = try status()
    #expect(both.number == first.number)
    #expect((1..<400).contains(both.size - first.size))
    try draft.undo()
    try draft.undo()
    try journal.keep(draft.records, number: 3)
    #expect(try status() == first)
    // What changes in the middle is written behind a copy of what stays.
    try draft.set(kennels.max, property: kennels.name, to: .string("Moritz"))
    try draft.set(kennels.rex, property: kennels.name, to: .string("King"))
    try journal.keep(draft.records, number: 4)
    try draft.drop([try #require(draft.changes.first { $0.object == kennels.max }).items[0].id])
    try journal.keep(draft.records, number: 5)
    #expect(try status().number != first.number)
    #expect(names.count == 1)
    journal.close()
    let kept = try #require(self.journal().findKept().first)
    #expect(kept.records.map(\.operation) == draft.records.map(\.operation))
  }

  @Test func `ten thousand operations are kept one by one`() throws {
    defer { kennels.remove() }
    let draft = try kennels.database.makeDraft()
    let journal = journal()
    for number in 0..<10_000 {
      try draft.set(kennels.rex, property: kennels.name, to: .string("King \(number)"))
      if number % 500 == 0 || number > 9_950 { try journal.keep(draft.records, number: number) }
    }
    journal.close()
    let kept = try #require(self.journal().findKept().first)
    #expect(kept.records.count == 10_000)
    #expect(kept.records.changeCount == 1)
    let restored = try kennels.database.makeDraft()
    try restored.restore(kept.records)
    #expect(restored.changes == draft.changes)
  }

  @Test func `a folder that cannot be written is told, and the next attempt keeps all`() throws {
    defer { kennels.remove() }
    let place = folder.file("kennel")
    try Data("a file".utf8).write(to: URL(fileURLWithPath: place))
    let draft = try draft()
    let journal = journal()
    let error = #expect(throws: DatabaseError.self) {
      try journal.keep(draft.records, number: 1)
    }
    #expect(error?.message == "Cannot keep the draft: Not a directory, in \(drafts)")
    try FileManager.default.removeItem(atPath: place)
    try journal.keep(draft.records, number: 2)
    // Somebody who tidies up takes the file from under the program.
    try FileManager.default.removeItem(atPath: place)
    try draft.set(kennels.rex, property: kennels.breed, to: .string("Boxer"))
    try journal.keep(draft.records, number: 3)
    journal.close()
    let kept = try #require(self.journal().findKept().first)
    #expect(kept.records.map(\.operation) == draft.records.map(\.operation))
  }

  @Test func `somebody's home is never made`() throws {
    defer { kennels.remove() }
    let journal = DraftJournal(
      for: kennels.database,
      in: folder.file("nobody/.local/state/kennel/drafts")
    )
    let error = #expect(throws: DatabaseError.self) {
      try journal.keep(draft().records, number: 1)
    }
    #expect(error?.message.contains("No such file or directory") == true)
    #expect(!FileManager.default.fileExists(atPath: folder.file("nobody")))
  }

  // MARK: - Who may have it

  @Test func `nobody takes the journal of one who lives`() throws {
    defer { kennels.remove() }
    let living = journal()
    try living.keep(draft().records, number: 1)
    let other = journal()
    #expect(other.findKept().isEmpty)
    try other.keep(draft().records, number: 1)
    #expect(names.count == 2)
    living.close()
    let kept = other.findKept()
    #expect(kept.count == 1)
    // Who finds it holds it.
    #expect(journal().findKept().isEmpty)
    kept[0].release()
    let again = journal().findKept()
    #expect(again.count == 1)
    try again[0].discard()
    #expect(names.count == 1)
    #expect(journal().findKept().isEmpty)
  }

  @Test func `what was restored goes on in its journal`() throws {
    defer { kennels.remove() }
    try keep(draft())
    let before = names
    let journal = journal()
    let kept = try #require(journal.findKept().first)
    let draft = try kennels.database.makeDraft()
    try draft.restore(kept.records)
    journal.adopt(kept)
    try draft.set(kennels.rex, property: kennels.breed, to: .string("Boxer"))
    try journal.keep(draft.records, number: 1)
    #expect(names == before)
    #expect(self.journal().findKept().isEmpty)
    journal.close()
    let again = try #require(self.journal().findKept().first)
    #expect(again.records.map(\.operation) == draft.records.map(\.operation))
    again.release()
    try self.journal().keep([], number: 1)
    #expect(names == before)
  }

  @Test func `a draft follows its file, and leaves copies and other files alone`() throws {
    defer { kennels.remove() }
    let place = folder.file("a.kennel")
    try FileManager.default.copyItem(atPath: kennels.database.path, toPath: place)
    do {
      let database = try Database.open(place)
      let draft = try database.makeDraft()
      try draft.set(kennels.rex, property: kennels.name, to: .string("King"))
      try journal(database).keep(draft.records, number: 1)
    }
    // The original has the same id and lies elsewhere.
    #expect(journal().findKept().isEmpty)
    let moved = folder.file("b.kennel")
    try FileManager.default.moveItem(atPath: place, toPath: moved)
    do {
      let database = try Database.open(moved)
      let kept = journal(database).findKept()
      #expect(kept.map(\.state) == [.restorable])
      #expect(kept.first?.formerPath?.hasSuffix("a.kennel") == true)
    }
    // Another file comes to where it lay.
    let database = try Database.open(place)
    let kept = journal(database).findKept()
    #expect(kept.map(\.state) == [.ofAnotherFile])
    #expect(kept.first?.records.isEmpty == true)
    #expect(names.count == 1)
  }

  @Test func `a draft follows its file where another one came to its place`() throws {
    defer { kennels.remove() }
    let (place, moved) = (folder.file("a.kennel"), folder.file("b.kennel"))
    try FileManager.default.copyItem(atPath: kennels.database.path, toPath: place)
    do {
      let database = try Database.open(place)
      let draft = try database.makeDraft()
      try draft.set(kennels.rex, property: kennels.name, to: .string("King"))
      try journal(database).keep(draft.records, number: 1)
    }
    try FileManager.default.moveItem(atPath: place, toPath: moved)
    _ = try Database.open(place).beginWrite().commit()
    let kept = journal(try Database.open(moved)).findKept()
    #expect(kept.map(\.state) == [.restorable])
    #expect(kept.first?.records.count == 1)
  }

  @Test func `a draft of another file is told whoever looks at it`() throws {
    defer { kennels.remove() }
    let place = folder.file("a.kennel")
    for _ in 0..<2 {
      let database = try Database.open(place)
      try database.write { transaction in
        try transaction.define([ClassDefinition("Dog", properties: [])])
      }
      let draft = try database.makeDraft()
      try draft.create(try #require(draft.reader.schema["Dog"]).key, [:])
      try journal(database).keep(draft.records, number: 1)
      try FileManager.default.removeItem(atPath: place)
    }
    let looks = names.map { unsafe open(drafts + "/" + $0, O_RDONLY) }
    defer { for look in looks { close(look) } }
    for look in looks { #expect(flock(look, LOCK_SH | LOCK_NB) == 0) }
    let kept = journal(try Database.open(place)).findKept()
    #expect(kept.map(\.state) == [.ofAnotherFile, .ofAnotherFile])
    #expect(kept.allSatisfy { $0.modified > Timestamp(seconds: 1_000_000) })
  }

  @Test func `a draft that cannot be read now is told as that`() throws {
    defer { kennels.remove() }
    try keep(draft())
    let path = drafts + "/\(names[0])"
    try FileManager.default.moveItem(atPath: path, toPath: folder.file("elsewhere"))
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "elsewhere")
    let kept = try #require(journal().findKept().first)
    #expect(kept.state == .inaccessible("Too many levels of symbolic links"))
    try kept.discard()
    #expect(names.count == 1)
  }

  @Test func `the newest comes first, within a second too`() throws {
    defer { kennels.remove() }
    var counts: [Int] = []
    for count in 1...6 {
      let draft = try kennels.database.makeDraft()
      for _ in 0..<count { try draft.create(kennels.dog.key, [:]) }
      try keep(draft)
      counts.insert(count, at: 0)
      usleep(12_000)
    }
    let kept = journal().findKept()
    #expect(kept.map(\.records.count) == counts)
    for draft in kept { draft.release() }
    #expect(try DraftJournal.list(in: drafts).map(\.changeCount) == counts)
  }

  // MARK: - Schema and commits

  @Test func `what is held back keeps its key, which no new object gets`() throws {
    defer { kennels.remove() }
    let draft = try kennels.database.makeDraft()
    let bo = try draft.create(kennels.dog.key, [kennels.breed: .string("Pug")])
    try keep(draft)
    try kennels.database.write { try $0.deleteProperty("breed", of: "Dog") }
    let restored = try kennels.database.makeDraft()
    try restored.restore(try #require(journal().findKept().first).records)
    #expect(restored.conflicts.map(\.kind) == [.propertyGone])
    let new = try restored.create(kennels.dog.key, [:])
    #expect(new != bo)
    try restored.set(new, property: kennels.name, to: .string("Max"))
    try restored.resolve(restored.conflicts[0].id, with: .theirs)
    #expect(restored.operationCount == 2)
    #expect(try restored.reader.value(of: new, property: kennels.name) == .string("Max"))
  }

  @Test func `the commit is known that the last operation was made on`() throws {
    defer { kennels.remove() }
    let draft = try kennels.database.makeDraft()
    try draft.set(kennels.rex, property: kennels.name, to: .string("King"))
    let journal = journal()
    try journal.keep(draft.records, number: 1)
    let first = kennels.database.commitNumber
    for name in ["A", "B"] {
      try kennels.database.write {
        try $0.set(kennels.max, property: kennels.name, to: .string(name))
      }
    }
    try draft.refresh()
    try draft.set(kennels.rex, property: kennels.breed, to: .string("Boxer"))
    try journal.keep(draft.records, number: 2)
    journal.close()
    let kept = try #require(self.journal().findKept().first)
    #expect(kept.baseCommit == first)
    #expect(kept.lastCommit == first + 2)
    let restored = try kennels.database.makeDraft()
    try restored.restore(kept.records)
    let next = self.journal()
    next.adopt(kept)
    try next.keep(restored.records, number: 1)
    next.close()
    #expect(self.journal().findKept().first?.lastCommit == first + 2)
  }

  @Test func `what was committed before a crash is told from what was not`() throws {
    defer { kennels.remove() }
    let draft = try kennels.database.makeDraft()
    try draft.set(kennels.rex, property: kennels.name, to: .string("King"))
    let number = kennels.database.commitNumber
    let journal = journal()
    try journal.keep(draft.records, number: 1)
    try journal.markCommitting(onto: number)
    journal.close()
    var kept = try #require(self.journal().findKept().first)
    #expect(kept.committingOnto == number)
    #expect(kept.records.count == 1)
    let next = self.journal()
    next.adopt(kept)
    try draft.set(kennels.max, property: kennels.name, to: .string("Moritz"))
    try next.keep(draft.records, number: 1)
    next.close()
    kept = try #require(self.journal().findKept().first)
    #expect(kept.committingOnto == nil)
    #expect(kept.records.count == 2)
  }

  @Test func `what a commit leaves in the draft is all there after a crash, or none of it`() throws
  {
    defer { kennels.remove() }
    let draft = try kennels.database.makeDraft()
    for name in ["A", "B", "C"] {
      try draft.set(kennels.rex, property: kennels.name, to: .string(name))
    }
    try draft.set(kennels.max, property: kennels.name, to: .string("Moritz"))
    let rest = Array(draft.records.dropFirst(2))
    let number = kennels.database.commitNumber
    let journal = journal()
    try journal.keep(draft.records, number: 1)
    try journal.markCommitting(onto: number, leaving: rest)
    journal.close()
    var kept = try #require(self.journal().findKept().first)
    #expect(kept.records.count == 4)
    #expect(kept.rest.map(\.operation) == rest.map(\.operation))
    #expect(kept.lostByteCount == 0)
    kept.release()
    let path = drafts + "/" + names[0]
    let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    try bytes.dropLast().write(to: URL(fileURLWithPath: path))
    kept = try #require(self.journal().findKept().first)
    #expect(kept.records.count == 4)
    #expect(kept.committingOnto == number)
    #expect(kept.rest.isEmpty)
    #expect(kept.lostByteCount > 0)
  }

  @Test func `operations on what a migration removed are conflicts`() throws {
    defer { kennels.remove() }
    let draft = try kennels.database.makeDraft()
    try draft.set(kennels.rex, property: kennels.breed, to: .string("Boxer"))
    let bo = try draft.create(kennels.dog.key, [kennels.breed: .string("Pug")])
    try draft.set(bo, property: kennels.name, to: .string("Bo"))
    try draft.set(kennels.rex, property: kennels.name, to: .string("King"))
    try draft.delete([kennels.ada])
    try draft.set(kennels.max, property: kennels.name, to: .string("Moritz"))
    try keep(draft)
    try kennels.database.write { transaction in
      try transaction.deleteProperty("breed", of: "Dog")
      try transaction.set(kennels.max, property: kennels.name, to: .string("Fritz"))
      try transaction.delete([kennels.ada])
      try transaction.deleteClasses(["Person"])
    }
    let restored = try kennels.database.makeDraft()
    let kept = try #require(journal().findKept().first)
    try restored.restore(kept.records)
    #expect(
      restored.conflicts.map(\.kind)
        == [.propertyGone, .propertyGone, .dependsOnConflict, .valueChanged]
    )
    #expect(restored.changes.contains { $0.object == kennels.ada && $0.kind == .deleted })
    #expect(restored.operationCount == draft.operationCount)
    #expect(try restored.reader.value(of: kennels.rex, property: kennels.name) == .string("King"))
    for conflict in restored.conflicts where !conflict.canKeepMine {
      try restored.resolve(conflict.id, with: .theirs)
    }
    #expect(restored.conflicts.map(\.kind) == [.valueChanged])
  }
}
