import ArgumentParser
import Glibc
import KennelCore
import KennelDocuments

/// `kennel export`: objects become a document.
struct Export: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Write a database as a document: lines of JSON, the schema first.",
    discussion: """
      Importing the document gives the same objects with the same keys, to the last bit.

      Examples:
        kennel export family.kennel > family.jsonl
        kennel export family.kennel | grep '"$object":"Dog/'
        kennel export family.kennel --output family.jsonl
      """
  )

  @Argument(help: "The database.", completion: .file())
  var file: String

  @Option(
    name: .shortAndLong,
    help: "The file to write; it appears when it is complete. '-' is standard output."
  )
  var output: String?

  mutating func run() throws {
    let database = try openForReading(file)
    let snapshot = try database.snapshot()
    guard let output else { return try write(snapshot, to: StandardOutput.file) }
    try replaceFile(output, mode: 0o600) { try write(snapshot, to: $0) }
  }

  private func write(_ snapshot: Snapshot, to file: FileOutput) throws {
    let total = snapshot.schema.classes.filter { !$0.isEmbedded }
      .reduce(0) { $0 + snapshot.count(of: $1.key) }
    // A bar between the lines of a document on the same terminal would be no help.
    var bar = isatty(file.descriptor) == 0 ? ProgressBar("Exporting") : nil
    defer { bar?.finish() }
    var exporter = DocumentExporter(snapshot)
    try exporter.write(
      progress: { bar?.show(Double($0) / Double(max(total, 1))) },
      to: { try file.write($0) }
    )
  }
}

/// Opens a database that must exist, without the right to change it.
func openForReading(_ path: String) throws(DatabaseError) -> Database {
  try Database.open(path, configuration: Configuration(access: .readOnly, createsIfMissing: false))
}
