import KennelCore
import KennelTestSupport
import Testing

@Suite("A commit of a part of a draft")
struct DraftPartTests {
  /// Commits a draft without some items.
  @discardableResult
  private func commit(
    _ draft: Draft,
    leaving items: [DraftItem.ID] = []
  ) throws -> CommitOutcome {
    let outcome = try draft.commit(leaving: items, in: draft.database.beginWrite())
    guard case .deletionsGrew(let radius) = outcome else { return outcome }
    return try draft.commit(
      confirming: radius,
      leaving: items,
      in: draft.database.beginWrite()
    )
  }

  private func withKennels(_ body: (Kennels, Draft) throws -> Void) throws {
    let kennels = try Kennels()
    defer { kennels.remove() }
    try body(kennels, try kennels.database.makeDraft())
  }

  private func dogs(_ kennels: Kennels) throws -> Value {
    try kennels.database.snapshot().value(of: kennels.ada, property: kennels.dogs)
  }

  @Test func `leaves out the removal of an element whose insertion is left out`() throws {
    try withKennels { kennels, draft in
      let before = try dogs(kennels)
      let fido = try draft.create(kennels.dog.key, [kennels.name: .string("Fido")])
      try draft.insert(.link(fido), at: 1, of: kennels.ada, property: kennels.dogs)
      try draft.removeElement(at: 1, of: kennels.ada, property: kennels.dogs)
      #expect(try draft.dependents(of: [2]) == [3])
      try commit(draft, leaving: [2])
      #expect(draft.changes.flatMap(\.items).map(\.id) == [2, 3])
      try commit(draft)
      #expect(draft.isEmpty)
      #expect(try dogs(kennels) == before)
    }
  }

  @Test func `removes no equal element instead of one whose insertion is left out`() throws {
    try withKennels { kennels, draft in
      let before = try dogs(kennels)
      try draft.insert(.link(kennels.max), at: 3, of: kennels.ada, property: kennels.dogs)
      try draft.removeElement(at: 3, of: kennels.ada, property: kennels.dogs)
      try draft.set(kennels.rex, property: kennels.name, to: .string("King"))
      #expect(try draft.dependents(of: [1]) == [2])
      try commit(draft, leaving: [1])
      #expect(try dogs(kennels) == before)
      try commit(draft)
      #expect(try dogs(kennels) == before)
    }
  }

  @Test func `leaves out what changes an element of a collection that is set as a whole`() throws {
    try withKennels { kennels, draft in
      try draft.set(kennels.ada, property: kennels.dogs, to: .list([]))
      try draft.insert(.link(kennels.max), at: 0, of: kennels.ada, property: kennels.dogs)
      try draft.set(kennels.rex, property: kennels.name, to: .string("King"))
      try commit(draft, leaving: [1])
      #expect(draft.changes.flatMap(\.items).map(\.id) == [1, 2])
      try commit(draft)
      #expect(try dogs(kennels) == .list([.link(kennels.max)]))
    }
  }

  @Test func `leaves out a deletion that would delete fewer objects`() throws {
    try withKennels { kennels, draft in
      let fido = try draft.create(kennels.dog.key, [:])
      try draft.delete([fido, kennels.rex])
      #expect(try draft.dependents(of: [1]) == [2])
      try draft.set(kennels.max, property: kennels.name, to: .string("King"))
      try commit(draft, leaving: [1])
      #expect(try kennels.database.snapshot().contains(kennels.rex))
      try commit(draft)
      #expect(try !kennels.database.snapshot().contains(kennels.rex))
      #expect(try kennels.database.snapshot().count(of: kennels.dog.key) == 1)
    }
  }

  @Test func `stores nothing and says so if nothing is left to commit`() throws {
    try withKennels { kennels, draft in
      let fido = try draft.create(kennels.dog.key, [:])
      try draft.set(fido, property: kennels.name, to: .string("Fido"))
      let number = kennels.database.commitNumber
      guard case .nothingIncluded = try commit(draft, leaving: [1]) else {
        Issue.record("something was committed")
        return
      }
      #expect(kennels.database.commitNumber == number)
      #expect(draft.operationCount == 2)
    }
  }

  @Test func `gives no key of the draft out again`() throws {
    try withKennels { kennels, draft in
      let first = try draft.create(kennels.dog.key, [:])
      let second = try draft.create(kennels.dog.key, [kennels.name: .string("Second")])
      try commit(draft, leaving: [2])
      #expect(try draft.reader.value(of: second, property: kennels.name) == .string("Second"))
      let third = try draft.create(kennels.dog.key, [:])
      draft.discard()
      let fourth = try draft.create(kennels.dog.key, [:])
      try commit(draft)
      let fifth = try draft.create(kennels.dog.key, [:])
      #expect(Set([first, second, third, fourth, fifth]).count == 5)
      #expect(try !draft.reader.contains(first))
    }
  }

  @Test func `leaves a deletion confirmed of an object that it stores`() throws {
    try withKennels { kennels, draft in
      let fido = try draft.create(kennels.dog.key, [:])
      try draft.delete([fido])
      try commit(draft, leaving: [2])
      #expect(draft.operationCount == 1)
      guard case .committed = try draft.commit() else {
        Issue.record("the deletion is to be confirmed again")
        return
      }
      #expect(try kennels.database.snapshot().count(of: kennels.dog.key) == 2)
    }
  }

  @Test func `tells before it is stored what stays in the draft`() throws {
    try withKennels { kennels, draft in
      let fido = try draft.create(kennels.dog.key, [:])
      try draft.set(kennels.ada, property: kennels.favourite, to: .link(fido))
      let number = kennels.database.commitNumber
      var told: [DraftRecord] = []
      _ = try draft.commit(leaving: [2], in: kennels.database.beginWrite()) { rest in
        #expect(kennels.database.commitNumber == number)
        told = rest
      }
      #expect(told.map(\.number) == [2])
      let restored = try kennels.database.makeDraft()
      try restored.restore(told)
      #expect(restored.conflicts.isEmpty)
      #expect(
        try restored.reader.value(of: kennels.ada, property: kennels.favourite)
          == draft.reader.value(of: kennels.ada, property: kennels.favourite)
      )
      try commit(restored)
      #expect(try kennels.database.snapshot().count(of: kennels.dog.key) == 3)
    }
  }
}
