import ArgumentParser
import KennelCore

/// `kennel rekey`: encrypts a database, and changes its keys.
struct Rekey: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Encrypt a database, or change the keys that open it.",
    discussion: """
      Up to eight keys and passphrases open an encrypted database. Without an option, a database that is \
      not encrypted becomes so, and the key that opens another is replaced by a new one. That takes no \
      longer for a large file: only the key of its pages is encrypted anew. Who had an old key and an old \
      copy of the file can still find out that key; --pages encrypts all pages with another one.

      Keys come from files or the terminal, never from arguments, which everybody on the machine can read. \
      A key that is lost cannot be replaced: nobody can read the database without one.

      Examples:
        kennel rekey family.kennel
        kennel rekey family.kennel --new-key-file new.key
        kennel rekey family.kennel --add
        kennel rekey family.kennel --decrypt
      """
  )

  enum Change: String, EnumerableFlag {
    case add, remove, pages, decrypt

    static func help(for value: Change) -> ArgumentHelp? {
      switch value {
      case .add: "Add a key, and keep the one that opens the file."
      case .remove: "Remove the key that opens the file; another one must be left."
      case .pages: "Encrypt all pages anew; a new key is then the only one."
      case .decrypt: "Make it a database that anybody can read who may read the file."
      }
    }
  }

  @Argument(help: "The database.", completion: .file())
  var file: String

  @Flag(exclusivity: .exclusive)
  var change: Change?

  @Option(
    help: ArgumentHelp(
      "The file with the new key; without it, a passphrase is asked for.",
      valueName: "file"
    ),
    completion: .file()
  )
  var newKeyFile: String?

  @OptionGroup var key: KeyOptions

  func validate() throws {
    if newKeyFile != nil, change == .remove || change == .decrypt {
      throw ValidationError("--remove and --decrypt take no new key")
    }
  }

  func run() throws {
    guard let old = try FileKeys.key(of: file) else {
      guard change == nil else {
        throw CommandError(
          "\(file) is not encrypted; without an option, 'kennel rekey' encrypts it"
        )
      }
      let new = try FileKeys.newKey(of: file, from: newKeyFile)
      try Database.rewrite(file, key: nil, .key(new))
      return printNote("\(file) is encrypted")
    }
    switch change {
    case .decrypt?:
      try Database.rewrite(file, key: old, .none)
      printNote("\(file) is not encrypted any more")
    case .pages?:
      try Database.rewrite(file, key: old, .key(try newKey()))
      printNote("\(file) has new pages, and its new key is the only one")
    case .remove?:
      try open(old).removeKey(old)
      printNote("\(file) has one key less")
    case .add?:
      try open(old).addKey(try newKey(), beside: old)
      printNote("\(file) has one key more")
    case nil:
      let database = try open(old)
      try database.addKey(try newKey(), beside: old)
      try database.removeKey(old)
      printNote("\(file) has a new key")
    }
  }

  private func open(_ key: Database.Key) throws -> Database {
    try Database.open(file, configuration: .init(createsIfMissing: false, key: key))
  }

  private func newKey() throws -> Database.Key {
    try newKeyFile.map { try FileKeys.newKey(of: file, from: $0) } ?? FileKeys.typedKey(of: file)
  }
}
