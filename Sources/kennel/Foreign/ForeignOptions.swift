import ArgumentParser
import KennelConversion

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

extension RealmLosses.Kind: ExpressibleByArgument {}

extension RealmLosses {
  /// The names of all kinds, for help.
  static var names: String { Kind.allCases.map(\.rawValue).joined(separator: ", ") }
}
