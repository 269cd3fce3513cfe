import KennelRealm
import RealmTestSupport
import Testing

@Suite struct `Document 004: to-many` {
  @Test func `a person has any number of dogs, in order`() throws {
    try withRealm([Person.self, Dog.self]) { realm in
      let ada = Person(value: ["name": "Ada"])
      #expect(ada.dogs.isEmpty)
      let rex = Dog(value: ["name": "Rex"])
      ada.dogs.append(objectsIn: [rex, Dog(value: ["name": "Fido"])])
      try realm.write { realm.add(ada) }
      try realm.write {
        ada.dogs.insert(Dog(value: ["name": "Max"]), at: 1)
        ada.dogs.append(rex)
      }
      #expect(ada.dogs.map(\.name) == ["Rex", "Max", "Fido", "Rex"])
      try realm.write { realm.delete(rex) }
      #expect(Array(ada.dogs.map(\.name)) == ["Max", "Fido"])
      try realm.write { ada.dogs.removeAll() }
      #expect(ada.dogs.isEmpty && realm.objects(Dog.self).count == 2)
    }
  }
}
