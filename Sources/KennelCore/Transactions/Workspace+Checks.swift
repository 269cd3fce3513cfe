import KennelStorage

/// Checks before a change is made.
extension Workspace {
  /// Whether a whole value fits a property, and its targets exist.
  func check(
    _ value: Value,
    _ schema: ClassSchema,
    _ property: PropertySchema
  ) throws(DatabaseError) {
    if property.takesAnything(like: value) { return }
    let check = ValueCheck(schema: view.schema, className: schema.name, property: property)
    try check.check(value)
    if property.canLink { try requireTargets(value) }
  }

  /// Whether a new element fits a collection, its target exists, and no other object owns it.
  func checkElement(
    _ value: Value,
    _ schema: ClassSchema,
    _ property: PropertySchema
  ) throws(DatabaseError) {
    let check = ValueCheck(schema: view.schema, className: schema.name, property: property)
    try check.checkElement(value)
    if property.canLink { try requireTargets(value) }
    if property.isEmbedded, case .link(let target) = value {
      throw reader.secondOwner(schema, property, target)
    }
  }

  private func requireTargets(_ value: Value) throws(DatabaseError) {
    for target in value.links where try !reader.contains(target) {
      throw reader.missing(target)
    }
  }

  /// The schema of a collection property of an object that exists.
  func collection(
    _ kind: CollectionKind,
    _ object: ObjectIdentity,
    _ key: PropertyKey
  ) throws(DatabaseError) -> (ClassSchema, PropertySchema) {
    let property = try reader.existing(object, key)
    let schema = try reader.classSchema(object.classKey)
    guard property.type.collection == kind else {
      throw schema.error(property, "is not a \(kind); its type is \(property.type)", .wrongType)
    }
    return (schema, property)
  }

  /// Whether no other object of the class has a primary key, or a value of a unique property.
  func requireUnique(
    _ value: Value,
    _ schema: ClassSchema,
    _ property: PropertySchema,
    except object: ObjectIdentity?
  ) throws(DatabaseError) {
    let found = try storing { () throws(StorageError) -> ObjectKey? in
      if try view.indexes.isGreatestKey(schema.key, property, value) { return nil }
      return try view.indexes.findFirst(schema.key, property, value, except: object?.key)
    }
    guard let other = found else { return }
    let identity = ObjectIdentity(schema.key, other)
    let text = value.isNull ? "null" : "this value"
    let use = property.isPrimaryKey ? "as its primary key" : "in the unique property"
    throw DatabaseError(
      property.isPrimaryKey ? .duplicatePrimaryKey : .duplicateValue,
      "\(reader.describe(identity)) has \(text) \(use) \(schema.name)."
        + "\(property.name) already; choose another",
      className: schema.name,
      propertyName: property.name,
      object: identity
    )
  }

  /// An embedded object cannot get a second owner; its own slot may name it again, its own list in
  /// another order.
  func requireSameOwner(
    _ value: Value,
    old: Value,
    _ schema: ClassSchema,
    _ property: PropertySchema
  ) throws(DatabaseError) {
    if case .map(let entries) = value, case .map(let oldEntries) = old {
      for entry in entries {
        guard case .link(let target) = entry.value else { continue }
        if !oldEntries.contains(entry) { throw reader.secondOwner(schema, property, target) }
      }
      return
    }
    var owned: Set<ObjectIdentity> = Set(old.links)
    for link in value.links where owned.remove(link) == nil {
      throw reader.secondOwner(schema, property, link)
    }
  }
}

extension DatabaseReader {
  /// The class whose objects a property embeds.
  internal func embeddedClass(
    of property: PropertySchema,
    _ classKey: ClassKey
  ) throws(DatabaseError) -> ClassKey {
    if property.isEmbedded, let target = property.target { return target }
    let reason = "does not hold embedded objects; its type is \(property.type)"
    throw try classSchema(classKey).error(property, reason, .ownership)
  }

  internal func secondOwner(
    _ schema: ClassSchema,
    _ property: PropertySchema,
    _ target: ObjectIdentity
  ) -> DatabaseError {
    DatabaseError(
      .ownership,
      "Cannot put \(describe(target)) into \(schema.name).\(property.name): an embedded "
        + "object has exactly one owner; create a new one in the slot",
      className: schema.name,
      propertyName: property.name,
      object: target
    )
  }
}

extension PropertySchema {
  /// Whether a scalar fits for its kind alone, as nearly all do.
  internal func takesAnything(like value: Value) -> Bool {
    guard collection == .none else { return false }
    return kind == value.kind && kind != .link && type.bitWidth == 64
  }
}
