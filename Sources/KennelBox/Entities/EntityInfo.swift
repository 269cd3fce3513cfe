import KennelCore

/// The description of an entity: its name in the database and its properties.
///
/// ```swift
/// print(Note.entityInfo.properties.map(\.name))
/// ```
public struct EntityInfo: Sendable {
  /// The name of the class in the database.
  public let name: String
  /// The id of the entity in `model.json`.
  public let id: UInt32
  /// The unique id of the entity in `model.json`; renaming the entity does not change it.
  public let uid: UInt64
  /// The names that the entity had before.
  public let formerNames: [String]
  /// Whether the program chooses the ids of new objects.
  public let hasAssignableIds: Bool
  /// The properties; the position of a property is its number in bindings, readers and writers.
  public let properties: [EntityProperty]

  /// Creates a description.
  public init(
    name: String,
    id: UInt32 = 0,
    uid: UInt64 = 0,
    formerNames: [String] = [],
    hasAssignableIds: Bool = false,
    properties: [EntityProperty]
  ) {
    self.name = name
    self.id = id
    self.uid = uid
    self.formerNames = formerNames
    self.hasAssignableIds = hasAssignableIds
    self.properties = properties
  }
}

/// The description of a property of an entity.
///
/// ```swift
/// let title = EntityProperty.value("title", String.self, index: true)
/// print(title.name)
/// ```
public struct EntityProperty: Sendable {
  /// The kind of a property.
  enum Kind: Sendable {
    case id
    case value(PropertyType, UniqueRule?, isIndexed: Bool)
    case toOne(any EntityInspectable.Type)
    case toMany(any EntityInspectable.Type)
    case backlink(any EntityInspectable.Type, through: String)
  }

  /// How two objects with the same value of a unique property are treated.
  ///
  /// ```swift
  /// let code = EntityProperty.value("code", Int.self, unique: true, onConflict: .replace)
  /// ```
  public enum UniqueRule: Sendable {
    /// Putting the second one throws ``ObjectBoxError/uniqueViolation(message:)``.
    case fail
    /// Putting the second one removes the first.
    case replace
  }

  /// The name of the property in the database.
  public let name: String
  let kind: Kind
  /// The names that the property had before.
  let formerNames: [String]
  /// Whether values of another type that the file has under the name are dropped.
  let replacesType: Bool

  private init(_ name: String, _ kind: Kind, _ formerNames: [String], _ replacesType: Bool) {
    self.name = name
    self.kind = kind
    self.formerNames = formerNames
    self.replacesType = replacesType
  }

  /// Describes the id.
  public static func id(_ name: String, id: UInt32 = 0, uid: UInt64 = 0) -> EntityProperty {
    EntityProperty(name, .id, [], false)
  }

  /// Describes a property that holds a value.
  ///
  /// - Parameters:
  ///   - name: The name in the database.
  ///   - type: The type of the value.
  ///   - id: The id of the property in `model.json`.
  ///   - uid: The unique id of the property in `model.json`.
  ///   - index: Whether the property has an index.
  ///   - unique: Whether no two objects may have the same value.
  ///   - onConflict: What happens when two objects have the same value of a unique property.
  ///   - formerNames: The names that the property had before.
  ///   - replacesType: Whether values of another type are dropped.
  /// - Returns: The description.
  public static func value<V: EntityPropertyValue>(
    _ name: String,
    _ type: V.Type,
    id: UInt32 = 0,
    uid: UInt64 = 0,
    index: Bool = false,
    unique: Bool = false,
    onConflict: UniqueRule = .fail,
    formerNames: [String] = [],
    replacesType: Bool = false
  ) -> EntityProperty {
    let kind = Kind.value(
      V.propertyType,
      unique ? onConflict : nil,
      isIndexed: index || unique
    )
    return EntityProperty(name, kind, formerNames, replacesType)
  }

  /// Describes a to-one relation.
  public static func toOne(
    _ name: String,
    _ target: any EntityInspectable.Type,
    id: UInt32 = 0,
    uid: UInt64 = 0,
    formerNames: [String] = [],
    replacesType: Bool = false
  ) -> EntityProperty {
    EntityProperty(name, .toOne(target), formerNames, replacesType)
  }

  /// Describes a to-many relation that is stored.
  public static func toMany(
    _ name: String,
    _ target: any EntityInspectable.Type,
    id: UInt32 = 0,
    uid: UInt64 = 0,
    formerNames: [String] = [],
    replacesType: Bool = false
  ) -> EntityProperty {
    EntityProperty(name, .toMany(target), formerNames, replacesType)
  }

  /// Describes a to-many relation that shows a relation of another entity backwards.
  ///
  /// - Parameters:
  ///   - name: The name in the database.
  ///   - origin: The entity with the relation.
  ///   - property: The name of that relation in the database.
  /// - Returns: The description.
  public static func backlink(
    _ name: String,
    _ origin: any EntityInspectable.Type,
    through property: String
  ) -> EntityProperty {
    EntityProperty(name, .backlink(origin, through: property), [], false)
  }
}
