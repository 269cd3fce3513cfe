public import KennelStorage

/// A property of a class whose values have a Swift type: what programs read and write objects with.
///
/// ```swift
/// let age = try snapshot.schema.property("age", of: "Dog", as: Int64.self)
/// let dogs = try snapshot.schema.property("dogs", of: "Person", as: [ObjectIdentity].self)
/// var sum: Int64 = 0
/// try snapshot.forEachTarget(of: person, dogs) { dog in sum += try snapshot[dog, age] }
/// ```
///
/// It names a slot of the file's schema and may be kept as long as the class and the property are
/// there; reading and writing check that it still fits.
public struct Property<V: PropertyValue>: Hashable, Sendable {
  /// The class.
  public let classKey: ClassKey
  /// The property.
  public let key: PropertyKey
  /// The class that its links point to, 0 if it has none.
  @usableFromInline internal let target: ClassKey
  /// Where objects of that class keep the links from this property.
  @usableFromInline internal let backlinkSlot: UInt16

  internal init(_ classKey: ClassKey, _ property: PropertySchema, backlinkSlot: UInt16?) {
    self.classKey = classKey
    key = property.key
    target = backlinkSlot == nil ? ClassKey(rawValue: 0) : property.target ?? ClassKey(rawValue: 0)
    self.backlinkSlot = backlinkSlot ?? 0
  }
}

/// A Swift type that values of a property can have.
///
/// `Bool`, `Int64`, `Float`, `Double`, `String`, `[UInt8]`, `Timestamp`, `ObjectId`, `UUIDValue` and
/// `Decimal128` for properties that are never null, their optionals for those that may be,
/// `ObjectIdentity?` for to-one links and embedded objects, `[ObjectIdentity]` for lists and sets of
/// links, and `Value` for every property.
public protocol PropertyValue: Sendable {
  /// Whether a property of a type holds values of this one.
  static func fits(_ type: PropertyType) -> Bool

  /// Makes it from a stored value; `nil` for one of another type.
  init?(_ value: Value)

  /// The value to store in a property of a type.
  func value(for type: PropertyType) -> Value

  /// Reads a property of an object; what the subscript of ``Snapshot`` does.
  static func read(
    _ object: ObjectIdentity,
    _ property: Property<Self>,
    in snapshot: Snapshot
  ) throws(DatabaseError) -> Self

  /// Sets a property of an object; what ``WriteTransaction/set(_:_:_:)`` does.
  static func set(
    _ value: Self,
    _ object: ObjectIdentity,
    _ property: Property<Self>,
    in transaction: WriteTransaction
  ) throws(DatabaseError)
}

extension PropertyValue {
  /// Reads a property of an object by way of a ``Value``.
  public static func read(
    _ object: ObjectIdentity,
    _ property: Property<Self>,
    in snapshot: Snapshot
  ) throws(DatabaseError) -> Self {
    let value = try snapshot.value(of: object, property.key)
    guard let typed = Self(value) else {
      throw snapshot.wrongType(object.classKey, property.key, Self.self)
    }
    return typed
  }

  /// Sets a property of an object by way of a ``Value``.
  public static func set(
    _ value: Self,
    _ object: ObjectIdentity,
    _ property: Property<Self>,
    in transaction: WriteTransaction
  ) throws(DatabaseError) {
    let type = try transaction.property(property.key, of: object.classKey).type
    try transaction.set(object, property.key, value.value(for: type))
  }
}

extension Schema {
  /// A property by the names of its class and its own.
  ///
  /// Linear in the number of properties; a program asks once and keeps it.
  ///
  /// - Parameters:
  ///   - name: The property's name.
  ///   - className: The class's name.
  ///   - type: The Swift type of its values.
  /// - Returns: The property.
  /// - Throws: `DatabaseError` if there is no such class or property, or its values have another
  ///   type.
  public func property<V: PropertyValue>(
    _ name: String,
    of className: String,
    as type: V.Type = V.self
  ) throws(DatabaseError) -> Property<V> {
    let (schema, property) = try found(name, of: className)
    guard V.fits(property.type) else {
      throw DatabaseError(
        .wrongType,
        "\(className).\(name) is a \(property.type): its values are not of type \(V.self)",
        className: className,
        propertyName: name
      )
    }
    let column = property.target.flatMap { target in
      self[target]?.backlinkColumns.first { $0.origin == schema.key && $0.property == property.key }
    }
    return Property(schema.key, property, backlinkSlot: column?.number)
  }
}
