import KennelCore

/// What stands beside a collection in a dump: `Class.metadata.json`.
///
/// MongoDB's tools read `indexes`, `collectionName` and `type`. The member `kennel`, which they pass
/// over, has what makes the way back exact: the schema as lossless lines, and the keys of the objects
/// where they are not 1, 2, 3….
public struct CollectionMetadata {
  /// How many ranges of keys are written at most; more objects than these get new keys.
  private static let mostKeyRanges = 50_000

  /// The name of the collection.
  public private(set) var collectionName: String
  /// Lossless lines of the schema; empty where another program wrote the dump.
  public private(set) var schemaLines: [UInt8] = []
  /// The keys of the objects in the order of the documents, where the dump has them.
  public private(set) var keys: [ClosedRange<UInt64>] = []

  /// Reads metadata.
  ///
  /// - Parameters:
  ///   - text: The bytes of the file: an object of Extended JSON.
  ///   - collection: The name of the collection, where the metadata does not have it.
  /// - Throws: ``DocumentError`` where it is none, or Kennel's part of it makes no sense.
  public init(_ text: [UInt8], collection: String) throws(DocumentError) {
    collectionName = collection
    let document: Document
    do throws(ValueProblem) {
      document = try ExtendedJSON.decode(text, by: BSONDecoder())
    } catch {
      throw DocumentError(line: nil, error.message)
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
        throw DocumentError(line: nil, "The keys of the objects make no sense in the metadata")
      }
      ranges.append(first...last)
    }
    return ranges
  }

  /// The metadata of a class.
  ///
  /// - Parameters:
  ///   - classSchema: The class.
  ///   - schema: The schema that it belongs to.
  ///   - keys: The keys of its objects that are dumped, as ranges.
  /// - Returns: The bytes of the file.
  /// - Throws: ``ValueProblem`` where the schema is too long for a document.
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
      indexes.append(index(property.name, name, isUnique: property.isPrimaryKey))
    }
    return indexes
  }

  private static func index(_ property: String, _ name: String, isUnique: Bool) -> DocumentValue {
    var members: [Document.Member] = [
      .init("v", .int32(2)), .init("key", .document(Document([.init(property, .int32(1))]))),
      .init("name", .string(name)),
    ]
    if isUnique { members.append(.init("unique", .bool(true))) }
    return .document(Document(members))
  }
}

/// The names that files of a dump have.
public enum DumpName {
  /// The name of a collection's file without its ending: bytes that a path could misunderstand as
  /// `%` and two hexadecimal digits, as `mongodump` writes them.
  ///
  /// - Parameter collection: The name of the collection.
  /// - Returns: The name of the file.
  public static func escaped(_ collection: String) -> String {
    let digits = Array("0123456789ABCDEF".unicodeScalars)
    var name = ""
    for byte in collection.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        name.unicodeScalars.append(Unicode.Scalar(byte))
      case _ where "-_.~$&+=@".utf8.contains(byte):
        name.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        name += "%"
        name.unicodeScalars.append(digits[Int(byte >> 4)])
        name.unicodeScalars.append(digits[Int(byte & 15)])
      }
    }
    return name
  }

  /// The name of the collection that a file has the name of.
  ///
  /// - Parameter file: The name of the file without its ending.
  /// - Returns: The name of the collection.
  public static func unescaped(_ file: String) -> String {
    var bytes: [UInt8] = []
    var rest = Array(file.utf8)[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), rest.count >= 2, let high = rest.first,
        let first = JSONScanner.hexadecimalDigit(high),
        let second = JSONScanner.hexadecimalDigit(rest[rest.startIndex + 1])
      {
        bytes.append(first << 4 | second)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return String(validating: bytes, as: UTF8.self) ?? file
  }
}
