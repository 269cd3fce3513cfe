import Foundation
@_spi(Tests) import KennelRealm
import KennelTestSupport
import RealmTestSupport
import Testing

private struct Refused: Error {}

private class Walker: Object {
  @Persisted var dog: Dog? = Dog()
  @Persisted var dogs = List<Dog>([Dog()])
}

@Suite struct `Realms` {
  @Test func `a body that throws changes nothing`() throws {
    try withRealm(zoo) { realm in
      let result = try realm.write { () -> Int in
        #expect(realm.isInWriteTransaction)
        realm.add(Dog())
        return 7
      }
      #expect(result == 7 && !realm.isInWriteTransaction)
      let dog = Dog()
      #expect(throws: Refused.self) {
        try realm.write {
          realm.add(dog)
          realm.objects(Dog.self)[0].name = "changed"
          throw Refused()
        }
      }
      #expect(dog.isInvalidated && realm.objects(Dog.self).map(\.name) == [""])
    }
  }

  @Test func `transactions are begun, committed and cancelled`() throws {
    try withRealm(zoo) { realm in
      realm.beginWrite()
      realm.add(Dog())
      try realm.commitWrite()
      realm.beginWrite()
      realm.deleteAll()
      #expect(realm.isEmpty)
      realm.cancelWrite()
      #expect(realm.objects(Dog.self).count == 1 && !realm.isEmpty)
      expectMisuse("non-existing write transaction") { realm.cancelWrite() }
      expectMisuse("non-existing write transaction") { try? realm.commitWrite() }
      realm.beginWrite()
      expectMisuse("already in a write transaction") { realm.beginWrite() }
      realm.cancelWrite()
      try realm.write { realm.cancelWrite() }
    }
  }

  @Test func `a primary key that is taken is a mistake, or updates`() throws {
    try withRealm(zoo) { realm in
      let ada = Person(value: ["name": "Ada", "age": 1, "dogs": [["Rex", 3]]] as [String: Any])
      try realm.write { realm.add(ada) }
      try realm.write {
        expectMisuse("existing primary key value 'Ada'") {
          realm.add(Person(value: ["name": "Ada"]))
        }
      }
      let again = Person(value: ["name": "Ada", "age": 2])
      try realm.write { realm.add(again, update: .all) }
      #expect(ada.age == 2 && ada == again && ada.dogs.isEmpty)
      try realm.write {
        realm.create(
          Person.self,
          value: ["name": "Ada", "age": 3] as [String: Any],
          update: .modified
        )
      }
      #expect(ada.age == 3 && realm.objects(Person.self).count == 1)
      try realm.write {
        expectMisuse("does not have a primary key") { realm.add(Dog(), update: .all) }
      }
    }
  }

  @Test func `objects are made of dictionaries, arrays and other objects`() throws {
    try withRealm(zoo) { realm in
      try realm.write {
        let ada = realm.create(
          Person.self,
          value: [
            "name": "Ada", "home": ["city": "London"], "dogs": [["Rex", 3], ["name": "Fido"]],
            "grades": ["math": 1], "nicknames": ["a"],
          ] as [String: Any]
        )
        #expect(ada.home?.city == "London" && ada.dogs.map(\.name) == ["Rex", "Fido"])
        #expect(ada.dogs[0].age == 3 && ada.grades["math"] == 1 && ada.nicknames.contains("a"))
        let dog = realm.create(Dog.self, value: ada.dogs[0])
        #expect(dog.name == "Rex" && dog != ada.dogs[0])
        expectMisuse("Invalid value 'x'") { realm.create(Dog.self, value: ["age": "x"]) }
      }
    }
  }

  @Test func `objects are made before those inside them, and no default instead`() throws {
    try withRealm(zoo + [Walker.self]) { realm in
      try realm.write {
        let dee = ["name": "Dee", "bestFriend": ["name": "Eve"]] as [String: Any]
        let bob = ["name": "Bob", "friends": [["name": "Cy"], dee]] as [String: Any]
        realm.create(Person.self, value: ["name": "Ada", "bestFriend": bob])
        #expect(realm.objects(Person.self).map(\.name) == ["Ada", "Bob", "Cy", "Dee", "Eve"])
        let dogs = ["dog": ["name": "Rex"], "dogs": [["name": "a"]]] as [String: Any]
        let walker = realm.create(Walker.self, value: dogs)
        #expect(walker.dog?.name == "Rex" && walker.dogs.map(\.name) == ["a"])
        #expect(realm.objects(Dog.self).count == 2)
        realm.create(Walker.self, value: ["dog": NSNull()])
        #expect(realm.objects(Dog.self).count == 3)
      }
    }
  }

  @Test func `objects are found by primary key`() throws {
    try withRealm(zoo) { realm in
      try realm.write { realm.add(Person(value: ["name": "Ada"])) }
      #expect(realm.object(ofType: Person.self, forPrimaryKey: "Ada")?.name == "Ada")
      #expect(realm.object(ofType: Person.self, forPrimaryKey: "Bea") == nil)
      expectMisuse("does not have a primary key") {
        _ = realm.object(ofType: Dog.self, forPrimaryKey: 1)
      }
    }
  }

  @Test func `one object, many, lists and results are deleted`() throws {
    try withRealm(zoo) { realm in
      let ada = Person(value: ["name": "Ada"])
      try realm.write {
        realm.add(ada)
        for age in 0..<10 { ada.dogs.append(Dog(value: ["age": age])) }
        ada.dogsByRole["a"] = ada.dogs[9]
        realm.delete(ada.dogs[0])
        #expect(ada.dogs.count == 9)
        realm.delete([ada.dogs[0], ada.dogs[1]])
        #expect(ada.dogs.map(\.age) == [3, 4, 5, 6, 7, 8, 9])
        realm.delete(realm.objects(Dog.self).filter("age < 5"))
        #expect(ada.dogs.count == 5)
        realm.delete(ada.dogsByRole)
        #expect(ada.dogs.map(\.age) == [5, 6, 7, 8])
        realm.delete(ada.dogs)
        #expect(ada.dogs.isEmpty && realm.objects(Dog.self).isEmpty && !ada.isInvalidated)
        realm.deleteAll()
      }
      #expect(ada.isInvalidated && realm.isEmpty)
      try realm.write {
        expectMisuse("deleted or invalidated") { realm.delete(ada) }
        expectMisuse("deleted or invalidated") { realm.add(ada) }
      }
      expectMisuse("deleted or invalidated") { _ = ada.name }
    }
  }

  @Test func `realms in memory are shared by name and gone with the last`() throws {
    func open(_ name: String) throws -> Realm {
      try Realm(configuration: .init(inMemoryIdentifier: name, objectTypes: zoo))
    }
    do {
      let realm = try open("memory-a")
      try realm.write { realm.add(Dog()) }
      #expect(try open("memory-a") == realm)
      #expect(try open("memory-b").isEmpty)
      let counts = DispatchQueue(label: "other").sync {
        (try? open("memory-a").objects(Dog.self).count) ?? -1
      }
      #expect(counts == 1)
    }
    #expect(try open("memory-a").isEmpty)
  }

  @Test func `realms are read only where that is asked for`() throws {
    let folder = try TemporaryFolder()
    let url = URL(fileURLWithPath: folder.file("a.kennel"))
    var configuration = Realm.Configuration(fileURL: url, objectTypes: zoo)
    try autoreleased {
      let realm = try Realm(configuration: configuration)
      try realm.write { realm.add(Dog(value: ["name": "Rex"])) }
    }
    configuration.readOnly = true
    let realm = try Realm(configuration: configuration)
    #expect(realm.objects(Dog.self).first?.name == "Rex")
    expectMisuse("read-only Realms") { realm.beginWrite() }
    configuration.fileURL = URL(fileURLWithPath: folder.file("none.kennel"))
    #expect(throws: Realm.Error.fileNotFound) { try Realm(configuration: configuration) }
  }

  @Test func `a file that may not be written is opened where only reading is asked for`()
    async throws
  {
    let folder = try TemporaryFolder()
    let path = folder.file("a.kennel")
    try autoreleased {
      let realm = try Realm(
        configuration: .init(fileURL: URL(fileURLWithPath: path), objectTypes: zoo)
      )
      try realm.write { realm.add(Dog(value: ["name": "Rex"])) }
    }
    unsafe chmod(folder.path, 0o777)
    unsafe chmod(path, 0o444)
    unsafe chmod(path + "-lock", 0o666)
    await #expect(processExitsWith: .success) { [path = path as String] in
      if getuid() == 0 { #expect(setuid(65_534) == 0) }
      var configuration = Realm.Configuration(
        fileURL: URL(fileURLWithPath: path),
        objectTypes: zoo
      )
      #expect(throws: Realm.Error.filePermissionDenied) { try Realm(configuration: configuration) }
      configuration.readOnly = true
      let realm = try Realm(configuration: configuration)
      #expect(realm.objects(Dog.self).count == 1)
    }
  }

  private func autoreleased(_ body: () throws -> Void) rethrows { try body() }

  @Test func `the default configuration says what a realm opens`() throws {
    let folder = try TemporaryFolder()
    let before = Realm.Configuration.defaultConfiguration
    defer { Realm.Configuration.defaultConfiguration = before }
    let url = URL(fileURLWithPath: folder.file("default.kennel"))
    Realm.Configuration.defaultConfiguration = .init(fileURL: url, objectTypes: zoo)
    let realm = try Realm()
    #expect(realm.configuration.fileURL == url)
    #expect(try Realm(configuration: .defaultConfiguration) == realm)
    let other = try Realm(fileURL: URL(fileURLWithPath: folder.file("other.kennel")))
    #expect(other != realm && other.configuration.objectTypes?.count == zoo.count)
  }

  @Test func `a seed is copied where there is no file`() throws {
    let folder = try TemporaryFolder()
    let seed = URL(fileURLWithPath: folder.file("seed.kennel"))
    try autoreleased {
      let realm = try Realm(configuration: .init(fileURL: seed, objectTypes: zoo))
      try realm.write { realm.add(Dog(value: ["name": "Rex"])) }
    }
    let configuration = Realm.Configuration(
      fileURL: URL(fileURLWithPath: folder.file("new.kennel")),
      objectTypes: zoo,
      seedFilePath: seed
    )
    let realm = try Realm(configuration: configuration)
    #expect(realm.objects(Dog.self).first?.name == "Rex")
    try realm.write { realm.add(Dog()) }
    #expect(realm.objects(Dog.self).count == 2)
  }

  @Test func `objects stay on their thread`() throws {
    try withRealm(zoo) { realm in
      let dog = Dog()
      try realm.write { realm.add(dog) }
      nonisolated(unsafe) let shared = dog
      nonisolated(unsafe) var message: String?
      let done = DispatchSemaphore(value: 0)
      Thread.detachNewThread {
        unsafe message = catchRealmException { _ = unsafe shared.name }
        done.signal()
      }
      done.wait()
      unsafe #expect(message?.contains("Realm accessed from incorrect thread") == true)
    }
  }

  @Test func `results live inside a transaction and see other realms' commits`() throws {
    try withRealm(zoo) { realm in
      let dogs = realm.objects(Dog.self)
      let old = dogs.filter("age > 3")
      try realm.write {
        realm.add(Dog(value: ["age": 4]))
        #expect(dogs.count == 1 && old.count == 1)
        dogs[0].age = 1
        #expect(old.isEmpty && dogs.first?.age == 1)
      }
      let configuration = realm.configuration
      try DispatchQueue(label: "other").sync {
        let other = try Realm(configuration: configuration)
        try other.write { other.add(Dog(value: ["age": 9])) }
      }
      realm.refresh()
      #expect(old.map(\.age) == [9] && dogs.count == 2)
      for dog in dogs { try realm.write { dog.age += 1 } }
      #expect(dogs.map(\.age) == [2, 10])
    }
  }

  @Test func `objects compare, describe and know themselves`() throws {
    try withRealm(zoo) { realm in
      let ada = Person(value: ["name": "Ada"])
      try realm.write { realm.add(ada) }
      let same = try #require(realm.objects(Person.self).first)
      #expect(ada == same && ada.isSameObject(as: same) && Set([ada, same]).count == 1)
      #expect(Dog() != Dog())
      #expect(ada.description.contains("name = Ada"))
      #expect(ada.objectSchema.className == "Person" && Person.className() == "Person")
      #expect(ada["age"] as? Int == 0 && ada.value(forKeyPath: "bestFriend.name") == nil)
      try realm.write {
        ada["age"] = 5
        ada.home = Address(value: ["city": "London"])
        ada.setValue("Rome", forKeyPath: "home.city")
      }
      #expect(ada.age == 5 && ada.home?.city == "Rome")
      expectMisuse("Invalid property name 'nme'") { _ = ada["nme"] }
    }
  }

  @Test func `object ids tell their time and their text`() throws {
    let id = try ObjectId(string: "507f1f77bcf86cd799439011")
    #expect(
      id.stringValue == "507f1f77bcf86cd799439011" && id == ObjectId("507f1f77bcf86cd799439011")
    )
    #expect(Int(id.timestamp.timeIntervalSince1970) == 0x507f_1f77)
    #expect(throws: (any Error).self) { try ObjectId(string: "x") }
    #expect(ObjectId() != ObjectId() && ObjectId.generate() < ObjectId.generate())
    let made = ObjectId(timestamp: Date(timeIntervalSince1970: 5), machineId: 1, processId: 2)
    #expect(made.timestamp == Date(timeIntervalSince1970: 5))
    let coded = try JSONEncoder().encode([id])
    #expect(try JSONDecoder().decode([ObjectId].self, from: coded) == [id])
  }
}
