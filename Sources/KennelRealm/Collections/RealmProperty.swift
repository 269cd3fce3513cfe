import Foundation
import KennelCore

/// A property of an older model.
///
/// ```swift
/// class Barge: Object {
///   let tons = RealmProperty<Int?>()
/// }
/// ```
///
/// It is the same as `@Persisted var tons: Int?`.
public final class RealmProperty<Value: RealmCollectionValue> {
  /// The value while its object is unmanaged.
  private var unmanaged = Value._makeDefault()
  /// Where the value is stored.
  private var place: ManagedPlace?

  /// Creates an unmanaged property with the default of its type.
  public init() {}

  /// The value.
  public var value: Value {
    get {
      guard let place else { return unmanaged }
      let stored = place.value
      let path = NestedPath([], stored, in: stored, place.context.stamp)
      if stored.isCollection,
        let nested = AnyRealmValue(stored, at: place.following(path)) as? Value
      {
        return nested
      }
      return Value._decode(stored, place.context)
    }
    set {
      guard let place else {
        unmanaged = newValue
        return
      }
      place.requireWritable("RealmProperty")
      if place.isPrimaryKey {
        throwRealmException(
          "Cannot modify primary key: Primary key can't be changed after an object is inserted."
        )
      }
      let stored = newValue._encode(place.context)
      place.context.change { try $0.set(place.identity, property: place.key, to: stored) }
      place.context.noteAssignment(place.identity, place.key)
    }
  }
}

extension RealmProperty: CustomStringConvertible {
  /// The value.
  public var description: String { "\(value)" }
}

extension RealmProperty: AttachableCollection, PropertyHolder {
  static var attachedShape: PropertyShape { Value._shape }

  func attach(_ object: ObjectBase, _ key: PropertyKey) {
    let given = unmanaged
    attach(stored: object, key)
    value = given
  }

  func attach(stored object: ObjectBase, _ key: PropertyKey) {
    place = object.context.map { ManagedPlace(object, $0, key) }
  }
}

extension RealmProperty: Decodable where Value: Decodable {
  /// Decodes an unmanaged property.
  ///
  /// - Parameter decoder: The decoder to read from.
  /// - Throws: What the value throws.
  public convenience init(from decoder: any Decoder) throws {
    self.init()
    value = try decoder.singleValueContainer().decode(Value.self)
  }
}

extension RealmProperty: Encodable where Value: Encodable {
  /// Encodes the value.
  ///
  /// - Parameter encoder: The encoder to write to.
  /// - Throws: What the value throws.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(value)
  }
}

extension RealmProperty: Equatable {
  /// Returns whether both have the same value.
  public static func == (left: RealmProperty, right: RealmProperty) -> Bool {
    left.value == right.value
  }
}

/// A property of an older model: `let age = RealmOptional<Int>()`.
///
/// ```swift
/// class Raft: Object {
///   let tons = RealmOptional<Int>()
/// }
/// ```
@available(*, deprecated, message: "Use RealmProperty, or @Persisted with an optional type")
public typealias RealmOptional<Value: _PersistableInsideOptional> = RealmProperty<Value?>

extension RealmProperty where Value: OptionalProtocol {
  /// Creates an unmanaged property with a value.
  public convenience init(_ value: Value) {
    self.init()
    self.value = value
  }
}
