public import Foundation
@_spi(Faces) public import KennelCore
import KennelFoundation

/// A value of any type, a link to an object of any class, or a list or dictionary of such values.
///
/// ```swift
/// let values: [AnyRealmValue] = [.int(1), .string("one"), .none]
/// print(values.compactMap(\.stringValue))
/// ```
///
/// Lists and dictionaries may be nested, up to 100 levels deep. Those of a managed object are live:
/// they read and change the value of its property.
///
/// Values are equal if they are the same value of the same type. Two managed lists or dictionaries are
/// equal if they are the same one in the file, two unmanaged ones if their elements are equal.
public enum AnyRealmValue: Hashable {
  /// Null.
  case none
  /// An integer.
  case int(Int)
  /// A Boolean.
  case bool(Bool)
  /// A floating point number of 32 bits.
  case float(Float)
  /// A floating point number of 64 bits.
  case double(Double)
  /// Text.
  case string(String)
  /// Bytes.
  case data(Data)
  /// A date.
  case date(Date)
  /// A link to an object.
  case object(Object)
  /// An identifier of 12 bytes.
  case objectId(ObjectId)
  /// A decimal number.
  case decimal128(Decimal128)
  /// An identifier of 16 bytes.
  case uuid(UUID)
  /// Values under keys.
  case dictionary(Map<String, AnyRealmValue>)
  /// Values in order.
  case list(List<AnyRealmValue>)

  /// Null.
  public init() { self = .none }

  /// Hashes the value; a list or dictionary contributes nothing.
  public func hash(into hasher: inout Hasher) { hasher.combine(plainValue as? AnyHashable) }

  /// The integer; `nil` for another value.
  public var intValue: Int? { if case .int(let value) = self { value } else { nil } }
  /// The Boolean; `nil` for another value.
  public var boolValue: Bool? { if case .bool(let value) = self { value } else { nil } }
  /// The 32-bit number; `nil` for another value.
  public var floatValue: Float? { if case .float(let value) = self { value } else { nil } }
  /// The 64-bit number; `nil` for another value.
  public var doubleValue: Double? { if case .double(let value) = self { value } else { nil } }
  /// The string; `nil` for another value.
  public var stringValue: String? { if case .string(let value) = self { value } else { nil } }
  /// The bytes; `nil` for another value.
  public var dataValue: Data? { if case .data(let value) = self { value } else { nil } }
  /// The date; `nil` for another value.
  public var dateValue: Date? { if case .date(let value) = self { value } else { nil } }
  /// The 12-byte identifier; `nil` for another value.
  public var objectIdValue: ObjectId? {
    if case .objectId(let value) = self { value } else { nil }
  }
  /// The decimal number; `nil` for another value.
  public var decimal128Value: Decimal128? {
    if case .decimal128(let value) = self { value } else { nil }
  }
  /// The 16-byte identifier; `nil` for another value.
  public var uuidValue: UUID? { if case .uuid(let value) = self { value } else { nil } }

  /// The values under keys; `nil` for another value.
  public var dictionaryValue: Map<String, AnyRealmValue>? {
    if case .dictionary(let value) = self { value } else { nil }
  }
  /// The values in order; `nil` for another value.
  public var listValue: List<AnyRealmValue>? {
    if case .list(let value) = self { value } else { nil }
  }

  /// Returns a value that holds an unmanaged map.
  ///
  /// - Parameter dictionary: The values by key.
  /// - Returns: The map.
  public static func fromDictionary(_ dictionary: [String: AnyRealmValue]) -> AnyRealmValue {
    .dictionary(Map(unmanaged: dictionary))
  }

  /// Returns a value that holds an unmanaged list.
  ///
  /// - Parameter array: The values.
  /// - Returns: The list.
  public static func fromArray(_ array: [AnyRealmValue]) -> AnyRealmValue {
    let list = List<AnyRealmValue>()
    list.append(objectsIn: array)
    return .list(list)
  }

  /// Returns the object if it is of the given class.
  ///
  /// - Parameter type: The class.
  /// - Returns: The object; `nil` for another value or another class.
  public func object<T: Object>(_ type: T.Type) -> T? {
    if case .object(let value) = self { value as? T } else { nil }
  }

  /// The object as a dynamic object; `nil` for another value or an unmanaged object.
  public var dynamicObject: DynamicObject? {
    guard case .object(let value) = self else { return nil }
    return value as? DynamicObject ?? value.context?.accessors.makeDynamic(value.identity)
  }

  /// The value as one of Swift or Foundation; `nil` for none.
  internal var plainValue: Any? {
    switch self {
    case .none: nil
    case .int(let value): value
    case .bool(let value): value
    case .float(let value): value
    case .double(let value): value
    case .string(let value): value
    case .data(let value): value
    case .date(let value): value
    case .object(let value): value
    case .objectId(let value): value
    case .decimal128(let value): value
    case .uuid(let value): value
    case .dictionary(let value): value
    case .list(let value): value
    }
  }

  /// Creates a value of one of Swift or Foundation; `nil` if a realm holds none of its type.
  internal init?(_ value: Any?) {
    switch value.flatMap(unwrapped) {
    case .none: self = .none
    case let value as AnyRealmValue: self = value
    case .some(let value) where type(of: value) is NSNumber.Type && !isTruthValue(value):
      self = Self.number(value)
    case .some(let value) where isTruthValue(value): self = .bool(value as? Bool ?? false)
    case let value as Float: self = .float(value)
    case let value as Double: self = .double(value)
    case let value as any BinaryInteger: self = .int(Int(truncatingIfNeeded: value))
    case let value as String: self = .string(value)
    case let value as Data: self = .data(value)
    case let value as Date: self = .date(value)
    case let value as Object: self = .object(value)
    case let value as ObjectId: self = .objectId(value)
    case let value as Decimal128: self = .decimal128(value)
    case let value as UUID: self = .uuid(value)
    case is NSNull: self = .none
    case let value as List<AnyRealmValue>: self = .list(value)
    case let value as Map<String, AnyRealmValue>: self = .dictionary(value)
    case let value as [String: Any?]:
      let values = value.compactMapValues { AnyRealmValue($0) }
      guard values.count == value.count else { return nil }
      self = .fromDictionary(values)
    case let value as [Any?]:
      let values = value.compactMap { AnyRealmValue($0) }
      guard values.count == value.count else { return nil }
      self = .fromArray(values)
    default: return nil
    }
  }
}

extension AnyRealmValue {
  /// A number of Foundation's as what it was made of.
  private static func number(_ value: Any) -> AnyRealmValue {
    guard let number = value as? NSNumber else { return .none }
    return switch number.typeCode {
    case "f": .float(number.floatValue)
    case "d": .double(number.doubleValue)
    default: .int(number.intValue)
    }
  }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation, NoLeadingUnderscores
extension AnyRealmValue: RealmCollectionValue, _Indexable, MinMaxType, AddableType {
  public static var _shape: PropertyShape { PropertyShape(.any, isOptional: true) }
  public static func _makeDefault() -> AnyRealmValue { .none }

  public static func _decode(
    _ value: StoredValue,
    _ context: RealmContext?
  ) -> AnyRealmValue {
    switch value {
    case .int(let value): .int(Int(value))
    case .bool(let value): .bool(value)
    case .float(let value): .float(value)
    case .double(let value): .double(value)
    case .string(let value): .string(value)
    case .data(let value): .data(Data(value))
    case .date(let value): .date(Date(value))
    case .objectId(let value): .objectId(ObjectId(value))
    case .decimal128(let value): .decimal128(Decimal128(value))
    case .uuid(let value): .uuid(UUID(value))
    case .link(let identity): context?.accessors.makeObject(identity).map { .object($0) } ?? .none
    case .list(let values): .fromArray(values.map { _decode($0, context) })
    case .map(let entries):
      .fromDictionary(
        Dictionary(entries.map { ($0.key, _decode($0.value, context)) }) { first, _ in first }
      )
    case .null, .set: .none
    }
  }

  public static func _get(_ object: ObjectBase, _ key: PropertyKey) -> AnyRealmValue {
    guard let context = object.context, let stored = object.read(key, as: StoredMixed.self) else {
      return .none
    }
    switch stored {
    case .single(let value): return _decode(value, context)
    case .collection(let bytes):
      let place = ManagedPlace(object, context, key)
        .following(NestedPath(bytes, context))
      return bytes.isMap ? .dictionary(Map.at(place)) : .list(List.at(place))
    }
  }

  public static func _set(_ object: ObjectBase, _ key: PropertyKey, _ value: AnyRealmValue) {
    // An object is added to the realm first, which has to be one that may be written.
    if value.canAdd { object.requireWritable(key) }
    object.write(StoredMixed(value._encode(object.context)), key)
  }

  /// Whether it is an object, or may have some inside.
  private var canAdd: Bool {
    switch self {
    case .object, .dictionary, .list: true
    case .none, .int, .bool, .float, .double, .string, .data, .date, .objectId, .decimal128, .uuid:
      false
    }
  }

  public func _encode(_ context: RealmContext?) -> StoredValue {
    switch self {
    case .none: .null
    case .int(let value): .int(Int64(value))
    case .bool(let value): .bool(value)
    case .float(let value): .float(value)
    case .double(let value): .double(value)
    case .string(let value): .string(value)
    case .data(let value): .data(Array(value))
    case .date(let value): .date(Timestamp(value))
    case .object(let value): value._encode(context)
    case .objectId(let value): value._encode(context)
    case .decimal128(let value): value._encode(context)
    case .uuid(let value): value._encode(context)
    case .dictionary, .list: encoded { $0._encode(context) }
    }
  }
}

extension AnyRealmValue: DeleteRuleProperty {}
