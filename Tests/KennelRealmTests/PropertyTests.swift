// swift-format-ignore-file: NeverUseImplicitlyUnwrappedOptionals

import Foundation
import KennelRealm
import RealmTestSupport
import Testing

enum Level: Double, PersistableEnum {
  case low = 0.5
  case high = 1.5
}
enum Grade: Float, PersistableEnum {
  case good = 1
  case bad = -1
}
enum Code: Int16, PersistableEnum {
  case first = 7
  case second = 8
}

class Shapes: Object {
  @Persisted var forced: String! = "forced"
  @Persisted var level: Level
  @Persisted var grade: Grade?
  @Persisted var code: Code = .second
  @Persisted var numbers: List<Int?>
  @Persisted var moods: List<Mood>
  @Persisted var codes: MutableSet<Code>
  @Persisted var dates: MutableSet<Date?>
  @Persisted var anything: List<AnyRealmValue>
  @Persisted var ids: Map<String, ObjectId>
  @Persisted var datas: Map<String, Data?>
  @Persisted var bools: List<Bool>
  @Persisted var decimals: List<Decimal128>
  @Persisted var made = Date()
}

class ByInt8: Object { @Persisted(primaryKey: true) var id: Int8 }
class ByInt16: Object { @Persisted(primaryKey: true) var id: Int16 }
class ByInt32: Object { @Persisted(primaryKey: true) var id: Int32? }
class ByInt64: Object { @Persisted(primaryKey: true) var id: Int64 = -5 }
class ByText: Object { @Persisted(primaryKey: true) var id: String? }
class ByUUID: Object { @Persisted(primaryKey: true) var id: UUID }
class ByCode: Object { @Persisted(primaryKey: true) var id: Code }
class ByObjectId: Object { @Persisted(primaryKey: true) var id: ObjectId }

class Owning: Object {
  @Persisted var name = ""
  @Persisted(deleteRule: .cascade) var parts: List<Owned>
  @Persisted(deleteRule: .deny) var guardian: Owned?
}

class Owned: Object { @Persisted var name = "" }

class Base: Object {
  @Persisted var inherited = 1
  @Persisted(indexed: true) var key = "k"
}

class Derived: Base {
  @Persisted var own = 2
  override var description: String { "derived" }
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

class Coded: Object, Codable {
  @Persisted var name: String
  @Persisted var age: Int?
  @Persisted var tags: List<String>
}

class CodedValues: Object, Codable {
  @Persisted var data: Data
  @Persisted var date: Date?
  @Persisted var price: Decimal128
  @Persisted var prices: List<Decimal128?>
  @Persisted var dates: Map<String, Date>
  var note = RealmProperty<Data?>()
}

@Suite struct `Properties` {
  @Test func `hold enumerations, optional elements and values of any type`() throws {
    try withRealm([Shapes.self, Dog.self, Person.self, Address.self]) { realm in
      let shapes = Shapes()
      #expect(shapes.level == .low && shapes.grade == nil && shapes.forced == "forced")
      #expect(abs(shapes.made.timeIntervalSinceNow) < 5)
      let dog = Dog(value: ["name": "Rex"])
      let id = ObjectId.generate()
      shapes.grade = .bad
      shapes.numbers.append(objectsIn: [1, nil, 3])
      shapes.moods.append(.angry)
      shapes.codes.insert(.first)
      shapes.dates.insert(nil)
      shapes.anything.append(objectsIn: [.int(1), .none, .string("x"), .object(dog)])
      shapes.ids["a"] = id
      shapes.datas["none"] = .some(nil)
      shapes.bools.append(objectsIn: [true, false])
      shapes.decimals.append(1.5)
      try realm.write { realm.add(shapes) }
      let read = try #require(realm.objects(Shapes.self).first)
      #expect(read.forced == "forced" && read.level == .low && read.grade == .bad)
      #expect(read.code == .second && Array(read.numbers) == [1, nil, 3])
      #expect(Array(read.moods) == [.angry] && read.codes.contains(.first))
      #expect(read.dates.contains(nil) && read.ids["a"] == id && read.datas["none"] == .some(nil))
      #expect(read.anything.map(\.intValue) == [1, nil, nil, nil])
      #expect(read.anything[3].object(Dog.self)?.name == "Rex" && dog.realm == realm)
      #expect(Array(read.bools) == [true, false] && read.decimals[0] == 1.5)
      try realm.write {
        read.forced = nil
        read.level = .high
        read.numbers[0] = nil
        read.anything[1] = .bool(true)
      }
      #expect(shapes.forced == nil && shapes.level == .high && shapes.numbers[0] == nil)
      #expect(shapes.anything[1].boolValue == true)
    }
  }

  @Test func `are primary keys of every type that can be`() throws {
    let types: [ObjectBase.Type] = [
      ByInt8.self, ByInt16.self, ByInt32.self, ByInt64.self, ByText.self, ByUUID.self, ByCode.self,
      ByObjectId.self,
    ]
    try withRealm(types) { realm in
      let (uuid, objectId) = (ByUUID(), ByObjectId())
      try realm.write {
        realm.add(ByInt8(value: ["id": 8]))
        realm.add(ByInt16(value: ["id": 16]))
        realm.add(ByInt32())
        realm.add(ByInt32(value: ["id": 32]))
        realm.add(ByInt64())
        realm.add(ByText())
        realm.add(ByText(value: ["id": "text"]))
        realm.add(ByCode(value: ["id": Code.second]))
        realm.add([uuid])
        realm.add([objectId])
      }
      #expect(realm.object(ofType: ByInt8.self, forPrimaryKey: Int8(8)) != nil)
      #expect(realm.object(ofType: ByInt16.self, forPrimaryKey: 16) != nil)
      #expect(realm.object(ofType: ByInt32.self, forPrimaryKey: Int32?.none)?.id == .none)
      #expect(realm.object(ofType: ByInt32.self, forPrimaryKey: 32)?.id == 32)
      #expect(realm.object(ofType: ByInt64.self, forPrimaryKey: -5) != nil)
      #expect(realm.object(ofType: ByText.self, forPrimaryKey: NSNull()) != nil)
      #expect(realm.object(ofType: ByText.self, forPrimaryKey: "text") != nil)
      #expect(realm.object(ofType: ByUUID.self, forPrimaryKey: uuid.id) == uuid)
      #expect(realm.object(ofType: ByCode.self, forPrimaryKey: Code.second) != nil)
      #expect(realm.object(ofType: ByObjectId.self, forPrimaryKey: objectId.id) == objectId)
      try realm.write {
        expectMisuse("Primary key can't be changed") { uuid.id = UUID() }
      }
    }
  }

  @Test func `take objects along, or keep them, by their delete rules`() throws {
    try withRealm([Owning.self, Owned.self]) { realm in
      let owner = Owning()
      owner.parts.append(objectsIn: [Owned(), Owned()])
      let part = owner.parts[0]
      try realm.write { realm.add(owner) }
      try realm.write { realm.delete(owner) }
      #expect(part.isInvalidated && realm.objects(Owned.self).isEmpty)

      let guarded = Owning()
      guarded.guardian = Owned()
      try realm.write { realm.add(guarded) }
      #expect(throws: Realm.Error.deletionDenied) { try realm.write { realm.delete(guarded) } }
      #expect(!guarded.isInvalidated && realm.objects(Owning.self).count == 1)
      try realm.write {
        guarded.guardian = nil
        realm.delete(guarded)
      }
      #expect(realm.objects(Owning.self).isEmpty && realm.objects(Owned.self).count == 1)
    }
  }

  @Test func `are inherited`() throws {
    try withRealm([Base.self, Derived.self]) { realm in
      let derived = Derived()
      try realm.write {
        realm.add(derived)
        realm.add(Base())
      }
      #expect(derived.inherited == 1 && derived.own == 2 && "\(derived)" == "derived")
      #expect(realm.objects(Derived.self).filter("inherited == 1 AND key == 'k'").count == 1)
      #expect(realm.objects(Base.self).count == 1)
      #expect(realm.schema["Derived"]?["key"]?.isIndexed == true)
    }
  }

  @Test func `are coded by the compiler`() throws {
    let text = #"{"name":"Ada","tags":["a","b"]}"#
    let coded = try JSONDecoder().decode(Coded.self, from: Data(text.utf8))
    #expect(coded.name == "Ada" && coded.age == nil && Array(coded.tags) == ["a", "b"])
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    coded.age = 3
    #expect(
      String(decoding: try encoder.encode(coded), as: UTF8.self)
        == #"{"age":3,"name":"Ada","tags":["a","b"]}"#
    )
  }

  @Test func `are coded as the encoder is set to`() throws {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .secondsSince1970
    let text =
      #"{"data":"ZGVm","date":1,"dates":{"a":2},"note":"ZGVm","price":2.25,"prices":["1.5E2",7,null]}"#
    let coded = try decoder.decode(CodedValues.self, from: Data(text.utf8))
    #expect(coded.data == Data("def".utf8) && coded.note.value == coded.data)
    #expect(coded.date == Date(timeIntervalSince1970: 1))
    #expect(coded.dates["a"] == Date(timeIntervalSince1970: 2))
    #expect(coded.price == "2.25" && Array(coded.prices) == [150, 7, nil])
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    encoder.dateEncodingStrategy = .secondsSince1970
    #expect(
      String(decoding: try encoder.encode(coded), as: UTF8.self)
        == text.replacing("2.25", with: "\"2.25\"").replacing("7,", with: "\"7\",")
    )
  }

  @Test func `an embedded object is refused alone and with a second owner`() throws {
    try withRealm(zoo) { realm in
      let ada = Person(value: ["name": "Ada", "home": ["city": "London"]] as [String: Any])
      let bea = Person(value: ["name": "Bea"])
      try realm.write {
        realm.add([ada, bea])
        expectMisuse("embedded object") { bea.home = ada.home }
        ada.home = Address(value: ["city": "Paris"])
      }
      #expect(ada.home?.city == "Paris")
      let home = ada.home
      try realm.write { ada.home = nil }
      #expect(home?.isInvalidated == true)
    }
  }

  @Test func `a required link is refused`() {
    class Wrong: Object {
      @Persisted var dog: Dog
    }
    expectMisuse("must be marked as optional") {
      _ = try? Realm(configuration: .init(inMemoryIdentifier: "wrong", objectTypes: [Wrong.self]))
    }
  }

  @Test func `schemas tell them`() throws {
    try withRealm(zoo) { realm in
      let schema = try #require(realm.schema["Person"])
      #expect(schema.primaryKeyProperty?.name == "name" && !schema.isEmbedded)
      let dogs = try #require(schema["dogs"])
      #expect(dogs.isArray && dogs.type == .object && dogs.objectClassName == "Dog")
      #expect(schema["grades"]?.isMap == true && schema["nicknames"]?.isSet == true)
      #expect(schema["age"]?.isIndexed == true && schema["home"]?.isOptional == true)
      #expect(realm.schema["Address"]?.isEmbedded == true)
      #expect(realm.schema.objectSchema.map(\.className).sorted() == ["Address", "Dog", "Person"])
    }
  }
}
