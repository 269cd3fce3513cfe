import Foundation
import KennelCore
import KennelRealm
import KennelTestSupport
import RealmTestSupport
import Testing

class MustHaveDog: Object {
  @Persisted var name = ""
  @Persisted var dog: Dog
}

class TwoKeys: Object {
  @Persisted(primaryKey: true) var first: Int
  @Persisted(primaryKey: true) var second: Int
}

class Mapped: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var text = "none"
  @Persisted var next: Mapped?
  @Persisted(originProperty: "next") var previous: LinkingObjects<Mapped>
  override class func propertiesMapping() -> [String: String] {
    ["text": "stored_text", "next": "stored_next"]
  }
}

class Ancestor: Object {
  @Persisted var inherited = 1
  var notStored = 2
  lazy var made = notStored + 1
}

class Descendant: Ancestor {
  @Persisted var own: String?
}

class LonelyAddress: EmbeddedObject {
  @Persisted var city = ""
}

@Suite struct `Classes as realms know them` {
  private func open(_ types: [ObjectBase.Type]) {
    let name = UUID().uuidString
    _ = try? Realm(configuration: .init(inMemoryIdentifier: name, objectTypes: types))
  }

  @Test func `a to-one link that is not optional is refused`() {
    expectMisuse("'MustHaveDog.dog' must be marked as optional") {
      open([MustHaveDog.self, Dog.self, Person.self, Address.self])
    }
  }

  @Test func `a class has one primary key`() {
    expectMisuse("'first' and 'second' are both marked as the primary key") {
      open([TwoKeys.self])
    }
  }

  @Test func `the classes of a realm link to each other only`() {
    expectMisuse("'Dog.owners' links to class 'Person', which is missing") { open([Dog.self]) }
  }

  @Test func `two classes of one name are reported when all classes are asked for`() {
    let error = #expect(throws: Realm.Error.self) {
      _ = try Realm(configuration: .init(inMemoryIdentifier: UUID().uuidString))
    }
    #expect(error?.code == .schemaMismatch)
    #expect(error?.message.contains("has two model classes called") == true)
  }

  @Test func `a class that the realm does not have is a mistake`() throws {
    try withRealm([Everything.self]) { realm in
      expectMisuse("Object type 'Dog' is not managed by the Realm") { _ = realm.objects(Dog.self) }
      realm.beginWrite()
      expectMisuse("Object type 'Dog' is not managed by the Realm") { realm.add(Dog()) }
      realm.cancelWrite()
    }
  }

  @Test func `names in the file may differ from those in Swift`() throws {
    try withRealm([Mapped.self]) { realm in
      let second = Mapped(value: ["id": 2, "text": "b"])
      try realm.write { realm.create(Mapped.self, value: ["id": 1, "text": "a", "next": second]) }
      let stored = try storedClass("Mapped", of: realm)
      #expect(stored.types["stored_text"] == "string" && stored.types["text"] == nil)
      let first = try #require(realm.objects(Mapped.self).where { $0.text == "a" }.first)
      #expect(realm.objects(Mapped.self).filter("text == 'a'").first == first)
      #expect(first.next?.previous.first == first && first["text"] as? String == "a")
      #expect(realm.schema["Mapped"]?["text"]?.columnName == "stored_text")
    }
  }

  @Test func `properties are inherited, and what is not persisted is not stored`() throws {
    try withRealm([Ancestor.self, Descendant.self]) { realm in
      let child = Descendant(value: ["inherited": 5, "own": "x"])
      child.notStored = 7
      try realm.write { realm.add(child) }
      #expect(child.notStored == 7 && child.made == 8)
      let read = try #require(realm.objects(Descendant.self).first)
      #expect(read.inherited == 5 && read.own == "x" && read.notStored == 2)
      #expect(realm.objects(Ancestor.self).isEmpty)
      #expect(try storedClass("Descendant", of: realm).types.count == 2)
    }
  }

  @Test func `the schema describes classes and properties`() throws {
    try withRealm(zoo) { realm in
      let person = try #require(realm.schema["Person"])
      #expect(person.primaryKeyProperty?.name == "name" && !person.isEmbedded)
      #expect(realm.schema["Address"]?.isEmbedded == true)
      #expect(person["dogs"]?.isArray == true && person["dogs"]?.objectClassName == "Dog")
      #expect(person["friends"]?.isSet == true && person["grades"]?.isMap == true)
      #expect(person["age"]?.isIndexed == true && person["age"]?.type == .int)
      #expect(person["bestFriend"]?.isOptional == true)
      #expect(person["admirers"]?.type == .linkingObjects)
      #expect(!person.properties.contains { $0.name == "admirers" })
      #expect(Person().objectSchema == person)
    }
  }

  @Test func `the browser sees widths, keys, indexes, defaults and backlinks`() throws {
    try withRealm([Everything.self]) { realm in
      let types = try storedClass("Everything", of: realm).types
      #expect(types["int8"] == "int8" && types["optionalInt8"] == "int8?")
      #expect(types["mood"] == "string" && types["size"] == "int" && types["any"] == "mixed")
      #expect(types["link"] == "link<Everything>" && types["notStored"] == nil)
    }
    try withRealm(zoo) { realm in
      let person = try storedClass("Person", of: realm)
      #expect(person.primaryKey == "name" && person.backlinks == ["admirers"])
      #expect(person.types["dogsByRole"] == "map<link<Dog>>")
      #expect(try storedClass("Dog", of: realm).backlinks == ["owners"])
    }
  }
}
