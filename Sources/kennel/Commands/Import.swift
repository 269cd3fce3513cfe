import ArgumentParser
import KennelCore
import KennelDocuments

/// `kennel import`: a document becomes objects.
struct Import: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Read a document into a database.",
    discussion: """
      The document is what 'kennel export' writes: lines of JSON, the schema first. All of it is \
      imported or nothing is: a mistake is told with its line, and the file stays as it was.

      Examples:
        kennel import copy.kennel family.jsonl
        kennel export old.kennel | kennel import new.kennel
      """
  )

  @Argument(help: "The database; made where it does not exist.", completion: .file())
  var file: String

  @Argument(help: "The document; '-' or nothing for standard input.", completion: .file())
  var document = "-"

  @Option(help: "The longest line to read, in MB; it takes up to ten times as much memory.")
  var lineLimit = DocumentImporter.defaultLineLimit >> 20

  func validate() throws {
    guard (1...4095).contains(lineLimit) else {
      throw ValidationError("The line limit is a number of MB from 1 to 4095")
    }
  }

  mutating func run() throws {
    let input = try FileInput(document)
    if input.isDatabase {
      throw CommandError(
        "Cannot import \(document): it is a database, not a document; 'kennel export' makes one of it"
      )
    }
    let summary: DocumentImporter.Summary
    if NewDatabase.isWanted(at: file) {
      summary = try NewDatabase.make(at: file) { try read(input, into: $0) }
    } else {
      Interruption.watch(Interruption.leavingAlone(file))
      summary = try read(input, into: try Database.open(file)) {
        Interruption.say("\(file) has all of the document, or is as it was")
      }
    }
    note("\(count(summary.objectCount, "object")) imported into \(file)")
  }

  private func read(
    _ input: FileInput,
    into database: Database,
    beforeCommit: () -> Void = {}
  ) throws -> DocumentImporter.Summary {
    var bar = ProgressBar("Importing")
    defer { bar.finish() }
    return try database.write { transaction in
      var importer = DocumentImporter(into: transaction, lineLimit: lineLimit << 20)
      let progress = { (byteCount: Int) in
        if let total = input.byteCount { bar.show(Double(byteCount) / Double(max(total, 1))) }
      }
      let summary = try importer.read(progress: progress, from: input.read)
      beforeCommit()
      return summary
    }
  }
}
