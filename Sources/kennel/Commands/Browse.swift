import ArgumentParser
import Glibc
import KennelCore

/// `kennel [browse] [FILE]`: a database in the terminal.
struct Browse: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Browse a database in the terminal.",
    discussion: """
      Without a file, a copy of the sample is opened that is yours: what you commit to it stays \
      until 'kennel sample --reset'. Nothing is written to a file before you commit.

      Examples:
        kennel
        kennel family.kennel
        kennel browse --read-only family.kennel
      """
  )

  @Argument(help: "The database; the sample without one.", completion: .file())
  var file: String?

  @Flag(help: "Open the file for reading only.")
  var readOnly = false

  mutating func run() throws {
    guard isatty(STDIN_FILENO) != 0, isatty(STDOUT_FILENO) != 0 else {
      throw CommandError("Cannot browse: standard input and output must be a terminal")
    }
    let path = try file ?? SampleFile.open()
    let configuration = Configuration(
      access: readOnly ? .readOnly : .readWrite,
      createsIfMissing: false
    )
    let database = try Database.open(path, configuration: configuration)
    database.close()
  }
}
