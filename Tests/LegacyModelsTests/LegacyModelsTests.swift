import KennelRealm
import RealmTestSupport
import Testing

@Suite struct `Models of the older syntax` {
  @Test func `the block of the documents stores and finds its objects`() throws {
    try withRealm([User.self, Task.self]) { realm in
      let user = User(value: ["name": "Ada", "_partition": "p"])
      let task = Task(value: ["text": "write"])
      user.tasks.append(task)
      try realm.write { realm.add(user) }
      #expect(task.assignee.first?.name == "Ada")
      #expect(realm.object(ofType: Task.self, forPrimaryKey: task._id)?.text == "write")
      #expect(realm.objects(User.self).filter("ANY tasks.text == 'write'").first == user)
      try realm.write { realm.delete(user) }
      #expect(task.assignee.isEmpty)
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
