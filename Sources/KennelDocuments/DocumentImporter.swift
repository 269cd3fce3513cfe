public import KennelCore

/// Imports, into a write transaction, the output of ``DocumentExporter``: a schema and objects,
/// each on a line of JSON.
///
/// ```swift
/// let copy = try Database.open(temporary.folder.file("copy.kennel"))
/// try copy.write { transaction in
///   var importer = DocumentImporter(into: transaction)
///   let summary = try importer.read { file.read(1 << 20) }
///   print(summary.objectCount)
/// }
/// ```
///
/// Objects keep their keys in classes that never had objects; in other classes they get the next
/// free keys. Links to later objects are set at the end. The importer does not commit. If it
/// throws, roll back the transaction.
public struct DocumentImporter {
  /// The counts of an import.
  ///
  /// ```swift
  /// let summary = try importer.read { next() }
  /// print("\(summary.objectCount) objects from \(summary.lineCount) lines")
  /// ```
  public struct Summary: Hashable, Sendable {
    /// The number of lines read.
    public var lineCount = 0
    /// The number of objects created, without embedded ones.
    public var objectCount = 0
  }

  /// What the importer knows of a class.
  struct ClassState {
    let schema: ClassSchema
    let properties: [ExactName: PropertySchema]
    /// Whether objects get the keys of the document.
    let keepsKeys: Bool
    /// The key that an object of the document got, where keys are not kept.
    var keys: [UInt64: ObjectKey] = [:]
  }

  /// A link, or a collection of them, that points to objects that have not come yet.
  struct ForwardLink {
    let line: Int
    let path: String
    let object: ObjectIdentity
    let property: PropertySchema
    let json: JSONText
  }

  let transaction: WriteTransaction
  var reader: LineReader
  /// By name; empty until the first object, when the schema is complete.
  var classes: [ExactName: ClassState] = [:]
  var forwardLinks: [ForwardLink] = []
  var summary = Summary()
  private var definitions = SchemaDefinitions()
  private var hasHeader = false
  private var hasSchema = false

  /// The default limit of a line, in bytes: 64 MB.
  ///
  /// Reading a line takes up to ten times its length in memory.
  public static let defaultLineLimit = 64 << 20

  /// Creates an importer.
  ///
  /// - Parameters:
  ///   - transaction: The transaction that creates the objects.
  ///   - lineLimit: The longest line accepted, in bytes, below 4 GB.
  public init(into transaction: WriteTransaction, lineLimit: Int = defaultLineLimit) {
    self.transaction = transaction
    reader = LineReader(limit: min(lineLimit, Int(UInt32.max)))
  }

  /// Imports all lines.
  ///
  /// - Parameters:
  ///   - progress: Called periodically with the number of bytes read so far.
  ///   - input: Returns the next bytes of the text, or an empty array at its end.
  /// - Returns: The counts.
  /// - Throws: ``DocumentError`` if a line is invalid or the database refuses it, and what `input`
  ///   throws.
  public mutating func read(
    progress: (Int) -> Void = { _ in },
    from input: () throws -> [UInt8]
  ) throws -> Summary {
    while let bytes = try reader.next(input) {
      try read(line: bytes)
      if reader.line & 1023 == 0 { progress(reader.byteCount) }
    }
    guard hasHeader else {
      throw DocumentError(line: nil, "The document is empty")
    }
    try completeSchema()
    try setForwardLinks()
    summary.lineCount = reader.line
    return summary
  }

  private mutating func read(line bytes: [UInt8]) throws(DocumentError) {
    let space: Set<UInt8> = [0x20, 0x09, 0x0D]
    var bytes = bytes
    if reader.line == 1, bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes.removeFirst(3) }
    let first = bytes.first { !space.contains($0) }
    if first == nil || first == UInt8(ascii: "#") { return }
    let json: JSONText
    do throws(JSONProblem) {
      json = try JSONText(bytes)
    } catch {
      throw DocumentError(line: reader.line, "column \(error.column): \(error.message)")
    }
    guard json[0].kind == .object, let kind = lineKind(of: json) else {
      throw DocumentError(
        line: reader.line,
        "Expected a line of a document, found \(sample(of: json))"
      )
    }
    guard hasHeader || kind == DocumentFormat.header else {
      throw DocumentError(
        line: reader.line,
        "Expected {\"\(DocumentFormat.header)\":\(DocumentFormat.version)}, which begins a document"
      )
    }
    switch kind {
    case DocumentFormat.header: try readHeader(json)
    case DocumentFormat.objectLine:
      try completeSchema()
      try readObject(json)
    default:
      guard !hasSchema else {
        throw DocumentError(line: reader.line, "The schema must come before the first object")
      }
      try definitions.read(json, kind: kind, line: reader.line)
    }
  }

  /// The word of the format that a line is about.
  private func lineKind(of json: JSONText) -> String? {
    let kinds = [
      DocumentFormat.objectLine, DocumentFormat.propertyLine, DocumentFormat.classLine,
      DocumentFormat.backlinkLine, DocumentFormat.header,
    ]
    for key in json.keys(0) {
      if let name = json.string(key), kinds.contains(name) { return name }
    }
    return nil
  }

  private func sample(of json: JSONText) -> String {
    json[0].kind == .object ? "an object without \"$object\"" : json.described(0)
  }

  private mutating func readHeader(_ json: JSONText) throws(DocumentError) {
    guard !hasHeader else {
      throw DocumentError(line: reader.line, "The document has a second header")
    }
    guard json[2].kind == .integer, let version = Int64(json.text(2)), version >= 1 else {
      throw DocumentError(line: reader.line, "Expected the version of the document")
    }
    guard version <= DocumentFormat.version else {
      throw DocumentError(
        line: reader.line,
        "The document has version \(version), this program reads up to \(DocumentFormat.version)"
      )
    }
    hasHeader = true
  }

  private mutating func completeSchema() throws(DocumentError) {
    guard !hasSchema else { return }
    hasSchema = true
    try definitions.define(in: transaction)
    for schema in transaction.schema.classes {
      let properties = schema.properties.map { (ExactName($0.name), $0) }
      classes[ExactName(schema.name)] = ClassState(
        schema: schema,
        properties: Dictionary(properties) { first, _ in first },
        // Keys are kept only in a class that never had an object.
        keepsKeys: !schema.isEmbedded && transaction.firstUnusedKey(of: schema.key).rawValue == 1
      )
    }
  }
}
