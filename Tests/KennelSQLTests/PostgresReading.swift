import KennelCore
import KennelSQL
import KennelTestSupport
import Testing

extension PostgresDatabase {
  /// Connects as a user.
  func connect(
    _ user: String = "postgres",
    silence: Duration = .seconds(60)
  ) throws -> PostgresConnection {
    try PostgresConnection(PostgresURL(url(user)), silence: silence)
  }

  /// Reads the database into one of Kennel's that is checked afterwards.
  ///
  /// - Parameters:
  ///   - user: The user who reads.
  ///   - addedKeys: Foreign keys that the database does not declare.
  ///   - part: What is read.
  ///   - body: Looks at the database.
  /// - Throws: What reading and the body throw.
  func read(
    as user: String = "postgres",
    addedKeys: [String] = [],
    _ part: PostgresPart = PostgresPart(),
    _ body: (Snapshot, SQLImporter.Summary) throws -> Void
  ) throws {
    let keys = try addedKeys.map { try #require(AddedKey($0)) }
    let connection = try connect(user)
    try withTemporaryDatabase { database in
      let summary = try database.write { transaction in
        try SQLImporter(connection, part, addedKeys: keys).run(in: transaction)
      }
      try body(try database.snapshot(), summary)
    }
  }

  /// Why a part of it cannot be read.
  func refusal(_ part: PostgresPart) -> String? {
    #expect(throws: SQLError.self) { try read(part) { _, _ in } }?.message
  }
}
