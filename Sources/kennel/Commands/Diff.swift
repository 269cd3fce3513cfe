import ArgumentParser
import KennelCore
import KennelDocuments
import KennelReports

/// `kennel diff`: what differs between two databases.
struct Diff: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Write what differs between two databases.",
    discussion: """
      Differences of the schema come first, then objects: '+' is only in the second file, '-' only \
      in the first, '~' differs. Objects are matched by their primary key where their class has one \
      in both files, and by their key otherwise. Embedded objects are parts of their owners.

      The exit code is 0 where the files have the same objects, 1 where they differ, and 2 where \
      one cannot be read.

      Examples:
        kennel diff backup.kennel family.kennel
        kennel diff backup.kennel family.kennel --class Dog --json
      """
  )

  @Argument(help: "The older database.", completion: .file())
  var old: String

  @Argument(help: "The newer database.", completion: .file())
  var new: String

  @Option(name: [.customLong("class"), .short], help: "The class to compare; all without one.")
  var className: String?

  @Flag(help: "Write a line of JSON for each difference.")
  var json = false

  @OptionGroup var options: ReadingOptions

  private func open(_ path: String) throws -> Snapshot {
    try openForReading(path, options.reading).snapshot()
  }

  func run() throws {
    try reporting {
      let before = try open(old)
      let after = try open(new)
      if let className { try Self.check(className, before.schema, of: old, after.schema) }
      let output = ReportOutput("Comparing")
      defer { try? output.finish() }
      var counts = ChangeCounts()
      try FileDifference.compare(before, after, class: className, progress: output.progress) {
        change throws(DatabaseError) in
        counts.add(change)
        if json {
          try output.write(Document(change).jsonLine)
        } else {
          try output.writeText(change)
        }
      }
      try output.finish()
      printNote(counts.text)
      if counts.total > 0 { throw ExitCode(1) }
    }
  }

  /// The class has to be in one of the files, and not embedded.
  private static func check(
    _ name: String,
    _ before: Schema,
    of file: String,
    _ after: Schema
  ) throws {
    let classSchema = try after[name] ?? findClass(name, in: before, of: file)
    guard classSchema.isEmbedded else { return }
    throw CommandError(
      "Class \(name) is embedded, and its objects are compared inside their owners: "
        + "name the class of an owner"
    )
  }
}
