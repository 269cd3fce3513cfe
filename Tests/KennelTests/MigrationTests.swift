import Kennel
import Testing

@Suite struct `A model that contradicts the file` {
  private struct Dog: Model {
    let name = Property<String>()
    let age = Property<Int>()
    let weight = Property<Double?>()
    let friend = Property<Object<Dog>?>()
  }

  private func makeFile(_ folder: CheckedFolder) throws -> String {
    let database = try Database.open(folder.file("dogs.kennel"), models: Dog.self)
    try database.write { db in
      let rex = try db.create(Dog.self) {
        $0.name = "Rex"
        $0.age = 3
      }
      try db.create(Dog.self) {
        $0.name = "Max"
        $0.age = 300
        $0.weight = 2.5
        $0.friend = rex
      }
    }
    return database.path
  }

  /// Opens the file with a model that contradicts it; then with the step that the error says.
  private func expectAdvice<M: Model>(
    _ model: M.Type,
    _ advice: String,
    _ step: @escaping (Migration) throws -> Void,
    _ check: (Results<M>) throws -> Void
  ) throws {
    let folder = try CheckedFolder()
    let path = try makeFile(folder)
    let error = #expect(throws: DatabaseError.self) { try Database.open(path, models: model) }
    #expect(error?.code == .schemaMismatch)
    #expect(error?.message.contains("migration.\(advice)") == true, "\(error?.message ?? "")")
    let migrated = try Database.open(path, models: model, version: 1, migrate: step)
    try check(migrated.snapshot().objects(model))
    let again = try Database.open(path, models: model, version: 1) { _ in
      Issue.record("A file was migrated twice")
    }
    try check(again.snapshot().objects(model))
  }

  @Test func `is told to convert a property`() throws {
    struct After {
      struct Dog: Model { let age = Property<String>() }
    }
    try expectAdvice(After.Dog.self, #"convert("age", of: "Dog", to: …) { old in … }"#) {
      try $0.convert("age", of: "Dog", to: String.self) { old in
        if case .int(let years) = old { "\(years) years" } else { "" }
      }
    } _: { dogs in
      try #expect(dogs.map { try $0.age } == ["3 years", "300 years"])
    }
  }

  @Test func `is told to set a width`() throws {
    struct After {
      struct Dog: Model { let age = Property<Int16>() }
    }
    try expectAdvice(After.Dog.self, #"setBitWidth(16, "age", of: "Dog")"#) {
      #expect(throws: DatabaseError.self) { [migration = $0] in
        try migration.setBitWidth(8, "age", of: "Dog")
      }
      try $0.setBitWidth(16, "age", of: "Dog")
    } _: { dogs in
      try #expect(dogs.map { try $0.age } == [3, 300])
    }
  }

  @Test func `is told to make a property required`() throws {
    struct After {
      struct Dog: Model { let weight = Property<Double>() }
    }
    try expectAdvice(After.Dog.self, #"setOptional(false, "weight", of: "Dog")"#) {
      try $0.setOptional(false, "weight", of: "Dog")
    } _: { dogs in
      try #expect(dogs.map { try $0.weight } == [0, 2.5])
    }
  }

  @Test func `is told to set a primary key`() throws {
    struct After {
      struct Dog: Model { let name = Property<String>(.primaryKey) }
    }
    try expectAdvice(After.Dog.self, #"setPrimaryKey("name", of: "Dog")"#) {
      try $0.setPrimaryKey("name", of: "Dog")
    } _: { dogs in
      try #expect(dogs.map { try $0.name } == ["Rex", "Max"])
    }
  }

  @Test func `is told to set a delete rule`() throws {
    struct After {
      struct Dog: Model { let friend = Property<Object<Dog>?>(deleteRule: .cascade) }
    }
    try expectAdvice(After.Dog.self, #"setDeleteRule(.cascade, "friend", of: "Dog")"#) {
      try $0.setDeleteRule(.cascade, "friend", of: "Dog")
    } _: { dogs in
      try #expect(dogs.map { try $0.friend != nil } == [false, true])
    }
  }

  @Test func `is told to set a target rule`() throws {
    struct After {
      struct Dog: Model { let friend = Property<Object<Dog>?>(targetRule: .deny) }
    }
    try expectAdvice(After.Dog.self, #"setTargetRule(.deny, "friend", of: "Dog")"#) {
      try $0.setTargetRule(.deny, "friend", of: "Dog")
    } _: { dogs in
      try #expect(dogs.map { try $0.friend != nil } == [false, true])
    }
  }

  @Test func `is told to delete a property that becomes a list of links`() throws {
    struct After {
      struct Dog: Model { let friend = Property<[Object<Dog>]>() }
    }
    try expectAdvice(After.Dog.self, #"deleteProperty("friend", of: "Dog")"#) {
      try $0.deleteProperty("friend", of: "Dog")
    } _: { dogs in
      try #expect(dogs.allSatisfy { try $0.friend.isEmpty })
    }
  }

  @Test func `leaves the file as it was when its migration throws`() throws {
    struct Refusal: Error {}
    struct After {
      struct Dog: Model { let age = Property<String>() }
    }
    let folder = try CheckedFolder()
    let path = try makeFile(folder)
    #expect(throws: Refusal.self) {
      try Database.open(path, models: After.Dog.self, version: 1) { migration in
        try migration.deleteProperty("age", of: "Dog")
        throw Refusal()
      }
    }
    try #expect(
      Database.open(path, models: Dog.self).snapshot().objects(Dog.self).sum(\.age) == 303
    )
  }

  @Test func `renames and deletes classes and properties`() throws {
    struct Hound: Model {
      let title = Property<String>()
      let age = Property<Int>()
    }
    let folder = try CheckedFolder()
    let path = try makeFile(folder)
    let database = try Database.open(path, models: Hound.self, version: 1) { migration in
      try migration.renameProperty("name", to: "title", of: "Dog")
      try migration.renameClass("Dog", to: "Hound")
    }
    try #expect(database.snapshot().objects(Hound.self).map { try $0.title } == ["Rex", "Max"])
    struct Cat: Model { let name = Property<String>() }
    let without = try Database.open(path, models: Cat.self, version: 2) { migration in
      try migration.deleteClass("Hound")
    }
    try #expect(without.snapshot().objects(Cat.self).isEmpty)
  }

  @Test func `is refused where the file is newer`() throws {
    let folder = try CheckedFolder()
    let path = folder.file("new.kennel")
    _ = try Database.open(path, models: Dog.self, version: 3)
    let error = #expect(throws: DatabaseError.self) {
      try Database.open(path, models: Dog.self, version: 2)
    }
    #expect(error?.message.hasSuffix("run a newer program") == true)
  }

  @Test func `of which the database knows nothing is named`() throws {
    struct Cat: Model { let name = Property<String>() }
    let family = try FamilyFile()
    let error = #expect(throws: DatabaseError.self) {
      try family.database.snapshot().objects(Cat.self)
    }
    #expect(error?.message.hasPrefix("Cat is not a model of the database at ") == true)
  }
}

@Suite struct `Models that contradict the file` {
  @Test func `are told all at once what a migration has to do`() throws {
    struct After {
      struct Dog: Model {
        let name = Property<Int>()
        let age = Property<Int?>()
        let nickname = Property<String>()
        let friend = Property<Object<Dog>?>()
      }
      struct Person: Model {
        let name = Property<String>()
        let dogs = Property<Int>(.unique)
      }
    }
    let family = try FamilyFile()
    let path = family.database.path
    let error = #expect(throws: DatabaseError.self) {
      try Database.open(path, models: After.Dog.self, After.Person.self)
    }
    #expect(
      error?.message == """
        The classes have 5 mistakes:
        - Dog.name has the type string in the file, not int; changing that needs a migration: open it \
        with a higher version and { migration in try migration.convert("name", of: "Dog", to: …) { old \
        in … } }
        - Dog.age has the type int in the file, not int?; changing that needs a migration: open it with \
        a higher version and { migration in try migration.setOptional(true, "age", of: "Dog") }
        - Dog.nickname has the type string? in the file, not string; changing that needs a migration: \
        open it with a higher version and { migration in try migration.setOptional(false, "nickname", \
        of: "Dog") }
        - Person.name is the primary key in the file; changing that needs a migration: open it with a \
        higher version and { migration in try migration.setPrimaryKey(nil, of: "Person") }
        - Person.dogs has the type list<link<Dog>> in the file, not int; changing that needs a \
        migration: open it with a higher version and { migration in try migration.convert("dogs", of: \
        "Person", to: …) { old in … } }
        """
    )
    #expect(error?.mistakes.map(\.className) == ["Dog", "Dog", "Dog", "Person", "Person"])
    #expect(error?.mistakes.map(\.propertyName) == ["name", "age", "nickname", "name", "dogs"])
    try #expect(family.database.snapshot().objects(Dog.self).map { try $0.age } == [3, 9])
  }
}

@Suite struct `A default that was changed` {
  private struct One {
    struct Dog: Model {
      let age = Property<Int>(default: 1)
      let name = Property<String>()
    }
  }
  private struct Two {
    struct Dog: Model {
      let age = Property<Int>(default: 2)
      let name = Property<String>(default: "Rex")
    }
  }

  @Test func `is that of objects created from then on, and taken away again`() throws {
    let folder = try CheckedFolder()
    let path = folder.file("dogs.kennel")
    func createDog<M: Model>(_ model: M.Type) throws {
      try Database.open(path, models: model).write { db in _ = try db.create(model) }
    }
    try createDog(One.Dog.self)
    try createDog(Two.Dog.self)
    try createDog(One.Dog.self)
    let dogs = try Database.open(path, models: One.Dog.self).snapshot().objects(One.Dog.self)
    try #expect(dogs.map { try $0.age } == [1, 2, 1])
    try #expect(dogs.map { try $0.name } == ["", "Rex", ""])
  }
}
