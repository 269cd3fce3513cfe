import KennelRealm
import Testing

@Suite struct `Models of the older syntax` {
  @Test func `keys, lists and inverse relationships store and find their objects`() throws {
    try withRealm([Shelf.self, Book.self]) { realm in
      let shelf = Shelf(value: ["label": "Novels", "_wing": "north"])
      let book = Book(value: ["title": "Emma"])
      shelf.books.append(book)
      try realm.write { realm.add(shelf) }
      #expect(book.shelves.first?.label == "Novels")
      #expect(realm.object(ofType: Book.self, forPrimaryKey: book._id)?.title == "Emma")
      #expect(realm.objects(Shelf.self).filter("ANY books.title == 'Emma'").first == shelf)
      try realm.write { realm.delete(shelf) }
      #expect(book.shelves.isEmpty)
    }
  }

  @Test func `every kind of declaration is what it was`() throws {
    try withRealm([Animal.self, Keeper.self, Home.self]) { realm in
      let animal = Animal()
      animal.name = "Rex"
      animal.age = 3
      #expect(animal.changes == 1 && animal.label == "Rex (3)" && animal.secret() == 1)
      animal.tags.append("good")
      animal.scratch = [1]
      let keeper = Keeper()
      keeper.home = Home()
      animal.keeper = keeper
      try realm.write { realm.add(animal) }
      let read = try #require(realm.object(ofType: Animal.self, forPrimaryKey: "Rex"))
      #expect(read.age == 3 && read.nick == nil && read.photo == nil)
      #expect(read.born == Date(timeIntervalSince1970: 0))
      #expect(Array(read.tags) == ["good"] && read.scratch.isEmpty)
      #expect(read.keeper?.home?.street == "Main Street" && read.keeper?.home?.rooms == 3)
      #expect(keeper.animals.first == animal && keeper.computed == 14)
      try realm.write { keeper.renumber(9) }
      #expect(realm.objects(Keeper.self).filter(Keeper.query, 8).first?.number == 9)
      let schema = try #require(realm.schema["Animal"])
      #expect(
        schema.properties.map(\.name) == ["name", "nick", "age", "born", "photo", "keeper", "tags"]
      )
      #expect(schema["age"]?.isIndexed == true)
      #expect(realm.schema["StoredKeeper"]?["number"] != nil && realm.schema["Keeper"] == nil)
      #expect(Keeper.className() == "StoredKeeper" && HeadKeeper.className() == "HeadKeeper")
      #expect(SecondKeeper.className() == "Deputy")
      #expect(realm.objects(Animal.self).filter("keeper.number == 9").count == 1)
      #expect(Keeper.text == "@objc dynamic var notCode = 0")
      #expect(Temper.allCases == [.calm, .angry])
    }
  }

  @Test func `the compiler speaks of the file that was written`() {
    #expect(lineOfKinds == 50)
    #expect(fileOfKinds.hasSuffix("Tests/LegacyModelsTests/Legacy/Parts/Kinds.swift"))
  }
}
