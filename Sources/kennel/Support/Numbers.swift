import ArgumentParser
import Glibc

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

  private static func mode(_ text: String) throws -> mode_t {
    guard let mode = mode_t(text, radix: 8), mode <= 0o777, mode & 0o600 == 0o600 else {
      throw ValidationError("it takes an octal number from 600 to 777, such as 640")
    }
    return mode
  }
}
