import KennelCore

/// A wrapper whose type is known at run time only, at its place in an object.
internal protocol AnyPersisted {
  associatedtype Value: _Persistable

  static var shape: PropertyShape { get }
  var declaredTraits: PropertyTraits { get }
  /// The default value that was declared; `nil` for none.
  var declaredDefault: Any? { get }

  /// The value to store for an unmanaged object's single value without links.
  static func plainValue(at place: FieldPlace) -> StoredValue
  /// Makes the wrapper that of a managed object and stores what it held.
  static func promote(at place: FieldPlace, of object: ObjectBase, _ key: PropertyKey)
  /// The value of a property of an object, as its type has it.
  static func read(at place: FieldPlace, of object: ObjectBase) -> Value
  /// Where the value is stored; `nil` while it is unmanaged.
  static func key(at place: FieldPlace) -> PropertyKey?
  /// Sets the value of a property that is no collection.
  static func set(_ value: Value, at place: FieldPlace, of object: ObjectBase)
  /// Makes the wrapper that of a managed object.
  static func manage(at place: FieldPlace, _ key: PropertyKey)
  /// How the wrapper lies in memory; `nil` where that is not known.
  static var layout: StorageLayout? { get }
  /// How what an unmanaged object holds gets where it is stored.
  static var adoptionWay: AdoptionWay { get }
  static func record(at place: FieldPlace, _ position: PropertyKey)
}

/// Where the byte of a wrapper is that tells the cases of its storage apart, and what it is in two of
/// them; the first bytes of a managed one are the property's key.
internal struct StorageLayout {
  let tagOffset: Int
  let unset: UInt8
  let managed: UInt8
}

extension AnyPersisted {
  static var valueType: Any.Type { Value.self }

  /// Destroys the wrapper at its place.
  ///
  /// Not a requirement: `Self` is known here, while a witness of a generic type looks it up each time.
  static func destroy(at place: FieldPlace) { place.destroy(Self.self) }
}
