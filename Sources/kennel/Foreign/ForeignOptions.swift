import ArgumentParser
import KennelConversion
import KennelCore
import KennelSQL

/// The key of encrypted files.
struct KeyOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      The file with the key of an encrypted database or .realm file: 32 or 64 bytes, their \
      hexadecimal digits, or a passphrase. Without it, $\(FileKeys.variableName), or the terminal.
      """,
      valueName: "file"
    ),
    completion: .file()
  )
  var keyFile: String?

  func validate() { FileKeys.take(from: keyFile) }
}

/// How a database, or the file or the database of another program, is read.
struct ReadingOptions: ParsableArguments {
  @OptionGroup var key: KeyOptions

  @Option(
    help: ArgumentHelp(
      """
      A foreign key that an SQL database does not declare, as in order.customer_id=customer.id; \
      once for each.
      """,
      valueName: "column=column"
    )
  )
  var link: [String] = []

  @OptionGroup var server: ServerOptions

  var reading: ForeignReading { ForeignReading(links: link, part: server.part) }
}

/// The part of a database of a server.
struct ServerOptions: ParsableArguments {
  @Option(
    name: .customLong("table"),
    help: ArgumentHelp(
      "Read only this table of a PostgreSQL database; once for each.",
      valueName: "name"
    )
  )
  var tables: [String] = []

  @Option(
    name: .customLong("rows"),
    help: ArgumentHelp(
      """
      Read only the rows of a table of a PostgreSQL database that a condition in SQL chooses, as in \
      "order=placed > '2024-05-01'"; once for each table.
      """,
      valueName: "table=condition"
    )
  )
  var conditions: [String] = []

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The most rows of a table of a PostgreSQL database; without it, \(PostgresPart.usualRows).",
      valueName: "rows"
    ),
    transform: wholeNumber(from: 1)
  )
  var copyLimit: Int?

  func validate() throws {
    for text in conditions where Self.condition(text) == nil {
      throw ValidationError("--rows takes TABLE=CONDITION, as in \"order=id > 5\", not '\(text)'")
    }
  }

  private static func condition(_ text: String) -> (table: String, condition: String)? {
    let sides = text.split(separator: "=", maxSplits: 1).map(String.init)
    return sides.count == 2 ? (sides[0], sides[1]) : nil
  }

  /// The part that the options choose; `nil` if none is given.
  var part: PostgresPart? {
    if tables.isEmpty, conditions.isEmpty, copyLimit == nil { return nil }
    var part = PostgresPart()
    part.tables = tables
    part.mostRows = copyLimit ?? PostgresPart.usualRows
    for (table, condition) in conditions.compactMap(Self.condition) {
      part.conditions[table] = condition
    }
    return part
  }
}

/// How the file or the database of another program is read.
struct ForeignReading {
  /// The foreign keys that an SQL database does not declare.
  var links: [String] = []
  /// The part of a database of a server; `nil` for all of it.
  var part: PostgresPart?
}

/// The database that a command reads, or the file of another program.
struct SourceArguments: ParsableArguments {
  @Argument(help: "The database, or a postgres:// URL.", completion: .file())
  var file: String

  @OptionGroup var options: ReadingOptions

  var reading: ForeignReading { options.reading }

  func open() throws -> OpenedFile { try OpenedFile.open(file, reading, isReadOnly: true) }

  func snapshot() throws -> Snapshot { try open().database.snapshot() }
}

extension RealmLosses {
  /// The names of all kinds, for help.
  static var names: String { Kind.allCases.map(\.rawValue).joined(separator: ", ") }

  /// The kind of an argument.
  static func kind(_ argument: String) throws -> Kind {
    guard let kind = Kind(rawValue: argument) else {
      throw ValidationError("There is no loss '\(argument)' to allow; there are \(names)")
    }
    return kind
  }
}
