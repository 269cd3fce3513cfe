import KennelBox

/// Kennel, through boxes of ObjectBox Swift.
final class BoxEngine: Engine {
  typealias DogKey = Id

  let path: String
  let workload: Workload
  private var opened: Store?

  init(path: String, workload: Workload) throws {
    self.path = path
    self.workload = workload
    opened = try Self.open(path)
  }

  private static func open(_ path: String) throws -> Store {
    try Store(
      entities: [Boxed.Dog.entityInfo, Boxed.Person.entityInfo, Boxed.Address.entityInfo],
      directory: path
    )
  }

  /// The store, which is open but for the moment between closing and reopening.
  var store: Store {
    get throws {
      guard let opened else { throw BenchmarkError("\(path) is closed") }
      return opened
    }
  }

  var dogs: Box<Boxed.Dog> { get throws { try store.box(for: Boxed.Dog.self) } }
  var people: Box<Boxed.Person> { get throws { try store.box(for: Boxed.Person.self) } }
  var addresses: Box<Boxed.Address> { get throws { try store.box(for: Boxed.Address.self) } }

  func close() { opened = nil }

  func fileBytes() -> Int { Footprint.bytes(of: path) }

  func reopen(reading id: Int64) throws -> Int64 {
    opened = try Self.open(path)
    guard let person = try people.get(Id(id + 1)) else { return -1 }
    return Int64(person.birthdate.timeIntervalSince1970)
  }
}
