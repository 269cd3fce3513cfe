import KennelRealm
import RealmTestSupport
import Testing

@Suite struct `Document 001: inverse` {
  @Test func `a dog knows the person who has it`() throws {
    try withRealm([Person.self, Dog.self]) { realm in
      let rex = Dog(value: ["name": "Rex"])
      let ada = Person()
      ada.dogs.append(rex)
      try realm.write { realm.add(ada) }
      #expect(rex.person.count == 1 && rex.person[0] == ada)
      let found = realm.object(ofType: Dog.self, forPrimaryKey: rex._id)
      #expect(found?.person.first?._id == ada._id)
      try realm.write { realm.delete(ada) }
      #expect(rex.person.isEmpty)
      #expect(try storedClass("Dog", of: realm).backlinks == ["person"])
    }
  }
}
