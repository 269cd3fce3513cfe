public import KennelStorage

/// A reader of objects: a ``Snapshot``, a ``WriteTransaction``, or the ``Draft/reader`` of a draft.
///
/// ```swift
/// func firstName(in reader: DatabaseReader) throws -> Value? {
///   let first = try reader.objects(of: dog.key, limit: 1).first
///   return try first.map { try reader.value(of: $0, property: name.key) }
/// }
/// print(try firstName(in: database.snapshot()) ?? .null)
/// try database.write { transaction in print(try firstName(in: transaction) ?? .null) }
/// ```
///
/// A snapshot never changes. A write transaction and the reader of a draft show each change as soon as
/// it is made. A reader is used by one thread at a time and may be passed from one to another.
public class DatabaseReader: @unchecked Sendable {
  /// The database.
  public let database: Database
  internal final let view: StoreView
  /// Stores of the view, at hand for single look-ups: through the view each counts a reference.
  internal final let valueStore: ValueStore
  internal final let indexStore: IndexStore
  internal final var links: LinkIndex
  /// Where single values are read without going through the view.
  @usableFromInline internal final let points: PointReader

  /// Whether nothing changes what is shown, so that it can be read in place while a program runs.
  @usableFromInline internal final let isSnapshot: Bool

  /// - Parameters:
  ///   - database: The database.
  ///   - view: The view.
  ///   - links: The links of the view's schema, where that is not the one of its commit.
  ///   - isSnapshot: Whether nothing changes what is shown.
  internal init(
    _ database: Database,
    _ view: StoreView,
    links: LinkIndex? = nil,
    isSnapshot: Bool = false
  ) {
    self.database = database
    self.view = view
    self.isSnapshot = isSnapshot
    valueStore = view.values
    indexStore = view.indexes
    points = view.clusters.points
    self.links = links ?? database.links(for: view)
  }

  /// The classes.
  public final var schema: Schema { view.schema }

  /// The number of the commit that is read, without the changes of a transaction or a draft.
  public final var commitNumber: Int { Int(truncatingIfNeeded: view.transactionID) }

  // MARK: - Objects

  /// Returns the number of objects of a class.
  public final func count(of classKey: ClassKey) -> Int {
    points.count(of: classKey)
  }

  /// Returns whether an object exists.
  ///
  /// - Parameter object: The object.
  /// - Returns: Whether it exists.
  /// - Throws: `DatabaseError` if the file is damaged.
  @inlinable
  public final func contains(_ object: ObjectIdentity) throws(DatabaseError) -> Bool {
    if points.lives(object) { return true }
    return try isStored(object)
  }

  /// Asks the view, which loads the cluster of the object.
  @usableFromInline
  internal final func isStored(_ object: ObjectIdentity) throws(DatabaseError) -> Bool {
    try storing(view.objects.contains(object))
  }

  /// Returns the value of a property, including all elements of a collection.
  ///
  /// Linear in the size of the value; ``preview(of:property:limit:)`` reads only its beginning.
  ///
  /// - Parameters:
  ///   - object: The object.
  ///   - property: The key of one of its class's properties.
  /// - Returns: The value.
  /// - Throws: `DatabaseError` if there is no such object or property, or the file is damaged.
  public final func value(
    of object: ObjectIdentity,
    property: PropertyKey
  ) throws(DatabaseError) -> Value {
    let schema = try existing(object, property)
    return try storing(valueStore.value(of: object, schema))
  }

  /// A value, cut to a limit.
  ///
  /// ```swift
  /// let preview = try snapshot.preview(of: ada, property: dogs.key, limit: 10)
  /// print(preview.isCut ? "\(preview.count) dogs" : "\(preview.value)")
  /// ```
  public struct Preview: Hashable, Sendable {
    /// The value, truncated to the limit.
    public let value: Value
    /// The number of elements of a collection, or of bytes of text or data; 1 for other values, 0
    /// for null.
    public let count: Int
    /// Whether `value` was cut.
    public let isCut: Bool
  }

  /// Returns the beginning of a value, without reading the rest.
  ///
  /// - Parameters:
  ///   - object: The object.
  ///   - property: The key of one of its class's properties.
  ///   - limit: The maximum number of bytes of text and data, or of elements of a collection.
  /// - Returns: The value, truncated to the limit.
  /// - Throws: `DatabaseError` if there is no such object or property, or the file is damaged.
  public final func preview(
    of object: ObjectIdentity,
    property: PropertyKey,
    limit: Int
  ) throws(DatabaseError) -> Preview {
    let schema = try existing(object, property)
    return try storing { () throws(StorageError) in
      let cut = try view.values.preview(of: object, schema, limit: max(limit, 0))
      return Preview(value: cut.value, count: cut.count, isCut: cut.isCut)
    }
  }

  /// Returns a slice of data, without reading the rest.
  ///
  /// - Parameters:
  ///   - object: The object.
  ///   - property: The key of one of its class's properties.
  ///   - range: The positions of the bytes; those past the end are left out.
  /// - Returns: The bytes; none if the value is not data.
  /// - Throws: `DatabaseError` if there is no such object or property, or the file is damaged.
  public final func bytes(
    of object: ObjectIdentity,
    property: PropertyKey,
    in range: Range<Int>
  ) throws(DatabaseError) -> [UInt8] {
    let schema = try existing(object, property)
    return try storing(view.values.bytes(of: object, schema, in: range))
  }

  /// Returns the number of elements of a list, set or map.
  ///
  /// - Parameters:
  ///   - object: The object.
  ///   - property: The key of a collection property.
  /// - Returns: The number of elements; 1 or 0 if the property is not a collection.
  /// - Throws: `DatabaseError` if there is no such object or property, or the file is damaged.
  public final func elementCount(
    of object: ObjectIdentity,
    property: PropertyKey
  ) throws(DatabaseError) -> Int {
    let schema = try existing(object, property)
    return try storing(view.values.elementCount(of: object, schema))
  }

  /// Returns a range of a list or set.
  ///
  /// - Parameters:
  ///   - object: The object.
  ///   - property: The key of a list or set property.
  ///   - range: The positions. Positions that do not exist are omitted.
  /// - Returns: The elements.
  /// - Throws: `DatabaseError` if there is no such object or property, or the file is damaged.
  public final func elements(
    of object: ObjectIdentity,
    property: PropertyKey,
    in range: Range<Int>
  ) throws(DatabaseError) -> [Value] {
    let schema = try existing(object, property)
    return try storing(view.values.elements(of: object, schema, in: range))
  }

  /// Returns a range of a map, in the order of the keys' bytes.
  ///
  /// - Parameters:
  ///   - object: The object.
  ///   - property: The key of a map property.
  ///   - range: The positions. Positions that do not exist are omitted.
  /// - Returns: The entries.
  /// - Throws: `DatabaseError` if there is no such object or property, or the file is damaged.
  public final func entries(
    of object: ObjectIdentity,
    property: PropertyKey,
    in range: Range<Int>
  ) throws(DatabaseError) -> [MapEntry] {
    let entries = try value(of: object, property: property).entries
    return Array(entries[range.clamped(to: 0..<entries.count)])
  }

  // MARK: - Checks

  internal final func classSchema(_ classKey: ClassKey) throws(DatabaseError) -> ClassSchema {
    guard let schema = view.classSchema(classKey) else {
      throw DatabaseError(.noSuchClass, "There is no class with key \(classKey.rawValue)")
    }
    return schema
  }

  internal final func property(
    _ property: PropertyKey,
    of classKey: ClassKey
  ) throws(DatabaseError) -> PropertySchema {
    let schema = try classSchema(classKey)
    guard let found = schema[property] else {
      throw DatabaseError(
        .noSuchProperty,
        "Class \(schema.name) has no property with key \(property.rawValue)",
        className: schema.name
      )
    }
    return found
  }

  /// The property of an object that exists.
  internal final func existing(
    _ object: ObjectIdentity,
    _ property: PropertyKey
  ) throws(DatabaseError) -> PropertySchema {
    let schema = try self.property(property, of: object.classKey)
    guard try contains(object) else { throw missing(object) }
    return schema
  }

  internal final func missing(_ object: ObjectIdentity) -> DatabaseError {
    DatabaseError(
      .noSuchObject,
      "There is no object \(describe(object)): it was deleted, or never existed",
      className: view.schema[object.classKey]?.name,
      object: object
    )
  }

  /// Returns the text of an identity, such as `Dog/42`.
  public final func describe(_ object: ObjectIdentity) -> String {
    let name = view.schema[object.classKey]?.name ?? "class \(object.classKey.rawValue)"
    return object.key.isProvisional
      ? "\(name)/new\(object.key.rawValue - ObjectKey.firstProvisional + 1)"
      : "\(name)/\(object.key.rawValue)"
  }
}
