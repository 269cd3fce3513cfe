@_spi(Faces) import KennelCore

extension OutputFormat {
  /// Canonical Extended JSON, one line per object.
  ///
  /// It keeps every type.
  public static let extendedJSON = extended(
    "extjson",
    "canonical Extended JSON",
    "e",
    isRelaxed: false
  )

  /// Relaxed Extended JSON, one line per object, with plain numbers and readable dates.
  public static let relaxedJSON = extended("relaxed", "relaxed Extended JSON", "r")

  /// An array of documents in relaxed Extended JSON.
  public static let json = extended("json", "an array of JSON documents", "a", isArray: true)

  private static func extended(
    _ name: String,
    _ title: String,
    _ letter: Character,
    isRelaxed: Bool = true,
    isArray: Bool = false
  ) -> OutputFormat {
    OutputFormat(name: name, title: title, fileExtension: "json", letter: letter) {
      ExtendedJSONWriter($0, $1.documents, isRelaxed: isRelaxed, isArray: isArray)
    }
  }
}

/// Writes objects as documents of Extended JSON.
private struct ExtendedJSONWriter: ObjectWriter {
  private var documents: DocumentsFromObjects
  private var json: ExtendedJSON
  private let isArray: Bool
  private var bytes: [UInt8] = []
  private var isFirst = true

  init(_ reader: DatabaseReader, _ options: DocumentOptions, isRelaxed: Bool, isArray: Bool) {
    documents = DocumentsFromObjects(reader, options, for: .extendedJSON)
    json = ExtendedJSON(isRelaxed: isRelaxed)
    self.isArray = isArray
  }

  mutating func begin(_ classSchema: ClassSchema, to output: ByteOutput) {
    isFirst = true
    if isArray { bytes += Array("[".utf8) }
  }

  mutating func write(_ object: ObjectIdentity, to output: ByteOutput) throws {
    if isArray { bytes += Array((isFirst ? "\n" : ",\n").utf8) }
    isFirst = false
    let document = try documents.document(of: object)
    try rethrowing(try json.encode(document, into: &bytes)) {
      documents.problem($0, of: object)
    }
    if !isArray { bytes.append(UInt8(ascii: "\n")) }
    try bytes.flushIfLarge(output)
  }

  mutating func end(to output: ByteOutput) throws {
    if isArray { bytes += Array((isFirst ? "]\n" : "\n]\n").utf8) }
    try bytes.flush(output)
  }
}
