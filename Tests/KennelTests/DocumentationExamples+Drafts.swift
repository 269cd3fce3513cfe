import Kennel
import Testing

extension `The examples of the documentation` {
  @Test func `of drafts`() throws {
    let family = try FamilyFile()
    let (database, rex) = (family.database, family.rex)
    do {
      let draft = try database.draft()
      try draft.edit(rex) { $0.name = "Max" }
      try draft.undo()
      try draft.edit(rex) { $0.age = 5 }
      for change in draft.changes { print(change) }
      if case .conflicts(let conflicts) = try draft.commit() {
        for conflict in conflicts { print(conflict.message) }
      }
      try #expect(database.snapshot().current(rex)?.age == 5)
    }
    let draft = try database.draft()
    do {
      try draft.edit(rex) { $0.name = "Max" }
      for change in draft.changes where change.property == "name" {
        print(change)
        try draft.drop(change)
      }
      #expect(draft.isEmpty)
    }
    do {
      let max = try draft.create(Dog.self) { $0.name = "Max" }
      let created = draft.changes.filter { $0.kind == .created }
      print(created.count)
      if case .committed(let commit) = try draft.commit() {
        print(commit.number, try commit.object(max).name)
      }
    }
    do {
      let max = try draft.create(Dog.self) { $0.name = "Max" }
      if case .committed(let commit) = try draft.commit() {
        print(commit.number, try commit.object(max).name)
      }
    }
    switch try draft.commit() {
    case .committed(let commit): print("commit \(commit.number)")
    case .conflicts(let conflicts): print(conflicts.map(\.message))
    case .deletionsGrew(let radius): print(radius)
    }
    try #expect(database.snapshot().objects(Dog.self).count == 4)
  }

  @Test func `of conflicts`() throws {
    let family = try FamilyFile()
    let (database, rex) = (family.database, family.rex)
    let draft = try database.draft()
    func meetConflict(_ mine: String, _ theirs: String) throws {
      try draft.edit(rex) { $0.name = mine }
      try database.write { db in try db.edit(rex) { $0.name = theirs } }
      _ = try draft.commit()
      #expect(draft.conflicts.count == 1)
    }
    try meetConflict("Mine", "Bello")
    for conflict in draft.conflicts {
      print(conflict.message)
      try draft.resolve(conflict, with: conflict.canKeepMine ? .mine : .theirs)
    }
    _ = try draft.commit()
    try #expect(database.snapshot().current(rex)?.name == "Mine")
    try meetConflict("Max", "Hasso")
    for conflict in draft.conflicts { try draft.resolve(conflict, with: .theirs) }
    #expect(draft.isEmpty)
  }

  @Test func `of migrations`() throws {
    struct Before {
      struct Dog: Model {
        let title = Property<String>()
        let age = Property<String>()
      }
    }
    func makeOldFile(_ name: String, _ folder: CheckedFolder) throws -> String {
      let old = try Database.open(folder.file(name), models: Before.Dog.self)
      try old.write { db in
        try db.create(Before.Dog.self) {
          $0.title = "Rex"
          $0.age = "3"
        }
      }
      return old.path
    }
    let folder = try CheckedFolder()
    struct Dog: Model {
      let name = Property<String>()
      let age = Property<Int>()
    }
    do {
      let path = try makeOldFile("renamed.kennel", folder)
      let database = try Database.open(path, models: Dog.self, version: 2) { migration in
        if migration.oldVersion < 1 { try migration.renameProperty("title", to: "name", of: "Dog") }
        if migration.oldVersion < 2 {
          try migration.convert("age", of: "Dog", to: Int.self) { old in
            if case .string(let text) = old { Int(text) ?? 0 } else { 0 }
          }
        }
      }
      print(database.path)
      let rex = try #require(try database.snapshot().objects(Dog.self).first)
      try #expect(rex.name == "Rex" && rex.age == 3)
    }
    do {
      struct Dog: Model { let name = Property<String>() }
      let path = try makeOldFile("updated.kennel", folder)
      let database = try Database.open(path, models: Dog.self, version: 3) { migration in
        try migration.update { db in
          for dog in try db.objects(Dog.self) {
            guard case .string(let title) = try migration.value("title", of: dog) else { continue }
            try db.edit(dog) { $0.name = title }
          }
        }
        try migration.deleteProperty("title", of: "Dog")
      }
      print(database.path)
      try #expect(database.snapshot().objects(Dog.self).first?.name == "Rex")
    }
  }
}
