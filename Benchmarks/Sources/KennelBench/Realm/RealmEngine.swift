import KennelRealm

/// Kennel, through model classes of Realm Swift as a user writes them.
final class RealmEngine: Engine {
  typealias DogKey = Dog

  let path: String
  let workload: Workload
  private var opened: Realm?

  init(path: String, workload: Workload) throws {
    self.path = path
    self.workload = workload
    opened = try Self.open(path)
  }

  private static func open(_ path: String) throws -> Realm {
    try Realm(
      configuration: Realm.Configuration(
        fileURL: URL(fileURLWithPath: path),
        objectTypes: [Dog.self, Person.self, Address.self]
      )
    )
  }

  /// The realm, which is open but for the moment between closing and reopening.
  var realm: Realm {
    get throws {
      guard let opened else { throw BenchmarkError("\(path) is closed") }
      return opened
    }
  }

  func close() { opened = nil }

  func fileBytes() -> Int { Footprint.bytes(of: path) }

  func reopen(reading id: Int64) throws -> Int64 {
    let realm = try Self.open(path)
    opened = realm
    guard let person = realm.object(ofType: Person.self, forPrimaryKey: Int(id)) else { return -1 }
    return Int64(person.birthdate.timeIntervalSince1970)
  }
}
