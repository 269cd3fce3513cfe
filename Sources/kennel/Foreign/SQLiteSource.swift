import Glibc
import KennelCore
import KennelSQL

/// An SQLite database that becomes a Kennel database.
struct SQLiteSource {
  /// A file that an app writes is read so often before it is given up.
  private static let mostAttempts = 5
  /// Changes when the same database becomes other classes or values, so that older copies are not found.
  private static let mappingVersion = 2
  /// How files of SQLite are called, also encrypted ones.
  private static let endings = [".sqlite", ".sqlite3", ".db", ".db3"]

  let path: String
  let addedKeys: [AddedKey]
  let links: [String]

  /// - Parameters:
  ///   - path: The path.
  ///   - links: The foreign keys that the database does not declare.
  /// - Throws: `CommandError` if a text is no foreign key.
  init(_ path: String, links: [String]) throws {
    self.path = path
    self.links = links
    addedKeys = try AddedKey.read(links)
  }

  /// Whether a file begins like an SQLite database.
  static func isSQLite(_ input: FileInput) -> Bool {
    input.begins(with: SQLiteFile.header.utf8)
  }

  /// Whether a file has the name of an SQLite database.
  static func isNameOfSQLite(_ path: String) -> Bool {
    let name = path.lowercased()
    return endings.contains(where: name.hasSuffix)
  }

  /// Has SQLite check the file; each problem is a sentence.
  func check() throws -> [String] {
    try reading { connection, requireUnchanged in
      let findings = try connection.check()
      try requireUnchanged()
      return findings
    }
  }

  // MARK: - Reading

  /// Runs a body with a connection, again if the file changed while it was read without locks.
  func reading<Result>(
    _ body: (SQLiteConnection, _ requireUnchanged: @escaping () throws -> Void) throws -> Result
  ) throws -> Result {
    let real = realPath(path)
    var attempt = 1
    while true {
      let file = SQLiteFile(real)
      func requireUnchanged() throws {
        if file.access == .unlocked, SQLiteFile(real) != file {
          throw SQLError(.changed, "another program writes it all the time")
        }
      }
      do {
        do {
          if let access = file.access {
            return try body(try SQLiteConnection(real, access), requireUnchanged)
          }
        } catch let error as SQLError where error.kind == .needsRecovery {}
        return try recovering(file) { try body($0) {} }
      } catch let error as SQLError {
        // What is read while it changes may look damaged.
        guard SQLiteFile(real) != file, attempt < Self.mostAttempts else {
          throw CommandError("Cannot read \(path): \(error.message)")
        }
        attempt += 1
      }
    }
  }

  /// Runs a body with a connection to a copy of the file, in which SQLite finishes or takes back what a
  /// program was writing when it was interrupted.
  private func recovering<Result>(
    _ file: SQLiteFile,
    _ body: (SQLiteConnection) throws -> Result
  ) throws -> Result {
    let copy = "\(try PrivateCopies().folder)/original.\(getpid()).new.sqlite"
    try makeFolders(of: copy)
    let suffixes = [""] + SQLiteFile.companions
    defer { for suffix in suffixes + ["-shm"] { unlink(copy + suffix) } }
    for suffix in suffixes where exists(file.path + suffix) {
      Interruption.willLeave(copy + suffix)
      let input = try FileInput(file.path + suffix)
      try writeNewFile(copy + suffix, as: copy + suffix, mode: 0o600) {
        try input.forEachBlock($0.write)
      }
    }
    guard SQLiteFile(file.path) == file else {
      throw SQLError(.changed, "another program writes it all the time")
    }
    return try body(try SQLiteConnection(copy, .own))
  }
}

extension SQLiteSource: SQLSource {
  var readPath: String { path }
  var secrecy: String? { nil }
  var title: String { "\(path) (SQLite)" }
  var dialect: SQLDialect { .sqlite }

  /// The tables may be as they were, and a log beside them longer.
  var version: String { SQLiteFile(realPath(path)).state }

  var identity: String? { ([String(Self.mappingVersion)] + links).joined(separator: " ") }

  func state() throws -> PrivateCopies.Original {
    try PrivateCopies.Original(readPath, version: version, identity: identity)
  }

  func importing<Result>(
    former: [TableForms],
    _ body: (SQLImporter, _ requireUnchanged: @escaping () throws -> Void) throws -> Result
  ) throws -> Result {
    try reading { connection, requireUnchanged in
      let importer = SQLImporter(connection, addedKeys: addedKeys, former: former)
      return try body(importer, requireUnchanged)
    }
  }

  func withScratch<Result>(_ body: (Database) throws -> Result) throws -> Result {
    let path = try PrivateCopies().scratch()
    let scratch = try makeDatabase(path, as: "the copy of \(self.path)")
    defer { removeDatabase(path) }
    return try body(scratch)
  }

  func mapping(_ contents: CopyContents) throws -> SQLMapping {
    try reading { connection, requireUnchanged in
      let mapping = try SQLMapping(connection, addedKeys: addedKeys, contents.tableForms)
      try requireUnchanged()
      return mapping
    }
  }

  // MARK: - Writing

  /// Whether the file can be changed: SQLite writes a journal beside it.
  var canWrite: Bool {
    let path = realPath(path)
    let folder = path.lastIndex(of: "/").map { path[...$0] } ?? "."
    return unsafe access(path, W_OK) == 0 && access(String(folder), W_OK) == 0
  }

  func notePath(of copy: String) -> String? { copy + CommitNote.suffix }

  func store(
    _ commit: DraftCommit,
    _ contents: CopyContents,
    announce: (CommitTrace) throws -> Void
  ) throws {
    var writer = try SQLiteWriter(realPath(path))
    let changes = try RowChanges(
      commit,
      writer.mapping(addedKeys: addedKeys, contents.tableForms)
    )
    try writer.run(changes)
    try announce(CommitTrace(changes))
    try writer.commit()
  }

  func isStored(_ trace: CommitTrace) throws -> Bool? {
    try reading { connection, _ in try trace.isStored(connection) }
  }
}
