import KennelCore
import KennelDocuments

/// The input of an import: lossless lines, or files of documents.
final class ImportSource {
  /// Whether the input is the lines of a whole database.
  private(set) var isDatabase = false
  private(set) var files: [DocumentFile] = []
  private(set) var metadata: [CollectionMetadata] = []
  /// Which members get other names, and which are left out; the names that were proposed are added.
  private(set) var rules: FieldRules
  /// Whether an archive says what classes its documents have.
  private var archiveHasClasses = false
  /// Whether the files can be read a second time.
  private(set) var isRepeatable = true
  private var inputs: [FileInput] = []
  /// The size of all files in bytes, or `nil` if one is a pipe.
  private var total: Int?

  init(_ path: String, className: String?, rules: FieldRules = FieldRules()) throws {
    self.rules = rules
    if path != "-", isFolder(path) {
      let folder = try DocumentFolder(path) { try self.open($0) }
      files = folder.files
      metadata = folder.metadata
      total = folder.paths.reduce(0) { $0 + fileSize($1) }
      return
    }
    let input = try open(path)
    total = input.byteCount
    isRepeatable = input.byteCount != nil && path != "-"
    if input.isDatabase {
      throw CommandError(
        "Cannot import \(path): it is a database, not a document; 'kennel export' makes one of it"
      )
    }
    if path.lowercased().hasSuffix(".kennel") {
      throw CommandError(
        "Cannot import \(path): it is named like a database, but is none; name a document by its format, "
          + "as in people.json"
      )
    }
    let opened = try InputFile(name: path, input.read)
    isDatabase = opened.format == .jsonl
    guard !isDatabase || rules.isEmpty else {
      throw CommandError(
        "Cannot import \(path) with other names: it holds a whole database; import documents, as "
          + "'kennel export --format extjson' writes them"
      )
    }
    let isArchive = opened.format == .archive
    guard let name = isArchive || isDatabase ? "" : className ?? Self.className(of: path) else {
      throw CommandError("Cannot import standard input: name its class with --class")
    }
    var isFirst = true
    files = [
      DocumentFile(name: path == "-" ? nil : path, className: name, format: opened.format) {
        // What was looked at is gone: the file is opened anew to be read again.
        defer { isFirst = false }
        return isFirst ? opened.read : try self.open(path).read
      }
    ]
    guard isArchive, isRepeatable else { return }
    archiveHasClasses = try DocumentReader(files).archiveMetadata()
      .contains { !$0.schemaLines.isEmpty }
    resetProgress()
  }

  /// Whether Kennel wrote the documents, with their classes.
  var hasClasses: Bool {
    isDatabase || archiveHasClasses || metadata.contains { !$0.schemaLines.isEmpty }
  }

  /// The part that has been read, from 0 to 1.
  var progress: Double {
    guard let total, total > 0 else { return 0 }
    return Double(inputs.reduce(0) { $0 + $1.readByteCount }) / Double(total)
  }

  /// Starts to count from 0 again.
  func resetProgress() {
    inputs = []
  }

  /// Proposes classes for the documents, which are read to their end and get the proposed names from
  /// then on.
  func propose(_ inference: SchemaInference, csv: CSVOptions) throws -> SchemaProposal {
    for file in files where !file.className.isEmpty {
      if let name = rules.className(file.className) { inference.add(class: name) }
    }
    var bar = ProgressBar("Inferring")
    defer { bar.finish() }
    try inference.add(
      from: { DocumentReader(files, csv: csv, rules: rules) },
      progress: { bar.show(progress) }
    )
    let proposal = inference.proposal()
    rules.append(proposal.rules)
    return proposal
  }

  private func open(_ path: String) throws -> FileInput {
    let input = try FileInput(path)
    inputs.append(input)
    return input
  }

  /// The name of a file without its extensions.
  private static func className(of path: String) -> String? {
    guard path != "-", let name = path.split(separator: "/").last else { return nil }
    let stem = name.split(separator: ".", maxSplits: 1).first ?? name
    return DumpName.unescaped(String(stem))
  }
}
