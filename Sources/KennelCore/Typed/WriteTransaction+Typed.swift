public import KennelStorage

/// Changing objects with typed properties.
extension WriteTransaction {
  /// Creates an object with the defaults of its properties.
  ///
  /// - Parameter classKey: A class that is not embedded.
  /// - Returns: The object.
  /// - Throws: `DatabaseError` if the class is embedded, or an object with the default of the
  ///   primary key exists.
  @discardableResult
  @inlinable
  public func create(_ classKey: ClassKey) throws(DatabaseError) -> ObjectIdentity {
    if let key = pointWriter.create(classKey) { return ObjectIdentity(classKey, key) }
    return try create(classKey, [:])
  }

  /// Creates an object with a primary key.
  ///
  /// Other properties get their defaults.
  ///
  /// - Parameters:
  ///   - primaryKey: The primary key property of a class.
  ///   - value: The primary key.
  /// - Returns: The object.
  /// - Throws: `DatabaseError` if the primary key is already in use, or the value does not fit.
  @discardableResult
  @inlinable
  public func create<V>(
    _ primaryKey: TypedProperty<V>,
    _ value: V
  ) throws(DatabaseError) -> ObjectIdentity {
    // What the type is, is known when the call is compiled: whole numbers need no box.
    if let number = value as? Int64,
      let key = pointWriter.create(primaryKey.classKey, primaryKey.key, number)
    {
      return ObjectIdentity(primaryKey.classKey, key)
    }
    return try createByOperation(primaryKey, value)
  }

  @usableFromInline
  internal func createByOperation<V>(
    _ primaryKey: TypedProperty<V>,
    _ value: V
  ) throws(DatabaseError) -> ObjectIdentity {
    let type = try property(primaryKey.key, of: primaryKey.classKey).type
    return try create(primaryKey.classKey, [primaryKey.key: value.value(for: type)])
  }

  /// Creates an embedded object in a to-one slot, replacing the object there.
  ///
  /// - Parameters:
  ///   - object: The object that owns the new one.
  ///   - property: A property with an embedded object.
  /// - Returns: The embedded object, with the defaults of its properties.
  /// - Throws: `DatabaseError` if the property does not hold embedded objects.
  @discardableResult
  public func createEmbedded(
    in object: ObjectIdentity,
    property: TypedProperty<ObjectIdentity?>
  ) throws(DatabaseError) -> ObjectIdentity {
    try requireFit(object, property.classKey)
    if let key = pointWriter.createEmbedded(in: object, property.key, property.target) {
      return ObjectIdentity(property.target, key)
    }
    return try createEmbedded(at: Slot(object, property.key))
  }

  /// Sets a property that is stored as one word, without a witness, as the subscript of the reader.
  ///
  /// - Parameters:
  ///   - object: The object.
  ///   - property: One of its class's properties.
  ///   - value: The value.
  /// - Throws: `DatabaseError` if there is no such object, or the value does not fit.
  @inlinable
  @inline(__always)
  public func set<V: ScalarPropertyValue & WordValue>(
    _ object: ObjectIdentity,
    property: TypedProperty<V>,
    to value: V
  ) throws(DatabaseError) {
    try requireFit(object, property.classKey)
    try V._setWord(value, object, property.key, in: self)
  }

  /// Sets a property of an object.
  ///
  /// - Parameters:
  ///   - object: The object.
  ///   - property: One of its class's properties.
  ///   - value: The value.
  /// - Throws: `DatabaseError` if the value does not fit, or there is no such object or property.
  @inlinable
  @inline(__always)
  public func set<V>(
    _ object: ObjectIdentity,
    property: TypedProperty<V>,
    to value: V
  ) throws(DatabaseError) {
    try requireFit(object, property.classKey)
    try V._set(value, object, property, in: self)
  }

  /// Appends a link to a list.
  ///
  /// - Parameters:
  ///   - target: The object to link to.
  ///   - object: The object.
  ///   - list: A list of links of its class.
  /// - Throws: `DatabaseError` if the target does not fit or exist, or there is no such object or
  ///   list.
  public func append(
    _ target: ObjectIdentity,
    to object: ObjectIdentity,
    property list: TypedProperty<[ObjectIdentity]>
  ) throws(DatabaseError) {
    try requireFit(object, list.classKey)
    if pointWriter.append(target, to: object, list.key) { return }
    let end = try elementCount(of: object, property: list.key)
    try insert(.link(target), at: end, of: object, property: list.key)
  }

  /// Inserts a link into a set.
  ///
  /// Constant if the target's key is greater than those of all members; otherwise as `insertMember`.
  /// Nothing happens if it is a member.
  ///
  /// - Parameters:
  ///   - target: The object to link to.
  ///   - object: The object.
  ///   - set: A set of links of its class.
  /// - Throws: `DatabaseError` as ``append(_:to:property:)`` does.
  @_spi(Faces)
  public func insert(
    _ target: ObjectIdentity,
    into object: ObjectIdentity,
    property set: TypedProperty<[ObjectIdentity]>
  ) throws(DatabaseError) {
    try requireFit(object, set.classKey)
    if pointWriter.append(target, to: object, set.key, isSet: true) { return }
    try insertMember(.link(target), of: object, property: set.key)
  }

  /// Sets a value that is null or that ``PointWriter`` did not set: by an operation.
  @usableFromInline
  @inline(never)
  internal func setLoaded<V: SingleValue>(
    _ object: ObjectIdentity,
    _ property: PropertyKey,
    _ value: V?
  ) throws(DatabaseError) {
    let value = value?.value ?? .null
    if pointWriter.set(object, property, value) { return }
    try set(object, property: property, to: value)
  }
}
