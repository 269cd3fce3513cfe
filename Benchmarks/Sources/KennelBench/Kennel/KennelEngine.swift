import KennelCore
import KennelEncryption

/// Kennel, through the public interface of `KennelCore` with typed properties.
class KennelEngine: Engine {
  let path: String
  let workload: Workload
  private var opened: Database?
  private var held: Snapshot?
  let properties: KennelProperties
  /// The dogs by their numbers.
  var dogs: DogHandles

  required init(path: String, workload: Workload) throws {
    self.path = path
    self.workload = workload
    let database = try Database.open(path, configuration: Self.configuration)
    properties = try database.write { transaction in
      try transaction.define([KennelModel.dog, KennelModel.person, KennelModel.address])
      return try KennelProperties(transaction.schema)
    }
    opened = database
    dogs = DogHandles(properties.dog)
  }

  class var configuration: Database.Configuration { Database.Configuration() }

  /// The database, which is open but for the moment between closing and reopening.
  var database: Database {
    get throws {
      guard let opened else { throw BenchmarkError("\(path) is closed") }
      return opened
    }
  }

  /// What the reading steps between two writing ones look at, as a program holds its snapshot while
  /// it reads.
  var snapshot: Snapshot {
    get throws {
      if let held { return held }
      let snapshot = try database.snapshot()
      held = snapshot
      return snapshot
    }
  }

  /// Changes the database; what was held to read from goes.
  func write(_ body: (WriteTransaction) throws -> Void) throws {
    held = nil
    try database.write(body)
  }

  func close() {
    held = nil
    opened = nil
  }

  func fileBytes() -> Int { Footprint.bytes(of: path) }

  func reopen(reading id: Int64) throws -> Int64 {
    let database = try Database.open(path, configuration: Self.configuration)
    opened = database
    let snapshot = try database.snapshot()
    guard let person = try snapshot.find(properties.id, id) else { return -1 }
    return try snapshot[person, properties.birthdate].seconds
  }
}

/// The same, with an encrypted file.
final class EncryptedEngine: KennelEngine {
  private static let key = try? Database.Key(bytes: Array(repeating: 7, count: 32))

  override class var configuration: Database.Configuration { Database.Configuration(key: key) }
}
