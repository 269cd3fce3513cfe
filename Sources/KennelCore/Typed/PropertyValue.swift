// swift-format-ignore-file: NoLeadingUnderscores
//
// Requirements that begin with an underscore are how typed properties reach what is stored; programs
// use the subscript of `DatabaseReader` and `WriteTransaction.set`.

public import KennelStorage

/// A Swift type of property values.
///
/// ```swift
/// func read<V: PropertyValue>(_ name: String, as type: V.Type) throws -> V {
///   let property = try snapshot.schema.property(name, of: "Dog", as: type)
///   return try snapshot[rex, property]
/// }
/// print(try read("name", as: String.self), try read("age", as: Int64.self))
/// ```
///
/// These types conform: `Bool`, `Int64`, `Float`, `Double`, `String`, `[UInt8]`, `Timestamp`,
/// `ObjectId`, `UUIDValue` and `Decimal128` for required properties; their optionals for all
/// properties of these types; `ObjectIdentity?` for to-one links and embedded objects;
/// `[ObjectIdentity]` for lists and sets of links; and `Value` for every property.
public protocol PropertyValue: Sendable {
  /// Returns whether a property of the given type holds values of this Swift type.
  static func fits(_ type: PropertyType) -> Bool

  /// Creates a value from a stored one; `nil` if its type differs.
  init?(_ value: Value)

  /// Returns the value to store in a property of a type.
  func value(for type: PropertyType) -> Value

  /// Reads a property of an object.
  static func _read(
    _ object: ObjectIdentity,
    _ property: TypedProperty<Self>,
    in reader: DatabaseReader
  ) throws(DatabaseError) -> Self

  /// Sets a property of an object.
  static func _set(
    _ value: Self,
    _ object: ObjectIdentity,
    _ property: TypedProperty<Self>,
    in transaction: WriteTransaction
  ) throws(DatabaseError)
}

extension PropertyValue {
  /// Reads a property of an object as a ``Value``.
  public static func _read(
    _ object: ObjectIdentity,
    _ property: TypedProperty<Self>,
    in reader: DatabaseReader
  ) throws(DatabaseError) -> Self {
    let value = try reader.value(of: object, property: property.key)
    guard let typed = Self(value) else {
      throw reader.wrongType(object.classKey, property.key, Self.self)
    }
    return typed
  }

  /// Sets a property of an object to a ``Value``.
  public static func _set(
    _ value: Self,
    _ object: ObjectIdentity,
    _ property: TypedProperty<Self>,
    in transaction: WriteTransaction
  ) throws(DatabaseError) {
    let type = try transaction.property(property.key, of: object.classKey).type
    try transaction.set(object, property: property.key, to: value.value(for: type))
  }
}

extension Value: PropertyValue {
  /// Returns true, because every property holds values.
  public static func fits(_ type: PropertyType) -> Bool { true }

  /// The value itself.
  public init?(_ value: Value) { self = value }

  /// The value itself.
  @inlinable
  public func value(for type: PropertyType) -> Value { self }
}

/// A type for properties that hold a single value, or null.
///
/// ```swift
/// func isNull<V: NullablePropertyValue>(_ property: TypedProperty<V?>) throws -> Bool {
///   try snapshot[rex, property] == nil
/// }
/// print(try isNull(snapshot.schema.property("nickname", of: "Dog", as: String?.self)))
/// ```
public protocol NullablePropertyValue: SingleValue {
  /// Reads a property; `nil` if it is null.
  ///
  /// Links lead to objects of the class `target`.
  static func _readNullable(
    _ object: ObjectIdentity,
    _ property: PropertyKey,
    _ target: ClassKey,
    in reader: DatabaseReader
  ) throws(DatabaseError) -> Self?

  /// Sets a property; `nil` sets null.
  static func _setNullable(
    _ value: Self?,
    _ object: ObjectIdentity,
    _ property: PropertyKey,
    in transaction: WriteTransaction
  ) throws(DatabaseError)
}

extension Optional: PropertyValue where Wrapped: NullablePropertyValue {
  /// Returns whether a property of the given type holds values of this Swift type, or null.
  public static func fits(_ type: PropertyType) -> Bool {
    type.collection == .none && type.kind == Wrapped.kind
  }

  /// Creates a value from a stored one; `nil` if its type differs.
  public init?(_ value: Value) {
    if value.isNull {
      self = .none
      return
    }
    guard let wrapped = Wrapped(value) else { return nil }
    self = .some(wrapped)
  }

  /// Returns the value to store in a property of a type.
  @inlinable
  public func value(for type: PropertyType) -> Value { self?.value ?? .null }

  /// Reads a property of an object.
  @inlinable
  @inline(__always)
  public static func _read(
    _ object: ObjectIdentity,
    _ property: TypedProperty<Self>,
    in reader: DatabaseReader
  ) throws(DatabaseError) -> Self {
    try Wrapped._readNullable(object, property.key, property.target, in: reader)
  }

  /// Sets a property of an object.
  @inlinable
  @inline(__always)
  public static func _set(
    _ value: Self,
    _ object: ObjectIdentity,
    _ property: TypedProperty<Self>,
    in transaction: WriteTransaction
  ) throws(DatabaseError) {
    try Wrapped._setNullable(value, object, property.key, in: transaction)
  }
}
