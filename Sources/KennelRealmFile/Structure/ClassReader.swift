/// Reads a table's description.
struct ClassReader {
  let bytes: FileBytes
  let format: Int
  /// Whether what is no part of the description may be damaged.
  var isDamaged = false

  /// The bits of the attributes of a column.
  private enum Attribute {
    static let nullable: Int64 = 16
    static let list: Int64 = 32
    static let dictionary: Int64 = 64
    static let set: Int64 = 128
    static let fullText: Int64 = 256
  }

  private static let prefix = "class_"
  /// The tables of Realm's own that have no prefix either.
  private static let ownTables: Set<String> = [
    "client_reset_metadata", "flx_metadata", "flx_migration", "flx_pending_bootstrap",
    "flx_pending_bootstrap_changesets", "flx_pending_bootstrap_progress", "flx_subscription_sets",
    "flx_subscriptions", "sync_internal_schemas",
  ]
  private static let backlink: Int64 = 14
  /// Lists of links had a type of their own.
  private static let linkList: Int64 = 13

  /// A column as the description has it.
  private struct Column {
    let key: Int64
    /// The lower half is the type, the upper half the type of a dictionary's keys.
    let type: Int64
    let attributes: Int64
    var index: Int { Int(key & 0xffff) }
    var keyType: Int64 { type >> 16 & 0xffff }
    /// Files that were upgraded can have another type in `type`.
    var valueType: Int64 { key >> 16 & 0x3f }
    var keyAttributes: Int64 { key >> 22 & 0xff }
  }

  /// The class of the table at `ref`.
  func read(name: String, at ref: Int64) throws(RealmFileError) -> RealmClass {
    try locating(
      { $0.className = Self.title(of: name) },
      try readTable(name, bytes.node(at: ref))
    )
  }

  /// The name of the class of a table that cannot be read, or of the table where it is Realm's own.
  static func title(of name: String) -> String { className(name, []) ?? name }

  /// The name of a program's class; `nil` for Realm's own tables.
  ///
  /// The SDKs put a prefix before the names of classes. A program on Realm's core alone may not, and
  /// may have tables that are called as Realm's own, but have other columns.
  private static func className(_ name: String, _ properties: [RealmFileProperty]) -> String? {
    if name.hasPrefix(prefix) { return String(name.dropFirst(prefix.count)) }
    let columns = properties.map(\.name)
    let isOwn =
      switch name {
      case "metadata": columns == ["version"]
      case "pk": columns == ["pk_table", "pk_property"]
      default: ownTables.contains(name) || name.hasPrefix("!")
      }
    return isOwn ? nil : name
  }

  private func readTable(_ name: String, _ top: Node) throws(RealmFileError) -> RealmClass {
    guard let key = try top.optionalTagged(3), (0..<1 << 32).contains(key) else {
      throw damaged("a table without a key", at: top.offset)
    }
    let spec = try top.child(0, in: bytes)
    let columns = try columns(of: spec)
    let properties = try properties(of: spec, columns, top)
    let primaryKey = try top.optionalTagged(11)
    let primary = properties.first { $0.columnKey == primaryKey }
    if let primaryKey, primaryKey > 0, primary == nil {
      throw damaged("a primary key that is no property", at: top.offset)
    }
    return RealmClass(
      name: name,
      className: Self.className(name, properties),
      kind: try kind(top),
      tableKey: Int(key),
      properties: properties,
      backlinks: try backlinks(columns, top),
      primaryKey: primary,
      count: isDamaged ? 0 : try ClusterTree(bytes: bytes).count(root: top.reference(2)),
      top: top.offset,
      clusters: try top.reference(2)
    )
  }

  private func kind(_ top: Node) throws(RealmFileError) -> RealmClass.Kind {
    switch (try top.optionalTagged(12) ?? 0) & 3 {
    case 0: return .topLevel
    case 1: return .embedded
    case 2: return .asymmetric
    default: throw damaged("a table of a kind that does not exist", at: top.offset)
    }
  }

  private func columns(of spec: Node) throws(RealmFileError) -> [Column] {
    let types = try spec.child(0, in: bytes)
    let attributes = try spec.child(2, in: bytes)
    let keys = try spec.child(5, in: bytes)
    guard types.count == keys.count, attributes.count == keys.count, keys.count <= 0xffff else {
      throw damaged("a table whose columns are described in part", at: spec.offset)
    }
    var columns: [Column] = []
    var indexes: Set<Int> = []
    for index in 0..<keys.count {
      let column = Column(
        key: try keys.integer(index),
        type: try types.integer(index),
        attributes: try attributes.integer(index)
      )
      guard column.key >= 0, indexes.insert(column.index).inserted else {
        throw damaged("two columns with one key", at: keys.offset)
      }
      columns.append(column)
    }
    return columns
  }

  private func properties(
    of spec: Node,
    _ columns: [Column],
    _ top: Node
  ) throws(RealmFileError) -> [RealmFileProperty] {
    let names = try TextReader(node: spec.child(1, in: bytes), bytes: bytes)
    var properties: [RealmFileProperty] = []
    for (position, column) in columns.enumerated() where column.valueType != Self.backlink {
      guard let name = try names.text(position) else {
        throw damaged("a property without a name", at: spec.offset)
      }
      let property = try locating(
        { $0.property = name },
        try self.property(name, position, column, of: spec, top)
      )
      properties.append(property)
    }
    return properties
  }

  private func property(
    _ name: String,
    _ position: Int,
    _ column: Column,
    of spec: Node,
    _ top: Node
  ) throws(RealmFileError) -> RealmFileProperty {
    let enumerations = spec.count > 4 ? try spec.optionalChild(4, in: bytes) : nil
    var enumeration: Int64 = 0
    if let enumerations, position < enumerations.count {
      enumeration = try enumerations.reference(position)
    }
    return RealmFileProperty(
      name: name,
      columnKey: column.key,
      index: column.index,
      kind: try kind(column, top),
      isOptional: column.keyAttributes & Attribute.nullable != 0,
      collection: try collection(column, keysAt: spec.offset),
      isIndexed: try isIndexed(column, top),
      isFullText: column.attributes & Attribute.fullText != 0,
      enumeration: enumeration == 0 ? nil : enumeration,
      hasIntegerKeys: column.keyAttributes & Attribute.dictionary != 0 && column.keyType == 0
        && format >= 23
    )
  }

  private func collection(
    _ column: Column,
    keysAt offset: Int
  ) throws(RealmFileError) -> RealmCollectionKind? {
    let kinds = Attribute.list | Attribute.set | Attribute.dictionary
    switch column.keyAttributes & kinds {
    case 0: return column.valueType == Self.linkList ? .list : nil
    case Attribute.list: return .list
    case Attribute.set: return .set
    case Attribute.dictionary: return .dictionary
    default: throw damaged("a property that is two collections", at: offset)
    }
  }

  private func isIndexed(_ column: Column, _ top: Node) throws(RealmFileError) -> Bool {
    do throws(RealmFileError) {
      guard let indexes = try top.optionalChild(4, in: bytes), column.index < indexes.count else {
        return false
      }
      return try indexes.reference(column.index) != 0
    } catch {
      guard isDamaged, error.isDamage else { throw error }
      return false
    }
  }

  private func kind(_ column: Column, _ top: Node) throws(RealmFileError) -> RealmKind {
    switch column.valueType {
    case 0: return .int
    case 1: return .bool
    case 2: return .string
    case 4: return .data
    case 6: return .mixed
    case 8: return .timestamp
    case 9: return .float
    case 10: return .double
    case 11: return .decimal
    case 12, Self.linkList:
      let targets = try top.child(7, in: bytes)
      return .object(target: Int(try targets.integer(column.index)))
    case 15: return .objectId
    case 17: return .uuid
    default: throw damaged("a property of the unknown type \(column.valueType)", at: top.offset)
    }
  }

  private func backlinks(
    _ columns: [Column],
    _ top: Node
  ) throws(RealmFileError) -> [RealmBacklink] {
    guard columns.contains(where: { $0.valueType == Self.backlink }) else { return [] }
    let sources = try top.child(7, in: bytes)
    let sourceColumns = try top.child(8, in: bytes)
    return try columns.filter { $0.valueType == Self.backlink }.map {
      column throws(RealmFileError) in
      RealmBacklink(
        source: Int(try sources.integer(column.index)),
        sourceColumn: try sourceColumns.integer(column.index),
        index: column.index
      )
    }
  }
}
