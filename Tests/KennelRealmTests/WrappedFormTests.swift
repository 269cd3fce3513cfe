import KennelRealm
import RealmTestSupport
import Testing

class OldFashioned: Object {
  @Persisted var name = ""
  let age = RealmProperty<Int?>()
  let mood = RealmProperty<Mood>()
}

@Suite struct `Older and wrapped forms` {
  @Test func `values of older models are stored`() throws {
    try withRealm([OldFashioned.self]) { realm in
      let object = OldFashioned(value: ["name": "x", "age": 7])
      object.mood.value = .angry
      #expect(object.age.value == 7 && object["age"] as? Int == 7)
      try realm.write { realm.add(object) }
      let read = try #require(realm.objects(OldFashioned.self).first)
      #expect(read.age.value == 7 && read.mood.value == .angry)
      expectMisuse("outside of a write transaction") { read.age.value = 8 }
      try realm.write { read.age.value = nil }
      #expect(object.age.value == nil && object["age"] == nil)
      #expect(try storedClass("OldFashioned", of: realm).types["age"] == "int?")
    }
  }

  @Test func `any collection can stand for another`() throws {
    try withRealm(zoo) { realm in
      let ada = Person(value: ["name": "Ada"])
      ada.dogs.append(objectsIn: [Dog(value: ["name": "Rex"]), Dog(value: ["name": "Max"])])
      let unmanaged = AnyRealmCollection(ada.dogs)
      #expect(unmanaged.map(\.name) == ["Rex", "Max"] && unmanaged.realm == nil)
      try realm.write { realm.add(ada) }
      for collection in [AnyRealmCollection(ada.dogs), AnyRealmCollection(realm.objects(Dog.self))]
      {
        #expect(collection.count == 2 && collection[1].name == "Max")
        #expect(collection.index(of: ada.dogs[1]) == 1 && collection.realm == realm)
        #expect(Array(collection.filter("name == 'Rex'").map(\.name)) == ["Rex"])
      }
    }
  }
}
