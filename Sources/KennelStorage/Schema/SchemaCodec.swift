/// The schema to and from bytes.
///
/// All numbers are little-endian; a text or value is its length (4 bytes) and its bytes; a list
/// is its length (4 bytes) and its elements:
///
/// | what | bytes |
/// |---|---|
/// | schema | version (1: 1, 2 where the classes have a version, 3 where a property has a form of JSON schemas), the version of the classes (8, from version 2), list of classes |
/// | class | key (2), flags (1: embedded), next column (2), name, list of properties, of backlinks, of backlink columns |
/// | property | key (2), flags (1: embedded, 2: primary key, 4: indexed, 8: optional, 16: has target's key, 32: has target's name, 64: unique), kind, collection, width (1 each), delete rule (the lower 4 bits of 1) and target rule (the upper 4), target's key (2), target's name, name, default value, fill value, form (1, from version 3) |
/// | backlink | origin (2), property (2), name |
/// | backlink column | column (2), origin (2), property (2) |
///
/// Values are those of ``MixedCodec``.
package enum SchemaCodec {
  private static let version: UInt8 = 1
  private static let versionWithClassVersion: UInt8 = 2
  private static let versionWithForms: UInt8 = 3
  /// One more than the greatest class key and the greatest column that a chunk's key has room for.
  private static let classLimit = 4095
  private static let columnLimit = 4094

  /// The bytes of a schema.
  package static func encode(_ schema: Schema) -> [UInt8] {
    let hasForms = schema.classes.contains { $0.properties.contains { !$0.schemaForm.isEmpty } }
    var bytes: [UInt8] = [
      hasForms ? versionWithForms : schema.version == 0 ? version : versionWithClassVersion
    ]
    if bytes[0] != version { bytes.append(number: schema.version) }
    bytes.append(number: UInt32(schema.classes.count))
    for schema in schema.classes {
      bytes.append(number: schema.key.rawValue)
      bytes.append(schema.isEmbedded ? 1 : 0)
      bytes.append(number: schema.nextColumn)
      append(schema.name, to: &bytes)
      bytes.append(number: UInt32(schema.properties.count))
      for property in schema.properties {
        append(property, to: &bytes)
        if hasForms { bytes.append(property.schemaForm.rawValue) }
      }
      bytes.append(number: UInt32(schema.backlinks.count))
      for backlink in schema.backlinks {
        bytes.append(number: backlink.origin.rawValue)
        bytes.append(number: backlink.property.rawValue)
        append(backlink.name, to: &bytes)
      }
      bytes.append(number: UInt32(schema.backlinkColumns.count))
      for column in schema.backlinkColumns {
        bytes.append(number: column.number)
        bytes.append(number: column.origin.rawValue)
        bytes.append(number: column.property.rawValue)
      }
    }
    return bytes
  }

  private static func append(_ property: PropertySchema, to bytes: inout [UInt8]) {
    bytes.append(number: property.key.rawValue)
    var flags: UInt8 = property.isEmbedded ? 1 : 0
    if property.isPrimaryKey { flags |= 2 }
    if property.isIndexed { flags |= 4 }
    if property.type.isOptional { flags |= 8 }
    if property.target != nil { flags |= 16 }
    if property.type.target != nil { flags |= 32 }
    if property.isUnique { flags |= 64 }
    bytes.append(flags)
    bytes.append(property.type.kind.rawValue)
    bytes.append(property.type.collection.rawValue)
    bytes.append(UInt8(truncatingIfNeeded: property.type.bitWidth))
    bytes.append(property.deleteRule.rawValue | property.targetRule.rawValue << 4)
    bytes.append(number: property.target?.rawValue ?? 0)
    append(property.type.target ?? "", to: &bytes)
    append(property.name, to: &bytes)
    append(property.defaultValue, to: &bytes)
    append(property.fillValue, to: &bytes)
  }

  private static func append(_ text: String, to bytes: inout [UInt8]) {
    bytes.append(number: UInt32(text.utf8.count))
    bytes.append(contentsOf: text.utf8)
  }

  private static func append(_ value: Value, to bytes: inout [UInt8]) {
    bytes.append(length: UInt32.self) { MixedCodec.encode(value, into: &$0) }
  }

  /// The schema of bytes that ``encode(_:)`` made.
  package static func decode(_ bytes: StoredBytes) throws(StorageError) -> Schema {
    var reader = Reader(window: ByteWindow(bytes))
    do {
      return try reader.readSchema()
    } catch {
      throw .damaged(in: "the schema", error.what)
    }
  }

  private struct Reader {
    var window: ByteWindow
    var hasForms = false

    mutating func readSchema() throws(ChunkFault) -> Schema {
      let codec = try window.take(1)[0]
      guard (version...versionWithForms).contains(codec) else {
        throw ChunkFault("it has another version")
      }
      hasForms = codec == versionWithForms
      let classVersion = codec == version ? 0 : try window.take(UInt64.self)
      var classes: [ClassSchema] = []
      for _ in 0..<(try readCount(below: classLimit)) {
        let next = try readClass()
        guard classes.last.map({ $0.key < next.key }) ?? true else {
          throw ChunkFault("its classes are not ascending")
        }
        classes.append(next)
      }
      guard window.isEmpty else { throw ChunkFault("it is too long") }
      return Schema(classes: classes, version: classVersion)
    }

    private mutating func readClass() throws(ChunkFault) -> ClassSchema {
      let key = ClassKey(rawValue: try window.take(UInt16.self))
      let flags = try window.take(1)[0]
      let nextColumn = try window.take(UInt16.self)
      guard Int(key.rawValue) < classLimit, flags <= 1, Int(nextColumn) <= columnLimit else {
        throw ChunkFault("a class has an impossible number")
      }
      let name = try readName()
      var properties: [PropertySchema] = []
      var columns = Set<UInt16>()
      for _ in 0..<(try readCount(below: columnLimit)) {
        let property = try readProperty()
        guard property.key.rawValue < nextColumn, columns.insert(property.key.rawValue).inserted
        else {
          throw ChunkFault("the properties of class \(name) share columns")
        }
        properties.append(property)
      }
      var backlinks: [BacklinkSchema] = []
      for _ in 0..<(try readCount(below: 1 << 20)) {
        let origin = try readClassKey()
        let property = try readColumn()
        backlinks.append(
          BacklinkSchema(
            name: try readName(),
            origin: origin,
            property: PropertyKey(rawValue: property)
          )
        )
      }
      return ClassSchema(
        key: key,
        name: name,
        isEmbedded: flags == 1,
        properties: properties,
        backlinks: backlinks,
        backlinkColumns: try readBacklinkColumns(),
        nextColumn: nextColumn
      )
    }

    private mutating func readBacklinkColumns() throws(ChunkFault) -> [BacklinkColumn] {
      var columns: [BacklinkColumn] = []
      for _ in 0..<(try readCount(below: columnLimit)) {
        let number = try readColumn()
        let origin = try readClassKey()
        let property = PropertyKey(rawValue: try readColumn())
        columns.append(BacklinkColumn(number: number, origin: origin, property: property))
      }
      return columns
    }

    private mutating func readProperty() throws(ChunkFault) -> PropertySchema {
      let key = PropertyKey(rawValue: try readColumn())
      let flags = try window.take(1)[0]
      let codes = try window.take(4)
      guard flags < 128, flags & 64 == 0 || flags & 4 != 0,
        let kind = ValueKind(rawValue: codes[0]),
        let collection = CollectionKind(rawValue: codes[1]),
        let deleteRule = DeleteRule(rawValue: codes[3] & 15),
        let targetRule = TargetRule(rawValue: codes[3] >> 4),
        targetRule == .nullify || flags & 1 == 0 && (kind == .link || kind == .mixed)
      else { throw ChunkFault("a property has an unknown type") }
      let width = Int(codes[2])
      guard PropertyType.bitWidths.contains(width) else {
        throw ChunkFault("a property has a width of \(width) bits")
      }
      let target = try readClassKey()
      let targetName = try readText()
      guard flags & 32 == 0 || SchemaName.problem(targetName) == nil else { throw Self.badName }
      let type = PropertyType(
        kind,
        collection: collection,
        isOptional: flags & 8 != 0,
        bitWidth: width,
        target: flags & 32 != 0 ? targetName : nil
      )
      return PropertySchema(
        key: key,
        name: try readName(),
        type: type,
        target: flags & 16 != 0 ? target : nil,
        isEmbedded: flags & 1 != 0,
        isPrimaryKey: flags & 2 != 0,
        isUnique: flags & 64 != 0,
        isIndexed: flags & 4 != 0,
        deleteRule: deleteRule,
        targetRule: targetRule,
        defaultValue: try readValue(),
        fillValue: try readValue(),
        schemaForm: hasForms ? try readForm() : []
      )
    }

    private mutating func readForm() throws(ChunkFault) -> SchemaForm {
      let form = SchemaForm(rawValue: try window.take(1)[0])
      guard form.isSubset(of: .all) else { throw ChunkFault("a property has an unknown form") }
      return form
    }

    /// Every element takes at least a byte, so that no count asks for more than there is.
    private mutating func readCount(below limit: Int) throws(ChunkFault) -> Int {
      let count = Int(try window.take(UInt32.self))
      guard count <= limit, count <= window.all.count else {
        throw ChunkFault("a list is too long")
      }
      return count
    }

    private mutating func readClassKey() throws(ChunkFault) -> ClassKey {
      let key = ClassKey(rawValue: try window.take(UInt16.self))
      guard Int(key.rawValue) < classLimit else { throw ChunkFault("a class key is too large") }
      return key
    }

    private mutating func readColumn() throws(ChunkFault) -> UInt16 {
      let column = try window.take(UInt16.self)
      guard Int(column) < columnLimit else { throw ChunkFault("a column is too large") }
      return column
    }

    private mutating func readName() throws(ChunkFault) -> String {
      let name = try readText()
      guard SchemaName.problem(name) == nil else { throw Self.badName }
      return name
    }

    private static let badName = ChunkFault(
      "a name is empty, too long, or has characters that no name has"
    )

    private mutating func readText() throws(ChunkFault) -> String {
      let bytes = try window.take(Int(try window.take(UInt32.self)))
      guard let text = String(utf8: bytes) else { throw ChunkFault("a name is not UTF-8") }
      return text
    }

    private mutating func readValue() throws(ChunkFault) -> Value {
      let bytes = try window.take(Int(try window.take(UInt32.self)))
      do {
        return try MixedCodec.decode(bytes)
      } catch {
        throw ChunkFault("a default value is damaged")
      }
    }
  }
}
