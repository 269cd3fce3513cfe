// swift-format-ignore-file: NoLeadingUnderscores
//
// Requirements that begin with an underscore are how readers and writers reach what is stored.

public import KennelCore

/// A type of values that a property of an entity holds: an ``EntityValue`` or an optional one.
///
/// ```swift
/// func describe<V: EntityPropertyValue>(_ type: V.Type) -> String { "\(V.propertyType)" }
/// print(describe(Int32?.self))
/// ```
///
/// The types are `Bool`, the integers of every width, `Float`, `Double`, `String`, `Date`, `Data`,
/// `[UInt8]`, `[String]`, `[Float]`, `[Int32]`, `[Int64]`, and the optionals of all of them.
public protocol EntityPropertyValue: Sendable {
  /// The type of a value that is not `nil`: the type itself, or the type that an optional wraps.
  associatedtype NonNull: EntityValue

  /// The type of the property in the database.
  static var propertyType: PropertyType { get }

  /// Creates a value from one that is not `nil`, or from `nil`; `nil` if this type has no such value.
  static func _wrapping(_ value: NonNull?) -> Self?

  /// The value that is not `nil`, if it is one.
  var _nonNull: NonNull? { get }
}

extension EntityPropertyValue {
  /// The stored value.
  public var _storedValue: Value { NonNull._storedValue(_nonNull) }

  /// Reads a property of an object.
  @inlinable
  @inline(__always)
  public static func _read(
    _ object: ObjectIdentity,
    _ property: PropertyKey,
    in reader: DatabaseReader
  ) throws(DatabaseError) -> Self {
    guard let value = _wrapping(try NonNull._readOptional(object, property, in: reader)) else {
      throw unreadable(object, property, Self.self, reader)
    }
    return value
  }

  /// Writes a property of an object if the value differs from the stored one.
  ///
  /// An object that is blank has no value yet.
  @inlinable
  @inline(__always)
  public static func _write(
    _ value: Self,
    _ object: ObjectIdentity,
    _ property: PropertyKey,
    isBlank: Bool,
    in transaction: WriteTransaction
  ) throws(DatabaseError) {
    try NonNull._writeOptional(value._nonNull, object, property, isBlank: isBlank, in: transaction)
  }
}

/// ``EntityPropertyValue``, as ObjectBox calls it.
public typealias EntityPropertyTypeConvertible = EntityPropertyValue

/// A type of values, not optional, that a property of an entity holds.
///
/// ```swift
/// func isEqual<V: EntityValue & Equatable>(_ left: V, _ right: V) -> Bool { left == right }
/// print(isEqual("Ada", "Ada"))
/// ```
public protocol EntityValue: EntityPropertyValue where NonNull == Self {
  /// The type of an optional property in the database.
  static var _optionalType: PropertyType { get }

  /// Creates a value from a stored one; `nil` for null and for a value of another type.
  init?(_storedValue value: Value)

  /// The stored value of an optional value.
  static func _storedValue(_ value: Self?) -> Value

  /// Reads an optional property of an object.
  static func _readOptional(
    _ object: ObjectIdentity,
    _ property: PropertyKey,
    in reader: DatabaseReader
  ) throws(DatabaseError) -> Self?

  /// Writes an optional property of an object if the value differs from the stored one.
  static func _writeOptional(
    _ value: Self?,
    _ object: ObjectIdentity,
    _ property: PropertyKey,
    isBlank: Bool,
    in transaction: WriteTransaction
  ) throws(DatabaseError)
}

extension EntityValue {
  /// The value itself.
  @inlinable
  public static func _wrapping(_ value: Self?) -> Self? { value }

  /// The value itself.
  @inlinable public var _nonNull: Self? { self }
}

extension Optional: EntityPropertyValue where Wrapped: EntityValue {
  /// The type of a value that is not `nil`.
  public typealias NonNull = Wrapped

  /// The type of the property in the database.
  public static var propertyType: PropertyType { Wrapped._optionalType }

  /// The value itself.
  @inlinable
  public static func _wrapping(_ value: Wrapped?) -> Self? { .some(value) }

  /// The value itself.
  @inlinable public var _nonNull: Wrapped? { self }
}

/// A type of values that conditions compare with `==`: truth values, integers, texts, dates and data.
///
/// ```swift
/// func ask<V: EntityEquatable>(
///   _ property: KennelBox.Property<Note, V, Void>,
///   _ value: V
/// ) throws -> Int {
///   try box.query { property == value }.build().count()
/// }
/// ```
public protocol EntityEquatable: EntityValue {}

/// A type of values that conditions compare with `<`: numbers, texts, dates and data.
///
/// ```swift
/// func ask<V: EntityOrdered>(
///   _ property: KennelBox.Property<Note, V, Void>,
///   below value: V
/// ) throws -> Int {
///   try box.query { property < value }.build().count()
/// }
/// ```
public protocol EntityOrdered: EntityValue {}

/// A type of scalars that a property of an entity holds.
///
/// ```swift
/// func stored<V: EntityScalar>(_ value: V) -> V.Stored { value._stored }
/// print(stored(Int16(7)))
/// ```
public protocol EntityScalar: EntityValue {
  /// The type that Kennel stores.
  associatedtype Stored: ScalarPropertyValue

  /// Creates a value from a stored one; `nil` if it does not fit.
  init?(_stored: Stored)

  /// The stored value.
  var _stored: Stored { get }
}

extension EntityScalar {
  /// The type of the property in the database.
  public static var propertyType: PropertyType { PropertyType(Stored.kind) }

  /// The type of an optional property in the database.
  public static var _optionalType: PropertyType { propertyType.optional }

  /// Creates a value from a stored one; `nil` for null and for a value of another type.
  public init?(_storedValue value: Value) {
    guard let stored = Stored(value) else { return nil }
    self.init(_stored: stored)
  }

  /// The stored value of an optional value.
  public static func _storedValue(_ value: Self?) -> Value { value?._stored.value ?? .null }

  /// Reads an optional property of an object.
  @inlinable
  @inline(__always)
  public static func _readOptional(
    _ object: ObjectIdentity,
    _ property: PropertyKey,
    in reader: DatabaseReader
  ) throws(DatabaseError) -> Self? {
    guard
      let stored = try Stored._readNullable(object, property, ClassKey(rawValue: 0), in: reader)
    else { return nil }
    guard let value = Self(_stored: stored) else {
      throw unreadable(object, property, Self.self, reader)
    }
    return value
  }

  /// Writes an optional property of an object if the value differs from the stored one.
  @inlinable
  @inline(__always)
  public static func _writeOptional(
    _ value: Self?,
    _ object: ObjectIdentity,
    _ property: PropertyKey,
    isBlank: Bool,
    in transaction: WriteTransaction
  ) throws(DatabaseError) {
    let stored = value.map { value in value._stored }
    if try isBlank ? stored == nil : Stored._isStored(stored, object, property, in: transaction) {
      return
    }
    try Stored._setNullable(stored, object, property, in: transaction)
  }
}

/// The error of a value that another program stored and a property cannot hold.
@usableFromInline
@inline(never)
internal func unreadable<V>(
  _ object: ObjectIdentity,
  _ property: PropertyKey,
  _ type: V.Type,
  _ reader: DatabaseReader
) -> DatabaseError {
  let schema = reader.schema[object.classKey]
  let name = schema?[property]?.name ?? "property \(property.rawValue)"
  return DatabaseError(
    .wrongType,
    "\(schema?.name ?? "Class").\(name) of object \(object.key.rawValue) has no value that a "
      + "\(V.self) holds; declare the property as the file has it, or correct the value",
    className: schema?.name,
    propertyName: name,
    object: object
  )
}
