import KennelCore

/// A model class in one file: which class and properties of the file it is stored as.
///
/// Keys are never reused, so a binding stays true while the file is open, whatever other programs
/// add to its schema.
internal final class ClassBinding: Sendable {
  let model: ModelClass
  let classKey: ClassKey
  /// By position in the model's properties; for an inverse relationship the position itself.
  let keys: [PropertyKey]
  /// By position: where the links of an inverse relationship come from.
  let origins: [LinkOrigin?]
  /// By the number of a property's key: the class that its links point to.
  let targets: [ClassKey?]
  /// By the number of a property's key: the lists and sets of links.
  let lists: [TypedProperty<[ObjectIdentity]>?]
  let plan: AccessorPlan
  /// How each property of an object that is added is stored.
  let adoption: [AdoptionStep]
  /// The key of the primary key property.
  let primaryKey: PropertyKey?
  let keyProperty: TypedProperty<StoredValue>?
  let integerKey: TypedProperty<Int64>?
  /// Where a primary key lies in an object that is a integer and nothing else.
  let integerKeyOffset: Int?

  init?(_ model: ModelClass, in schema: KennelCore.Schema) {
    guard let stored = schema[model.storedName] else { return nil }
    self.model = model
    classKey = stored.key
    var keys: [PropertyKey] = []
    var origins: [LinkOrigin?] = []
    for (position, property) in model.properties.enumerated() {
      if property.isInverse {
        guard let origin = LinkOrigin(property, in: schema) else { return nil }
        keys.append(PropertyKey(rawValue: UInt16(position)))
        origins.append(origin)
      } else {
        guard let key = stored[property.storedName]?.key else { return nil }
        keys.append(key)
        origins.append(nil)
      }
    }
    self.keys = keys
    self.origins = origins
    primaryKey = model.primaryKeyPosition.map { keys[$0] }
    let slots = stored.properties.map { Int($0.key.rawValue) }.max() ?? -1
    var targets: [ClassKey?] = Array(repeating: nil, count: slots + 1)
    for property in stored.properties where !property.isCollection {
      targets[Int(property.key.rawValue)] = property.target
    }
    self.targets = targets
    var lists: [TypedProperty<[ObjectIdentity]>?] = Array(repeating: nil, count: slots + 1)
    for property in stored.properties where property.isCollection && !property.isEmbedded {
      lists[Int(property.key.rawValue)] = try? schema.property(property.name, of: stored.name)
    }
    self.lists = lists
    integerKey = stored.primaryKey.flatMap { try? schema.property($0.name, of: stored.name) }
    keyProperty = stored.primaryKey.flatMap { try? schema.property($0.name, of: stored.name) }
    plan = AccessorPlan(model, keys: keys)
    adoption = model.properties.enumerated().map { position, property in
      let key = keys[position]
      let isKey = position == model.primaryKeyPosition
      return AdoptionStep(
        way: isKey ? .primaryKey : property.wrapper?.adoptionWay ?? .generic,
        position: position,
        offset: property.offset,
        key: key,
        owning: property.isInverse
          ? nil : try? schema.property(property.storedName, of: stored.name)
      )
    }
    integerKeyOffset = model.primaryKey.flatMap { property in
      property.wrapper?.valueType == Int.self ? property.offset : nil
    }
  }

  /// The key of a property of a name.
  func key(_ name: String) -> PropertyKey? {
    model.position(of: name).map { keys[$0] }
  }
}

/// The links that an inverse relationship follows backwards.
internal struct LinkOrigin: Sendable {
  let classKey: ClassKey
  let property: PropertyKey
  let links: TypedProperty<StoredValue>

  init?(_ property: ModelProperty, in schema: KennelCore.Schema) {
    guard let origin = property.shape.objectClass, let name = property.originName,
      let stored = schema[origin.storedClassName],
      let link = stored[ModelClass.of(origin)[name]?.storedName ?? name],
      let links = try? schema.property(link.name, of: stored.name, as: StoredValue.self)
    else { return nil }
    classKey = stored.key
    self.property = link.key
    self.links = links
  }
}
