@_spi(Faces) import KennelCore

extension OutputFormat {
  /// Concatenated BSON documents.
  public static let bson = OutputFormat(
    name: "bson",
    title: "BSON",
    fileExtension: "bson",
    letter: nil
  ) { reader, options in BSONWriter(reader, options.documents) }
}

/// Writes objects as BSON documents.
struct BSONWriter: ObjectWriter {
  private var documents: DocumentsFromObjects
  private let encoder = BSONEncoder()
  private var bytes: [UInt8] = []

  init(_ reader: DatabaseReader, _ options: DocumentOptions) {
    documents = DocumentsFromObjects(reader, options, for: .bson)
  }

  mutating func begin(_ classSchema: ClassSchema, to output: ByteOutput) {}

  mutating func write(_ object: ObjectIdentity, to output: ByteOutput) throws {
    let document = try documents.document(of: object)
    try rethrowing(try encoder.encode(document, into: &bytes)) {
      documents.problem($0, of: object)
    }
    try bytes.flushIfLarge(output)
  }

  mutating func end(to output: ByteOutput) throws {
    try bytes.flush(output)
  }
}
