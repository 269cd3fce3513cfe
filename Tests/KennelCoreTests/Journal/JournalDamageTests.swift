import Foundation
import KennelCore
import KennelTestSupport
import Testing

/// Whatever became of a journal, what is restored of it is the beginning of what was kept.
@Suite struct JournalDamageTests {
  private let folder: TemporaryFolder
  private let database: Database
  private let operations: [Draft.Operation]
  private let path: String
  private let bytes: [UInt8]

  init() throws {
    folder = try TemporaryFolder()
    database = try Database.open(folder.file("a.kennel"))
    let (dog, name, notes) = try database.write { transaction in
      try transaction.define([
        ClassDefinition(
          "Dog",
          properties: [
            PropertyDefinition("name", .string), PropertyDefinition("notes", .map(.mixed)),
          ]
        )
      ])
      let dog = try #require(transaction.schema["Dog"])
      return (dog.key, try #require(dog["name"]).key, try #require(dog["notes"]).key)
    }
    let draft = try database.makeDraft()
    let rex = try draft.create(dog, [name: .string("Rex")])
    try draft.set(rex, property: name, to: .string("é\0"))
    try draft.setEntry("k", to: .double(.nan), of: rex, property: notes)
    try draft.setEntry("k", to: nil, of: rex, property: notes)
    let journal = DraftJournal(for: database, in: folder.file("drafts"))
    try journal.keep(draft.records, number: 1)
    journal.close()
    operations = draft.records.map(\.operation)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.file("drafts"))
    path = folder.file("drafts/" + names[0])
    bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: path)))
  }

  private func find(_ bytes: [UInt8]) throws -> RecoveredDraft {
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    let found = DraftJournal(for: database, in: folder.file("drafts")).findKept()
    #expect(found.count == 1)
    return try #require(found.first)
  }

  /// What is found can be restored, and is the beginning of what was kept.
  private func expectBeginning(_ kept: RecoveredDraft, _ what: Comment) throws {
    #expect(kept.records.map(\.operation) == Array(operations.prefix(kept.records.count)), what)
    switch kept.state {
    case .restorable: #expect(kept.records.count == operations.count || kept.lostByteCount >= 0)
    case .unreadable, .newerFormat: #expect(kept.records.isEmpty, what)
    case .ofAnotherFile, .inaccessible: Issue.record(what)
    }
    let draft = try database.makeDraft()
    try draft.restore(kept.records)
    #expect(draft.conflicts.isEmpty && draft.operationCount == kept.records.count, what)
  }

  @Test func `a flipped bit anywhere loses what follows it, and never more`() throws {
    var lengths: Set<Int> = []
    for index in bytes.indices {
      for mask in [1, 0x80, 0xFF] as [UInt8] {
        var damaged = bytes
        damaged[index] ^= mask
        let kept = try find(damaged)
        try expectBeginning(kept, "byte \(index) with \(mask)")
        #expect(kept.state != .restorable || kept.lostByteCount > 0, "byte \(index) with \(mask)")
        if kept.state == .restorable { lengths.insert(kept.records.count) }
      }
    }
    #expect(lengths == [0, 1, 2, 3])
  }

  @Test func `a journal that ends anywhere has what is whole of it`() throws {
    var last = 0
    for length in 0...bytes.count {
      let kept = try find(Array(bytes[..<length]))
      try expectBeginning(kept, "\(length) bytes")
      #expect(kept.records.count >= last)
      last = kept.records.count
    }
    #expect(last == operations.count)
  }

  @Test func `what follows damage is gone when the draft goes on`() throws {
    var damaged = bytes
    damaged[bytes.count - 1] ^= 1
    let journal = DraftJournal(for: database, in: folder.file("drafts"))
    let kept = try find(damaged)
    #expect(kept.records.count == operations.count - 1)
    let draft = try database.makeDraft()
    try draft.restore(kept.records)
    journal.adopt(kept)
    try draft.create(try #require(draft.reader.schema["Dog"]).key, [:])
    try journal.keep(draft.records, number: 1)
    journal.close()
    let again = try #require(
      DraftJournal(for: database, in: folder.file("drafts")).findKept().first
    )
    #expect(again.lostByteCount == 0)
    #expect(again.records.map(\.operation) == draft.records.map(\.operation))
  }

  @Test func `a later format is left alone`() throws {
    var later = bytes
    later[8] = 2
    // The checksum of the header, which every format has in the same place.
    let end = Int(later[12]) + Int(later[13]) << 8
    let checksum = checksum(later[..<(end - 4)]).littleEndian
    unsafe withUnsafeBytes(of: checksum) { unsafe later.replaceSubrange(end - 4..<end, with: $0) }
    let kept = try find(later)
    #expect(kept.state == .newerFormat(2))
    #expect(kept.records.isEmpty)
    try kept.discard()
    #expect(try [UInt8](Data(contentsOf: URL(fileURLWithPath: path))) == later)
  }

  // MARK: - Whole entries that no draft has written

  /// Where the bodies of the entries lie.
  private var bodies: [Range<Int>] {
    var bodies: [Range<Int>] = []
    var start = Int(bytes[12]) + Int(bytes[13]) << 8
    while start < bytes.count {
      let length = Int(bytes[start]) + Int(bytes[start + 1]) << 8
      bodies.append(start + 8..<start + 8 + length)
      start += length + 12
    }
    return bodies
  }

  /// Makes every checksum right.
  private func sealed(_ given: [UInt8]) -> [UInt8] {
    var bytes = given
    var last = checksum(bytes[..<(bodies[0].lowerBound - 12)])
    for body in bodies {
      last = checksum(bytes[body.lowerBound - 8..<body.upperBound], continuing: last)
      unsafe withUnsafeBytes(of: last.littleEndian) {
        unsafe bytes.replaceSubrange(body.upperBound..<body.upperBound + 4, with: $0)
      }
    }
    return bytes
  }

  @Test func `no entry with a right checksum ends the program, whatever it says`() throws {
    #expect(sealed(bytes) == bytes)
    var state: UInt64 = 7
    func random(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % bound
    }
    var restored = 0
    for _ in 0..<600 {
      var hostile = bytes
      for _ in 0...random(3) {
        let body = bodies[random(bodies.count)]
        let values = [0, 1, 2, 0x7F, 0x80, 0xFF, UInt8(random(256))] as [UInt8]
        hostile[body.lowerBound + random(body.count)] = values[random(values.count)]
      }
      let kept = try find(sealed(hostile))
      let draft = try database.makeDraft()
      do throws(DatabaseError) { try draft.restore(kept.records) } catch { continue }
      restored += draft.operationCount
      _ = draft.changes
      for conflict in draft.conflicts { try draft.resolve(conflict.id, with: .mine) }
      for conflict in draft.conflicts { try draft.resolve(conflict.id, with: .theirs) }
      while try draft.undo() != nil {}
      while try draft.redo() != nil {}
      _ = try draft.commit()
    }
    #expect(restored > 600)
    expectSound(database)
  }

  @Test func `an object that is made twice is damage`() throws {
    let stored = try database.write { transaction in
      try transaction.create(try #require(transaction.schema["Dog"]).key, [:])
    }
    let draft = try database.makeDraft()
    let dog = try #require(draft.reader.schema["Dog"])
    for _ in 0..<2 { try draft.create(dog.key, [:]) }
    let second = try database.makeDraft()
    try second.set(stored, property: try #require(dog["name"]).key, to: .string("Bo"))
    try second.create(dog.key, [:])
    // Operations of two drafts, one of which was put behind the other's.
    let both = [draft.records[0], second.records[1]]
    #expect(both[0].number < both[1].number)
    let journal = DraftJournal(for: database, in: folder.file("more"))
    try journal.keep(draft.records, number: 1)
    journal.close()
    let again = DraftJournal(for: database, in: folder.file("more"))
    #expect(again.findKept().map(\.records.count) == [2])
    let other = DraftJournal(for: database, in: folder.file("twice"))
    try other.keep(both, number: 1)
    other.close()
    #expect(
      DraftJournal(for: database, in: folder.file("twice")).findKept().map(\.records.count) == [1]
    )
  }

  /// CRC-32C, bit by bit.
  private func checksum(
    _ bytes: ArraySlice<UInt8>,
    continuing start: UInt32 = 0
  ) -> UInt32 {
    var checksum = ~start
    for byte in bytes {
      checksum ^= UInt32(byte)
      for _ in 0..<8 {
        let isOdd = checksum & 1 == 1
        checksum >>= 1
        if isOdd { checksum ^= 0x82F6_3B78 }
      }
    }
    return ~checksum
  }

  @Test func `a file that is no journal is none`() throws {
    let others = ["", "hello", String(repeating: "KNLDRAFT", count: 40)]
    for text in others {
      let kept = try find(Array(text.utf8))
      #expect(kept.state == .unreadable)
      #expect(kept.records.isEmpty)
    }
    try FileManager.default.removeItem(atPath: path)
    try Data("hello".utf8).write(to: URL(fileURLWithPath: folder.file("drafts/x.journal")))
    #expect(DraftJournal(for: database, in: folder.file("drafts")).findKept().isEmpty)
  }
}
