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
    public let className: String
    /// The document.
    public let document: Document
    /// Whether all values are text, as in CSV.
    public let isText: Bool
    let place: ObjectsFromDocuments.Place
  }

  private enum Source {
    case bson(BSONReader)
    case json(JSONReader)
    case csv(CSVReader)
    case archive(ArchiveReader)
  }

  private let files: [DocumentFile]
  private let csv: CSVOptions
  let changes: FieldChanges
  private let columns: (String) -> [String]?
  private var next = 0
  private var source: Source?
  private var stream: ByteStream?
  private var number = 0
  private var finishedByteCount = 0

  /// Creates a reader.
  ///
  /// - Parameters:
  ///   - files: The files; each is opened when it is reached.
  ///   - csv: The options of CSV.
  ///   - rules: Which members and classes get other names, and which are left out.
  ///   - columns: The columns of a class, for CSV without a header; see ``columns(of:in:)``.
  public init(
    _ files: [DocumentFile],
    csv: CSVOptions = CSVOptions(),
    rules: FieldRules = FieldRules(),
    columns: @escaping (String) -> [String]? = { _ in nil }
  ) {
    self.files = files
    self.csv = csv
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
      do {
        if let item = try read(file) { return item }
      } catch var error as DocumentError {
        if error.file == nil { error.file = file.name }
        throw error
      }
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
    guard files.count == 1, next == 0 else { return [] }
    if source == nil { try open(files[0]) }
    guard case .archive(let reader) = source else { return [] }
    return try reader.collections.filter { !$0.metadata.isEmpty }.map {
      try CollectionMetadata(Array($0.metadata.utf8), collection: $0.name)
    }
  }

  private func open(_ file: DocumentFile) throws {
    number = 0
    do {
      let input = try InputFile(format: file.format, name: file.name, try file.open())
      stream = input.stream
      switch input.format {
      case .bson: source = .bson(BSONReader(input.stream))
      case .json: source = .json(JSONReader(input.stream))
      case .archive: source = .archive(try ArchiveReader(input.stream))
      case .csv:
        let name = changes.rules.className(file.className) ?? file.className
        var csv = csv
        if csv.separator == nil, file.isTabbed { csv.separator = UInt8(ascii: "\t") }
        source = .csv(
          try CSVReader(input.stream, csv, of: name, names: columns(name), changes)
        )
      case .jsonl:
        throw DocumentError(
          line: nil,
          "The file holds a whole database, not the documents of a class: import it alone"
        )
      }
    } catch var error as DocumentError {
      error.file = file.name
      throw error
    }
  }

  private func read(_ file: DocumentFile) throws -> Item? {
    while let item = try readUnchanged(file) {
      guard !changes.rules.isEmpty else { return item }
      guard let name = changes.rules.className(item.className) else {
        changes.noteSkipped([item.className])
        continue
      }
      if !name.hasSameBytes(as: item.className) { changes.note([item.className], to: name) }
      return Item(
        className: name,
        // Columns have their names already.
        document: item.isText ? item.document : changes.applied(to: item.document, at: [name]),
        isText: item.isText,
        place: item.place
      )
    }
    return nil
  }

  private func readUnchanged(_ file: DocumentFile) throws -> Item? {
    number += 1
    var place = ObjectsFromDocuments.Place(file: file.name, document: number, line: nil)
    var className = file.className
    var isText = false
    let document: Document?
    switch source {
    case .bson(let reader): document = try reader.next()
    case .json(let reader):
      document = try reader.next()
      place.line = reader.line
    case .csv(let reader):
      document = try reader.next()
      place.line = reader.line
      isText = true
    case .archive(let reader):
      document = try reader.next()
      className = reader.collection
      place.file = className
      place.document = reader.number
    case nil: document = nil
    }
    return document.map {
      Item(className: className, document: $0, isText: isText, place: place)
    }
  }
}
