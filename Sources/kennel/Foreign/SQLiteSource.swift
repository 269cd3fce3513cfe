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

  /// Fills an empty database with what the file holds at one moment.
  ///
  /// - Parameters:
  ///   - database: The database.
  ///   - former: What an earlier copy decided of the tables.
  ///   - beforeCommit: Called when all is read.
  ///   - progress: Told the part that is done.
  /// - Returns: What came of it.
  /// - Throws: `CommandError` if the file cannot be read, or `DatabaseError`.
  private func fill(
    _ database: Database,
    former: [TableForms],
    beforeCommit: () -> Void,
    progress: @escaping (Double) -> Void
  ) throws -> SQLImporter.Summary {
    try reading { connection, requireUnchanged in
      try database.writeWhenFree { transaction in
        let importer = SQLImporter(connection, addedKeys: addedKeys, former: former)
        let summary = try importer.run(in: transaction, progress: progress)
        try requireUnchanged()
        beforeCommit()
        return summary
      }
    }
  }

  func fill(
    _ database: Database,
    beforeCommit: () -> Void,
    progress: @escaping (Double) -> Void
  ) throws -> SQLImporter.Summary {
    try fill(database, former: [], beforeCommit: beforeCommit, progress: progress)
  }

  /// Has SQLite check the file; each problem is a sentence.
  func check() throws -> [String] {
    try reading { connection, requireUnchanged in
      let findings = try connection.check()
      try requireUnchanged()
      return findings
    }
  }

  /// Reads which class each table is.
  ///
  /// - Parameter forms: What the values of each table decided.
  /// - Returns: The tables.
  /// - Throws: `CommandError` if the file cannot be read, or its tables are others now.
  func mapping(_ forms: [TableForms]) throws -> SQLMapping {
    try reading { connection, requireUnchanged in
      let mapping = try SQLMapping(connection, addedKeys: addedKeys, forms)
      try requireUnchanged()
      return mapping
    }
  }

  // MARK: - Reading

  /// Runs a body with a connection, again if the file changed while it was read without locks.
  func reading<Result>(
    _ body: (_ connection: SQLiteConnection, _ requireUnchanged: () throws -> Void) throws -> Result
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
      try writeNewFile(copy + suffix, as: copy + suffix, mode: 0o600) { output in
        while true {
          let bytes = try input.read()
          if bytes.isEmpty { break }
          try output.write(bytes)
        }
      }
    }
    guard SQLiteFile(file.path) == file else {
      throw SQLError(.changed, "another program writes it all the time")
    }
    return try body(try SQLiteConnection(copy, .own))
  }
}

extension SQLiteSource: SQLSource, ForeignSource {
  var readPath: String { path }
  var secrecy: String? { nil }
  var title: String { "\(path) (SQLite)" }

  /// The tables may be as they were, and a log beside them longer.
  var version: String { SQLiteFile(realPath(path)).state }

  var identity: String? { ([String(Self.mappingVersion)] + links).joined(separator: " ") }

  func update(_ database: Database, _ former: CopyContents) throws -> CopyContents? {
    // Nobody changes the copy between the reading and its end.
    let transaction = try database.beginWrite()
    defer { transaction.rollback() }
    let path = try PrivateCopies().scratch()
    let scratch = try makeDatabase(path, as: "the copy of \(self.path)")
    defer { removeDatabase(path) }
    let forms = former.forms.compactMap(TableForms.init)
    let summary = try fill(scratch, former: forms, beforeCommit: {}, progress: { _ in })
    do {
      let hasChanged = try CopyUpdate.run(
        summary.mapping,
        from: scratch.snapshot(),
        in: transaction
      )
      if hasChanged { try transaction.commit() }
    } catch let error as SQLError where error.kind == .changed {
      return nil
    } catch let error as DatabaseError where !error.isOfSystem {
      // What differs cannot be changed step by step.
      return nil
    }
    return contents(summary)
  }

  func mapping(_ contents: CopyContents) throws -> SQLMapping? {
    try mapping(contents.forms.compactMap(TableForms.init))
  }
}

extension DatabaseError {
  /// Whether the system or the disk is the reason, and not what was to be stored.
  fileprivate var isOfSystem: Bool {
    [.cannotOpen, .diskFull, .fileReplaced, .busy, .closed].contains(code)
  }
}
