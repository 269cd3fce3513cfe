public import KennelCore

/// The options of an import.
///
/// ```swift
/// var options = DocumentImportOptions()
/// options.dropsDanglingLinks = true
/// let importer = DocumentImporter(reader, options)
/// try database.write { transaction in _ = try importer.read(into: transaction) }
/// ```
public struct DocumentImportOptions: Sendable {
  /// Whether links to missing objects are dropped instead of refused.
  ///
  /// A dropped link becomes null; lists and sets omit it.
  public var dropsDanglingLinks = false
  /// Whether members without a property are ignored instead of refused.
  public var ignoresUnknownNames = false
  /// How text spells dates and numbers.
  public var texts = TextForms()

  /// Creates options that refuse both.
  public init() {}
}

/// Imports documents of any format, and the lines of ``DocumentExporter``, in one write transaction
/// or several.
///
/// ```swift
/// let dogs = DocumentFile(name: "Dog.json", className: "Dog") { { file.read(1 << 20) } }
/// let importer = DocumentImporter(DocumentReader([dogs]))
/// try database.write { transaction in _ = try importer.read(into: transaction) }
/// print(importer.summary.objectCount)
/// ```
///
/// Documents may come in any order: links to later objects are set at the end, from a temporary
/// file if there are many. Objects of Kennel's lines keep their keys in classes that never had
/// objects; in other classes they get the next free keys. If a call throws, roll back the
/// transaction.
public final class DocumentImporter {
  /// The counts of an import.
  ///
  /// ```swift
  /// try database.write { transaction in _ = try importer.read(into: transaction) }
  /// let summary = importer.summary
  /// print("\(summary.objectCount) objects, \(summary.droppedLinkCount) links dropped")
  /// ```
  public struct Summary: Hashable, Sendable {
    /// The objects that were made, those embedded in them not counted.
    public var objectCount = 0
    /// The number of links to missing objects that were dropped.
    public var droppedLinkCount = 0
    /// The number of members that were left out, by class and name.
    public var ignoredNames: [String: Int] = [:]
    /// The number of members that got another name, by both, as in `Person.@id to id`.
    public var renamedNames: [String: Int] = [:]
    /// The number of values that no property holds and that became text, by class and property.
    public var textNames: [String: Int] = [:]
  }

  private let reader: DocumentReader
  private let options: DocumentImportOptions
  private let metadata: [CollectionMetadata]
  private var objects: ObjectsFromDocuments?

  /// Creates an importer.
  ///
  /// - Parameters:
  ///   - reader: The reader of the documents.
  ///   - metadata: The metadata of the collections of a dump.
  ///   - options: The options.
  public init(
    _ reader: DocumentReader,
    metadata: [CollectionMetadata] = [],
    _ options: DocumentImportOptions = DocumentImportOptions()
  ) {
    self.reader = reader
    self.metadata = metadata
    self.options = options
  }

  /// Imports the next documents.
  ///
  /// - Parameters:
  ///   - limit: The most documents to import.
  ///   - transaction: The transaction. A new one continues where the previous one ended.
  ///   - progress: Called periodically with the number of bytes read so far.
  /// - Returns: Whether there may be more documents. If not, all links have been set.
  /// - Throws: ``DocumentError`` if a document is invalid or the database refuses it, and what
  ///   reading throws.
  public func read(
    atMost limit: Int = .max,
    into transaction: WriteTransaction,
    progress: (Int) -> Void = { _ in }
  ) throws -> Bool {
    let objects = try objects(in: transaction)
    var count = 0
    while count < limit {
      guard let item = try reader.read() else {
        try objects.finish()
        return false
      }
      try objects.add(item)
      count += 1
      if count & 1023 == 0 { progress(reader.byteCount) }
    }
    return true
  }

  /// The counts of an import.
  public var summary: Summary {
    Summary(
      objectCount: objects?.objectCount ?? 0,
      droppedLinkCount: objects?.droppedLinks.count ?? 0,
      ignoredNames: (objects?.ignoredNames ?? [:])
        .merging(reader.changes.skipped, uniquingKeysWith: +),
      renamedNames: reader.changes.renamed,
      textNames: objects?.textNames ?? [:]
    )
  }

  private func objects(in transaction: WriteTransaction) throws -> ObjectsFromDocuments {
    if let objects {
      objects.goOn(in: transaction)
      return objects
    }
    let metadata = try metadata + reader.archiveMetadata()
    var definitions: [[UInt8]] = []
    for entry in metadata where !entry.schemaLines.isEmpty {
      if !definitions.contains(entry.schemaLines) { definitions.append(entry.schemaLines) }
    }
    for lines in definitions { try LinesReader(ByteStream(lines) { [] }).define(in: transaction) }
    try reader.defineClasses(in: transaction)
    let objects = ObjectsFromDocuments(into: transaction, options)
    self.objects = objects
    for entry in metadata where !entry.keys.isEmpty {
      try objects.listKeys(entry.keys, of: entry.collectionName)
    }
    return objects
  }
}
