import Foundation
import KennelCore
import KennelRealm
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
