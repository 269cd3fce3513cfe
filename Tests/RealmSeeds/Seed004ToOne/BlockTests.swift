import KennelRealm
import RealmTestSupport
import Testing

@Suite struct `Document 004: to-one` {
  @Test func `a person may have a dog`() throws {
    try withRealm([Person.self, Dog.self]) { realm in
      let rex = Dog(value: ["name": "Rex"])
      let ada = Person(value: ["name": "Ada", "dog": rex])
      try realm.write { realm.add(ada) }
      let found = realm.object(ofType: Person.self, forPrimaryKey: ada._id)
      #expect(found?.dog?._id == rex._id)
      try realm.write { realm.delete(ada) }
      #expect(realm.objects(Dog.self).first == rex)
    }
  }
}
