import KennelCore
import KennelDocuments
import KennelSQL

/// A PostgreSQL database that becomes a Kennel database.
final class PostgresSource {
  private let url: PostgresURL
  private let connection: PostgresConnection
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
    do throws(SQLError) {
      url = try PostgresURL(path)
    } catch {
      throw CommandError("Cannot open \(PostgresURL.withoutPassword(path)): \(error.message)")
    }
    connection = try Self.connect(to: url, silence: part.mostSilence)
  }

  private static func connect(
    to url: PostgresURL,
    silence: Duration
  ) throws -> PostgresConnection {
    var password: String?
    while true {
      do throws(SQLError) {
        return try PostgresConnection(url, password: password, silence: silence)
      } catch {
        guard error.kind == .needsPassword else {
          throw CommandError("Cannot open \(url.shown): \(error.message)")
        }
      }
      password = try askForPassword(url)
    }
  }

  private static func askForPassword(_ url: PostgresURL) throws -> String {
    let name = TerminalText.line(url.shown)
    guard let answer = try TerminalQuestion.askForSecret("Password for \(name): "), !answer.isEmpty
    else {
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
    try telling { try connection.check() }
  }
}

extension PostgresSource: SQLSource {
  func fill(
    _ database: Database,
    beforeCommit: () -> Void,
    progress: @escaping (Double) -> Void
  ) throws -> SQLImporter.Summary {
    try telling {
      try database.writeWhenFree { transaction in
        let importer = SQLImporter(connection, part, addedKeys: addedKeys)
        let summary = try importer.run(in: transaction, progress: progress)
        beforeCommit()
        return summary
      }
    }
  }
}

extension PostgresSource: ForeignSource {
  func mapping(_ contents: CopyContents) throws -> SQLMapping? {
    try telling {
      try SQLMapping(
        connection,
        part,
        addedKeys: addedKeys,
        contents.forms.compactMap(TableForms.init)
      )
    }
  }

  var path: String { url.shown }
  var readPath: String { path }
  var version: String { "" }
  var secrecy: String? { "it is on a server" }
  var title: String { "\(connection.name) (PostgreSQL)" }
  var proposedName: String { connection.database.replacing("/", with: "_") + ".kennel" }
}
