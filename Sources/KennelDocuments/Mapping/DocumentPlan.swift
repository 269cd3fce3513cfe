import KennelCore

/// A class as the mapping needs it for each object: a class itself, so that handing it on
/// counts one reference and not those of all names in it.
final class DocumentPlan {
  let schema: ClassSchema
  /// The member that holds an object's key.
  let keyMember: String?
  let primaryKey: PropertyPlan?
  /// Whether documents repeat the primary key as `_id`.
  let repeatsPrimaryKey: Bool
  let properties: [PropertyPlan]

  init(_ schema: ClassSchema) {
    self.schema = schema
    keyMember = schema.keyMember
    repeatsPrimaryKey = schema.primaryKey != nil && schema[MappingName.id] == nil
    properties = schema.properties.map(PropertyPlan.init)
    primaryKey = properties.first(where: \.isPrimaryKey)
  }
}

/// A property as the mapping needs it.
final class PropertyPlan {
  let key: PropertyKey
  let name: String
  let type: PropertyType
  let target: ClassKey?
  let isEmbedded: Bool
  let isPrimaryKey: Bool
  /// Whether an absent member gives null.
  let isNullByDefault: Bool
  /// Whether there can be links to objects of their own.
  let canLink: Bool

  init(_ property: PropertySchema) {
    key = property.key
    name = property.name
    type = property.type
    target = property.target
    isEmbedded = property.isEmbedded
    isPrimaryKey = property.isPrimaryKey
    isNullByDefault = property.isEmbedded || property.defaultValue.isNull
    canLink = property.canLink && !property.isEmbedded
  }
}
