public import KennelStorage

/// Reading objects with typed properties.
extension DatabaseReader {
  /// Returns the value of a property of an object.
  ///
  /// - Parameters:
  ///   - object: The object.
  ///   - property: One of its class's properties.
  /// - Returns: The value.
  /// - Throws: `DatabaseError` if there is no such object or property, or the file is damaged.
  @inlinable
  public final subscript<V>(_ object: ObjectIdentity, _ property: TypedProperty<V>) -> V {
    @inline(__always)
    get throws(DatabaseError) {
      try requireFit(object, property.classKey)
      return try V._read(object, property, in: self)
    }
  }

  /// Returns the value of a property that is stored as one word.
  ///
  /// The generic subscript goes through a witness, which programs do not inline because of its size: loops
  /// over links then miss their target.
  ///
  /// - Parameters:
  ///   - object: The object.
  ///   - property: One of its class's properties.
  /// - Returns: The value.
  /// - Throws: `DatabaseError` if there is no such object or property, or the file is damaged.
  @inlinable
  public final subscript<V: ScalarPropertyValue & WordValue>(
    _ object: ObjectIdentity,
    _ property: TypedProperty<V>
  ) -> V {
    @inline(__always)
    get throws(DatabaseError) {
      try requireFit(object, property.classKey)
      guard let value = try V._readWord(object, property.key, in: self) else {
        throw wrongType(object.classKey, property.key, V.self)
      }
      return value
    }
  }

  /// Makes sure that a property is one of an object's class.
  @inlinable
  @inline(__always)
  internal final func requireFit(
    _ object: ObjectIdentity,
    _ classKey: ClassKey
  ) throws(DatabaseError) {
    if object.classKey != classKey { throw classMismatch(object, classKey) }
  }

  @usableFromInline
  @inline(never)
  internal final func classMismatch(_ object: ObjectIdentity, _ classKey: ClassKey) -> DatabaseError
  {
    let name = view.schema[object.classKey]?.name ?? "class \(object.classKey.rawValue)"
    let other = view.schema[classKey]?.name ?? "class \(classKey.rawValue)"
    return DatabaseError(
      .noSuchProperty,
      "The object is a \(name) and the property belongs to \(other); "
        + "use a property of \(name)",
      className: view.schema[object.classKey]?.name
    )
  }

  /// Calls a body with each object of a class, in the order of their keys.
  ///
  /// Objects that the body creates or deletes may or may not be visited.
  ///
  /// - Parameters:
  ///   - classKey: The class.
  ///   - body: Called with each object.
  /// - Throws: `DatabaseError` if the file is damaged, or what the body throws.
  @inlinable
  public final func forEachObject(
    of classKey: ClassKey,
    _ body: (ObjectIdentity) throws -> Void
  ) throws {
    var number: UInt64 = 0
    while let cluster = try liveObjects(of: classKey, from: number) {
      let first = cluster.number &<< 8
      for index in 0..<4 {
        var word = cluster.live[index]
        while word != 0 {
          let place = index &* 64 &+ word.trailingZeroBitCount
          word &= word &- 1
          try body(ObjectIdentity(classKey, ObjectKey(rawValue: first | UInt64(place))))
        }
      }
      number = cluster.number &+ 1
    }
  }

  /// The objects of the first cluster of a class at or past a number: its number, and a bit for each
  /// of its 256 places.
  @usableFromInline
  internal final func liveObjects(
    of classKey: ClassKey,
    from number: UInt64
  ) throws(DatabaseError) -> (number: UInt64, live: [4 of UInt64])? {
    if let live = points.live(classKey, number) { return (number, live) }
    return try storing { () throws(StorageError) in
      guard let cluster = try view.clusters.nextCluster(classKey, from: number) else { return nil }
      return (cluster.number, cluster.header.live.words)
    }
  }

  /// Returns the number of links in a list or set.
  ///
  /// - Parameters:
  ///   - object: The object.
  ///   - list: A list or set of links of its class.
  /// - Returns: The number of links.
  /// - Throws: `DatabaseError` if there is no such object or property, or the file is damaged.
  @inlinable
  public final func count(
    in object: ObjectIdentity,
    property list: TypedProperty<[ObjectIdentity]>
  ) throws(DatabaseError) -> Int {
    try requireFit(object, list.classKey)
    if let keys = points.keys(object, list.key) { return keys.count }
    return try elementCount(of: object, property: list.key)
  }

  /// Returns the target of a link in a list or set.
  ///
  /// - Parameters:
  ///   - index: The position, from 0.
  ///   - object: The object.
  ///   - list: A list or set of links of its class.
  /// - Returns: The target.
  /// - Throws: `DatabaseError` if there is no such object, property or position, or the file is
  ///   damaged.
  @inlinable
  public final func target(
    at index: Int,
    in object: ObjectIdentity,
    property list: TypedProperty<[ObjectIdentity]>
  ) throws(DatabaseError) -> ObjectIdentity {
    try requireFit(object, list.classKey)
    if let keys = points.keys(object, list.key), index >= 0, index < keys.count {
      return ObjectIdentity(list.target, keys[index])
    }
    return try loadedTarget(at: index, in: object, list)
  }

  @usableFromInline
  internal final func loadedTarget(
    at index: Int,
    in object: ObjectIdentity,
    _ list: TypedProperty<[ObjectIdentity]>
  ) throws(DatabaseError) -> ObjectIdentity {
    guard index >= 0, index < Int.max,
      case .link(let target)? = try elements(of: object, property: list.key, in: index..<index + 1)
        .first
    else { throw noElement(index, object, try property(list.key, of: object.classKey)) }
    return target
  }

  /// Calls a body with the target of each link in a list or set, in order.
  ///
  /// The body may change the links; the links that are visited are those that existed at the time
  /// of the call.
  ///
  /// - Parameters:
  ///   - object: The object.
  ///   - list: A list or set of links of its class.
  ///   - body: Called with each target.
  /// - Throws: `DatabaseError` if there is no such object or property, or the file is damaged; or
  ///   what the body throws.
  @inlinable
  public final func forEachTarget(
    of object: ObjectIdentity,
    property list: TypedProperty<[ObjectIdentity]>,
    _ body: (ObjectIdentity) throws -> Void
  ) throws {
    try requireFit(object, list.classKey)
    if isSnapshot, let keys = points.keys(object, list.key) {
      for index in 0..<keys.count { try body(ObjectIdentity(list.target, keys[index])) }
      return
    }
    for target in try loadedTargets(of: object, list.key) {
      try body(ObjectIdentity(list.target, target))
    }
  }

  /// The keys of the targets of a list or set, whatever it takes to load them.
  @usableFromInline
  internal final func loadedTargets(
    of object: ObjectIdentity,
    _ list: PropertyKey
  ) throws(DatabaseError) -> [ObjectKey] {
    let schema = try property(list, of: object.classKey)
    guard schema.columnType.form == .keys else {
      throw wrongType(object.classKey, list, [ObjectIdentity].self)
    }
    guard try contains(object) else { throw missing(object) }
    return try storing { () throws(StorageError) in
      var keys: [ObjectKey] = []
      try view.values.forEachKey(of: object, list) { (key) throws(StorageError) in
        keys.append(ObjectKey(rawValue: key))
      }
      return keys
    }
  }

  /// Calls a body with each object that links to an object through a property, in the order of
  /// their keys.
  ///
  /// An object that links twice is visited twice.
  ///
  /// The body may change the links; the links that are visited are those that existed at the time
  /// of the call.
  ///
  /// - Parameters:
  ///   - target: The target of the links.
  ///   - property: The link property.
  ///   - body: Called with each linking object.
  /// - Throws: `DatabaseError` if there is no such object or property, or the file is damaged; or
  ///   what the body throws.
  @inlinable
  public final func forEachOrigin<V>(
    of target: ObjectIdentity,
    through property: TypedProperty<V>,
    _ body: (ObjectIdentity) throws -> Void
  ) throws {
    if isSnapshot, target.classKey == property.target,
      let keys = points.origins(target, property.backlinkSlot)
    {
      for index in 0..<keys.count { try body(ObjectIdentity(property.classKey, keys[index])) }
      return
    }
    for origin in try loadedOrigins(of: target, property.classKey, property.key) {
      try body(ObjectIdentity(property.classKey, origin))
    }
  }

  @usableFromInline
  internal final func loadedOrigins(
    of target: ObjectIdentity,
    _ origin: ClassKey,
    _ property: PropertyKey
  ) throws(DatabaseError) -> [ObjectKey] {
    guard try contains(target) else { throw missing(target) }
    return try origins(of: origin, property: property, to: target, in: 0..<Int.max).keys
  }

  /// Returns the object with a primary key, or with the value of a unique property.
  ///
  /// Logarithmic in the number of objects.
  ///
  /// - Parameters:
  ///   - primaryKey: The primary key or a unique property of a class.
  ///   - value: The value.
  /// - Returns: The object, or `nil` if there is none, as for null in a unique property.
  /// - Throws: `DatabaseError` if the property is neither, or the file is damaged.
  @inlinable
  public final func find<V>(
    _ primaryKey: TypedProperty<V>,
    _ value: V
  ) throws(DatabaseError) -> ObjectIdentity? {
    // What the type is, is known when the call is compiled: whole numbers need no box.
    if let number = value as? Int64 {
      let key = try integerKey(primaryKey.classKey, primaryKey.key, number)
      if let key { return key == 0 ? nil : identity(primaryKey.classKey, key) }
    }
    return try findAny(primaryKey, value)
  }

  /// The key of the object with a primary key, 0 if there is none; `nil` if the property is no
  /// primary key of integers.
  @usableFromInline
  internal final func integerKey(
    _ classKey: ClassKey,
    _ property: PropertyKey,
    _ value: Int64
  ) throws(DatabaseError) -> UInt64? {
    try storing(indexStore.findKey(classKey, property, value)?.rawValue)
  }

  @inlinable
  internal final func identity(_ classKey: ClassKey, _ key: UInt64) -> ObjectIdentity {
    ObjectIdentity(classKey, ObjectKey(rawValue: key))
  }

  @usableFromInline
  @inline(never)
  internal final func findAny<V>(
    _ primaryKey: TypedProperty<V>,
    _ value: V
  ) throws(DatabaseError) -> ObjectIdentity? {
    let schema = try property(primaryKey.key, of: primaryKey.classKey)
    guard schema.isPrimaryKey || schema.isUnique else {
      throw DatabaseError(
        .wrongType,
        "\(schema.name) is neither a primary key nor unique; query for it instead",
        propertyName: schema.name
      )
    }
    let value = value.value(for: schema.type)
    guard schema.isReserved(value) else { return nil }
    return try storing(view.indexes.findFirst(primaryKey.classKey, schema, value)).map {
      ObjectIdentity(primaryKey.classKey, $0)
    }
  }

  @usableFromInline
  internal final func wrongType<T>(
    _ classKey: ClassKey,
    _ property: PropertyKey,
    _ type: T.Type
  ) -> DatabaseError {
    let schema = view.schema[classKey]
    let name = schema?[property]?.name ?? "property \(property.rawValue)"
    return DatabaseError(
      .wrongType,
      "\(schema?.name ?? "class \(classKey.rawValue)").\(name) does not hold a \(T.self); "
        + "ask the schema for the property again",
      className: schema?.name,
      propertyName: name
    )
  }

  /// The value of a property, or `nil` if it is null, whatever it takes to load it.
  @usableFromInline
  @inline(never)
  internal final func loaded<V: NullablePropertyValue>(
    _ object: ObjectIdentity,
    _ property: PropertyKey
  ) throws(DatabaseError) -> V? {
    let value = try value(of: object, property: property)
    if value.isNull { return nil }
    guard let typed = V(value) else { throw wrongType(object.classKey, property, V.self) }
    return typed
  }
}
