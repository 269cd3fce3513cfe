import KennelCore

/// The schema of a property.
///
/// ```swift
/// for property in ship.objectSchema.properties { print(property.name, property.type) }
/// ```
public struct Property: Equatable, Sendable, CustomStringConvertible {
  /// The name in Swift.
  public let name: String
  /// The name in the file.
  public let columnName: String
  /// The type of the value, or of the elements.
  public let type: PropertyType
  /// Whether it is a list or an inverse relationship.
  public var isArray: Bool { collection == .list || type == .linkingObjects }
  /// Whether it is a set.
  public var isSet: Bool { collection == .set }
  /// Whether it is a map.
  public var isMap: Bool { collection == .map }
  /// Whether the property is indexed.
  public let isIndexed: Bool
  /// Whether the value, or an element, is optional.
  public let isOptional: Bool
  /// The name of the class that it links to.
  public let objectClassName: String?
  /// The name of the property whose inverse it is.
  internal let originName: String?
  internal let isPrimaryKey: Bool
  private let collection: CollectionKind

  internal init(_ property: ModelProperty) {
    name = property.name
    columnName = property.storedName
    type = property.shape.type
    collection = property.shape.collection
    isIndexed = property.isIndexed
    isOptional = property.shape.isOptional && property.shape.type != .any
    objectClassName = property.shape.objectClass?.className()
    originName = property.originName
    isPrimaryKey = property.isPrimaryKey
  }

  internal init(_ property: PropertySchema) {
    name = property.name
    columnName = property.name
    type = PropertyType(property.type.kind)
    collection = property.type.collection
    isIndexed = property.isIndexed
    isOptional = property.type.isOptional && property.type.kind != .mixed
    objectClassName = property.type.target
    originName = nil
    isPrimaryKey = property.isPrimaryKey
  }

  /// The name, the type and what else is declared, in braces.
  public var description: String {
    var lines = ["type = \(type);"]
    if let objectClassName {
      lines.append("objectClassName = \(objectClassName);")
      lines.append("linkOriginPropertyName = \(originName ?? "(null)");")
    }
    lines.append("columnName = \(columnName);")
    let answers = [
      ("indexed", isIndexed), ("isPrimary", isPrimaryKey), ("array", isArray), ("set", isSet),
      ("dictionary", isMap), ("optional", isOptional),
    ]
    lines += answers.map { name, isTrue in "\(name) = \(isTrue ? "YES" : "NO");" }
    return "\(name) {\n" + lines.map { "\t\($0)\n" }.joined() + "}"
  }
}

/// The schema of a class.
///
/// ```swift
/// for property in ship.objectSchema.properties { print(property.name, property.type) }
/// ```
public struct ObjectSchema: Equatable, CustomStringConvertible {
  /// The name.
  public let className: String
  /// The stored properties in order, without inverse relationships.
  public let properties: [Property]
  /// The inverse relationships.
  internal let computedProperties: [Property]
  /// The Swift class; a dynamic class if the program has none.
  public let objectClass: AnyClass
  /// Whether its objects are embedded.
  public let isEmbedded: Bool

  internal init(_ model: ModelClass) {
    className = model.name
    properties = model.storedProperties.map(Property.init)
    computedProperties = model.properties.filter(\.isInverse).map(Property.init)
    objectClass = model.objectClass
    isEmbedded = model.isEmbedded
  }

  internal init(_ schema: ClassSchema) {
    className = schema.name
    properties = schema.properties.map(Property.init)
    computedProperties = []
    objectClass = DynamicObject.self
    isEmbedded = schema.isEmbedded
  }

  /// The primary key; `nil` if the class has none.
  public var primaryKeyProperty: Property? { properties.first(where: \.isPrimaryKey) }

  /// Returns the property with a name, including inverse relationships.
  public subscript(propertyName: String) -> Property? {
    properties.first { $0.name == propertyName }
      ?? computedProperties.first { $0.name == propertyName }
  }

  /// Returns whether both have the same name and properties, and both are embedded or neither is.
  public static func == (left: ObjectSchema, right: ObjectSchema) -> Bool {
    left.className == right.className && left.properties == right.properties
      && left.computedProperties == right.computedProperties
      && left.isEmbedded == right.isEmbedded
  }

  /// The name and the properties, in braces.
  public var description: String {
    let lines = (properties + computedProperties).flatMap {
      $0.description.split(separator: "\n").map { "\t\($0)\n" }
    }
    return className + (isEmbedded ? " (embedded)" : "") + " {\n" + lines.joined() + "}"
  }
}

/// The classes of a realm.
///
/// ```swift
/// print(realm.schema["Ship"]?.primaryKeyProperty?.name ?? "")
/// ```
public struct Schema: Equatable, CustomStringConvertible {
  /// The classes, sorted by name.
  public let objectSchema: [ObjectSchema]

  internal init(_ classes: [ObjectSchema]) {
    objectSchema = classes.sorted { $0.className < $1.className }
  }

  /// Returns the class with a name.
  public subscript(className: String) -> ObjectSchema? {
    objectSchema.first { $0.className == className }
  }

  /// The classes, in braces.
  public var description: String {
    let lines = objectSchema.flatMap {
      $0.description.split(separator: "\n").map { "\t\($0)\n" }
    }
    return "Schema {\n" + lines.joined() + "}"
  }
}
