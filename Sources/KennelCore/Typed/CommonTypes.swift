public import KennelStorage

/// The commonest types by name, so that the compiler reads and sets them where the program does: a
/// generic call costs as much as the value.
extension DatabaseReader {
  /// The truth value of a property of an object, as the generic subscript gives it.
  @inlinable
  public final subscript(_ object: ObjectIdentity, _ property: Property<Bool>) -> Bool {
    @inline(__always)
    get throws(DatabaseError) {
      try requireFit(object, property.classKey)
      guard
        let value = try Bool.readNullable(object, property.key, property.target, in: self)
      else { throw wrongType(object.classKey, property.key, Bool.self) }
      return value
    }
  }

  /// The truth value of a property of an object, or `nil`, as the generic subscript gives it.
  @inlinable
  public final subscript(_ object: ObjectIdentity, _ property: Property<Bool?>) -> Bool? {
    @inline(__always)
    get throws(DatabaseError) {
      try requireFit(object, property.classKey)
      return try Bool.readNullable(object, property.key, property.target, in: self)
    }
  }

  /// The whole number of a property of an object, as the generic subscript gives it.
  @inlinable
  public final subscript(_ object: ObjectIdentity, _ property: Property<Int64>) -> Int64 {
    @inline(__always)
    get throws(DatabaseError) {
      try requireFit(object, property.classKey)
      guard
        let value = try Int64.readNullable(object, property.key, property.target, in: self)
      else { throw wrongType(object.classKey, property.key, Int64.self) }
      return value
    }
  }

  /// The whole number of a property of an object, or `nil`, as the generic subscript gives it.
  @inlinable
  public final subscript(_ object: ObjectIdentity, _ property: Property<Int64?>) -> Int64? {
    @inline(__always)
    get throws(DatabaseError) {
      try requireFit(object, property.classKey)
      return try Int64.readNullable(object, property.key, property.target, in: self)
    }
  }

  /// The floating point number of a property of an object, as the generic subscript gives it.
  @inlinable
  public final subscript(_ object: ObjectIdentity, _ property: Property<Double>) -> Double {
    @inline(__always)
    get throws(DatabaseError) {
      try requireFit(object, property.classKey)
      guard
        let value = try Double.readNullable(object, property.key, property.target, in: self)
      else { throw wrongType(object.classKey, property.key, Double.self) }
      return value
    }
  }

  /// The floating point number of a property of an object, or `nil`, as the generic subscript gives it.
  @inlinable
  public final subscript(_ object: ObjectIdentity, _ property: Property<Double?>) -> Double? {
    @inline(__always)
    get throws(DatabaseError) {
      try requireFit(object, property.classKey)
      return try Double.readNullable(object, property.key, property.target, in: self)
    }
  }

  /// The date of a property of an object, as the generic subscript gives it.
  @inlinable
  public final subscript(_ object: ObjectIdentity, _ property: Property<Timestamp>) -> Timestamp {
    @inline(__always)
    get throws(DatabaseError) {
      try requireFit(object, property.classKey)
      guard
        let value = try Timestamp.readNullable(object, property.key, property.target, in: self)
      else { throw wrongType(object.classKey, property.key, Timestamp.self) }
      return value
    }
  }

  /// The date of a property of an object, or `nil`, as the generic subscript gives it.
  @inlinable
  public final subscript(_ object: ObjectIdentity, _ property: Property<Timestamp?>) -> Timestamp? {
    @inline(__always)
    get throws(DatabaseError) {
      try requireFit(object, property.classKey)
      return try Timestamp.readNullable(object, property.key, property.target, in: self)
    }
  }

  /// The text of a property of an object, as the generic subscript gives it.
  @inlinable
  public final subscript(_ object: ObjectIdentity, _ property: Property<String>) -> String {
    @inline(__always)
    get throws(DatabaseError) {
      try requireFit(object, property.classKey)
      guard
        let value = try String.readNullable(object, property.key, property.target, in: self)
      else { throw wrongType(object.classKey, property.key, String.self) }
      return value
    }
  }

  /// The text of a property of an object, or `nil`, as the generic subscript gives it.
  @inlinable
  public final subscript(_ object: ObjectIdentity, _ property: Property<String?>) -> String? {
    @inline(__always)
    get throws(DatabaseError) {
      try requireFit(object, property.classKey)
      return try String.readNullable(object, property.key, property.target, in: self)
    }
  }

  /// The target of a to-one link of an object, as the generic subscript gives it.
  @inlinable
  public final subscript(
    _ object: ObjectIdentity,
    _ property: Property<ObjectIdentity?>
  ) -> ObjectIdentity? {
    @inline(__always)
    get throws(DatabaseError) {
      try requireFit(object, property.classKey)
      return try ObjectIdentity.readNullable(object, property.key, property.target, in: self)
    }
  }
}

extension WriteTransaction {
  /// Sets a truth value, as the generic method does.
  @inlinable
  @inline(__always)
  public func set(
    _ object: ObjectIdentity,
    _ property: Property<Bool>,
    _ value: Bool
  ) throws(DatabaseError) {
    try requireFit(object, property.classKey)
    try Bool.setNullable(value, object, property.key, in: self)
  }

  /// Sets a truth value or null, as the generic method does.
  @inlinable
  @inline(__always)
  public func set(
    _ object: ObjectIdentity,
    _ property: Property<Bool?>,
    _ value: Bool?
  ) throws(DatabaseError) {
    try requireFit(object, property.classKey)
    try Bool.setNullable(value, object, property.key, in: self)
  }

  /// Sets a whole number, as the generic method does.
  @inlinable
  @inline(__always)
  public func set(
    _ object: ObjectIdentity,
    _ property: Property<Int64>,
    _ value: Int64
  ) throws(DatabaseError) {
    try requireFit(object, property.classKey)
    try Int64.setNullable(value, object, property.key, in: self)
  }

  /// Sets a whole number or null, as the generic method does.
  @inlinable
  @inline(__always)
  public func set(
    _ object: ObjectIdentity,
    _ property: Property<Int64?>,
    _ value: Int64?
  ) throws(DatabaseError) {
    try requireFit(object, property.classKey)
    try Int64.setNullable(value, object, property.key, in: self)
  }

  /// Sets a floating point number, as the generic method does.
  @inlinable
  @inline(__always)
  public func set(
    _ object: ObjectIdentity,
    _ property: Property<Double>,
    _ value: Double
  ) throws(DatabaseError) {
    try requireFit(object, property.classKey)
    try Double.setNullable(value, object, property.key, in: self)
  }

  /// Sets a floating point number or null, as the generic method does.
  @inlinable
  @inline(__always)
  public func set(
    _ object: ObjectIdentity,
    _ property: Property<Double?>,
    _ value: Double?
  ) throws(DatabaseError) {
    try requireFit(object, property.classKey)
    try Double.setNullable(value, object, property.key, in: self)
  }

  /// Sets a date, as the generic method does.
  @inlinable
  @inline(__always)
  public func set(
    _ object: ObjectIdentity,
    _ property: Property<Timestamp>,
    _ value: Timestamp
  ) throws(DatabaseError) {
    try requireFit(object, property.classKey)
    try Timestamp.setNullable(value, object, property.key, in: self)
  }

  /// Sets a date or null, as the generic method does.
  @inlinable
  @inline(__always)
  public func set(
    _ object: ObjectIdentity,
    _ property: Property<Timestamp?>,
    _ value: Timestamp?
  ) throws(DatabaseError) {
    try requireFit(object, property.classKey)
    try Timestamp.setNullable(value, object, property.key, in: self)
  }

  /// Sets a text, as the generic method does.
  @inlinable
  @inline(__always)
  public func set(
    _ object: ObjectIdentity,
    _ property: Property<String>,
    _ value: String
  ) throws(DatabaseError) {
    try requireFit(object, property.classKey)
    try String.setNullable(value, object, property.key, in: self)
  }

  /// Sets a text or null, as the generic method does.
  @inlinable
  @inline(__always)
  public func set(
    _ object: ObjectIdentity,
    _ property: Property<String?>,
    _ value: String?
  ) throws(DatabaseError) {
    try requireFit(object, property.classKey)
    try String.setNullable(value, object, property.key, in: self)
  }
}
