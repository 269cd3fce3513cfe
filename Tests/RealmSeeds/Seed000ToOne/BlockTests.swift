import KennelRealm
import RealmTestSupport
import Testing

@Suite struct `Document 000: to-one` {
  @Test func `a person has at most one dog, and losing the link keeps the dog`() throws {
    try withRealm([Person.self, Dog.self]) { realm in
      let rex = Dog(value: ["name": "Rex", "age": 3])
      let ada = Person()
      ada.name = "Ada"
      #expect(ada.dog == nil)
      ada.dog = rex
      try realm.write { realm.add(ada) }
      #expect(realm.objects(Person.self).first?.dog?.name == "Rex")
      try realm.write { ada.dog = nil }
      #expect(ada.dog == nil && !rex.isInvalidated && realm.objects(Dog.self).count == 1)
      try realm.write {
        ada.dog = rex
        realm.delete(rex)
      }
      #expect(ada.dog == nil && realm.objects(Dog.self).isEmpty)
    }
  }

  @Test func `the link is stored as one that may lead nowhere`() throws {
    try withRealm([Person.self, Dog.self]) { realm in
      let person = try storedClass("Person", of: realm)
      #expect(person.types["dog"] == "link<Dog>")
    }
  }
}
