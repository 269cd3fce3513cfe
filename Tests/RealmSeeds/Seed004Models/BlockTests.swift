import KennelRealm
import RealmTestSupport
import Testing

@Suite struct `Document 004: models` {
  @Test func `objects have primary keys that nobody chose`() throws {
    try withRealm([Person.self, Dog.self]) { realm in
      let dogs = [Dog(), Dog()]
      #expect(dogs[0]._id != dogs[1]._id)
      try realm.write {
        realm.add(dogs)
        realm.add(Person())
      }
      #expect(realm.object(ofType: Dog.self, forPrimaryKey: dogs[1]._id) == dogs[1])
      expectMisuse("Primary key can't be changed") {
        realm.beginWrite()
        dogs[0]._id = dogs[1]._id
      }
      realm.cancelWrite()
      #expect(try storedClass("Dog", of: realm).primaryKey == "_id")
    }
  }
}
