import KennelCore

/// A collection that a property holds, filled by assignment.
internal protocol AssignableCollection: AnyObject {
  /// Replaces the elements by those of a collection of the same type.
  func assign(_ value: Any)
}

/// A collection or inverse relationship that is connected to a stored property.
internal protocol AttachableCollection {
  /// The kind of property that it makes.
  static var attachedShape: PropertyShape { get }
  /// Connects it and stores the elements that it has.
  func attach(_ object: ObjectBase, _ key: PropertyKey)
  /// Connects it to what is stored.
  func attach(stored object: ObjectBase, _ key: PropertyKey)
  /// Has the object keep it.
  func keep(by object: ObjectBase, _ key: PropertyKey)
  /// Stores the collection of a property of a new object without anything generic; false if it
  /// cannot. `nil` if there is no such way.
  static var adoption: CollectionAdoption? { get }
}

internal typealias CollectionAdoption = @Sendable (ObjectBase, FieldPlace, PropertyKey) -> Bool

extension AttachableCollection {
  /// Nothing: what an older model declares is kept where it is declared.
  func keep(by object: ObjectBase, _ key: PropertyKey) {}

  static var adoption: CollectionAdoption? { nil }

  /// The collection at its place in an object.
  static func load(_ place: FieldPlace) -> any AttachableCollection { place[as: Self.self] }
}

/// A property of an older model that holds a single value.
internal protocol PropertyHolder: AnyObject {
  associatedtype Value: RealmCollectionValue

  var value: Value { get set }
}

extension PropertyHolder {
  /// The value to store for an unmanaged object's value without links.
  var plainValue: StoredValue { value._encode(nil) }
}

/// A collection that is no class.
internal protocol IdentifiedCollection {
  /// Distinguishes it from others.
  var identity: ObjectIdentifier? { get }
}

/// Returns an identifier that distinguishes a collection from others.
internal func identity(of collection: Any) -> ObjectIdentifier? {
  if let collection = collection as? any IdentifiedCollection { return collection.identity }
  return type(of: collection) is AnyClass ? ObjectIdentifier(collection as AnyObject) : nil
}

/// The inverse of a link.
internal protocol InverseRelationship: IdentifiedCollection {
  /// The name of the link property.
  var originName: String { get }
}
