public import KennelStorage

/// The objects of a class in the order of their keys.
extension DatabaseReader {
  /// Returns objects of a class from a key on, ascending.
  ///
  /// - Parameters:
  ///   - classKey: The class.
  ///   - start: The first key; `nil` for the first object.
  ///   - limit: The maximum number of objects to return.
  /// - Returns: The objects.
  /// - Throws: `DatabaseError` if the file is damaged.
  public final func objects(
    of classKey: ClassKey,
    from start: ObjectKey?,
    limit: Int
  ) throws(DatabaseError) -> Objects {
    try storing { () throws(StorageError) in
      var keys: [ObjectKey] = []
      var number = start?.cluster ?? 0
      while keys.count < limit, let cluster = try view.clusters.nextCluster(classKey, from: number)
      {
        var place = cluster.number == start?.cluster ? start?.place ?? 0 : 0
        while keys.count < limit, let next = cluster.header.live.next(from: place) {
          keys.append(ObjectKey(cluster: cluster.number, place: next))
          place = next + 1
        }
        number = cluster.number + 1
      }
      return Objects(classKey, keys)
    }
  }

  /// Returns objects of a class before a key, descending.
  ///
  /// - Parameters:
  ///   - classKey: The class.
  ///   - end: The key below which to start; `nil` to start with the last object of the class.
  ///   - limit: The maximum number of objects to return.
  /// - Returns: The objects.
  /// - Throws: `DatabaseError` if the file is damaged.
  public final func objects(
    of classKey: ClassKey,
    before end: ObjectKey?,
    limit: Int
  ) throws(DatabaseError) -> Objects {
    try storing { () throws(StorageError) in
      var keys: [ObjectKey] = []
      let last = end ?? ObjectKey(rawValue: ObjectKey.limit - 1)
      var cluster = try view.clusters.cluster(classKey, last.cluster)
      var place = last.place
      if cluster == nil {
        cluster = try view.clusters.previousCluster(classKey, before: last.cluster)
        place = 256
      }
      while keys.count < limit, let current = cluster {
        while keys.count < limit, let previous = current.header.live.previous(before: place) {
          keys.append(ObjectKey(cluster: current.number, place: previous))
          place = previous
        }
        cluster = try view.clusters.previousCluster(classKey, before: current.number)
        place = 256
      }
      return Objects(classKey, keys)
    }
  }

  /// Returns the position of an object in its class.
  ///
  /// Takes constant time if no object of the class was ever deleted. Otherwise the first call of a
  /// reader reads one entry per 256 objects, and later calls take logarithmic time. With
  /// uncommitted changes each call takes linear time.
  ///
  /// - Parameter object: The object.
  /// - Returns: The position, or `nil` if the object does not exist.
  /// - Throws: `DatabaseError` if the file is damaged.
  public final func position(of object: ObjectIdentity) throws(DatabaseError) -> Int? {
    guard try contains(object) else { return nil }
    return try storing(view.objects.position(of: object))
  }

  /// Returns the object at a position of its class.
  ///
  /// Takes constant time if no object of the class was ever deleted. Otherwise the first call of a
  /// reader reads one entry per 256 objects, and later calls take logarithmic time. With
  /// uncommitted changes each call takes linear time.
  ///
  /// - Parameters:
  ///   - classKey: The class.
  ///   - position: The position, from 0.
  /// - Returns: The object, or `nil` past the end.
  /// - Throws: `DatabaseError` if the file is damaged.
  public final func object(
    of classKey: ClassKey,
    at position: Int
  ) throws(DatabaseError) -> ObjectIdentity? {
    guard position >= 0, position < count(of: classKey) else { return nil }
    let key = try storing(view.objects.key(of: classKey, at: position))
    return key.map { ObjectIdentity(classKey, $0) }
  }

  /// Returns the key that the next object of a class gets.
  ///
  /// - Parameter classKey: The class.
  /// - Returns: The key, which is greater than every key in use.
  public final func firstUnusedKey(of classKey: ClassKey) -> ObjectKey {
    ObjectKey(rawValue: view.clusters.record(of: classKey).nextKey)
  }

  /// Returns the object with a primary key.
  ///
  /// Logarithmic in the number of objects.
  ///
  /// - Parameters:
  ///   - classKey: The class.
  ///   - primaryKey: The value of its primary key property.
  /// - Returns: The object, or `nil` if there is none or the class has no primary key.
  /// - Throws: `DatabaseError` if the file is damaged.
  public final func find(
    _ classKey: ClassKey,
    primaryKey: Value
  ) throws(DatabaseError) -> ObjectIdentity? {
    if case .int(let number) = primaryKey,
      let key = try storing(indexStore.findKey(classKey, nil, number))
    {
      return key.rawValue == 0 ? nil : ObjectIdentity(classKey, key)
    }
    guard let property = try classSchema(classKey).primaryKey else { return nil }
    return try storing(view.indexes.findFirst(classKey, property, primaryKey)).map {
      ObjectIdentity(classKey, $0)
    }
  }

  /// Returns a display name of an object: its first nonempty string, otherwise its primary key,
  /// otherwise its key.
  ///
  /// Strings whose names begin with an underscore, as `_partition`, are for programs rather than
  /// people and come behind the others.
  ///
  /// - Parameters:
  ///   - object: The object.
  ///   - limit: The maximum number of bytes of the string to read; an ellipsis stands for the rest.
  /// - Returns: The name.
  /// - Throws: `DatabaseError` if the file is damaged.
  public final func displayName(
    of object: ObjectIdentity,
    limit: Int = 80
  ) throws(DatabaseError) -> String {
    guard try contains(object) else { return describe(object) }
    let schema = try classSchema(object.classKey)
    let texts = schema.properties.filter { $0.type.kind == .string && !$0.isCollection }
    let isInternal = { (property: PropertySchema) in property.name.hasPrefix("_") }
    for property in texts.filter({ !isInternal($0) }) + texts.filter(isInternal) {
      let preview = try preview(of: object, property: property.key, limit: limit)
      if case .string(let text) = preview.value, !text.isEmpty {
        return preview.isCut ? text + "…" : text
      }
    }
    if let primaryKey = schema.primaryKey {
      let value = try value(of: object, property: primaryKey.key)
      if !value.isNull { return "\(schema.name) \(ValueText.describe(value))" }
    }
    return describe(object)
  }
}
