import Kennel
import Testing

@Suite struct `A draft of models` {
  @Test func `is reviewed, undone, redone and committed`() throws {
    let family = try FamilyFile()
    let draft = try family.database.draft()
    try draft.edit(family.rex) { $0.age = 5 }
    let bello = try draft.create(Dog.self) { $0.name = "Bello" }
    try draft.edit(family.ada) { try $0.append(bello, to: \.dogs) }
    #expect(draft.changes.contains { $0.description == "Dog/1.age: 3 → 5" })
    try #expect(draft.current(family.ada)?.dogs.map { try $0.name } == ["Rex", "Bello"])
    try #expect(family.database.snapshot().current(family.ada)?.dogs.count == 1)
    try #expect(draft.undo() != nil && draft.current(family.ada)?.dogs.count == 1)
    try #expect(draft.redo() != nil && draft.current(family.ada)?.dogs.count == 2)
    guard case .committed(let commit) = try draft.commit() else {
      Issue.record("The draft was not committed")
      return
    }
    try #expect(commit.object(bello).owners.count == 1 && commit.object(family.rex).age == 5)
    #expect(draft.isEmpty)
  }

  @Test func `shows what its deletions take with them`() throws {
    let family = try FamilyFile()
    let draft = try family.database.draft()
    try #expect(draft.delete(family.ada) == 2)
    try #expect(draft.blastRadius?.deletionCount == 2)
    try draft.discard()
    try #expect(draft.isEmpty && draft.blastRadius == nil)
  }

  @Test func `meets what others commit`() throws {
    let family = try FamilyFile()
    let draft = try family.database.draft()
    try draft.edit(family.rex) { $0.age = 5 }
    try family.database.write { db in
      try db.edit(family.rex) { $0.name = "Max" }
      try db.create(Dog.self) { $0.name = "Bello" }
    }
    try #expect(draft.objects(Dog.self).count == 2)
    try #expect(draft.refresh() && draft.objects(Dog.self).count == 3)
    try #expect(draft.current(family.rex)?.name == "Max" && draft.current(family.rex)?.age == 5)
    try family.database.write { db in try db.edit(family.rex) { $0.age = 4 } }
    guard case .conflicts(let conflicts) = try draft.commit() else {
      Issue.record("The draft met no conflict")
      return
    }
    #expect(conflicts.map(\.mine) == [.int(5)] && conflicts.map(\.theirs) == [.int(4)])
    try draft.resolve(conflicts[0], with: .mine)
    guard case .committed = try draft.commit() else {
      Issue.record("The draft was not committed")
      return
    }
    try #expect(family.database.snapshot().current(family.rex)?.age == 5)
  }

  @Test func `asks again when its deletion would take more`() throws {
    let family = try FamilyFile()
    let draft = try family.database.draft()
    try draft.delete(family.ada)
    try family.database.write { db in
      let bello = try db.create(Dog.self) { $0.name = "Bello" }
      try db.edit(family.ada) { try $0.append(bello, to: \.dogs) }
    }
    guard case .deletionsGrew(let radius) = try draft.commit() else {
      Issue.record("The deletion was committed unseen")
      return
    }
    #expect(radius.deletionCount == 3)
    guard case .committed = try draft.commit(confirming: radius) else {
      Issue.record("The deletion that was confirmed was not committed")
      return
    }
    try #expect(family.database.snapshot().objects(Dog.self).map { try $0.name } == ["Max"])
  }

  @Test func `is read by other threads while it is edited`() async throws {
    let family = try FamilyFile()
    let draft = try family.database.draft()
    try draft.edit(family.rex) { $0.age = 0 }
    let rex = try #require(try draft.current(family.rex))
    let reading = Task.detached {
      var last = 0
      while last < 200 {
        let age = try rex.age
        #expect(age >= last)
        last = age
      }
    }
    for age in 1...200 { try draft.edit(rex) { $0.age = age } }
    try await reading.value
  }
}
