import ArgumentParser
import Glibc
import KennelCore
import KennelDocuments

/// `kennel import`: documents become objects.
struct Import: ParsableCommand {
  /// What becomes of a link to an object that does not exist.
  enum Dangling: String, ExpressibleByArgument, CaseIterable {
    case refuse
    case null
  }

  static let configuration = CommandConfiguration(
    abstract: "Read documents into a database.",
    discussion: """
      What the file is, its first bytes tell: the lines that 'kennel export' writes, JSON or Extended \
      JSON (a document a line, or an array), BSON, CSV, an archive of mongodump, each compressed by \
      gzip or not; or a folder with a file for each class, as mongodump writes it.

      All of it is imported or nothing is: a mistake is told with its file, document and path, and \
      the database stays as it was. Links may lead to objects that come later.

      Examples:
        kennel import copy.kennel family.jsonl
        kennel import new.kennel dump/family
        kennel import family.kennel dogs.csv --class Dog
        kennel export old.kennel | kennel import new.kennel
      """
  )

  @Argument(help: "The database; made where it does not exist.", completion: .file())
  var file: String

  @Argument(help: "The file or folder; '-' or nothing for standard input.", completion: .file())
  var document = "-"

  @Option(name: .customLong("class"), help: "The class of the documents; else the file's name.")
  var className: String?

  @Option(help: "What to do with links to objects that do not exist: refuse, or null.")
  var dangling = Dangling.refuse

  @Flag(help: "Leave out members of documents that no property has.")
  var ignoreUnknown = false

  @Option(help: "Commit after this many documents; a mistake leaves those before it.")
  var batch: Int?

  @Option(
    help: "How the characters of CSV are stored: utf-8, utf-16 or latin1.",
    transform: Self.encoding
  )
  var encoding: CSVOptions.Encoding?

  @OptionGroup var csv: CSVArguments

  private static func encoding(_ name: String) throws -> CSVOptions.Encoding {
    guard let encoding = CSVOptions.Encoding(rawValue: name) else {
      let names = CSVOptions.Encoding.allCases.map(\.rawValue).joined(separator: ", ")
      throw ValidationError("There is no encoding '\(name)'; there are \(names)")
    }
    return encoding
  }

  func validate() throws {
    if let batch, batch < 1 { throw ValidationError("A batch has one document at least") }
  }

  mutating func run() throws {
    let source = try ImportSource(document, className: className, database: file)
    let result: String
    if NewDatabase.isWanted(at: file) {
      result = try NewDatabase.make(at: file) { try read(source, into: $0) }
    } else {
      Interruption.watch(Interruption.leavingAlone(file))
      result = try read(source, into: try Database.open(file)) {
        Interruption.say("\(file) has all of the document, or is as it was")
      }
    }
    note(result)
  }

  private func read(
    _ source: ImportSource,
    into database: Database,
    beforeCommit: () -> Void = {}
  ) throws -> String {
    var bar = ProgressBar("Importing")
    defer { bar.finish() }
    let progress = { bar.show(source.progress) }
    if let lines = source.lines {
      return try database.write { transaction in
        var importer = DocumentImporter(into: transaction)
        let summary = try importer.read(progress: { _ in progress() }, from: lines.read)
        beforeCommit()
        return "\(count(summary.objectCount, "object")) imported into \(file)"
      }
    }
    var options = DocumentImportOptions()
    options.dropsDanglingLinks = dangling == .null
    options.ignoresUnknownNames = ignoreUnknown
    var csv = csv.options
    csv.encoding = encoding
    let schema = try database.snapshot().schema
    let reader = DocumentReader(source.files, csv: csv) { name in
      DocumentReader.columns(of: name, in: schema)
    }
    let importer = DocumentsImporter(reader, metadata: source.metadata, options)
    var isGoingOn = true
    while isGoingOn {
      try database.write { transaction in
        isGoingOn = try importer.read(
          atMost: batch ?? .max,
          into: transaction,
          progress: { _ in progress() }
        )
        if batch == nil { beforeCommit() }
      }
      if batch != nil, isGoingOn {
        let done = count(importer.summary.objectCount, "object")
        Interruption.say("\(file) has \(done) of the document, committed in batches")
      }
    }
    return sentence(importer.summary)
  }

  private func sentence(_ summary: DocumentsImporter.Summary) -> String {
    var text = "\(count(summary.objectCount, "object")) imported into \(file)"
    if summary.droppedLinkCount > 0 {
      text +=
        "; links dropped in \(count(summary.droppedLinkCount, "property", plural: "properties"))"
    }
    for (name, number) in summary.ignoredNames.sorted(by: { $0.key < $1.key }) {
      text += "\n  left out: \(name), \(count(number, "time"))"
    }
    return text
  }
}

/// What is imported: lossless lines, or files of documents.
private final class ImportSource {
  /// Lines of a whole database.
  private(set) var lines: InputFile?
  private(set) var files: [DocumentFile] = []
  private(set) var metadata: [CollectionMetadata] = []
  private var inputs: [FileInput] = []
  /// The bytes of all files; `nil` where one is a pipe.
  private var total: Int?

  init(_ path: String, className: String?, database: String) throws {
    if path != "-", isFolder(path) {
      let folder = try DocumentFolder(path) { [weak self] file in
        let input = try FileInput(file)
        self?.inputs.append(input)
        return input
      }
      files = folder.files
      metadata = folder.metadata
      total = folder.paths.reduce(0) { $0 + (fileSize($1) ?? 0) }
      return
    }
    let input = try FileInput(path)
    inputs = [input]
    total = input.byteCount
    if input.isDatabase {
      throw CommandError(
        "Cannot import \(path): it is a database, not a document; 'kennel export' makes one of it"
      )
    }
    let opened = try InputFile(input.read)
    if opened.format == .jsonl {
      lines = opened
      return
    }
    let name = className ?? Self.className(of: path)
    guard let name = name ?? (opened.format == .archive ? "" : nil) else {
      throw CommandError("Cannot import standard input: --class says of which class it is")
    }
    files = [DocumentFile(className: name, format: opened.format, open: { opened.read })]
  }

  /// How much has been read, between 0 and 1.
  var progress: Double {
    guard let total, total > 0 else { return 0 }
    return Double(inputs.reduce(0) { $0 + $1.readByteCount }) / Double(total)
  }

  /// The name of a file without its endings.
  private static func className(of path: String) -> String? {
    guard path != "-", let name = path.split(separator: "/").last else { return nil }
    let stem = name.split(separator: ".", maxSplits: 1).first ?? name
    return DumpName.unescaped(String(stem))
  }
}
