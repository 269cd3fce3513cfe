@_spi(Faces) import KennelCore

/// The metadata of a collection in a dump: `Class.metadata.json`.
///
/// ```swift
/// let metadata = try CollectionMetadata(bytes, collection: "Dog")
/// let importer = DocumentImporter(reader, metadata: [metadata])
/// try database.write { transaction in _ = try importer.read(into: transaction) }
/// ```
///
/// MongoDB's tools read `indexes`, `collectionName` and `type`. The member `kennel` makes an import
/// into Kennel exact; MongoDB's tools ignore it. It holds the schema as lossless lines, and the
/// keys of the objects unless they are 1, 2, 3….
public struct CollectionMetadata {
  /// How many ranges of keys are written at most; more objects than these get new keys.
  private static let mostKeyRanges = 50_000

  /// The name of the collection.
  public private(set) var collectionName: String
  /// The schema as lossless lines; empty if another program wrote the dump.
  public private(set) var schemaLines: [UInt8] = []
  /// The keys of the objects in the order of the documents; empty if the dump has none.
  public private(set) var keys: [ClosedRange<UInt64>] = []

  /// Parses metadata.
  ///
  /// - Parameters:
  ///   - text: The bytes of the file: an object of Extended JSON.
  ///   - collection: The name of the collection if the metadata does not name it.
  /// - Throws: ``DocumentError`` if the bytes are not metadata, or the member `kennel` is invalid.
  public init(_ text: [UInt8], collection: String) throws(DocumentError) {
    collectionName = collection
    let value = try rethrowing(try JSONParser.value(of: text, .extended)) {
      (error: JSONProblem) in
      DocumentError(line: error.place(in: text.span).line, error.message)
    }
    guard case .document(let document) = value else {
      throw DocumentError("This is not one JSON object")
    }
    if case .string(let name)? = document["collectionName"] { collectionName = name }
    guard case .document(let kennel)? = document["kennel"] else { return }
    if case .string(let lines)? = kennel["schema"] { schemaLines = Array(lines.utf8) }
    if case .string(let text)? = kennel["keys"] { keys = try Self.ranges(text) }
  }

  private static func ranges(_ text: String) throws(DocumentError) -> [ClosedRange<UInt64>] {
    var ranges: [ClosedRange<UInt64>] = []
    for part in text.split(separator: ",") {
      let ends = part.split(separator: "-").map { UInt64($0) }
      guard let first = ends.first ?? nil, let last = ends.last ?? nil, ends.count <= 2,
        first > (ranges.last?.upperBound ?? 0), last >= first, last < ObjectKey.firstProvisional
      else {
        throw DocumentError("The metadata has invalid object keys")
      }
      ranges.append(first...last)
    }
    return ranges
  }

  /// Returns the metadata of a class.
  ///
  /// - Parameters:
  ///   - classSchema: The class.
  ///   - schema: The schema that it belongs to.
  ///   - keys: The keys of its objects that are dumped, as ranges.
  /// - Returns: The bytes of the file.
  /// - Throws: ``ValueProblem`` if the schema is too long for a document.
  static func text(
    of classSchema: ClassSchema,
    in schema: Schema,
    keys: [ClosedRange<UInt64>]
  ) throws(ValueProblem) -> [UInt8] {
    var lines = JSONWriter()
    // All of it, since the classes link to each other and each collection may be restored alone.
    lines.append(schema: schema)
    var kennel = [
      Document.Member("schema", .string(String(decoding: lines.bytes, as: UTF8.self)))
    ]
    let isPlain = keys.isEmpty || keys.count == 1 && keys[0].lowerBound == 1
    // Documents of a class without a primary key say the keys themselves.
    if !isPlain, classSchema.keyMember == nil, keys.count <= mostKeyRanges {
      let texts = keys.map {
        $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)-\($0.upperBound)"
      }
      kennel.append(.init("keys", .string(texts.joined(separator: ","))))
    }
    let document: Document = [
      "options": .document([:]),
      "indexes": .array(indexes(of: classSchema)),
      "collectionName": .string(classSchema.name),
      "type": .string("collection"),
      "kennel": .document(Document(kennel)),
    ]
    var json = ExtendedJSON(isRelaxed: false)
    var bytes: [UInt8] = []
    try json.encode(document, into: &bytes)
    return bytes
  }

  /// The indexes that MongoDB is to make: that of `_id`, and those of the class.
  private static func indexes(of classSchema: ClassSchema) -> [DocumentValue] {
    var indexes = [index("_id", "_id_", isUnique: false)]
    for property in classSchema.properties
    where property.isIndexed && property.name != MappingName.id {
      let name = "\(property.name)_1"
      // MongoDB takes null for a value that only one document may have.
      let isUnique = property.isPrimaryKey || property.isUnique && !property.type.isOptional
      indexes.append(index(property.name, name, isUnique: isUnique))
    }
    return indexes
  }

  private static func index(_ property: String, _ name: String, isUnique: Bool) -> DocumentValue {
    .document([
      "v": .int32(2), "key": .document([property: .int32(1)]), "name": .string(name),
      "unique": isUnique ? .bool(true) : nil,
    ])
  }
}

/// Converts between names of collections and names of files in a dump.
///
/// ```swift
/// let name = DumpName.escaped(collection) + ".bson"
/// print(name)
/// ```
public enum DumpName {
  /// Returns the name of a collection's file without its extension.
  ///
  /// Bytes that are unsafe in a path become `%` and two hexadecimal digits, as in `mongodump`.
  ///
  /// - Parameter collection: The name of the collection.
  /// - Returns: The name of the file without its extension.
  public static func escaped(_ collection: String) -> String {
    collection.percentEscaped { byte in
      JSONPlace.isWordByte(byte) || "-.~&+=@".utf8.contains(byte)
    }
  }

  /// Returns the name of the collection of a file.
  ///
  /// - Parameter file: The name of the file without its extension.
  /// - Returns: The name of the collection.
  public static func unescaped(_ file: String) -> String {
    var bytes: [UInt8] = []
    var rest = Array(file.utf8)[...]
    while let byte = rest.popFirst() {
      let digits = String(decoding: rest.prefix(2), as: UTF8.self)
      if byte == UInt8(ascii: "%"), digits.utf8.count == 2, digits.first != "+",
        let escaped = UInt8(digits, radix: 16)
      {
        bytes.append(escaped)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return String(validating: bytes, as: UTF8.self) ?? file
  }
}
