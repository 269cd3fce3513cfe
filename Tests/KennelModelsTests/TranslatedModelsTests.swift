import KennelRealm
import RealmTestSupport
import Testing

/// The files beside this one are links to what the tests of the translator expect.
@Suite struct `Translated Objective-C models` {
  @Test func `a book is found by the reader who has it, under its stored name`() throws {
    try withRealm([Book.self, Reader.self]) { realm in
      let emma = Book(value: ["title": "Emma"])
      emma.bookDescription = "a novel"
      let ada = Reader(value: ["name": "Ada", "favourite": emma] as [String: Any])
      ada.borrowed.append(emma)
      try realm.write { realm.add(ada) }
      #expect(emma.readers.first?.name == "Ada" && ada.favourite?.title == "Emma")
      let found = realm.objects(Book.self).filter("description == 'a novel'")
      #expect(emma.isSameObject(as: found.first))
    }
  }

  @Test func `a library owns its desks`() throws {
    try withRealm([Library.self, Desk.self]) { realm in
      let library = Library(
        value: ["name": "City", "entrance": ["room": "Hall"], "desks": [["room": "North"]]]
          as [String: Any]
      )
      try realm.write { realm.add(library) }
      let desks = [library.entrance, library.desks[0]]
      #expect(desks.map { $0?.room } == ["Hall", "North"])
      try realm.write { realm.delete(library) }
      #expect(desks.allSatisfy { $0?.isInvalidated == true })
    }
  }

  @Test func `defaults, keys and ignored properties come along`() throws {
    let types: [ObjectBase.Type] = [Everything.self, Owner.self, Place.self]
    try withRealm(types) { realm in
      let one = Everything()
      #expect(one.good && one.integer == 31 && one.small == -3 && one.name == "a \"dog\"")
      #expect(one.scratch == "s" && one.anything == .string("x") && one.price == 9.99)
      one.owners.append(Owner(value: ["name": "Ada"]))
      one.owner = one.owners[0]
      try realm.write { realm.add(one) }
      #expect(one.owners[0].things.first == one && one.owners[0].ownerDescription.first == one)
      #expect(realm.object(ofType: Everything.self, forPrimaryKey: one._id) == one)
      #expect(realm.schema["Everything"]?["name"]?.isIndexed == true)
      #expect(realm.schema["Everything"]?["scratch"] == nil)
    }
  }
}
