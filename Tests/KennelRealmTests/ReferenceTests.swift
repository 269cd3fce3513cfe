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
      let results = ThreadSafeReference(
        to: realm.objects(Dog.self).filter("age > 3").sorted(byKeyPath: "name")
      )
      try elsewhere(realm) { other in
        #expect(other.resolve(object)?.name == "Rex")
        #expect(other.resolve(list)?.map(\.name) == ["Rex"])
        #expect(other.resolve(set)?.contains("x") == true)
        #expect(other.resolve(map)?["a"] == 1)
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
        #expect(other.resolve(object) == nil && other.resolve(list) == nil)
      }
      expectMisuse("unmanaged object") { _ = ThreadSafeReference(to: Dog()) }
      expectMisuse("invalidated object") { _ = ThreadSafeReference(to: ada) }
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
