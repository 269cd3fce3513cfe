import KennelCore
import KennelDocuments
import KennelReports

/// An import, from the definition of classes to the last commit.
struct ImportJob {
  let source: ImportSource?
  let definitions: JSONSchemaReader?
  let classes: [ClassDefinition]
  /// The name of the database in messages.
  let file: String
  var options = DocumentImportOptions()
  var csv = CSVOptions()
  /// The longest line of Kennel's documents, in bytes.
  var lineLimit = DocumentReader.defaultLineLimit
  /// How many documents there are between two commits; `nil` for one commit at the end.
  var batch: Int?

  /// Imports everything; returns a summary.
  func run(in database: Database, _ beforeCommit: () -> Void) throws -> String {
    guard let source else {
      var count = 0
      var notes: [String] = []
      try database.writeWhenFree { transaction in
        notes = try define(in: transaction)
        count = transaction.schema.classes.count
        beforeCommit()
      }
      for text in notes { printNote(text) }
      return "\(file) has \(counted(count, "class", "classes"))"
    }
    var bar = ProgressBar("Importing")
    defer { bar.finish() }
    let progress = { bar.show(source.progress) }
    return try importDocuments(of: source, into: database, progress, beforeCommit)
  }

  /// Defines the classes that the arguments ask for; returns notes about them.
  private func define(in transaction: WriteTransaction) throws -> [String] {
    if !classes.isEmpty { try transaction.define(classes) }
    guard let definitions else { return [] }
    let schemas = try definitions.schemas(extending: transaction.schema)
    try schemas.define(in: transaction)
    return schemas.notes
  }

  private func importDocuments(
    of source: ImportSource,
    into database: Database,
    _ progress: () -> Void,
    _ beforeCommit: () -> Void
  ) throws -> String {
    var schema = Schema()
    let reader = DocumentReader(
      source.files,
      csv: csv,
      rules: source.rules,
      lineLimit: lineLimit,
      columns: { DocumentReader.columns(of: $0, in: schema) }
    )
    let importer = DocumentImporter(reader, metadata: source.metadata, options)
    var isFirst = true
    var isGoingOn = true
    while isGoingOn {
      try database.writeWhenFree { transaction in
        if isFirst { for text in try define(in: transaction) { printNote(text) } }
        isFirst = false
        schema = transaction.schema
        isGoingOn = try importer.read(
          atMost: batch ?? .max,
          into: transaction,
          progress: { _ in progress() }
        )
        if batch == nil { beforeCommit() }
      }
      if batch != nil, isGoingOn {
        let done = counted(importer.summary.objectCount, "object")
        Interruption.say("\(file) has \(done) of the document, committed in batches")
      }
    }
    return sentence(importer.summary)
  }

  private func sentence(_ summary: DocumentImporter.Summary) -> String {
    var text = "\(counted(summary.objectCount, "object")) imported into \(file)"
    if summary.droppedLinkCount > 0 {
      text +=
        "; links dropped in \(counted(summary.droppedLinkCount, "property", "properties"))"
    }
    for (what, names) in [
      ("left out", summary.ignoredNames), ("renamed", summary.renamedNames),
      ("turned into text", summary.textNames),
    ] {
      for (name, number) in names.sorted(by: { $0.key < $1.key }) {
        text += "\n  \(what): \(name), \(counted(number, "time"))"
      }
    }
    return text
  }
}
