// swift-format-ignore-file: NoLeadingUnderscores

public import KennelCore

/// A type of single values, which queries compare: scalars; bytes; optionals of scalars, of bytes
/// and of links; and `Value`.
///
/// ```swift
/// func same<V: SingleStorable>(_ operand: Operand<V>, as value: V) -> Condition {
///   operand == value
/// }
/// print(try database.snapshot().objects(Dog.self).filter { same($0.name, as: "Rex") }.count)
/// ```
public protocol SingleStorable: Storable, SingleValued {}

extension Optional: SingleStorable, SingleValued where Wrapped: OptionalElement & SingleValued {
  /// The value as queries compare it.
  public var _singleValue: Value { self?._singleValue ?? .null }
}

extension Array: SingleStorable, SingleValued where Element == UInt8 {
  /// The value as queries compare it.
  public var _singleValue: Value { .data(self) }
}

extension Value: SingleStorable {
  /// The value itself.
  public var _singleValue: Value { self }
}

/// A type of values that can be compared in a query: scalars, bytes, objects and their optionals.
///
/// ```swift
/// func none<W: SingleValued & OptionalElement>(_ operand: Operand<W?>) -> Condition {
///   operand == nil
/// }
/// print(try database.snapshot().objects(Dog.self).filter { none($0.nickname) }.count)
/// ```
public protocol SingleValued: Sendable {
  /// The value as queries compare it.
  var _singleValue: Value { get }
}

/// A type of single values: numbers, `Bool`, text, dates, identifiers, and each ``ScalarEnum``.
///
/// ```swift
/// func oldest<V: Scalar & Ordered>(_ path: KeyPath<Query<Dog>, Operand<V>>) throws -> V?
/// where V.Compared == V {
///   try database.snapshot().objects(Dog.self).max(path)
/// }
/// print(try oldest(\.age) ?? 0)
/// ```
public protocol Scalar: SingleStorable, OptionalElement
where
  Stored: ScalarPropertyValue,
  Loaded == Self,
  StoredArray == Value,
  LoadedArray == [Self],
  StoredOptional == Stored?
{
  /// The type that the engine stores: the type itself, if it declares no other.
  associatedtype Stored = Self
  /// The stored form of the value.
  var _scalarValue: Stored { get }
  /// Makes a value from what is stored; `nil` if it does not fit.
  static func _scalar(_ stored: Stored) -> Self?
}

extension Scalar {
  /// The value to store.
  @inlinable public var stored: Stored { _scalarValue }
  /// The type in the file.
  public static var propertyType: PropertyType { PropertyType(Stored.kind) }
  /// The type in the file.
  public static var elementType: PropertyType { propertyType }
  /// The value to store.
  public var elementValue: Value { _scalarValue.value }
  /// The value as queries compare it.
  public var _singleValue: Value { _scalarValue.value }

  /// Makes a value from what is stored.
  @inlinable
  @inline(__always)
  public static func _make(
    _ stored: Stored,
    _ property: Property<Self>,
    in session: Session
  ) throws(DatabaseError) -> Self {
    try property.require(_scalar(stored))
  }

  /// Makes a value from what is stored.
  public static func _element(
    _ value: Value,
    in session: Session,
    _ member: ModelMember
  ) -> Self? {
    _scalar(of: value)
  }

  internal static func _scalar(of value: Value) -> Self? { Stored(value).flatMap(_scalar) }
}

extension Scalar {
  /// The stored form of the value, or null.
  @inlinable
  public static func _stored(_ optional: Self?) -> Stored? { optional?._scalarValue }

  /// Makes a value from what is stored.
  @inlinable
  @inline(__always)
  public static func _optional(
    _ stored: Stored?,
    _ member: ModelMember,
    in session: Session
  ) throws(DatabaseError) -> Self? {
    guard let stored else { return nil }
    return try member.require(_scalar(stored))
  }
}

extension Scalar where Edited == Self, Stored == Self {
  /// The value, or what the type starts with.
  @inlinable
  public static func _edited(_ value: Self?) -> Self { value ?? Stored.initial }
}

extension Scalar where Stored == Self {
  /// The value itself.
  @inlinable public var _scalarValue: Self { self }

  /// The value itself.
  @inlinable
  public static func _scalar(_ stored: Self) -> Self? { stored }
}

/// A type of values that queries compare for order.
///
/// ```swift
/// func after<V: Ordered>(_ value: V, _ operand: Operand<V>) -> Condition { operand > value }
/// print(try database.snapshot().objects(Dog.self).filter { after(3, $0.age) }.count)
/// ```
public protocol Ordered: SingleStorable {
  /// The type of a value that is not null: the type itself, or the type that an optional wraps.
  associatedtype Compared: Scalar = Self
}

extension Optional: Ordered where Wrapped: Scalar & Ordered {
  /// The type of a value that is not null.
  public typealias Compared = Wrapped
}

extension Bool: Scalar, Ordered {}
extension Int64: Scalar, Ordered {
  /// The type that the engine stores.
  public typealias Stored = Int64
  /// The type in the file.
  public static var propertyType: PropertyType { .int }
  /// The value itself.
  @inlinable public var _scalarValue: Int64 { self }

  /// The value itself.
  @inlinable
  public static func _scalar(_ stored: Int64) -> Int64? { stored }

  /// The value, or 0.
  @inlinable
  public static func _edited(_ value: Int64?) -> Int64 { value ?? 0 }
}
extension Float: Scalar, Ordered {}
extension Double: Scalar, Ordered {}
extension String: Scalar, Ordered {}
extension Timestamp: Scalar, Ordered {}
extension ObjectId: Scalar, Ordered {}
extension UUIDValue: Scalar, Ordered {}
extension Decimal128: Scalar, Ordered {}

/// Integers of other widths; a value takes 64 bits, and the schema in the file has the width.
extension Scalar where Self: FixedWidthInteger, Stored == Int64, Edited == Self {
  /// The type in the file, with the width.
  public static var propertyType: PropertyType { .int(bitWidth: Self.bitWidth) }
  /// The value to store.
  @inlinable public var _scalarValue: Int64 { Int64(truncatingIfNeeded: self) }

  /// The number, or `nil` if it does not fit.
  @inlinable
  public static func _scalar(_ stored: Int64) -> Self? { Self(exactly: stored) }

  /// The value, or 0.
  @inlinable
  public static func _edited(_ value: Self?) -> Self { value ?? 0 }
}

extension Int: Scalar, Ordered {
  /// The type that the engine stores.
  public typealias Stored = Int64
}
extension Int8: Scalar, Ordered {
  /// The type that the engine stores.
  public typealias Stored = Int64
}
extension Int16: Scalar, Ordered {
  /// The type that the engine stores.
  public typealias Stored = Int64
}
extension Int32: Scalar, Ordered {
  /// The type that the engine stores.
  public typealias Stored = Int64
}

/// An enum with raw values that a property holds.
///
/// ```swift
/// enum Mood: String, ScalarEnum { case calm, cross }
/// struct Cat: Model {
///   let mood = Property<Mood>(default: .calm)
///   let moods = Property<[Mood]>()
/// }
/// let database = try Database.open(path, models: Cat.self)
/// try database.write { db in try db.create(Cat.self) { $0.moods = [.calm, .cross] } }
/// ```
///
/// Reading a raw value that no case has throws an error; an editor shows it as `nil`. A
/// property needs a default, unless the enum is `CaseIterable`: then it is the first case.
public protocol ScalarEnum: Scalar, RawRepresentable
where RawValue: Scalar, Stored == RawValue.Stored, Edited == Self? {
  /// The type that the engine stores: that of the raw value.
  associatedtype Stored = RawValue.Stored
  /// The type of the property while it is edited.
  associatedtype Edited = Self?
}

extension ScalarEnum {
  /// The type of the raw value.
  public static var propertyType: PropertyType { RawValue.propertyType }
  /// The raw value.
  public var _scalarValue: RawValue.Stored { rawValue._scalarValue }

  /// The case with a raw value; `nil` if there is none.
  public static func _scalar(_ stored: RawValue.Stored) -> Self? {
    RawValue._scalar(stored).flatMap(Self.init(rawValue:))
  }
}

extension ScalarEnum where Self: CaseIterable {
  /// The first case.
  public static var startingValue: Self? { allCases.first }
}
