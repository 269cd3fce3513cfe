// swift-format-ignore-file: NoLeadingUnderscores, AllPublicDeclarationsHaveDocumentation

public import Foundation
public import KennelCore
public import KennelFoundation

/// A type that is stored as a scalar of KennelCore.
public protocol _Scalar: _PersistableInsideOptional, SortableType {
  /// The scalar that is stored.
  associatedtype Stored: ScalarPropertyValue
  /// Creates a value of the scalar that is stored.
  static func _fromStored(_ stored: Stored) -> Self
  /// The scalar to store.
  var _stored: Stored { get }
}

extension _Scalar {
  @inlinable
  public static var _shape: PropertyShape { PropertyShape(PropertyType(Stored.kind)) }
  @inlinable
  @inline(__always)
  public static func _get(_ object: ObjectBase, _ key: PropertyKey) -> Self {
    _fromStored(object.read(key) ?? Stored.initial)
  }
  @inlinable
  @inline(__always)
  public static func _set(_ object: ObjectBase, _ key: PropertyKey, _ value: Self) {
    object.write(value._stored, key)
  }
  @inlinable
  @inline(__always)
  public static func _getOptional(_ object: ObjectBase, _ key: PropertyKey) -> Self? {
    object.read(key, as: Stored.self).map { _fromStored($0) }
  }
  @inlinable
  @inline(__always)
  public static func _setOptional(_ object: ObjectBase, _ key: PropertyKey, _ value: Self?) {
    object.write(value.map { $0._stored }, key)
  }
  @inlinable
  public static func _makeDefault() -> Self { _fromStored(Stored.initial) }
  @inlinable
  public static func _decode(_ value: StoredValue, _ context: RealmContext?) -> Self {
    _fromStored(Stored(value) ?? Stored.initial)
  }
  @inlinable
  public func _encode(_ context: RealmContext?) -> StoredValue { _stored.value }
}

extension _Scalar where Stored == Self {
  @inlinable
  public static func _fromStored(_ stored: Self) -> Self { stored }
  @inlinable public var _stored: Self { self }
}

extension _Scalar where Stored: WordValue {
  @inlinable
  @inline(__always)
  public static func _get(_ object: ObjectBase, _ key: PropertyKey) -> Self {
    _fromStored(object.readWord(key) ?? Stored.initial)
  }
  @inlinable
  @inline(__always)
  public static func _getOptional(_ object: ObjectBase, _ key: PropertyKey) -> Self? {
    object.readWord(key, as: Stored.self).map { _fromStored($0) }
  }
}

/// An integer of up to 64 bits.
public protocol _IntegerProperty: _Scalar, FixedWidthInteger, _Indexable, _PrimaryKey,
  _QueryNumeric, MinMaxType, AddableType
where Stored == Int64 {}

extension _IntegerProperty {
  @inlinable
  public static var _shape: PropertyShape { PropertyShape(.int, bitWidth: bitWidth) }
  @inlinable
  public static func _fromStored(_ stored: Int64) -> Self { Self(truncatingIfNeeded: stored) }
  @inlinable public var _stored: Int64 { Int64(self) }
}

extension Int: _IntegerProperty {}
extension Int8: _IntegerProperty {}
extension Int16: _IntegerProperty {}
extension Int32: _IntegerProperty {}
extension Int64: _IntegerProperty {}

extension Bool: _Scalar, _Indexable {}

extension Float: _Scalar, _QueryNumeric, MinMaxType, AddableType {}

extension Double: _Scalar, _QueryNumeric, MinMaxType, AddableType {}

extension String: _Scalar, _Indexable, _PrimaryKey, _QueryString, _QueryBinary {}

extension Data: _Scalar, _QueryBinary {
  @inlinable
  public static func _fromStored(_ stored: [UInt8]) -> Data { Data(stored) }
  @inlinable public var _stored: [UInt8] { Array(self) }
}

extension Date: _Scalar, _Indexable, _QueryNumeric, MinMaxType {
  @inlinable
  public static func _fromStored(_ stored: Timestamp) -> Date { Date(stored) }
  @inlinable public var _stored: Timestamp { Timestamp(self) }
  /// Now.
  @inlinable
  public static func _makeDefault() -> Date { Date() }
}

extension UUID: _Scalar, _Indexable, _PrimaryKey {
  @inlinable
  public static func _fromStored(_ stored: UUIDValue) -> UUID { UUID(stored) }
  @inlinable public var _stored: UUIDValue { UUIDValue(self) }
  /// A new unique identifier.
  @inlinable
  public static func _makeDefault() -> UUID { UUID() }
}

extension ObjectId: _Scalar, _Indexable, _PrimaryKey {
  @inlinable
  public static func _fromStored(_ stored: KennelCore.ObjectId) -> ObjectId { ObjectId(stored) }
  @inlinable public var _stored: KennelCore.ObjectId { stored }
  /// A new unique identifier.
  @inlinable
  public static func _makeDefault() -> ObjectId { .generate() }
}

extension Decimal128: _Scalar, _QueryNumeric, MinMaxType, AddableType {
  @inlinable
  public static func _fromStored(_ stored: KennelCore.Decimal128) -> Decimal128 {
    Decimal128(stored)
  }
  @inlinable public var _stored: KennelCore.Decimal128 { stored }
}
