import ArgumentParser
import Glibc
import KennelCore

/// Reads the number of an option, and says what is wrong with what is none.
///
/// The option is declared with `parsing: .unconditional`, so that a negative number is not taken for the
/// name of another option.
func wholeNumber(from least: Int, to most: Int = .max) -> @Sendable (String) throws -> Int {
  { text in
    if let number = Int(text), (least...most).contains(number) { return number }
    let range = most == .max ? "of \(least) or more" : "from \(least) to \(most)"
    let digits = text.hasPrefix("-") || text.hasPrefix("+") ? text.dropFirst() : text[...]
    let isTooLarge = !digits.isEmpty && digits.utf8.allSatisfy { (0x30...0x39).contains($0) }
    throw ValidationError(
      "it takes a whole number \(range)"
        + (isTooLarge && most == .max && !text.hasPrefix("-") ? ", and this one is too large" : "")
    )
  }
}

/// The one of some values that an argument names.
func named<V>(
  _ argument: String,
  _ noun: String,
  among values: [V],
  by name: (V) -> String
) throws -> V {
  if let value = values.first(where: { name($0) == argument }) { return value }
  let names = values.map(name).joined(separator: ", ")
  throw ValidationError("There is no \(noun) '\(argument)'; there are \(names)")
}

/// The permissions of a new database.
struct NewFileOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The permissions of a new database, as in 640; without it, it is for you alone.",
      valueName: "octal"
    ),
    transform: Self.mode
  )
  var mode: mode_t?

  @Flag(
    inversion: .prefixedNo,
    help: """
      Encrypt a new database, with the key of --key-file or $\(FileKeys.variableName), or a passphrase \
      that is asked for; what is imported from an encrypted file is encrypted with its key anyway.
      """
  )
  var encrypt: Bool?

  /// What the new database is encrypted with; nothing if it is `nil`.
  ///
  /// - Parameters:
  ///   - path: The path of the database.
  ///   - usual: The key of what it is made from, if that is encrypted.
  /// - Returns: The key.
  /// - Throws: `CommandError` if a key was to be given and none was.
  func key(of path: String, usual: () throws -> Database.Key? = { nil }) throws -> Database.Key? {
    switch encrypt {
    case true?: try usual() ?? FileKeys.newKey(of: path)
    case false?: nil
    case nil: try usual()
    }
  }

  private static func mode(_ text: String) throws -> mode_t {
    guard let mode = mode_t(text, radix: 8), mode <= 0o777, mode & 0o600 == 0o600 else {
      throw ValidationError("it takes an octal number from 600 to 777, such as 640")
    }
    return mode
  }
}
