public import KennelStorage

/// Reading objects with typed properties.
extension Snapshot {
  /// The value of a property of an object.
  ///
  /// - Parameters:
  ///   - object: The object.
  ///   - property: One of its class's properties.
  /// - Returns: The value.
  /// - Throws: `DatabaseError` if there is no such object or property, or the file is damaged.
  public final subscript<V>(_ object: ObjectIdentity, _ property: Property<V>) -> V {
    get throws(DatabaseError) {
      let value = try value(of: object, property.key)
      guard let typed = V(value) else { throw wrongType(property, V.self) }
      return typed
    }
  }

  /// Calls a body with each object of a class, in the order of their keys.
  ///
  /// Objects that the body creates or deletes may or may not be met.
  ///
  /// - Parameters:
  ///   - classKey: The class.
  ///   - body: Is called with each object.
  /// - Throws: `DatabaseError` if the file is damaged, or what the body throws.
  public final func forEachObject(
    of classKey: ClassKey,
    _ body: (ObjectIdentity) throws -> Void
  ) throws {
    var start: ObjectKey?
    while true {
      let keys = try keys(of: classKey, from: start, limit: 256)
      guard let last = keys.last else { return }
      for key in keys { try body(ObjectIdentity(classKey, key)) }
      start = ObjectKey(rawValue: last.rawValue + 1)
    }
  }

  /// The number of links in a list or set.
  ///
  /// - Parameters:
  ///   - object: The object.
  ///   - list: A list or set of links of its class.
  /// - Returns: The number of links.
  /// - Throws: `DatabaseError` if there is no such object or property, or the file is damaged.
  public final func count(
    in object: ObjectIdentity,
    _ list: Property<[ObjectIdentity]>
  ) throws(DatabaseError) -> Int {
    try elementCount(of: object, list.key)
  }

  /// The target of a link in a list or set.
  ///
  /// - Parameters:
  ///   - index: The position, from 0.
  ///   - object: The object.
  ///   - list: A list or set of links of its class.
  /// - Returns: The target.
  /// - Throws: `DatabaseError` if there is no such object, property or position, or the file is
  ///   damaged.
  public final func target(
    at index: Int,
    in object: ObjectIdentity,
    _ list: Property<[ObjectIdentity]>
  ) throws(DatabaseError) -> ObjectIdentity {
    guard index >= 0, index < Int.max,
      case .link(let target)? = try elements(of: object, list.key, in: index..<index + 1).first
    else { throw noElement(index, object, try property(list.key, of: object.classKey)) }
    return target
  }

  /// Calls a body with the target of each link in a list or set, in order.
  ///
  /// The body sees the links as they were at the call, whatever it changes.
  ///
  /// - Parameters:
  ///   - object: The object.
  ///   - list: A list or set of links of its class.
  ///   - body: Is called with each target.
  /// - Throws: `DatabaseError` if there is no such object or property, or the file is damaged; or
  ///   what the body throws.
  public final func forEachTarget(
    of object: ObjectIdentity,
    _ list: Property<[ObjectIdentity]>,
    _ body: (ObjectIdentity) throws -> Void
  ) throws {
    for target in try self[object, list] { try body(target) }
  }

  /// Calls a body with each object that links to an object through a property, in the order of
  /// their keys; one that links twice is met twice.
  ///
  /// The body sees the links as they were at the call, whatever it changes.
  ///
  /// - Parameters:
  ///   - target: The object that is linked to.
  ///   - property: The link property of the origins.
  ///   - body: Is called with each origin.
  /// - Throws: `DatabaseError` if there is no such object or property, or the file is damaged; or
  ///   what the body throws.
  public final func forEachOrigin<V>(
    of target: ObjectIdentity,
    through property: Property<V>,
    _ body: (ObjectIdentity) throws -> Void
  ) throws {
    guard try contains(target) else { throw missing(target) }
    let keys = try origins(property.classKey, property.key, to: target, in: 0..<Int.max)
    for key in keys { try body(ObjectIdentity(property.classKey, key)) }
  }

  /// The object with a primary key.
  ///
  /// Logarithmic in the number of objects.
  ///
  /// - Parameters:
  ///   - primaryKey: The primary key property of a class.
  ///   - value: The value.
  /// - Returns: The object, or `nil` if there is none.
  /// - Throws: `DatabaseError` if the property is no primary key, or the file is damaged.
  public final func find<V>(
    _ primaryKey: Property<V>,
    _ value: V
  ) throws(DatabaseError) -> ObjectIdentity? {
    let schema = try property(primaryKey.key, of: primaryKey.classKey)
    guard schema.isPrimaryKey else {
      throw DatabaseError(
        .wrongType,
        "\(schema.name) is not a primary key; query for it instead",
        propertyName: schema.name
      )
    }
    return try find(primaryKey.classKey, primaryKey: value.value(for: schema.type))
  }

  internal final func wrongType<V, T>(_ property: Property<V>, _ type: T.Type) -> DatabaseError {
    let schema = view.schema[property.classKey]
    let name = schema?[property.key]?.name ?? "property \(property.key.rawValue)"
    return DatabaseError(
      .wrongType,
      "\(schema?.name ?? "class \(property.classKey.rawValue)").\(name) does not hold a \(T.self); "
        + "ask the schema for the property again",
      className: schema?.name,
      propertyName: name
    )
  }
}
