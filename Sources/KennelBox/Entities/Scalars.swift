// swift-format-ignore-file: NoLeadingUnderscores

public import Foundation
public import KennelCore
internal import KennelFoundation

extension Bool: EntityScalar, EntityEquatable {
  /// Creates a value from a stored one.
  @inlinable public init?(_stored: Bool) { self = _stored }
  /// The stored value.
  @inlinable public var _stored: Bool { self }
}

extension Float: EntityScalar, EntityOrdered {
  /// Creates a value from a stored one.
  @inlinable public init?(_stored: Float) { self = _stored }
  /// The stored value.
  @inlinable public var _stored: Float { self }
}

extension Double: EntityScalar, EntityOrdered {
  /// Creates a value from a stored one.
  @inlinable public init?(_stored: Double) { self = _stored }
  /// The stored value.
  @inlinable public var _stored: Double { self }
}

extension String: EntityScalar, EntityEquatable, EntityOrdered {
  /// Creates a value from a stored one.
  @inlinable public init?(_stored: String) { self = _stored }
  /// The stored value.
  @inlinable public var _stored: String { self }
}

extension Date: EntityScalar, EntityEquatable, EntityOrdered {
  /// Creates a value from a stored one.
  public init?(_stored: Timestamp) { self.init(_stored) }
  /// The stored value.
  public var _stored: Timestamp { Timestamp(self) }
}

extension Data: EntityScalar, EntityEquatable, EntityOrdered {
  /// Creates a value from a stored one.
  public init?(_stored: [UInt8]) { self.init(_stored) }
  /// The stored value.
  public var _stored: [UInt8] { Array(self) }
}

// MARK: - Integers

/// A byte, as ObjectBox calls it.
public typealias Byte = UInt8

extension EntityScalar where Self: FixedWidthInteger, Stored == Int64 {
  /// The type of the property in the database: the narrowest integer that holds every value; a
  /// `UInt64` or `UInt` is stored as its bits in an `Int64`.
  public static var propertyType: PropertyType {
    .int(bitWidth: isSigned ? bitWidth : Swift.min(2 * bitWidth, 64))
  }

  /// Creates a value from a stored one; `nil` if it does not fit.
  @inlinable public init?(_stored: Int64) { self.init(word: _stored) }

  /// Creates a value from a stored one, statically dispatched.
  @inlinable
  init?(word: Int64) {
    // Of the widest unsigned integers the bits are stored.
    if Self.bitWidth == 64 {
      self.init(truncatingIfNeeded: word)
    } else {
      self.init(exactly: word)
    }
  }

  /// The stored value.
  @inlinable public var _stored: Int64 { Int64(truncatingIfNeeded: self) }
}

extension Int: EntityScalar, EntityEquatable, EntityOrdered {}
extension Int8: EntityScalar, EntityEquatable, EntityOrdered {}
extension Int16: EntityScalar, EntityEquatable, EntityOrdered {}
extension Int32: EntityScalar, EntityEquatable, EntityOrdered {}
extension Int64: EntityScalar, EntityEquatable, EntityOrdered {}
extension UInt: EntityScalar, EntityEquatable, EntityOrdered {}
extension UInt8: EntityScalar, EntityEquatable, EntityOrdered {}
extension UInt16: EntityScalar, EntityEquatable, EntityOrdered {}
extension UInt32: EntityScalar, EntityEquatable, EntityOrdered {}
extension UInt64: EntityScalar, EntityEquatable, EntityOrdered {}

// MARK: - Ids

extension EntityId: EntityPropertyValue, EntityValue, EntityScalar {
  /// Creates an id from a stored one.
  public init?(_stored: Int64) { self.init(Id(bitPattern: _stored)) }
  /// The stored value.
  public var _stored: Int64 { Int64(bitPattern: value) }
}
