public import KennelStorage

/// A consistent look at a database that never changes.
///
/// A snapshot sees the newest commit of the moment it was made, for as long as it lives; it blocks
/// no writer. It keeps the pages it sees from being reused, so a program lets it go when it is done.
/// It belongs to one thread at a time and may be handed from one to another.
public class Snapshot: @unchecked Sendable {
  /// The database.
  public let database: Database
  internal final let view: StoreView
  /// Stores of the view, at hand for single look-ups: through the view each counts a reference.
  internal final let valueStore: ValueStore
  internal final let indexStore: IndexStore
  @exclusivity(unchecked) internal final var links: LinkIndex
  /// Where single values are read without going through the view.
  @usableFromInline internal final let points: PointReader
  /// Whether nothing changes what is seen, so that it can be read in place while a program runs.
  @usableFromInline internal final let isFixed: Bool

  internal init(_ database: Database, _ view: StoreView, isFixed: Bool = true) {
    self.database = database
    self.view = view
    valueStore = view.values
    indexStore = view.indexes
    self.isFixed = isFixed
    points = view.clusters.points
    links = database.links(for: view)
  }

  /// The classes.
  public final var schema: Schema { view.schema }

  /// The number of the commit that the snapshot sees.
  public final var commitNumber: UInt64 { view.transactionID }

  // MARK: - Objects

  /// The number of objects of a class.
  public final func count(of classKey: ClassKey) -> Int {
    view.objects.count(of: classKey)
  }

  /// Whether an object exists.
  ///
  /// - Parameter object: The object.
  /// - Returns: False where it was deleted or never existed.
  /// - Throws: `DatabaseError` if the file is damaged.
  public final func contains(_ object: ObjectIdentity) throws(DatabaseError) -> Bool {
    try storing { () throws(StorageError) in try view.objects.contains(object) }
  }

  /// The value of a property; collections as a whole.
  ///
  /// Linear in the size of the value; ``preview(of:_:limit:)`` is not.
  ///
  /// - Parameters:
  ///   - object: The object.
  ///   - property: The key of one of its class's properties.
  /// - Returns: The value.
  /// - Throws: `DatabaseError` if there is no such object or property, or the file is damaged.
  public final func value(
    of object: ObjectIdentity,
    _ property: PropertyKey
  ) throws(DatabaseError) -> Value {
    let schema = try existing(object, property)
    return try storing { () throws(StorageError) in try valueStore.value(of: object, schema) }
  }

  /// As much of a value as a screen shows, without reading the rest.
  ///
  /// - Parameters:
  ///   - object: The object.
  ///   - property: The key of one of its class's properties.
  ///   - limit: The most bytes of text and data, and elements of collections, to read.
  /// - Returns: The value, cut at the limit.
  /// - Throws: `DatabaseError` if there is no such object or property, or the file is damaged.
  public final func preview(
    of object: ObjectIdentity,
    _ property: PropertyKey,
    limit: Int
  ) throws(DatabaseError) -> Preview {
    let schema = try existing(object, property)
    return try storing { () throws(StorageError) in
      let cut = try view.values.preview(of: object, schema, limit: max(limit, 0))
      return Preview(value: cut.value, count: cut.count, isCut: cut.isCut)
    }
  }

  /// The number of elements of a list, set or map.
  ///
  /// - Parameters:
  ///   - object: The object.
  ///   - property: The key of a collection property.
  /// - Returns: The number of elements; 1 or 0 for a property that is no collection.
  /// - Throws: `DatabaseError` if there is no such object or property, or the file is damaged.
  public final func elementCount(
    of object: ObjectIdentity,
    _ property: PropertyKey
  ) throws(DatabaseError) -> Int {
    let schema = try existing(object, property)
    return try storing { () throws(StorageError) in try view.values.elementCount(of: object, schema)
    }
  }

  /// A window of a list or set.
  ///
  /// - Parameters:
  ///   - object: The object.
  ///   - property: The key of a list or set property.
  ///   - range: The positions; those that do not exist are left out.
  /// - Returns: The elements.
  /// - Throws: `DatabaseError` if there is no such object or property, or the file is damaged.
  public final func elements(
    of object: ObjectIdentity,
    _ property: PropertyKey,
    in range: Range<Int>
  ) throws(DatabaseError) -> [Value] {
    let schema = try existing(object, property)
    return try storing { () throws(StorageError) in
      try view.values.elements(of: object, schema, in: range)
    }
  }

  /// A window of a map, in the order of the keys' bytes.
  ///
  /// - Parameters:
  ///   - object: The object.
  ///   - property: The key of a map property.
  ///   - range: The positions; those that do not exist are left out.
  /// - Returns: The entries.
  /// - Throws: `DatabaseError` if there is no such object or property, or the file is damaged.
  public final func entries(
    of object: ObjectIdentity,
    _ property: PropertyKey,
    in range: Range<Int>
  ) throws(DatabaseError) -> [MapEntry] {
    guard case .map(let entries) = try value(of: object, property) else { return [] }
    return Array(entries[range.clamped(to: 0..<entries.count)])
  }

  // MARK: - Checks

  internal final func classSchema(_ classKey: ClassKey) throws(DatabaseError) -> ClassSchema {
    guard let schema = view.schema[classKey] else {
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

  /// An identity as a person reads it, such as `Dog/42`.
  public final func describe(_ object: ObjectIdentity) -> String {
    let name = view.schema[object.classKey]?.name ?? "class \(object.classKey.rawValue)"
    return object.key.isProvisional
      ? "\(name)/new\(object.key.rawValue - ObjectKey.firstProvisional + 1)"
      : "\(name)/\(object.key.rawValue)"
  }
}
