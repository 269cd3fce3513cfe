import ArgumentParser
import KennelCore

/// `kennel compact`: reclaims the free space of a file.
struct Compact: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Make a database smaller by the room that is free in it.",
    discussion: """
      A copy is written beside the file, checked, and put in its place: whenever the program is \
      ended, there is the one or the other. A file that a program has open stays as it is, as one \
      that has several names or may not be written does, and the exit code is 1.

      Examples:
        kennel compact family.kennel
      """
  )

  @Argument(help: "The database.", completion: .file())
  var file: String

  @OptionGroup var key: KeyOptions

  mutating func run() throws {
    // Also while a passphrase is asked for.
    Interruption.watch(Interruption.leavingAlone(file))
    let key = try FileKeys.key(of: file)
    let before = try Database.rewrite(file, key: key)
    var after = 0
    try Database.compact(file, key: key) { total, _ in
      after = total
      return false
    }
    printNote("\(file) was compacted from \(before) to \(after) bytes")
  }
}
