import ArgumentParser
import KennelConversion
import KennelCore

/// The options of commands that take files of other programs, too.
struct ForeignOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The key of an encrypted .realm file: a file of 64 bytes or 128 hexadecimal digits.",
      valueName: "file"
    ),
    completion: .file()
  )
  var keyFile: String?
}

/// The links of an SQLite database that declares none.
struct LinkOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      A foreign key that an SQLite database does not declare, as in order.customer_id=customer.id; \
      once for each.
      """,
      valueName: "column=column"
    )
  )
  var link: [String] = []
}

/// The database that a command reads, or the file of another program.
struct SourceArguments: ParsableArguments {
  @Argument(help: "The database.", completion: .file())
  var file: String

  @OptionGroup var foreign: ForeignOptions

  @OptionGroup var links: LinkOptions

  func open() throws -> OpenedFile {
    try OpenedFile.open(file, keyFile: foreign.keyFile, links: links.link, isReadOnly: true)
  }

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
