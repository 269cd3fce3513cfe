// swift-format-ignore-file: NoLeadingUnderscores

public import KennelCore

/// An enumeration that is stored as its raw value.
///
/// ```swift
/// enum Rig: String, PersistableEnum {
///   case sloop
///   case brig
/// }
/// ```
///
/// If the file holds another raw value, an optional property is `nil`, and reading a required one
/// stops the program.
public protocol PersistableEnum: RealmEnum, CaseIterable, MinMaxType, Comparable
where RawValue: Comparable {}

/// An enumeration for older models, which need not be `CaseIterable`.
///
/// ```swift
/// enum Flag: Int, RealmEnum {
///   case pilot = 1
///   case quarantine = 2
/// }
/// ```
///
/// A property of such a type needs a default.
public protocol RealmEnum: _PersistableInsideOptional, RawRepresentable
where RawValue: _PersistableInsideOptional, PersistedType == RawValue {}

extension PersistableEnum {
  /// The first case.
  public init() {
    guard let first = Self.allCases.first else {
      throwRealmException("The enumeration '\(Self.self)' has no case; give it one")
    }
    self = first
  }

  /// Returns whether a raw value is less than another.
  public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension PersistableEnum {
  @inlinable
  public static func _makeDefault() -> Self { Self() }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension RealmEnum {
  @inlinable
  public static var _shape: PropertyShape { RawValue._shape }
  public static func _makeDefault() -> Self {
    if let first = Self(rawValue: RawValue._makeDefault()) { return first }
    throwRealmException(
      "A property of the enumeration '\(Self.self)' has no default: give it one, or declare the "
        + "enumeration as PersistableEnum"
    )
  }

  @inlinable
  public static func _get(_ object: ObjectBase, _ key: PropertyKey) -> Self {
    Self(rawValue: RawValue._get(object, key)) ?? noCase()
  }
  @inlinable
  public static func _set(_ object: ObjectBase, _ key: PropertyKey, _ value: Self) {
    RawValue._set(object, key, value.rawValue)
  }
  @inlinable
  public static func _getOptional(_ object: ObjectBase, _ key: PropertyKey) -> Self? {
    RawValue._getOptional(object, key).flatMap(Self.init(rawValue:))
  }
  @inlinable
  public static func _setOptional(_ object: ObjectBase, _ key: PropertyKey, _ value: Self?) {
    RawValue._setOptional(object, key, value?.rawValue)
  }

  @inlinable
  public static func _decode(_ value: StoredValue, _ context: RealmContext?) -> Self {
    _decodeIfValid(value, context) ?? noCase()
  }

  @usableFromInline
  internal static func noCase() -> Self {
    throwRealmException(
      "The file holds a value that is no case of the enumeration '\(Self.self)'; add a case, or make "
        + "the property optional"
    )
  }

  @inlinable
  public static func _decodeIfValid(
    _ value: StoredValue,
    _ context: RealmContext?
  ) -> Self? {
    RawValue._decodeIfValid(value, context).flatMap(Self.init(rawValue:))
  }

  @inlinable
  public func _encode(_ context: RealmContext?) -> StoredValue {
    rawValue._encode(context)
  }
}

/// A type that is stored as another type, and can be created from every value of it.
///
/// ```swift
/// struct Speed: CustomPersistable {
///   typealias PersistedType = Double
///   var knots: Double
///   init(persistedValue: Double) { knots = persistedValue }
///   var persistableValue: Double { knots }
/// }
/// ```
public protocol CustomPersistable: _PersistableInsideOptional
where PersistedType: _PersistableInsideOptional {
  /// Creates a value from a stored one.
  init(persistedValue: PersistedType)
  /// The value to store.
  var persistableValue: PersistedType { get }
}

/// A type that is stored as another type, and can be created from some values of it.
///
/// ```swift
/// struct Berth: FailableCustomPersistable {
///   typealias PersistedType = Int
///   let persistableValue: Int
///   init?(persistedValue: Int) {
///     if persistedValue < 1 { return nil }
///     persistableValue = persistedValue
///   }
/// }
/// ```
public protocol FailableCustomPersistable: _PersistableInsideOptional
where PersistedType: _PersistableInsideOptional {
  /// Creates a value from a stored one; `nil` if it is invalid.
  init?(persistedValue: PersistedType)
  /// The value to store.
  var persistableValue: PersistedType { get }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension CustomPersistable {
  public static var _shape: PropertyShape { .stored(as: PersistedType.self) }
  @inlinable
  public static func _makeDefault() -> Self {
    Self(persistedValue: PersistedType._makeDefault())
  }
  @inlinable
  public static func _decode(_ value: StoredValue, _ context: RealmContext?) -> Self {
    if value.isNull, PersistedType._shape.type == .object { return _makeDefault() }
    return Self(persistedValue: PersistedType._decode(value, context))
  }
  @inlinable
  public func _encode(_ context: RealmContext?) -> StoredValue {
    persistableValue._encode(context)
  }
  @inlinable
  public var _embedded: EmbeddedObject? { persistableValue._embedded }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension FailableCustomPersistable {
  public static var _shape: PropertyShape {
    var shape = PropertyShape.stored(as: PersistedType.self)
    shape.failableType = Self.self
    return shape
  }

  public static func _makeDefault() -> Self {
    guard let value = Self(persistedValue: PersistedType._makeDefault()) else {
      throwRealmException(
        "Failed to default construct a \(Self.self) using the default value for persisted type "
          + "\(PersistedType.self). This conversion must either succeed, the property must be "
          + "optional, or you must explicitly specify a default value for the property."
      )
    }
    return value
  }
  @inlinable
  public static func _get(_ object: ObjectBase, _ key: PropertyKey) -> Self {
    let value = object.stored(key)
    return _decodeIfValid(value, object.context) ?? noValue(value, object.context)
  }
  @inlinable
  public static func _decode(_ value: StoredValue, _ context: RealmContext?) -> Self {
    if value.isNull, PersistedType._shape.type == .object { return _makeDefault() }
    return made(PersistedType._decode(value, context))
  }
  @inlinable
  public static func _decodeIfValid(
    _ value: StoredValue,
    _ context: RealmContext?
  ) -> Self? {
    PersistedType._decodeIfValid(value, context).flatMap(Self.init(persistedValue:))
  }
  @inlinable
  public func _encode(_ context: RealmContext?) -> StoredValue {
    persistableValue._encode(context)
  }
  @inlinable
  public var _embedded: EmbeddedObject? { persistableValue._embedded }

  @usableFromInline
  internal static func made(_ value: PersistedType) -> Self {
    guard let made = Self(persistedValue: value) else {
      throwRealmException("Could not convert value '\(value)' to type '\(Self.self)'.")
    }
    return made
  }

  @usableFromInline
  internal static func noValue(_ value: StoredValue, _ context: RealmContext?) -> Self {
    if value.isNull { return _makeDefault() }
    throwRealmException(
      "Failed to convert persisted value '\(PersistedType._decode(value, context))' to type "
        + "'\(Self.self)' in a non-optional context."
    )
  }
}
