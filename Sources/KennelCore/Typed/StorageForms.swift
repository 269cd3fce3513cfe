public import KennelStorage

// The subscript and `set` of the files beside this one, once more for each storage form of which
// programs read and set values in loops. A generic call goes through a witness, which the compiler
// does not inline into programs because of its size; these have none on their way.

/// Reading words, pairs of words and links.
extension DatabaseReader {
  /// Returns the value of a property whose type is stored as one word.
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

  /// Returns the value of an optional property whose type is stored as one word.
  @inlinable
  public final subscript<V: ScalarPropertyValue & WordValue>(
    _ object: ObjectIdentity,
    _ property: TypedProperty<V?>
  ) -> V? {
    @inline(__always)
    get throws(DatabaseError) {
      try requireFit(object, property.classKey)
      return try V._readWord(object, property.key, in: self)
    }
  }

  /// Returns the value of a property whose type is stored as two words.
  @inlinable
  public final subscript<V: ScalarPropertyValue & PairValue>(
    _ object: ObjectIdentity,
    _ property: TypedProperty<V>
  ) -> V {
    @inline(__always)
    get throws(DatabaseError) {
      try requireFit(object, property.classKey)
      guard let value = try V.readPair(object, property.key, in: self) else {
        throw wrongType(object.classKey, property.key, V.self)
      }
      return value
    }
  }

  /// Returns the value of an optional property whose type is stored as two words.
  @inlinable
  public final subscript<V: ScalarPropertyValue & PairValue>(
    _ object: ObjectIdentity,
    _ property: TypedProperty<V?>
  ) -> V? {
    @inline(__always)
    get throws(DatabaseError) {
      try requireFit(object, property.classKey)
      return try V.readPair(object, property.key, in: self)
    }
  }

  /// Returns the target of a to-one link.
  @inlinable
  public final subscript(
    _ object: ObjectIdentity,
    _ property: TypedProperty<ObjectIdentity?>
  ) -> ObjectIdentity? {
    @inline(__always)
    get throws(DatabaseError) {
      try requireFit(object, property.classKey)
      return try ObjectIdentity.readLink(object, property.key, property.target, in: self)
    }
  }
}

/// Setting words and pairs of words.
extension WriteTransaction {
  /// Sets a property whose type is stored as one word.
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

  /// Sets an optional property whose type is stored as one word.
  @inlinable
  @inline(__always)
  public func set<V: ScalarPropertyValue & WordValue>(
    _ object: ObjectIdentity,
    property: TypedProperty<V?>,
    to value: V?
  ) throws(DatabaseError) {
    try requireFit(object, property.classKey)
    try V._setWord(value, object, property.key, in: self)
  }

  /// Sets a property whose type is stored as two words.
  @inlinable
  @inline(__always)
  public func set<V: ScalarPropertyValue & PairValue>(
    _ object: ObjectIdentity,
    property: TypedProperty<V>,
    to value: V
  ) throws(DatabaseError) {
    try requireFit(object, property.classKey)
    try V.setPair(value, object, property.key, in: self)
  }

  /// Sets an optional property whose type is stored as two words.
  @inlinable
  @inline(__always)
  public func set<V: ScalarPropertyValue & PairValue>(
    _ object: ObjectIdentity,
    property: TypedProperty<V?>,
    to value: V?
  ) throws(DatabaseError) {
    try requireFit(object, property.classKey)
    try V.setPair(value, object, property.key, in: self)
  }
}
