/// The classes of a file, as they are stored in it.
///
/// ```swift
/// let schema = try database.snapshot().schema
/// for found in schema.classes { print(found.name, found.properties.map(\.name)) }
/// ```
public struct Schema: Sendable, Hashable {
  /// The classes in the order of their keys.
  public package(set) var classes: [ClassSchema] = []
  /// The version that a program gave the classes; 0 where none did.
  public package(set) var version: UInt64 = 0

  /// The position in `classes` of each key; −1 where a class was deleted.
  package private(set) var positions: [Int] = []
  /// The column of each class's primary key where that is a whole number; −1 where it is not.
  private var intKeyColumns: [Int] = []
  /// The position in `classes` of the UTF-8 bytes of each name.
  private var positionsByName: [[UInt8]: Int] = [:]

  /// A schema without classes.
  public init() {}

  package init(classes: [ClassSchema], version: UInt64 = 0) {
    self.classes = classes
    self.version = version
    index()
  }

  /// The class of a key; `nil` if there is none.
  @inlinable
  public subscript(key: ClassKey) -> ClassSchema? {
    guard let position = position(of: key) else { return nil }
    return classes[position]
  }

  /// The class of a name; `nil` if there is none.
  public subscript(name: String) -> ClassSchema? {
    positionsByName[Array(name.utf8)].map { classes[$0] }
  }

  /// Where a class lies in ``classes``.
  public func position(of key: ClassKey) -> Int? {
    let number = Int(key.rawValue)
    guard number < positions.count, positions[number] >= 0 else { return nil }
    return positions[number]
  }

  /// The primary key property of a class, if it is one of whole numbers.
  package func intKey(of key: ClassKey) -> PropertyKey? {
    let number = Int(key.rawValue)
    guard number < intKeyColumns.count, intKeyColumns[number] >= 0 else { return nil }
    return PropertyKey(rawValue: UInt16(intKeyColumns[number]))
  }

  /// The property with a key in a class; `nil` if it is not in the schema.
  public func property(_ property: PropertyKey, of classKey: ClassKey) -> PropertySchema? {
    self[classKey]?[property]
  }

  /// Brings the look-up structures up to date after `classes` changed.
  package mutating func index() {
    let highest = classes.map { Int($0.key.rawValue) }.max() ?? -1
    positions = Array(repeating: -1, count: highest + 1)
    intKeyColumns = positions
    positionsByName = [:]
    for (position, schema) in classes.enumerated() {
      positions[Int(schema.key.rawValue)] = position
      if let primaryKey = schema.primaryKey, primaryKey.kind == .int {
        intKeyColumns[Int(schema.key.rawValue)] = Int(primaryKey.key.rawValue)
      }
      positionsByName[Array(schema.name.utf8)] = position
    }
  }
}

/// A class as it is stored in a file.
///
/// ```swift
/// let dog = try snapshot.schema.require("Dog")
/// print(dog.properties.count, dog.primaryKey?.name ?? "no primary key")
/// ```
///
/// The parts lie in one object, so that handing a class on costs one reference count.
public struct ClassSchema: Sendable, Hashable {
  private struct Parts: Sendable, Hashable {
    var name: String
    var isEmbedded: Bool
    var properties: [PropertySchema]
    var backlinks: [BacklinkSchema]
    var backlinkColumns: [BacklinkColumn]
    var nextColumn: UInt16
    var positions: [Int] = []
    var primaryKey: PropertySchema?
  }

  /// The key.
  public let key: ClassKey
  private var shared: SharedParts<Parts>

  package init(
    key: ClassKey,
    name: String,
    isEmbedded: Bool,
    properties: [PropertySchema] = [],
    backlinks: [BacklinkSchema] = [],
    backlinkColumns: [BacklinkColumn] = [],
    nextColumn: UInt16 = 0
  ) {
    self.key = key
    shared = SharedParts(
      Parts(
        name: name,
        isEmbedded: isEmbedded,
        properties: properties,
        backlinks: backlinks,
        backlinkColumns: backlinkColumns,
        nextColumn: nextColumn
      )
    )
    index()
  }

  /// The name, unique in the file.
  public package(set) var name: String {
    get { shared.value.name }
    set { shared = shared.changed { $0.name = newValue } }
  }
  /// Whether its objects are embedded: owned by exactly one property of another object.
  public package(set) var isEmbedded: Bool {
    get { shared.value.isEmbedded }
    set { shared = shared.changed { $0.isEmbedded = newValue } }
  }
  /// The properties in the order of their definition, which need not be that of their keys.
  public package(set) var properties: [PropertySchema] {
    get { shared.value.properties }
    set { shared = shared.changed { $0.properties = newValue } }
  }
  /// The declared backlinks.
  public package(set) var backlinks: [BacklinkSchema] {
    get { shared.value.backlinks }
    set { shared = shared.changed { $0.backlinks = newValue } }
  }
  /// Where the backlinks of each link property that can point here are kept, in the order of their columns.
  package var backlinkColumns: [BacklinkColumn] {
    get { shared.value.backlinkColumns }
    set { shared = shared.changed { $0.backlinkColumns = newValue } }
  }
  /// One more than the greatest number of a column of backlinks; those of properties that are gone leave
  /// gaps.
  package var backlinkColumnCount: Int { backlinkColumns.last.map { Int($0.number) + 1 } ?? 0 }
  /// The next property column to give out; columns are never reused.
  package var nextColumn: UInt16 {
    get { shared.value.nextColumn }
    set { shared = shared.changed { $0.nextColumn = newValue } }
  }
  /// The position in `properties` of each column; −1 where a property was deleted.
  package var positions: [Int] { shared.value.positions }

  /// The property of a key; `nil` if there is none.
  public subscript(key: PropertyKey) -> PropertySchema? {
    let column = Int(key.rawValue)
    let parts = shared.value
    guard column < parts.positions.count, parts.positions[column] >= 0 else { return nil }
    return parts.properties[parts.positions[column]]
  }

  /// The property of a name; `nil` if there is none.
  ///
  /// Linear in the number of properties.
  public subscript(name: String) -> PropertySchema? {
    properties.first { $0.name.hasSameBytes(as: name) }
  }

  /// The primary key property, if the class has one.
  public var primaryKey: PropertySchema? {
    shared.value.primaryKey
  }

  package mutating func index() {
    var positions = Array(repeating: -1, count: Int(nextColumn))
    for (position, property) in properties.enumerated() {
      positions[Int(property.key.rawValue)] = position
    }
    let primaryKey = properties.first { $0.isPrimaryKey }
    shared = shared.changed {
      $0.positions = positions
      $0.primaryKey = primaryKey
    }
  }
}

/// A property as it is stored in a file.
///
/// ```swift
/// let age = try dog.require("age")
/// print(age.name, age.type, age.isIndexed)
/// ```
///
/// The parts lie in one object, so that handing a property on costs one reference count.
public struct PropertySchema: Sendable, Hashable {
  private struct Parts: Sendable, Hashable {
    var name: String
    var type: PropertyType
    var isPrimaryKey: Bool
    var isUnique: Bool
    var isIndexed: Bool
    var deleteRule: DeleteRule
    var targetRule: TargetRule
    var defaultValue: Value
    var fillValue: Value
    var schemaForm: SchemaForm
  }

  /// The key.
  public let key: PropertyKey
  /// The key of the class that links of this property point to; `nil` for mixed and scalars.
  public package(set) var target: ClassKey?
  /// Whether the property holds embedded objects.
  public package(set) var isEmbedded: Bool
  /// Whether an index is kept for the property; a primary key and a unique property always have one.
  public package(set) var isIndexed: Bool {
    get { shared.value.isIndexed }
    set { shared = shared.changed { $0.isIndexed = newValue } }
  }
  private var shared: SharedParts<Parts>

  package init(
    key: PropertyKey,
    name: String,
    type: PropertyType,
    target: ClassKey? = nil,
    isEmbedded: Bool = false,
    isPrimaryKey: Bool = false,
    isUnique: Bool = false,
    isIndexed: Bool = false,
    deleteRule: DeleteRule = .nullify,
    targetRule: TargetRule = .nullify,
    defaultValue: Value,
    fillValue: Value,
    schemaForm: SchemaForm = []
  ) {
    self.key = key
    self.target = target
    self.isEmbedded = isEmbedded
    shared = SharedParts(
      Parts(
        name: name,
        type: type,
        isPrimaryKey: isPrimaryKey,
        isUnique: isUnique,
        isIndexed: isIndexed,
        deleteRule: deleteRule,
        targetRule: targetRule,
        defaultValue: defaultValue,
        fillValue: fillValue,
        schemaForm: schemaForm
      )
    )
  }

  /// The name, unique in the class.
  public package(set) var name: String {
    get { shared.value.name }
    set { shared = shared.changed { $0.name = newValue } }
  }
  /// The type.
  public package(set) var type: PropertyType {
    get { shared.value.type }
    set { shared = shared.changed { $0.type = newValue } }
  }
  /// Whether the property identifies the object: unique in the class.
  public package(set) var isPrimaryKey: Bool {
    get { shared.value.isPrimaryKey }
    set { shared = shared.changed { $0.isPrimaryKey = newValue } }
  }
  /// Whether no two objects of the class may have the same value; any number of them may have none.
  public package(set) var isUnique: Bool {
    get { shared.value.isUnique }
    set { shared = shared.changed { $0.isUnique = newValue } }
  }
  /// Says what the deletion of an object does to the targets of its links.
  public package(set) var deleteRule: DeleteRule {
    get { shared.value.deleteRule }
    set { shared = shared.changed { $0.deleteRule = newValue } }
  }
  /// Says what the deletion of a target does to the objects that link to it.
  public package(set) var targetRule: TargetRule {
    get { shared.value.targetRule }
    set { shared = shared.changed { $0.targetRule = newValue } }
  }
  /// The value of objects that are created without one for this property.
  public package(set) var defaultValue: Value {
    get { shared.value.defaultValue }
    set { shared = shared.changed { $0.defaultValue = newValue } }
  }
  /// The value of objects that were created before the property was added.
  public package(set) var fillValue: Value {
    get { shared.value.fillValue }
    set { shared = shared.changed { $0.fillValue = newValue } }
  }
  /// How the JSON schema that the property was read from writes it.
  public package(set) var schemaForm: SchemaForm {
    get { shared.value.schemaForm }
    set { shared = shared.changed { $0.schemaForm = newValue } }
  }

  /// Whether two objects may not both have a value.
  package func isReserved(_ value: Value) -> Bool {
    isPrimaryKey || isUnique && !value.isNull
  }

  /// The kind of the value, or of each element.
  package var kind: ValueKind { shared.value.type.kind }
  /// Whether the property is a collection, and which.
  package var collection: CollectionKind { shared.value.type.collection }
  /// The type of the property's columns.
  package var columnType: ColumnType { ColumnType(kind, collection) }

  /// Whether values of this property can be links.
  public var canLink: Bool { kind == .link || kind == .mixed }
  /// Whether the property holds a collection.
  public var isCollection: Bool { collection != .none }
}

/// Immutable parts that are shared by all copies of a value.
private final class SharedParts<Value: Sendable & Hashable>: Sendable, Hashable {
  let value: Value

  init(_ value: Value) {
    self.value = value
  }

  func changed(_ change: (inout Value) -> Void) -> SharedParts {
    var copy = value
    change(&copy)
    return SharedParts(copy)
  }

  static func == (left: SharedParts, right: SharedParts) -> Bool {
    left === right || left.value == right.value
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(value)
  }
}

/// A backlink that a class declares under a name.
///
/// ```swift
/// for backlink in dog.backlinks {
///   print(backlink.name, snapshot.schema[backlink.origin]?.name ?? "")
/// }
/// ```
public struct BacklinkSchema: Sendable, Hashable {
  /// The name.
  public let name: String
  /// The class whose links are followed backwards.
  public let origin: ClassKey
  /// The link property of that class.
  public let property: PropertyKey

  package init(name: String, origin: ClassKey, property: PropertyKey) {
    self.name = name
    self.origin = origin
    self.property = property
  }
}

/// Where a class keeps the backlinks of one link property of one class.
package struct BacklinkColumn: Sendable, Hashable {
  package let number: UInt16
  package let origin: ClassKey
  package let property: PropertyKey

  package init(number: UInt16, origin: ClassKey, property: PropertyKey) {
    self.number = number
    self.origin = origin
    self.property = property
  }
}
