import Foundation
import KennelCore
import KennelRealm
import KennelTestSupport
import RealmTestSupport
import Testing

@Suite struct `Model classes` {
  @Test func `an unmanaged object has the defaults of its properties`() {
    let object = Everything()
    #expect(object.id == 0)
    #expect(object.bool)
    #expect(object.int16 == 16)
    #expect(object.string == "text")
    #expect(object.mood == .calm)
    #expect(object.size == .large)
    #expect(object.link == nil)
    #expect(object.realm == nil)
    #expect(!object.isInvalidated)
    #expect(object.objectId == object.objectId)
    #expect(Everything().objectId != object.objectId)
  }

  @Test func `every type of value comes back`() throws {
    try withRealm([Everything.self]) { realm in
      let object = Everything()
      object.int8 = -8
      object.int32 = 32
      object.int64 = .min
      object.double = -0.5
      object.data = Data([1, 2])
      object.date = Date(timeIntervalSinceReferenceDate: 0.123456)
      let objectId = object.objectId
      let uuid = object.uuid
      object.any = .string("any")
      object.mood = .angry
      object.optionalInt = 7
      object.optionalMood = .angry
      object.optionalDecimal = 2
      object.notStored = 6
      try realm.write { realm.add(object) }
      #expect(object.notStored == 6)
      let read = try #require(realm.objects(Everything.self).first)
      #expect(read !== object && read == object)
      #expect(read.notStored == 5)
      #expect(read.int8 == -8 && read.int16 == 16 && read.int32 == 32 && read.int64 == .min)
      #expect(read.bool && read.float == 1.5 && read.double == -0.5)
      #expect(read.data == Data([1, 2]))
      #expect(read.date == Date(timeIntervalSinceReferenceDate: 0.123456))
      #expect(read.objectId == objectId && read.uuid == uuid)
      #expect(read.any == .string("any") && read.decimal == 1.5)
      #expect(read.mood == .angry && read.size == .large)
      #expect(read.optionalInt == 7 && read.optionalMood == .angry && read.optionalDecimal == 2)
      #expect(read.optionalBool == nil && read.optionalString == nil && read.optionalDate == nil)
      try realm.write {
        read.optionalString = ""
        read.link = object
        read.any = .object(read)
      }
      #expect(object.optionalString == "")
      #expect(object.link == read && object.any == .object(object))
    }
  }

  @Test func `links, lists and embedded objects are added with their object`() throws {
    try withRealm(zoo) { realm in
      let rex = Dog(value: ["name": "Rex", "age": 3])
      let ada = Person(value: ["name": "Ada", "home": ["city": "London"]])
      ada.dogs.append(rex)
      ada.dogs.append(objectsIn: [rex, Dog(value: ["Fido", 2])])
      ada.otherHomes.append(Address(value: ["city": "Paris"]))
      ada.nicknames.insert("a")
      ada.grades["math"] = 1
      ada.dogsByRole["guard"] = rex
      let home = ada.home
      try realm.write { realm.add(ada) }
      #expect(rex.realm == realm && home?.realm == realm)
      #expect(ada.dogs.map(\.name) == ["Rex", "Rex", "Fido"])
      #expect(rex.owners.count == 2 && rex.owners[0] == ada)
      #expect(ada.home?.city == "London" && ada.otherHomes[0].city == "Paris")
      #expect(ada.nicknames.contains("a") && ada.grades["math"] == 1)
      #expect(rex.isSameObject(as: ada.dogsByRole["guard"] ?? nil))
      try realm.write { realm.delete(rex) }
      #expect(rex.isInvalidated)
      #expect(ada.dogs.map(\.name) == ["Fido"])
      #expect(ada.dogsByRole["guard"] == .some(nil))
      let paris = ada.otherHomes[0]
      try realm.write { realm.delete(ada) }
      #expect(home?.isInvalidated == true && paris.isInvalidated)
      #expect(realm.objects(Dog.self).count == 1)
    }
  }

  @Test func `collections in the older syntax are stored`() throws {
    try withRealm([Club.self, Member.self]) { realm in
      let club = Club(value: ["name": "Chess"])
      let member = Member(value: ["number": 4])
      club.members.append(member)
      try realm.write { realm.add(club) }
      #expect(member.clubs.count == 1)
      #expect(realm.object(ofType: Member.self, forPrimaryKey: 4)?.clubs.first?.name == "Chess")
      #expect(realm.objects(Club.self)[0].members[0].number == 4)
    }
  }

  @Test func `misuse is explained`() throws {
    try withRealm(zoo) { realm in
      let rex = Dog()
      expectMisuse("in a write transaction") { realm.add(rex) }
      try realm.write { realm.add(rex) }
      expectMisuse("outside of a write transaction") { rex.name = "Max" }
      #expect(rex.name == "")
    }
  }
}
