import Foundation
import KennelCore
import KennelRealm
import KennelTestSupport
import RealmTestSupport
import Testing

/// A class of its own for each pair of types.
class Pair<First, Second>: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(indexed: true) var name: String
  @Persisted var note: String?
  @Persisted var values: List<Int>
  override class func className() -> String { "Pair of \(First.self) and \(Second.self)" }
}

@Suite struct `The life of realms` {
  private func configuration(
    _ folder: borrowing TemporaryFolder,
    _ types: [ObjectBase.Type] = zoo
  ) -> Realm.Configuration {
    Realm.Configuration(
      fileURL: URL(fileURLWithPath: folder.file("test.kennel")),
      objectTypes: types
    )
  }

  @Test func `a write transaction of a realm lets no other begin on its thread`() throws {
    let folder = try TemporaryFolder()
    let realm = try Realm(configuration: configuration(folder))
    let database = try Database.open(folder.file("test.kennel"))
    try realm.write {
      let error = #expect(throws: DatabaseError.self) { try database.write { _ in } }
      #expect(error?.code == .nestedWrite)
    }
    try database.write { _ in }
  }

  @Test func `a realm in an open write transaction lives until the commit`() throws {
    let folder = try TemporaryFolder()
    let configuration = configuration(folder)
    try Realm(configuration: configuration).beginWrite()
    #expect(try Realm(configuration: configuration).isInWriteTransaction)
    try Realm(configuration: configuration).add(Dog(value: ["name": "Rex"]))
    #expect(try Realm(configuration: configuration).objects(Dog.self).count == 1)
    try Realm(configuration: configuration).commitWrite()
    #expect(try !Realm(configuration: configuration).isInWriteTransaction)
    #expect(try Realm(configuration: configuration).objects(Dog.self).map(\.name) == ["Rex"])
    try Realm(configuration: configuration).beginWrite()
    try Realm(configuration: configuration).deleteAll()
    try Realm(configuration: configuration).cancelWrite()
    #expect(try Realm(configuration: configuration).objects(Dog.self).count == 1)
  }

  @Test func `a realm goes when its transaction has ended and nobody holds it`() throws {
    let folder = try TemporaryFolder()
    let configuration = configuration(folder)
    try Realm(configuration: configuration).write {}
    try Realm(configuration: configuration).beginWrite()
    try Realm(configuration: configuration).cancelWrite()
    #expect(try Realm.deleteFiles(for: configuration))
  }

  private static let elements: [any Any.Type] = [
    Int8.self, Int16.self, Int32.self, Int64.self, UInt8.self, UInt16.self, UInt32.self,
    UInt64.self, Float.self, Double.self, Bool.self, String.self,
  ]

  private static func pair<First, Second>(
    _ first: First.Type,
    _ second: Second.Type
  ) -> ObjectBase.Type { Pair<First, Second>.self }

  /// The shortest time that opening takes of several, in seconds.
  private func opening(_ count: Int) throws -> Double {
    let types = Self.elements.flatMap { first in
      Self.elements.map { Self.pair(first, $0) }
    }.prefix(count)
    let folder = try TemporaryFolder()
    let configuration = configuration(folder, Array(types))
    try Realm(configuration: configuration).write {}
    var times: [Double] = []
    for _ in 0..<10 {
      let start = ContinuousClock.now
      let realm = try Realm(configuration: configuration)
      times.append((ContinuousClock.now - start) / .seconds(1))
      #expect(realm.schema.objectSchema.count == count)
    }
    return times.min() ?? 0
  }

  @Test func `opening a realm again costs no more because a program has many classes`() throws {
    let (few, many) = (try opening(2), try opening(144))
    // What is left is to read a schema of 144 classes.
    #expect(many < few * 25 + 0.002)
  }

  @Test func `the classes of a program are looked for once`() throws {
    var times: [Double] = []
    for _ in 0..<5 {
      let start = ContinuousClock.now
      // Of the classes of the tests, two have one name.
      #expect(throws: Realm.Error.self) {
        try Realm(configuration: .init(inMemoryIdentifier: "all classes"))
      }
      times.append((ContinuousClock.now - start) / .seconds(1))
    }
    #expect(try #require(times.min()) < 0.01)
  }
}
