@_spi(Faces) import KennelCore
import KennelDocuments
import KennelSQL

/// A PostgreSQL database that becomes a Kennel database.
///
/// A connection is made for each task, and none is kept while a person thinks.
struct PostgresSource {
  private let url: PostgresURL
  /// The password that a person typed.
  private let password: String?
  private let databaseName: String
  /// The database and its host.
  private let name: String
  private let part: PostgresPart
  let links: [String]
  private let addedKeys: [AddedKey]

  /// Connects to a database; asks for a password where one is needed and none was given.
  ///
  /// - Parameters:
  ///   - path: The URL.
  ///   - reading: How it is read.
  /// - Throws: `CommandError` if there is no connection, or a text is no foreign key.
  init(_ path: String, _ reading: ForeignReading) throws {
    part = reading.part ?? PostgresPart()
    links = reading.links
    addedKeys = try AddedKey.read(links)
    url = try rethrowing(try PostgresURL(path)) { (error: SQLError) in
      CommandError("Cannot open \(PostgresURL.withoutPassword(path)): \(error.message)")
    }
    let connection: PostgresConnection
    (connection, password) = try Self.connect(to: url, silence: part.mostSilence)
    databaseName = connection.database
    name = connection.name
  }

  private static func connect(
    to url: PostgresURL,
    silence: Duration
  ) throws -> (PostgresConnection, password: String?) {
    var password: String?
    while true {
      do throws(SQLError) {
        return (try PostgresConnection(url, password: password, silence: silence), password)
      } catch {
        guard error.kind == .needsPassword else {
          throw CommandError("Cannot open \(url.shown): \(error.message)")
        }
      }
      password = try askForPassword(url)
    }
  }

  private func connect() throws(SQLError) -> PostgresConnection {
    try PostgresConnection(url, password: password, silence: part.mostSilence)
  }

  private static func askForPassword(_ url: PostgresURL) throws -> String {
    let name = TerminalText.line(url.shown)
    guard let answer = try TerminalQuestion.askForSecret("Password for \(name): ") else {
      throw CommandError(
        "Cannot open \(url.shown): it needs a password, which PGPASSWORD or ~/.pgpass can have"
      )
    }
    return String(decoding: answer, as: UTF8.self)
  }

  /// Runs a body whose errors name the database.
  private func telling<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let error as SQLError {
      let advice =
        error.kind == .tooLarge
        ? "; --table NAME and --rows TABLE=CONDITION read a part of it, --copy-limit ROWS reads more"
        : ""
      throw CommandError("Cannot read \(path): \(error.message)\(advice)")
    }
  }

  /// Has the server check the foreign keys and the indexes; each problem is a sentence.
  func check() throws -> [String] {
    try telling { try connect().check() }
  }
}

extension PostgresSource: SQLSource {
  var path: String { url.shown }
  var readPath: String { path }
  var version: String { "" }
  var secrecy: String? { "it is on a server" }
  var title: String { "\(name) (PostgreSQL)" }
  var proposedName: String { databaseName.replacing("/", with: "_") + ".kennel" }
  var dialect: SQLDialect { .postgres }

  /// A server is asked again only when there is a reason.
  func state() throws -> PrivateCopies.Original {
    PrivateCopies.Original(path: path, state: "as it was read", byteCount: 0)
  }

  func importing<Result>(
    former: [TableForms],
    _ body: (SQLImporter, _ requireUnchanged: @escaping () throws -> Void) throws -> Result
  ) throws -> Result {
    try telling {
      try body(SQLImporter(try connect(), part, addedKeys: addedKeys, former: former)) {}
    }
  }

  func withScratch<Result>(_ body: (Database) throws -> Result) throws -> Result {
    try MemoryCopy.withScratch(of: path, because: secrecy ?? "", body)
  }

  func mapping(_ contents: CopyContents) throws -> SQLMapping {
    try telling { try mapping(contents, try connect()) }
  }

  private func mapping(
    _ contents: CopyContents,
    _ connection: PostgresConnection
  ) throws(SQLError) -> SQLMapping {
    try SQLMapping(connection, part, addedKeys: addedKeys, contents.tableForms)
  }

  // MARK: - Writing

  /// The server says what this user may not do.
  var canWrite: Bool { true }

  func notePath(of copy: String) -> String? {
    draftFolder.map { "\($0)/\(fingerprint(path))\(CommitNote.suffix)" }
  }

  func store(
    _ commit: DraftCommit,
    _ contents: CopyContents,
    announce: (CommitTrace) throws -> Void
  ) throws {
    let connection = try connect()
    let mapping = try mapping(contents, connection)
    let changes = try RowChanges(commit, mapping, .postgres)
    try PostgresWriter(connection).commit(changes, mapping, announce: announce) { try connect() }
  }

  func requireValue(
    _ text: String,
    _ property: String,
    of className: String,
    _ contents: CopyContents
  ) throws {
    let connection = try connect()
    let table = try mapping(contents, connection).tables.first { $0.className == className }
    guard let column = table?.columns.first(where: { $0.property == property }) else { return }
    try connection.requireValue(text, of: column.column)
  }

  func isStored(_ trace: CommitTrace) throws -> Bool? { try trace.isStored(connect()) }
}
