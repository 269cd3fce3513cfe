import CSQLite3
import KennelCore
import KennelSQL
import KennelTestSupport
import Testing

/// An SQLite file that a test makes through libsqlite3, in a folder of its own.
@safe final class SQLFile {
  let folder: TemporaryFolder
  let path: String
  private let connection: OpaquePointer

  init(_ statements: String = "", name: String = "test.sqlite") throws {
    folder = try TemporaryFolder()
    path = folder.file(name)
    var opened: OpaquePointer?
    try #require(unsafe sqlite3_open(path, &opened) == SQLITE_OK)
    unsafe connection = try #require(unsafe opened)
    try run(statements)
  }

  deinit { unsafe sqlite3_close(connection) }

  /// Runs statements.
  func run(_ statements: String) throws {
    let code = unsafe sqlite3_exec(connection, statements, nil, nil, nil)
    let message = unsafe String(cString: sqlite3_errmsg(connection))
    try #require(code == SQLITE_OK, "\(message)")
  }

  /// Runs statements, and says whether SQLite takes them.
  func runs(_ statements: String) -> Bool {
    unsafe sqlite3_exec(connection, statements, nil, nil, nil) == SQLITE_OK
  }

  /// Reads the file into a database that is checked afterwards.
  ///
  /// - Parameters:
  ///   - access: How the file is opened; as its state asks for without it.
  ///   - addedKeys: Foreign keys that the file does not declare.
  ///   - body: Looks at the database.
  /// - Throws: What reading and the body throw.
  func read(
    _ access: SQLiteConnection.Access? = nil,
    addedKeys: [String] = [],
    _ body: (Snapshot, SQLImporter.Summary) throws -> Void
  ) throws {
    let access = try #require(access ?? SQLiteFile(path).access)
    let source = try SQLiteConnection(path, access)
    let keys = try addedKeys.map { try #require(AddedKey($0)) }
    try withTemporaryDatabase { database in
      let summary = try database.write { transaction in
        try SQLImporter(source, addedKeys: keys).run(in: transaction)
      }
      try body(try database.snapshot(), summary)
    }
  }
}

extension Snapshot {
  /// The types of the properties of a class, as text, by their names.
  func types(_ className: String) throws -> [String: String] {
    let properties = try schema.require(className).properties
    return Dictionary(uniqueKeysWithValues: properties.map { ($0.name, "\($0.type)") })
  }

  /// The values of a property, in the order of the keys.
  func values(_ className: String, _ property: String) throws -> [Value] {
    let found = try schema.require(className)
    let key = try found.require(property).key
    return try objects(of: found.key).map { try value(of: $0, property: key) }
  }

  /// The keys of the objects of a class.
  func keys(_ className: String) throws -> [UInt64] {
    try objects(of: schema.require(className).key).map(\.key.rawValue)
  }

  /// The keys of the targets of a link, in the order of the objects; `nil` where there is none.
  func targets(_ className: String, _ property: String) throws -> [UInt64?] {
    try values(className, property).map { value in
      if case .link(let target) = value { target.key.rawValue } else { nil }
    }
  }
}
