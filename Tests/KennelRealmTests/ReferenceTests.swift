import Foundation
import KennelRealm
import RealmTestSupport
import Testing

@Suite struct `References across threads` {
  /// Runs a body with another realm of the same file, on a queue of its own.
  private func elsewhere<Result>(
    _ realm: Realm,
    _ body: (Realm) throws -> Result
  ) throws -> Result {
    let configuration = realm.configuration
    let queue = DispatchQueue(label: "elsewhere")
    return try queue.sync { try body(Realm(configuration: configuration, queue: queue)) }
  }

  @Test func `objects and collections are found again`() throws {
    try withRealm(zoo) { realm in
      let rex = Dog(value: ["name": "Rex", "age": 4] as [String: Any])
      let ada = Person(value: ["name": "Ada", "dogs": [rex], "grades": ["a": 1]] as [String: Any])
      try realm.write {
        realm.add(ada)
        ada.nicknames.insert("x")
      }
      let object = ThreadSafeReference(to: rex)
      let list = ThreadSafeReference(to: ada.dogs)
      let set = ThreadSafeReference(to: ada.nicknames)
      let map = ThreadSafeReference(to: ada.grades)
      let owners = ThreadSafeReference(to: rex.owners)
      let any = ThreadSafeReference(to: AnyRealmCollection(ada.dogs))
      let results = ThreadSafeReference(
        to: realm.objects(Dog.self).filter("age > 3").sorted(byKeyPath: "name")
      )
      try elsewhere(realm) { other in
        #expect(other.resolve(object)?.name == "Rex")
        #expect(other.resolve(list)?.map(\.name) == ["Rex"])
        #expect(other.resolve(set)?.contains("x") == true)
        #expect(other.resolve(map)?["a"] == 1)
        #expect(other.resolve(any)?.map(\.name) == ["Rex"])
        #expect(other.resolve(owners)?.first?.name == "Ada")
        #expect(other.resolve(results)?.map(\.name) == ["Rex"])
        #expect(object.isInvalidated)
        expectMisuse("once") { _ = other.resolve(object) }
      }
    }
  }

  @Test func `what was deleted is not`() throws {
    try withRealm(zoo) { realm in
      let ada = Person(value: ["name": "Ada"])
      try realm.write { realm.add(ada) }
      let (object, list) = (ThreadSafeReference(to: ada), ThreadSafeReference(to: ada.dogs))
      try realm.write { realm.delete(ada) }
      try elsewhere(realm) { other in
        _ = other.objects(Dog.self)
        #expect(other.resolve(object) == nil && other.resolve(list) == nil)
      }
      expectMisuse("unmanaged object") { _ = ThreadSafeReference(to: Dog()) }
      expectMisuse("invalidated object") { _ = ThreadSafeReference(to: ada) }
    }
  }

  @Test func `a realm that has shown nothing yet begins where the reference was made`() throws {
    try withRealm(zoo) { realm in
      let ada = Person(value: ["name": "Ada", "age": 1])
      try realm.write { realm.add(ada) }
      let (object, same) = (ThreadSafeReference(to: ada), ThreadSafeReference(to: ada))
      try realm.write { realm.delete(ada) }
      try elsewhere(realm) { other in
        #expect(other.resolve(object)?.age == 1 && other.objects(Person.self).count == 1)
        other.refresh()
        #expect(other.isEmpty && other.resolve(same) == nil)
      }
    }
  }

  @Test func `a reference made in a transaction is resolved after it, in its file only`() throws {
    try withRealm(zoo) { realm in
      realm.beginWrite()
      let rex = realm.create(Dog.self, value: ["Rex"])
      let (first, second) = (ThreadSafeReference(to: rex), ThreadSafeReference(to: rex))
      try withRealm(zoo) { #expect($0.resolve(first) == nil && first.isInvalidated) }
      try realm.commitWrite()
      try elsewhere(realm) { #expect($0.resolve(second)?.name == "Rex") }
    }
  }

  @Test func `a thread-safe variable gives every thread its own object`() throws {
    try withRealm(zoo) { realm in
      try realm.write { realm.create(Dog.self, value: ["Rex"]) }
      @ThreadSafe var rex = realm.objects(Dog.self).first
      @ThreadSafe var dogs = realm.objects(Dog.self)
      let (wrapper, all) = ($rex, $dogs)
      DispatchQueue.concurrentPerform(iterations: 4) { _ in
        let (rex, dogs) = (wrapper.wrappedValue, all.wrappedValue)
        try? rex?.realm?.write { rex?.age += dogs?.count ?? 0 }
      }
      #expect(rex?.age == 4)
      try realm.write { realm.delete(realm.objects(Dog.self)) }
      #expect(rex == nil && dogs?.isEmpty == true)
      dogs = nil
      #expect(dogs == nil)
      expectMisuse("Only managed objects may be wrapped") { rex = Dog() }
    }
  }

  @Test func `decimal numbers calculate`() {
    let (tenth, fifth): (Decimal128, Decimal128) = (0.1, 0.2)
    #expect(tenth + fifth == 0.3 && tenth - fifth == -0.1 && tenth * fifth == 0.02)
    #expect(tenth / fifth == 0.5 && -tenth == -0.1 && (tenth - fifth).magnitude == 0.1)
    var sum: Decimal128 = 3
    sum += 1
    sum *= 2
    sum /= 5
    #expect(sum == 1.6 && [tenth, fifth].reduce(0, +) == 0.3)
  }
}
