@_spi(Faces) public import KennelCore

/// Where the properties of an entity are in the file.
@usableFromInline
final class EntityMap: Sendable {
  let info: EntityInfo
  /// The position of the map in the store.
  @usableFromInline let index: Int32
  @usableFromInline let classKey: ClassKey
  /// The properties by number; those of the id and of backlinks are not used.
  @usableFromInline let columns: [PropertyKey]
  /// The position of the map of what each relation leads to, by number.
  @usableFromInline let targets: [Int32]
  /// The to-many relations by number.
  @usableFromInline let places: [RelationPlace?]
  /// Whether the entity has relations.
  @usableFromInline let hasRelations: Bool
  /// The properties of which no two objects may have the same value.
  let uniqueProperties: [(number: Int, rule: EntityProperty.UniqueRule)]
  /// The primary key that another face of Kennel gave the class.
  let primaryKey: (name: String, number: Int?)?
  /// Whether a new object has values other than null in optional properties.
  let hasDefaults: Bool

  /// - Parameters:
  ///   - info: The entity.
  ///   - positions: The positions of the store's maps, by entity.
  ///   - schema: The schema of the file.
  /// - Throws: `DatabaseError` if the file is damaged.
  init(
    _ info: EntityInfo,
    _ positions: [String: Int],
    in schema: Schema
  ) throws(DatabaseError) {
    self.info = info
    index = Int32(positions[info.name] ?? 0)
    let schemaClass = try schema.require(info.name)
    classKey = schemaClass.key
    var unique: [(number: Int, rule: EntityProperty.UniqueRule)] = []
    var targets: [Int32] = []
    var places: [RelationPlace?] = []
    for (number, property) in info.properties.enumerated() {
      if case .value(_, let rule, _) = property.kind,
        rule != nil || schemaClass[property.name]?.isUnique == true
      {
        unique.append((number, rule ?? .fail))
      }
      let target = property.target.flatMap { positions[$0.entityInfo.name] } ?? 0
      targets.append(Int32(truncatingIfNeeded: target))
      let edge = try Self.edge(property, of: info, in: schema)
      places.append(edge.map { RelationPlace(schemaClass.key, target, $0) })
    }
    columns = info.properties.map { property in
      schemaClass[property.name]?.key ?? PropertyKey(rawValue: 0)
    }
    self.targets = targets
    self.places = places
    hasRelations = info.properties.contains { $0.target != nil }
    uniqueProperties = unique
    primaryKey = schemaClass.primaryKey.map { key in
      (key.name, info.properties.firstIndex { $0.name == key.name })
    }
    hasDefaults = schemaClass.properties.contains { property in
      property.type.isOptional && !(property.defaultValue.isNull && property.fillValue.isNull)
    }
  }

  /// Has what reading an object takes fetched from memory.
  @usableFromInline
  func prefetch(_ object: ObjectIdentity, in reader: DatabaseReader) {
    reader.prefetch(object, columns)
  }

  private static func edge(
    _ property: EntityProperty,
    of info: EntityInfo,
    in schema: Schema
  ) throws(DatabaseError) -> RelationPlace.Edge? {
    switch property.kind {
    case .id, .value, .toOne: return nil
    case .toMany:
      let links = try schema.property(property.name, of: info.name, as: [ObjectIdentity].self)
      return .links(links, isSet: schema.isSet(links))
    case .backlink(let origin, let through):
      let name = origin.entityInfo.name
      if let number = origin.entityInfo.toOneNumber(through) {
        let link = try schema.property(through, of: name, as: ObjectIdentity?.self)
        return .toOneBacklinks(link, number: number)
      }
      let links = try schema.property(through, of: name, as: [ObjectIdentity].self)
      return .toManyBacklinks(links, isSet: schema.isSet(links))
    }
  }
}

/// Where a to-many relation of an entity is stored.
@usableFromInline
final class RelationPlace: Sendable {
  let owner: ClassKey
  /// The position of the map of the targets' entity.
  let target: Int
  let edge: Edge

  /// The links that the relation shows.
  enum Edge: Sendable {
    /// The links of a set or list.
    case links(TypedProperty<[ObjectIdentity]>, isSet: Bool)
    /// The objects whose to-one link leads to the owner.
    case toOneBacklinks(TypedProperty<ObjectIdentity?>, number: Int)
    /// The objects whose set or list links to the owner.
    case toManyBacklinks(TypedProperty<[ObjectIdentity]>, isSet: Bool)
  }

  init(_ owner: ClassKey, _ target: Int, _ edge: Edge) {
    self.owner = owner
    self.target = target
    self.edge = edge
  }
}

extension EntityInfo {
  /// The number of a to-one relation; `nil` if there is none of the name.
  fileprivate func toOneNumber(_ name: String) -> Int? {
    properties.firstIndex { property in
      if case .toOne = property.kind { property.name == name } else { false }
    }
  }
}

extension Schema {
  fileprivate func isSet(_ links: TypedProperty<[ObjectIdentity]>) -> Bool {
    property(links.key, of: links.classKey)?.type.collection == .set
  }
}
