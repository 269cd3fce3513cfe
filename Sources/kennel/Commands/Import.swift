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

  mutating func run() throws {
    let input = try FileInput(document)
    let isNew = !exists(file)
    do {
      let summary = try read(input)
      note("\(count(summary.objectCount, "object")) imported into \(file)")
    } catch {
      if isNew { removeDatabase(file) }
      throw error
    }
  }

  private func read(_ input: FileInput) throws -> DocumentImporter.Summary {
    let database = try Database.open(file)
    var bar = ProgressBar("Importing")
    defer { bar.finish() }
    return try database.write { transaction in
      var importer = DocumentImporter(into: transaction)
      let progress = { (byteCount: Int) in
        if let total = input.byteCount { bar.show(Double(byteCount) / Double(max(total, 1))) }
      }
      return try importer.read(progress: progress, from: input.read)
    }
  }
}
