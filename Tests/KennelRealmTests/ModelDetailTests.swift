import Foundation
import KennelRealm
import KennelTestSupport
import RealmTestSupport
import Testing

private let orchard: [ObjectBase.Type] = [Oak.self, Branch.self, Twig.self, Mixture.self]

@Suite struct `Details of model classes` {
  @Test func `properties stand in the order of their declaration`() {
    let names = ["first", "second", "third", "fourth", "fifth", "sixth"]
    #expect(Mixture.sharedSchema()?.properties.map(\.name) == names)
    let mixture = Mixture(value: [[1, 2], 3, 4, Height.high, ["x"], "any"])
    #expect(Array(mixture.first) == [1, 2] && mixture.second == 3 && mixture.third.value == 4)
    #expect(mixture.fourth == .high && mixture.fifth.contains("x"))
    #expect(mixture.sixth.value == .string("any"))
  }

  @Test func `a primary key may be a property in the older syntax`() throws {
    try withRealm([OptionalKey.self]) { realm in
      let (none, five) = (OptionalKey(), OptionalKey())
      five.id.value = 5
      five.name = "five"
      try realm.write { realm.add([none, five]) }
      #expect(realm.object(ofType: OptionalKey.self, forPrimaryKey: 5)?.name == "five")
      #expect(realm.object(ofType: OptionalKey.self, forPrimaryKey: NSNull())?.id.value == nil)
      #expect(none.id.value == nil && five.id.value == 5 && five == five)
      realm.beginWrite()
      expectMisuse("Cannot modify primary key") { five.id.value = 6 }
      expectMisuse("Primary key can't be changed after an object is inserted") { five["id"] = 6 }
      expectMisuse("existing primary key value") { realm.add(OptionalKey()) }
      let again = OptionalKey()
      again.name = "none"
      realm.add(again, update: .modified)
      #expect(none.name == "none" && realm.objects(OptionalKey.self).count == 2)
      realm.cancelWrite()
    }
  }

  @Test func `enumerations are raw values and whole numbers of every width by name`() throws {
    try withRealm([Everything.self]) { realm in
      let object = Everything(value: ["int8": 8, "mood": Mood.angry, "any": 3])
      func check() {
        #expect(object["int8"] as? Int == 8 && object["int8"] as? Int8 == 8)
        #expect(object["int8"] as? NSNumber == 8)
        #expect(object["mood"] as? String == "angry" && object["size"] as? Int == 9)
        #expect(object["any"] as? Int == 3 && object["optionalMood"] == nil)
        #expect(object.value(forKey: "bool") as? Bool == true)
      }
      check()
      try realm.write {
        realm.add(object)
        object["mood"] = "calm"
        #expect(object.mood == .calm)
        object["mood"] = Mood.angry
        object["optionalMood"] = "none of them"
      }
      check()
      let copy = Everything(value: object)
      #expect(copy.mood == .angry && copy.int8 == 8 && copy.any == .int(3))
    }
  }

  @Test func `numbers of Foundation are taken for what they are`() {
    let object = Everything(
      value: [
        "bool": NSNumber(value: 0), "float": NSNumber(value: 1), "double": NSNumber(value: 1),
        "any": NSNumber(value: 1), "int64": NSNumber(value: 1),
      ]
    )
    #expect(!object.bool && object.float == 1 && object.double == 1 && object.any == .int(1))
    #expect(Everything(value: ["any": NSNumber(value: true)]).any == .bool(true))
    #expect(Everything(value: ["any": NSNumber(value: 1.5)]).any == .double(1.5))
    for (name, value) in [
      ("bool", NSNumber(value: 2)), ("bool", NSNumber(value: 1.5)), ("int64", 1.5), ("float", true),
      ("double", false), ("string", 1),
    ] as [(String, Any)] {
      expectMisuse("Invalid value") { _ = Everything(value: [name: value]) }
    }
  }

  @Test func `values of a name are nil where there are none, and once in a set`() throws {
    try withRealm(zoo) { realm in
      let bea = Person(value: ["name": "Bea", "age": 36] as [String: Any])
      let cid = Person(value: ["name": "Cid", "age": 36, "bestFriend": bea] as [String: Any])
      let ada = Person(value: ["name": "Ada", "friends": [bea, cid]] as [String: Any])
      try realm.write { realm.add(ada) }
      let friends = realm.objects(Person.self).sorted(byKeyPath: "name")
      let values = friends.value(forKeyPath: "bestFriend.age")
      #expect(values as? [Int?] == [nil, nil, 36])
      #expect((values as? [Any])?.first is NSNull)
      let ages: [AnyObject] = ada.friends.value(forKey: "age")
      #expect(ages as? [Int] == [36])
      let paths: [AnyObject] = ada.friends.value(forKeyPath: "bestFriend.age")
      #expect(Set(paths as? [Int?] ?? []) == [nil, 36])
      let grades = Map<String, Person?>()
      grades["a"] = .some(bea)
      let mean: Int? = grades.average(of: \.age)
      #expect(mean == 36)
    }
  }

  @Test func `what cannot be converted is said`() throws {
    try withRealm([Wheel.self]) { realm in
      expectMisuse("Failed to default construct a Lucky") { _ = Wheel().number }
      expectMisuse("Could not convert value '13' to type 'Lucky'.") {
        _ = Wheel(value: ["number": 13])
      }
      let wheel = Wheel(value: ["number": 3, "given": 13])
      #expect(wheel.given == nil && wheel["number"] as? Int == 3)
      try realm.write { realm.add(wheel) }
      #expect(wheel.number.persistableValue == 3)
      let stored = try #require(realm.dynamicObjects("Wheel").first)
      try realm.write { stored["number"] = 13 }
      expectMisuse("Failed to convert persisted value '13' to type 'Lucky'") { _ = wheel.number }
    }
  }

  @Test func `an update changes embedded objects where only changes are asked for`() throws {
    func tree(_ numbers: [Int]) -> Oak {
      let tree = Oak(value: ["name": "oak"])
      tree.trunk = Branch(value: [numbers[0], [numbers[0]]])
      tree.branches.append(objectsIn: numbers.dropFirst().map { Branch(value: [$0]) })
      return tree
    }
    try withRealm(orchard) { realm in
      realm.beginWrite()
      let first = tree([1, 2, 3, 4])
      realm.add(first)
      let (trunk, twig, branch) = (first.trunk, first.trunk?.twig, first.branches[0])
      let second = tree([5, 6, 7])
      let (newTrunk, newBranch) = (second.trunk, second.branches[0])
      realm.add(second, update: .modified)
      #expect(trunk?.length == 5 && twig?.leaves == 5 && branch.length == 6)
      #expect(newTrunk?.isSameObject(as: trunk) == true && newBranch.isSameObject(as: branch))
      #expect(first.branches.map(\.length) == [6, 7] && first == second)
      realm.add(tree([8, 9]), update: .all)
      #expect(trunk?.isInvalidated == true && branch.isInvalidated)
      #expect(first.trunk?.length == 8 && first.branches.map(\.length) == [9])
      try realm.commitWrite()
    }
  }

  @Test func `descriptions show nested values down to a depth`() throws {
    let everything = Everything(value: ["data": Data("a".utf8), "double": 10, "float": 1.25])
    let text = everything.description
    for line in [
      "Everything {\n\tid = 0;\n\tbool = 1;\n", "\tdata = <61>;\n",
      "\tdouble = 10;\n", "\tfloat = 1.25;\n", "\tdate = 1970-01-01 00:00:01 +0000;\n",
      "\tany = (null);\n", "\tmood = calm;\n", "\tsize = 9;\n", "\tlink = (null);\n}",
    ] {
      #expect(text.contains(line), "\(text)")
    }
    let ada = Person(value: [
      "name": "Ada", "dogs": [["Rex", 3]], "dogsByRole": ["guard": ["Fido"]],
    ])
    let list =
      /dogs = List<Dog> <0x[0-9a-f]+> \(\n\t\t\[0\] Dog \{\n\t\t\tname = Rex;\n\t\t\tage = 3;\n/
    #expect(ada.description.contains(list), "\(ada)")
    let map =
      /dogsByRole = Map<string, Dog> <0x[0-9a-f]+> \(\n\t\t?\[guard\]: Dog \{\n\t\t\t?\t?name = Fido;/
    #expect(ada.description.contains(map), "\(ada)")
    #expect(ada.description.contains(/friends = MutableSet<Person> <0x[0-9a-f]+> \(\n\t\n\t\);/))
    ada.bestFriend = ada
    #expect(ada.description.contains("<Maximum depth exceeded>"))
    ada.bestFriend = nil
    try withRealm(zoo) { realm in
      try realm.write { realm.add(ada) }
      #expect(ada.dogs[0].owners.description.hasPrefix("LinkingObjects<Person> <0x"))
      #expect(realm.objects(Dog.self).description.hasPrefix("Results<Dog> <0x"))
      try realm.write { realm.delete(ada) }
      #expect(ada.description == "[invalid object]")
    }
  }

  @Test func `properties describe themselves`() throws {
    #expect(Object.sharedSchema() == nil && EmbeddedObject.sharedSchema() == nil)
    let schema = try #require(Mapped.sharedSchema())
    let text = try #require(schema["next"]).description
    #expect(
      text == """
        next {
        \ttype = object;
        \tobjectClassName = Mapped;
        \tlinkOriginPropertyName = (null);
        \tcolumnName = stored_next;
        \tindexed = NO;
        \tisPrimary = NO;
        \tarray = NO;
        \tset = NO;
        \tdictionary = NO;
        \toptional = YES;
        }
        """
    )
    #expect(Everything.sharedSchema()?["any"]?.isOptional == false)
  }
}

@Suite struct `Objects by name` {
  @Test func `have the names and the linked objects of the program's classes`() throws {
    try withRealm([Mapped.self]) { realm in
      let second = Mapped(value: ["id": 2, "text": "b"])
      try realm.write { realm.create(Mapped.self, value: ["id": 1, "text": "a", "next": second]) }
      let first = try #require(realm.dynamicObject(ofType: "Mapped", forPrimaryKey: 1))
      #expect(first.text as? String == "a" && first["stored_text"] as? String == "a")
      #expect((first.next as? Mapped)?.text == "b")
      #expect(first.objectSchema == Mapped.sharedSchema())
      let next = try #require(realm.dynamicObject(ofType: "Mapped", forPrimaryKey: 2))
      #expect((next.previous as? LinkingObjects<Mapped>)?.first?.id == 1)
      try realm.write {
        first.setValue("c", forUndefinedKey: "text")
        first["next"] = nil
      }
      #expect(first.value(forUndefinedKey: "text") as? String == "c" && first.next == nil)
      #expect(realm.dynamicObject(ofType: "Mapped", forPrimaryKey: 9) == nil)
    }
  }

  @Test func `are made with nested objects and the defaults of their class`() throws {
    try withRealm(orchard) { realm in
      try realm.write {
        let oak = realm.dynamicCreate(
          "Oak",
          value: [
            "name": "oak", "trunk": ["length": 3, "twig": ["leaves": 4]], "branches": [[1], [2]],
            "named": ["low": ["length": 9]], "visitors": [Mixture(), ["second": 5]],
          ]
        )
        oak["visitors"] = [Mixture(value: ["second": 7])]
        let texts = ["visitors", "branches", "named"].map { "\(oak[$0] ?? "")" }
        #expect(texts[0].hasPrefix("List<Mixture>") && texts[1].hasPrefix("List<Branch>"))
        #expect(texts[2].hasPrefix("Map<string, Branch>"))
        #expect(realm.dynamicObjects("Oak").description.hasPrefix("Results<Oak>"))
        realm.dynamicCreate("Oak", value: ["name": "oak", "branches": [[8]]], update: .modified)
        expectMisuse("existing primary key") { realm.dynamicCreate("Oak", value: ["oak"]) }
        expectMisuse("no such class") { realm.dynamicCreate("Bush") }
        expectMisuse("Embedded objects cannot be created directly") {
          realm.dynamicCreate("Branch")
        }
        expectMisuse("Invalid value 'x'") { realm.dynamicCreate("Mixture", value: ["second": "x"]) }
      }
      let oak = try #require(realm.objects(Oak.self).first)
      #expect(oak.trunk?.length == 3 && oak.trunk?.twig?.leaves == 4)
      #expect(oak.branches.map(\.length) == [8] && oak.named["low"]??.length == 9)
      #expect(oak.visitors.map(\.second) == [7] && oak.visitors[0].fourth == .low)
      #expect(realm.dynamicObjects("Branch").count == 3)
    }
  }

  @Test func `a value of any type gives its object by name`() throws {
    try withRealm([Mixture.self]) { realm in
      let (one, other) = (Mixture(), Mixture())
      try realm.write {
        realm.add([one, other])
        one.sixth.value = .object(other)
      }
      try realm.write { one.sixth.value.dynamicObject?.second = 6 }
      #expect(other.second == 6 && AnyRealmValue.object(Mixture()).dynamicObject == nil)
    }
  }
}

@Suite struct `Errors` {
  private func code(_ configuration: Realm.Configuration) -> Realm.Error.Code? {
    do {
      _ = try Realm(configuration: configuration)
      return nil
    } catch {
      return (error as? Realm.Error)?.code
    }
  }

  @Test func `say what stood in the way of opening`() throws {
    let folder = try TemporaryFolder()
    let url = URL(fileURLWithPath: folder.file("test.kennel"))
    var configuration = Realm.Configuration(
      fileURL: url,
      readOnly: true,
      objectTypes: [Mapped.self]
    )
    #expect(code(configuration) == .fileNotFound)
    configuration.readOnly = false
    configuration.fileURL = URL(fileURLWithPath: "/dev/null/file")
    #expect(code(configuration) == .fileOperationFailed)
    configuration.fileURL = URL(fileURLWithPath: folder.file("no/such/folder"))
    #expect(code(configuration) == .fileNotFound)
    try Data("a".utf8).write(to: url)
    configuration.fileURL = url
    #expect(code(configuration) == .invalidDatabase)
    let error = #expect(throws: Realm.Error.self) {
      _ = try schemaVersionAtURL(URL(fileURLWithPath: folder.file("none")))
    }
    #expect(error?.code == .invalidDatabase)
    #expect(error?.localizedDescription.contains("has not been initialized") == true)
    #expect(throws: Realm.Error(.fail)) { throw Realm.Error(.fail) }
    #expect(Realm.Error(.fileExists).errorCode == 4)
  }

  @Test func `a file that is only read is not made anew or compacted`() {
    var configuration = Realm.Configuration(fileURL: nil, readOnly: true)
    configuration.inMemoryIdentifier = "only read"
    configuration.deleteRealmIfMigrationNeeded = true
    expectMisuse("Cannot set `deleteRealmIfMigrationNeeded` when `readOnly` is set") {
      _ = try? Realm(configuration: configuration)
    }
    configuration.deleteRealmIfMigrationNeeded = false
    configuration.shouldCompactOnLaunch = { _, _ in true }
    expectMisuse("Cannot set `shouldCompactOnLaunch` when `readOnly` is set") {
      _ = try? Realm(configuration: configuration)
    }
  }
}
