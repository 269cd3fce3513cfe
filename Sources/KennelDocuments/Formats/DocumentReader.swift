public import KennelCore

/// Reads documents from a sequence of files.
///
/// ```swift
/// let dogs = DocumentFile(name: "Dog.json", className: "Dog") { { file.read(1 << 20) } }
/// let reader = DocumentReader([dogs])
/// while let item = try reader.read() { print(item.className, item.document) }
/// ```
public final class DocumentReader {
  /// A document and its class.
  ///
  /// ```swift
  /// while let item = try reader.read() {
  ///   if item.className == "Dog" { names.append(item.document["name"]) }
  /// }
  /// ```
  public struct Item {
    /// The class of the object.
    public fileprivate(set) var className: String
    /// The document.
    public fileprivate(set) var document: Document
    /// Whether all values are text, as in CSV.
    public var isText: Bool { form == .text }
    let form: ValueReader.Form
    /// The object's key, where a line of Kennel's says it.
    let key: UInt64?
    let place: ObjectsFromDocuments.Place
  }

  /// The default limit of a line of Kennel's, in bytes: 64 MB.
  ///
  /// Reading a line takes up to ten times its length in memory.
  public static let defaultLineLimit = 64 << 20

  private let files: [DocumentFile]
  private let csv: CSVOptions
  private let lineLimit: Int
  let changes: FieldChanges
  private let columns: (String) -> [String]?
  private var next = 0
  private var source: (any DocumentSource)?
  private var stream: ByteStream?
  private var number = 0
  private var finishedByteCount = 0

  /// Creates a reader.
  ///
  /// - Parameters:
  ///   - files: The files; each is opened when it is reached.
  ///   - csv: The options of CSV.
  ///   - rules: Which members and classes get other names, and which are left out.
  ///   - lineLimit: The longest line of Kennel's that is accepted, in bytes.
  ///   - columns: The columns of a class, for CSV without a header; see ``columns(of:in:)``.
  public init(
    _ files: [DocumentFile],
    csv: CSVOptions = CSVOptions(),
    rules: FieldRules = FieldRules(),
    lineLimit: Int = defaultLineLimit,
    columns: @escaping (String) -> [String]? = { _ in nil }
  ) {
    self.files = files
    self.csv = csv
    self.lineLimit = lineLimit
    self.columns = columns
    changes = FieldChanges(rules)
  }

  /// Returns the CSV columns of a class.
  ///
  /// - Parameters:
  ///   - className: The class.
  ///   - schema: The schema.
  /// - Returns: The names of the columns; `nil` if there is no such class.
  public static func columns(of className: String, in schema: Schema) -> [String]? {
    schema[className].map { CSVColumn.all(of: $0, in: schema).map(\.name) }
  }

  /// The number of decompressed bytes read.
  public var byteCount: Int { finishedByteCount + (stream?.byteCount ?? 0) }

  /// Returns the next document, or `nil` after the last file.
  ///
  /// - Returns: The document with its class.
  /// - Throws: ``DocumentError`` if the bytes are invalid, and what opening and reading throw.
  public func read() throws -> Item? {
    while true {
      if source == nil {
        guard next < files.count else { return nil }
        try open(files[next])
      }
      let file = files[next]
      if let item = try naming(file, { try read(file) }) { return item }
      finishedByteCount += stream?.byteCount ?? 0
      source = nil
      stream = nil
      next += 1
    }
  }

  /// Returns what an archive says of its collections.
  ///
  /// - Returns: The metadata; none if the reader has other files.
  /// - Throws: ``DocumentError`` if the bytes are invalid, and what opening and reading throw.
  public func archiveMetadata() throws -> [CollectionMetadata] {
    guard let reader = try onlySource() as? ArchiveReader else { return [] }
    return try reader.collections.filter { !$0.metadata.isEmpty }.map {
      try CollectionMetadata(Array($0.metadata.utf8), collection: $0.name)
    }
  }

  /// Defines the classes that lines of Kennel's begin with.
  func defineClasses(in transaction: WriteTransaction) throws {
    guard let reader = try onlySource() as? LinesReader else { return }
    try naming(files[0]) { try reader.define(in: transaction) }
  }

  /// The source of the only file.
  private func onlySource() throws -> (any DocumentSource)? {
    guard files.count == 1, next == 0 else { return nil }
    if source == nil { try open(files[0]) }
    return source
  }

  /// Names the file in the errors of a body.
  private func naming<Result>(_ file: DocumentFile, _ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch var error as DocumentError {
      if error.file == nil { error.file = file.name }
      throw error
    }
  }

  private func open(_ file: DocumentFile) throws {
    number = 0
    try naming(file) {
      let input = try InputFile(format: file.format, name: file.name, try file.open())
      stream = input.stream
      switch input.format {
      case .bson: source = BSONReader(input.stream)
      case .json: source = JSONReader(input.stream)
      case .archive: source = try ArchiveReader(input.stream)
      case .csv:
        let name = changes.rules.className(file.className) ?? file.className
        var csv = csv
        if csv.separator == nil, file.isTabbed { csv.separator = UInt8(ascii: "\t") }
        source = try CSVReader(input.stream, csv, of: name, names: columns(name), changes)
      case .jsonl:
        guard files.count == 1, changes.rules.isEmpty else {
          throw DocumentError(
            "The file holds a whole database, not the documents of a class: import it alone, as it is"
          )
        }
        source = LinesReader(input.stream, limit: lineLimit)
      }
    }
  }

  private func read(_ file: DocumentFile) throws -> Item? {
    while var item = try readUnchanged(file) {
      guard !changes.rules.isEmpty else { return item }
      guard let name = changes.rules.className(item.className) else {
        changes.noteSkipped([item.className])
        continue
      }
      if !name.hasSameBytes(as: item.className) { changes.note([item.className], to: name) }
      item.className = name
      // Columns have their names already.
      if !item.isText { item.document = changes.applied(to: item.document, at: [name]) }
      return item
    }
    return nil
  }

  private func readUnchanged(_ file: DocumentFile) throws -> Item? {
    number += 1
    guard let source, let found = try source.next() else { return nil }
    return Item(
      className: found.className ?? file.className,
      document: found.document,
      form: source.form,
      key: found.key,
      place: ObjectsFromDocuments.Place(
        file: source is ArchiveReader ? found.className : file.name,
        document: found.number ?? number,
        line: found.line
      )
    )
  }
}

/// Reads the documents of a file of some format.
protocol DocumentSource: AnyObject {
  var form: ValueReader.Form { get }

  /// Returns the next document, or `nil` at the end.
  func next() throws -> SourceDocument?
}

extension DocumentSource {
  var form: ValueReader.Form { .typed }
}

/// A document with what its file says of it.
struct SourceDocument {
  let document: Document
  /// Its class, where the file has several.
  var className: String?
  /// Its number in its class, where the file has several.
  var number: Int?
  var line: Int?
  /// The object's key.
  var key: UInt64?
}
