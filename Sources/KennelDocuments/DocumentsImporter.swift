public import KennelCore

/// What an import of documents does where there is a choice.
public struct DocumentImportOptions: Sendable {
  /// Whether links to objects that do not exist are dropped instead of refused: they become null,
  /// and leave lists and sets.
  public var dropsDanglingLinks = false
  /// Whether members that no property has are left out instead of refused.
  public var ignoresUnknownNames = false

  /// Makes options that refuse both.
  public init() {}
}

/// Makes objects of the documents of a reader, in one write transaction or several.
///
/// Documents may come in any order: links to objects that come later are set at the end, from a
/// temporary file where they are many. Where it throws, roll the transaction back.
public final class DocumentsImporter {
  /// What was imported.
  public struct Summary: Hashable, Sendable {
    /// The objects that were made, those embedded in them not counted.
    public var objectCount = 0
    /// The properties from which links were dropped that led nowhere.
    public var droppedLinkCount = 0
    /// How often members were left out that no property has, by class and name.
    public var ignoredNames: [String: Int] = [:]
  }

  private let reader: DocumentReader
  private let options: DocumentImportOptions
  private let metadata: [CollectionMetadata]
  private var objects: ObjectsFromDocuments?

  /// Makes an importer.
  ///
  /// - Parameters:
  ///   - reader: Reads the documents.
  ///   - metadata: What stands beside the collections of a dump.
  ///   - options: What is done where there is a choice.
  public init(
    _ reader: DocumentReader,
    metadata: [CollectionMetadata] = [],
    _ options: DocumentImportOptions = DocumentImportOptions()
  ) {
    self.reader = reader
    self.metadata = metadata
    self.options = options
  }

  /// Imports some documents.
  ///
  /// - Parameters:
  ///   - limit: How many at most.
  ///   - transaction: The transaction; another one than before continues where that ended.
  ///   - progress: Is told now and then how many bytes have been read.
  /// - Returns: Whether there may be more. If not, the links that waited have been set.
  /// - Throws: ``DocumentError`` where a document is wrong or the database refuses what it says, and
  ///   what reading throws.
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
      try objects.add(item.document, to: item.className, at: item.place, isText: item.isText)
      count += 1
      if count & 1023 == 0 { progress(reader.byteCount) }
    }
    return true
  }

  /// What was imported.
  public var summary: Summary {
    Summary(
      objectCount: objects?.objectCount ?? 0,
      droppedLinkCount: objects?.droppedLinks.count ?? 0,
      ignoredNames: objects?.ignoredNames ?? [:]
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
    for lines in definitions {
      var importer = DocumentImporter(into: transaction)
      var rest = lines
      _ = try importer.read {
        defer { rest = [] }
        return rest
      }
    }
    let objects = ObjectsFromDocuments(into: transaction, options)
    self.objects = objects
    for entry in metadata where !entry.keys.isEmpty {
      try objects.listKeys(entry.keys, of: entry.collectionName)
    }
    return objects
  }
}
