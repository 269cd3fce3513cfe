import Foundation
import KennelCore
@_spi(Tests) import KennelRealm
import KennelTestSupport
import RealmTestSupport
import Testing

/// Versions of one class, in the order of time.
private enum First {
  class Cat: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var first = "F"
    @Persisted var last = "L"
    @Persisted var age: Int
    @Persisted var weight: Int?
    @Persisted var gone: List<Cat>
    override class func className() -> String { "Cat" }
  }
}

private enum Second {
  class Cat: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var fullName = "nobody"
    @Persisted var surname: String
    @Persisted var age: String
    @Persisted var weight: Int
    @Persisted var lives = 9
    override class func className() -> String { "Cat" }
  }
}

private enum Keyed {
  class Cat: Object {
    @Persisted var id: Int
    @Persisted(primaryKey: true) var first: String
    @Persisted var last: String
    @Persisted var age: Int
    @Persisted var weight: Int?
    @Persisted var gone: List<Cat>
    override class func className() -> String { "Cat" }
  }
}

@Suite struct `Versions of classes` {
  /// A file of the first version with two cats, checked at the end.
  private func withCats(_ body: (Realm.Configuration) throws -> Void) throws {
    let folder = try TemporaryFolder()
    var configuration = Realm.Configuration(
      fileURL: URL(fileURLWithPath: folder.file("cats.kennel")),
      objectTypes: [First.Cat.self]
    )
    try makeCats(configuration)
    configuration.objectTypes = [Second.Cat.self]
    try body(configuration)
    expectSound(at: folder.file("cats.kennel"))
  }

  private func makeCats(_ configuration: Realm.Configuration) throws {
    let realm = try Realm(configuration: configuration)
    try realm.write {
      let tom = realm.create(
        First.Cat.self,
        value: ["id": 1, "first": "Tom", "last": "Cat", "age": 3, "weight": 5]
      )
      realm.create(First.Cat.self, value: ["id": 2, "age": 4, "gone": [tom, tom]])
    }
  }

  @Test func `other classes are refused without a higher version, with every difference`() throws {
    try withCats { configuration in
      let error = #expect(throws: Realm.Error.self) {
        _ = try Realm(configuration: configuration)
      }
      #expect(error?.code == .schemaMismatch)
      let message = error?.message ?? ""
      for line in [
        "- Property 'Cat.fullName' has been added.", "- Property 'Cat.first' has been removed.",
        "- Property 'Cat.age' has been changed from 'int' to 'string'.",
        "- Property 'Cat.weight' has been made required.", "Set a higher schemaVersion",
      ] {
        #expect(message.contains(line), "\(message)")
      }
    }
  }

  @Test func `a migration reads old objects, writes new ones and renames properties`() throws {
    try withCats { configuration in
      var configuration = configuration
      configuration.schemaVersion = 2
      configuration.migrationBlock = { migration, version in
        #expect(version == 0)
        #expect(migration.oldSchema["Cat"]?["first"] != nil)
        #expect(migration.newSchema["Cat"]?["lives"] != nil)
        migration.enumerateObjects(ofType: "Cat") { old, new in
          #expect(old?["id"] as? Int == new?["id"] as? Int)
          #expect(
            (old?["gone"] as? List<MigrationObject>)?.count == (old?["id"] as? Int == 1 ? 0 : 2)
          )
          new?["fullName"] = "\(old?["first"] ?? "") \(old?["last"] ?? "")"
          new?["age"] = "\(old?["age"] ?? "")"
        }
        migration.renameProperty(onType: "Cat", from: "last", to: "surname")
        migration.create("Cat", value: ["id": 3, "fullName": "New"])
      }
      let realm = try Realm(configuration: configuration)
      let cats = realm.objects(Second.Cat.self)
      #expect(Array(cats.map(\.fullName)) == ["Tom Cat", "F L", "New"])
      #expect(Array(cats.map(\.surname)) == ["Cat", "L", ""])
      #expect(Array(cats.map(\.age)) == ["3", "4", ""])
      #expect(Array(cats.map(\.weight)) == [5, 0, 0])
      // Older objects get the type's own default, as in Realm; new ones what the class says.
      #expect(Array(cats.map(\.lives)) == [0, 0, 9])
      let stored = try storedClass("Cat", of: realm)
      #expect(Set(stored.types.keys) == ["id", "fullName", "surname", "age", "weight", "lives"])
    }
  }

  @Test func `a mistake in a migration leaves the file as it was and free`() throws {
    try withCats { configuration in
      var configuration = configuration
      configuration.schemaVersion = 2
      configuration.migrationBlock = { migration, _ in
        migration.create("Cat", value: ["id": 3])
        migration.enumerateObjects(ofType: "Cat") { _, new in new?["tail"] = "long" }
      }
      let mistaken = configuration
      let url = try #require(configuration.fileURL)
      let sentence = catchRealmException { _ = try? Realm(configuration: mistaken) }
      #expect(sentence?.contains("tail") == true)
      #expect(try schemaVersionAtURL(url) == 0)
      configuration.migrationBlock = nil
      let opened = configuration
      onAnotherThread {
        let realm = try? Realm(configuration: opened)
        #expect(realm?.objects(Second.Cat.self).count == 2)
      }
    }
  }

  @Test func `an older version is refused`() throws {
    try withCats { configuration in
      var configuration = configuration
      configuration.schemaVersion = 3
      _ = try Realm(configuration: configuration)
      configuration.schemaVersion = 2
      let error = #expect(throws: Realm.Error.self) {
        _ = try Realm(configuration: configuration)
      }
      #expect(error?.message.contains("is less than last set version 3") == true)
      #expect(try schemaVersionAtURL(#require(configuration.fileURL)) == 3)
    }
  }

  @Test func `a file is made anew where the configuration says so`() throws {
    try withCats { configuration in
      var configuration = configuration
      configuration.deleteRealmIfMigrationNeeded = true
      let realm = try Realm(configuration: configuration)
      #expect(realm.isEmpty)
      try realm.write { _ = realm.create(Second.Cat.self) }
    }
  }

  @Test func `another primary key must be unique after the migration`() throws {
    try withCats { configuration in
      var configuration = configuration
      configuration.objectTypes = [Keyed.Cat.self]
      configuration.schemaVersion = 1
      configuration.migrationBlock = { migration, _ in
        migration.enumerateObjects(ofType: "Cat") { _, new in new?["first"] = "same" }
      }
      let error = #expect(throws: Realm.Error.self) {
        _ = try Realm(configuration: configuration)
      }
      #expect(error?.message.contains("'Cat.first' has duplicate values after migration") == true)
      configuration.migrationBlock = nil
      let realm = try Realm(configuration: configuration)
      #expect(realm.object(ofType: Keyed.Cat.self, forPrimaryKey: "Tom")?.id == 1)
    }
  }
}

/// A class with names of its own in the file, and what it leads to.
private enum Third {
  class Kennel: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var title = "kennel"
    @Persisted var size: Int8 = 3
    @Persisted var any: AnyRealmValue
    @Persisted var best: Puppy? = Puppy(value: ["best"])
    @Persisted var puppies: List<Puppy>
    @Persisted var known: MutableSet<Puppy>
    @Persisted var byName: Map<String, Puppy?>
    @Persisted var place: Place?
    @Persisted var numbers: List<Int8>
    override class func propertiesMapping() -> [String: String] {
      ["title": "stored_title", "best": "stored_best"]
    }
  }

  class Puppy: Object {
    @Persisted var name = ""
  }

  class Place: EmbeddedObject {
    @Persisted var city = ""
  }

  static let types: [ObjectBase.Type] = [Kennel.self, Puppy.self, Place.self]
}

@Suite struct `Objects of migrations` {
  /// Makes a file with a kennel and migrates it.
  private func migrate(
    _ block: @escaping MigrationBlock,
    _ check: (Realm) throws -> Void
  ) throws {
    let folder = try TemporaryFolder()
    let path = folder.file("test.kennel")
    var configuration = Realm.Configuration(
      fileURL: URL(fileURLWithPath: path),
      objectTypes: Third.types
    )
    do {
      let realm = try Realm(configuration: configuration)
      try realm.write {
        realm.create(
          Third.Kennel.self,
          value: [
            "id": 1, "any": "text", "puppies": [["a"]], "known": [["b"]], "byName": ["c": ["c"]],
            "place": ["city": "London"], "numbers": [1, 2],
          ]
        )
      }
    }
    configuration.schemaVersion = 1
    configuration.migrationBlock = block
    try check(try Realm(configuration: configuration))
    expectSound(at: path)
  }

  @Test func `show every kind of value, under the names of their version`() throws {
    nonisolated(unsafe) var count = 0
    try migrate { migration, _ in
      migration.enumerateObjects(ofType: "Kennel") { old, new in
        guard let old, let new else { return }
        unsafe count += 1
        #expect(old["stored_title"] as? String == "kennel" && new["title"] as? String == "kennel")
        #expect(new.size as? Int == 3 && new.size as? Int8 == 3 && new.any as? String == "text")
        #expect((old["stored_best"] as? MigrationObject)?.name as? String == "best")
        #expect((new.puppies as? List<MigrationObject>)?.first?.name as? String == "a")
        #expect((new.known as? MutableSet<MigrationObject>)?[0].name as? String == "b")
        let map = new.byName as? Map<String, MigrationObject?>
        #expect(map?["c"]??.name as? String == "c")
        #expect((new.place as? MigrationObject)?.city as? String == "London")
        #expect((new.numbers as? List<Int>)?.count == 2)
        let schema = Third.Kennel.sharedSchema()
        #expect(new.objectSchema.properties == schema?.properties)
        #expect(migration.newSchema["Kennel"]?.properties == schema?.properties)
        expectMisuse("Invalid property name") { _ = old["none"] }
      }
    } _: { realm in
      unsafe #expect(count == 1 && realm.objects(Third.Kennel.self).count == 1)
    }
  }

  @Test func `take every kind of value, and unmanaged objects`() throws {
    try migrate { migration, _ in
      migration.enumerateObjects(ofType: "Kennel") { _, new in
        guard let new else { return }
        let puppy = Third.Puppy(value: ["new"])
        new["best"] = puppy
        let list = new.dynamicList("puppies")
        list[0]["name"] = "changed"
        if let best = new["best"] as? MigrationObject { list.append(best) }
        list.append(migration.create("Puppy", value: ["made"]))
        #expect(list.count == 3)
        new["known"] = [puppy, Third.Puppy(value: ["other"])]
        new["byName"] = ["d": Third.Puppy(value: ["d"]), "none": nil]
        new["place"] = ["city": "Paris"]
        new["numbers"] = [7]
        new["title"] = nil as String? ?? "new title"
        new["any"] = puppy
      }
      let made = migration.create("Kennel", value: ["id": 2, "size": NSNumber(value: 4)])
      #expect((made.best as? MigrationObject)?.name as? String == "best")
      expectMisuse("no such class") { migration.create("Barn") }
      #expect(!migration.deleteData(forType: "Barn"))
    } _: { realm in
      let kennel = try #require(realm.object(ofType: Third.Kennel.self, forPrimaryKey: 1))
      #expect(kennel.title == "new title" && kennel.best?.name == "new")
      #expect(kennel.puppies.map(\.name) == ["changed", "new", "made"])
      #expect(Set(kennel.known.map(\.name)) == ["new", "other"])
      #expect(kennel.byName["d"]??.name == "d" && kennel.byName["none"] == .some(nil))
      #expect(kennel.place?.city == "Paris" && Array(kennel.numbers) == [7])
      #expect(kennel.any.object(Third.Puppy.self)?.name == "new")
      let other = try #require(realm.object(ofType: Third.Kennel.self, forPrimaryKey: 2))
      #expect(other.title == "kennel" && other.size == 4 && other.best?.name == "best")
      // best, a, b, c; new, made, other, d; the best of the second kennel.
      #expect(realm.objects(Third.Puppy.self).count == 9)
    }
  }

  @Test func `that were deleted are not met again, nor those that were made`() throws {
    nonisolated(unsafe) var count = 0
    try migrate { migration, _ in
      migration.deleteData(forType: "Puppy")
      migration.create("Puppy", value: ["new"])
      migration.enumerateObjects(ofType: "Puppy") { _, _ in unsafe count += 1 }
      migration.enumerateObjects(ofType: "None") { _, _ in unsafe count += 1 }
    } _: { realm in
      unsafe #expect(count == 0 && realm.objects(Third.Puppy.self).map(\.name) == ["new"])
    }
  }

  @Test func `are deleted with their class where the program no longer has it`() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("test.kennel")
    var configuration = Realm.Configuration(
      fileURL: URL(fileURLWithPath: path),
      objectTypes: Third.types
    )
    func classes() throws -> Set<String> {
      Set(try Database.open(path).snapshot().schema.classes.map(\.name))
    }
    do {
      let realm = try Realm(configuration: configuration)
      try realm.write {
        realm.create(Third.Kennel.self, value: ["id": 1, "puppies": [["a"]], "place": ["Rome"]])
      }
    }
    configuration.objectTypes = [First.Cat.self, Third.Puppy.self]
    configuration.schemaVersion = 1
    configuration.migrationBlock = { migration, _ in
      // A kennel still has places.
      #expect(migration.deleteData(forType: "Place") && !migration.deleteData(forType: "Place"))
      #expect(migration.deleteData(forType: "Puppy") && migration.deleteData(forType: "Puppy"))
    }
    do {
      let realm = try Realm(configuration: configuration)
      #expect(realm.objects(Third.Puppy.self).isEmpty)
      #expect(try classes() == ["Kennel", "Puppy", "Place", "Cat"])
    }
    configuration.schemaVersion = 2
    configuration.migrationBlock = { migration, _ in
      #expect(migration.deleteData(forType: "Kennel") && migration.deleteData(forType: "Place"))
      #expect(!migration.deleteData(forType: "None"))
      migration.enumerateObjects(ofType: "Kennel") { old, new in
        #expect(old?["id"] as? Int == 1 && new == nil)
      }
    }
    do {
      let realm = try Realm(configuration: configuration)
      #expect(try classes() == ["Puppy", "Cat"])
      try realm.write { realm.add(First.Cat(value: ["id": 1])) }
    }
    expectSound(at: path)
  }
}
