import Foundation
import KennelRealm
import RealmTestSupport
import Testing

/// Runs a body on a thread of its own and waits for it.
internal func onAnotherThread(_ body: @escaping () -> Void) {
  nonisolated(unsafe) let body = body
  let done = DispatchSemaphore(value: 0)
  Thread.detachNewThread {
    unsafe body()
    done.signal()
  }
  done.wait()
}

private func makeAda(_ realm: Realm) throws -> Person {
  let ada = Person(value: ["name": "Ada", "age": 36, "dogs": [["Rex", 3], ["Fido", 5]]])
  try realm.write {
    realm.add(ada)
    ada.grades["art"] = 1
    ada.nicknames.insert("Countess")
    ada.home = Address(value: ["city": "London"])
    ada.bestFriend = ada
  }
  return ada
}

@Suite struct `Freezing` {
  @Test func `a frozen object never changes, on any thread`() throws {
    try withRealm(zoo) { realm in
      let ada = try makeAda(realm)
      let frozen = ada.freeze()
      #expect(frozen.isFrozen && !ada.isFrozen && frozen.freeze() === frozen)
      try realm.write {
        ada.age = 37
        ada.dogs.removeAll()
        realm.delete(realm.objects(Dog.self))
      }
      onAnotherThread {
        #expect(frozen.age == 36 && frozen.dogs.map(\.name) == ["Rex", "Fido"])
        #expect(frozen.dogs[0].owners.first?.name == "Ada" && frozen.dogs[0].isFrozen)
        #expect(frozen.home?.city == "London" && frozen.bestFriend?.age == 36)
        #expect(frozen.grades["art"] == 1 && frozen.nicknames.contains("Countess"))
        #expect(!frozen.isInvalidated && frozen.realm?.isFrozen == true)
      }
      #expect(ada.age == 37 && ada.dogs.isEmpty)
    }
  }

  @Test func `frozen collections never change`() throws {
    try withRealm(zoo) { realm in
      let ada = try makeAda(realm)
      let dogs = ada.dogs.freeze()
      let grades = ada.grades.freeze()
      let nicknames = ada.nicknames.freeze()
      let admirers = ada.admirers.freeze()
      let old = realm.objects(Dog.self).where { $0.age > 3 }.freeze()
      let any = AnyRealmCollection(ada.dogs).freeze()
      try realm.write { realm.deleteAll() }
      onAnotherThread {
        #expect(dogs.count == 2 && dogs.isFrozen && dogs.first?.isFrozen == true)
        #expect(grades["art"] == 1 && grades.isFrozen)
        #expect(nicknames.count == 1 && nicknames.isFrozen)
        #expect(admirers.map(\.name) == ["Ada"] && admirers.isFrozen)
        #expect(old.map(\.name) == ["Fido"] && old.sorted(byKeyPath: "age").first?.age == 5)
        #expect(any.count == 2 && any.isFrozen)
      }
      #expect(dogs.thaw() == nil && grades.thaw() == nil && nicknames.thaw() == nil)
      #expect(admirers.thaw() == nil && any.thaw() == nil && old.thaw()?.isEmpty == true)
      expectMisuse("invalidated") { _ = ada.dogs.freeze() }
      expectMisuse("cannot be frozen") { _ = List<Dog>().freeze() }
    }
  }

  @Test func `a frozen realm is the same until there is another commit`() throws {
    try withRealm(zoo) { realm in
      let frozen = realm.freeze()
      #expect(frozen.isFrozen && realm.freeze() == frozen && frozen.freeze() == frozen)
      try realm.write { realm.add(Dog()) }
      #expect(realm.freeze() != frozen && frozen.isEmpty && !realm.freeze().isEmpty)
      realm.beginWrite()
      realm.add(Dog())
      #expect(realm.freeze().objects(Dog.self).count == 1)
      let dog = realm.create(Dog.self)
      expectMisuse("same write transaction") { _ = dog.freeze() }
      realm.cancelWrite()
      #expect(!frozen.refresh() && !frozen.autorefresh && frozen.thaw() == realm)
    }
  }

  @Test func `what is frozen can be neither changed nor observed`() throws {
    try withRealm(zoo) { realm in
      let ada = try makeAda(realm)
      let frozen = ada.freeze()
      let frozenRealm = realm.freeze()
      expectMisuse("modify a frozen object - call thaw") { frozen.age = 1 }
      expectMisuse("modify a frozen object") { frozen["age"] = 1 }
      expectMisuse("outside of a write transaction") { frozen.dogs.append(Dog()) }
      expectMisuse("outside of a write transaction") { frozen.grades["art"] = 2 }
      expectMisuse("transactions on a frozen Realm") { frozenRealm.beginWrite() }
      expectMisuse("transactions on a frozen Realm") { frozenRealm.writeAsync {} }
      expectMisuse("enabled for frozen") { frozenRealm.autorefresh = true }
      let sentence = "Frozen Realms do not change and do not have change notifications"
      expectMisuse(sentence) { _ = frozenRealm.observe { _, _ in } }
      expectMisuse(sentence) { _ = frozen.observe { (_: ObjectChange<Person>) in } }
      expectMisuse(sentence) { _ = frozen.dogs.observe(on: .main) { _ in } }
      expectMisuse("frozen object, which can be passed") { _ = ThreadSafeReference(to: frozen) }
      expectMisuse("Unmanaged objects cannot be frozen") { _ = Dog().freeze() }
      expectMisuse("Unmanaged objects cannot be thawed") { _ = Dog().thaw() }
    }
  }

  @Test func `thawing gives the object of this thread, as it is now`() throws {
    try withRealm(zoo) { realm in
      let ada = try makeAda(realm)
      let frozen = ada.freeze()
      try realm.write { ada.age = 40 }
      let thawed = try #require(frozen.thaw())
      #expect(!thawed.isFrozen && thawed.age == 40 && frozen.age == 36 && thawed == ada)
      onAnotherThread {
        let elsewhere = frozen.thaw()
        try? elsewhere?.realm?.write { elsewhere?.age = 41 }
      }
      realm.refresh()
      #expect(thawed.age == 41 && realm.thaw(frozen)?.age == 41)
      try realm.write { realm.delete(ada) }
      #expect(frozen.thaw() == nil && frozen.age == 36)
    }
  }

  @Test func `many threads read what is frozen at once`() throws {
    try withRealm(zoo) { realm in
      try realm.write {
        for age in 0..<2_000 { realm.create(Dog.self, value: ["Dog \(age)", age]) }
      }
      nonisolated(unsafe) let dogs = realm.objects(Dog.self).where { $0.age >= 1_000 }.freeze()
      DispatchQueue.concurrentPerform(iterations: 8) { _ in
        unsafe #expect(dogs.count == 1_000 && dogs.reduce(0) { $0 + $1.age } == 1_499_500)
        unsafe #expect(dogs.last?.name == "Dog 1999")
      }
    }
  }

  @Test func `objects are frozen by name, too`() throws {
    try withRealm(zoo) { realm in
      _ = try makeAda(realm)
      let frozen = try #require(realm.dynamicObjects("Person").first).freeze()
      #expect(frozen.isFrozen && frozen.dynamicList("dogs").first?.isFrozen == true)
      try realm.write { realm.deleteAll() }
      #expect(frozen["age"] as? Int == 36 && frozen.dynamicMutableSet("friends").isFrozen)
    }
  }

  @Test func `objects without a primary key equal themselves only, frozen ones each other`() throws
  {
    try withRealm(zoo) { realm in
      let ada = try makeAda(realm)
      let (one, other) = (ada.dogs[0], ada.dogs[0])
      #expect(one != other && one.isSameObject(as: other) && one == one)
      #expect(one.freeze() == other.freeze() && one.freeze() != ada.dogs[1].freeze())
      #expect(Set([one.freeze(), other.freeze()]).count == 1 && Set([one, other]).count == 2)
      #expect(ada == realm.object(ofType: Person.self, forPrimaryKey: "Ada"))
      #expect(ada != ada.freeze() && !ada.isSameObject(as: ada.freeze()))
    }
  }
}
