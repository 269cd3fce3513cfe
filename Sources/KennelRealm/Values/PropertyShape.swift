public import KennelCore

/// The schema of a property as its Swift type defines it.
///
/// For internal use.
public struct PropertyShape {
  @usableFromInline internal var type: PropertyType
  @usableFromInline internal var isOptional: Bool
  @usableFromInline internal var collection: CollectionKind
  /// The declared width of a integer.
  @usableFromInline internal var bitWidth: Int
  /// The class of the objects that it links to.
  @usableFromInline internal var objectClass: ObjectBase.Type?
  /// The custom type that not every stored value can be turned into.
  @usableFromInline internal var failableType: Any.Type?

  @inlinable
  internal init(
    _ type: PropertyType,
    bitWidth: Int = 64,
    isOptional: Bool = false,
    objectClass: ObjectBase.Type? = nil
  ) {
    self.type = type
    self.bitWidth = bitWidth
    self.isOptional = isOptional
    collection = .none
    self.objectClass = objectClass
  }

  /// The shape of a custom type; one that is stored as an embedded object has its default where
  /// there is none.
  internal static func stored<T: RealmCollectionValue>(as type: T.Type) -> PropertyShape {
    var shape = T._shape
    if shape.type == .object { shape.isOptional = true }
    return shape
  }

  internal func collected(as collection: CollectionKind) -> PropertyShape {
    var shape = self
    shape.collection = collection
    if type == .object, collection != .map { shape.isOptional = false }
    return shape
  }

  internal init(_ property: PropertySchema) {
    self.init(
      PropertyType(property.type.kind),
      bitWidth: property.type.bitWidth,
      isOptional: property.type.isOptional
    )
    collection = property.type.collection
  }

  /// The type of the elements as descriptions name it.
  internal var elementName: String { objectClass?.className() ?? "\(type)" }

  /// Whether values are links to objects, one by one or in a collection.
  internal var isLink: Bool { type == .object }
  /// Whether a single value is stored that holds no link.
  internal var isPlain: Bool {
    collection == .none && type != .object && type != .linkingObjects && type != .any
  }
}
