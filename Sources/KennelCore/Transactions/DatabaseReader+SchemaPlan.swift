import KennelStorage

extension DatabaseReader {
  /// Returns the effect that a change of the schema would have on the objects that are there.
  ///
  /// Linear in the number of objects of the class if values are converted or deleted; nothing is changed.
  ///
  /// - Parameters:
  ///   - change: The change.
  ///   - progress: Receives progress and can cancel.
  /// - Returns: The effect.
  /// - Throws: `DatabaseError` if there is no such class or property, the property cannot have the type,
  ///   `progress` cancelled it, or the file is damaged. Whether a change is possible in every other
  ///   respect is checked when it is made.
  public final func plan(
    of change: SchemaChange,
    progress: QueryProgress? = nil
  ) throws(DatabaseError) -> SchemaPlan {
    var plan = SchemaPlan()
    if case .addClass = change { return plan }
    let schema = try self.schema.require(change.className)
    plan.objectCount = count(of: schema.key)
    let look = SchemaLook(
      reader: self,
      schema: schema,
      steps: StepProgress(progress, count: plan.objectCount)
    )
    switch change {
    case .retypeProperty(let name, _, let type, let isClearing):
      try look.retyping(schema.require(name), type, clearing: isClearing, &plan)
    case .deleteProperty(let name, _): try look.deleting(schema.require(name), &plan)
    case .setUnique(true, let name, _):
      try look.comparing(schema.require(name), isPrimaryKey: false, &plan)
    case .setPrimaryKey(let name?, _):
      try look.comparing(schema.require(name), isPrimaryKey: true, &plan)
    case .setIndexed(_, let name, _), .setUnique(_, let name, _):
      if try !schema.require(name).isIndexed { plan.valueCount = plan.objectCount }
    case .addClass, .renameClass, .deleteClass, .addProperty, .renameProperty, .setPrimaryKey,
      .setDeleteRule, .setTargetRule:
      break
    }
    return plan
  }

  /// Calls a body with each object of a class, in the order of the keys.
  ///
  /// - Parameters:
  ///   - classKey: The class.
  ///   - step: Called every few thousand objects with the number of objects visited.
  ///   - body: Called with each object.
  /// - Throws: `DatabaseError` if the file is damaged, and what the functions throw.
  @_spi(Faces) public final func visitObjects(
    of classKey: ClassKey,
    step: (Int) throws(DatabaseError) -> Void = { _ in },
    _ body: (ObjectIdentity) throws(DatabaseError) -> Void
  ) throws(DatabaseError) {
    var start: ObjectKey? = ObjectKey(rawValue: 0)
    var count = 0
    while let from = start {
      let objects = try objects(of: classKey, from: from, limit: 4096)
      for object in objects { try body(object) }
      count += objects.count
      try step(count)
      start = objects.keys.last.map { ObjectKey(rawValue: $0.rawValue + 1) }
    }
  }

  /// What a change of the schema depends on, as text, to be compared when it is made again.
  internal final func sight(of change: SchemaChange) -> String {
    guard let schema = self.schema[change.className] else { return "" }
    if case .deleteClass = change {
      return schema.properties.map { "\($0.name): \($0.definition.text)" }
        .joined(separator: "; ")
    }
    guard let name = change.propertyName else { return schema.primaryKey?.name ?? "" }
    switch change {
    case .renameProperty, .addProperty: return ""
    case .addClass, .renameClass, .deleteClass, .retypeProperty, .deleteProperty, .setPrimaryKey,
      .setUnique, .setIndexed, .setDeleteRule, .setTargetRule:
      return schema[name]?.definition.text ?? ""
    }
  }

  /// The number of the class or property that a change makes; `nil` if it makes none.
  internal final func nextNumber(for change: SchemaChange) throws(DatabaseError) -> Int? {
    let found = self.schema[change.className]
    switch change {
    case .addClass: return try storing(view.nextClassNumber())
    case .addProperty: return found.map { Int($0.nextColumn) }
    case .retypeProperty(let name, _, let type, _):
      guard let found, let property = found[name], property.type.needsColumn(for: type) else {
        return nil
      }
      return Int(found.nextColumn)
    case .renameClass, .deleteClass, .renameProperty, .deleteProperty, .setPrimaryKey, .setUnique,
      .setIndexed, .setDeleteRule, .setTargetRule:
      return nil
    }
  }
}

/// A look at the objects of a class whose schema is to be changed.
private struct SchemaLook {
  let reader: DatabaseReader
  let schema: ClassSchema
  let steps: StepProgress

  private func forEachValue(
    of property: PropertySchema,
    _ body: (ObjectIdentity, Value) -> Void
  ) throws(DatabaseError) {
    try reader.visitObjects(of: schema.key) { (object) throws(DatabaseError) in
      try steps.next()
      body(object, try reader.value(of: object, property: property.key))
    }
  }

  func deleting(_ property: PropertySchema, _ plan: inout SchemaPlan) throws(DatabaseError) {
    try forEachValue(of: property) { _, value in
      if value.isNull || value.isCollection && value.elements.isEmpty { return }
      plan.valueCount += 1
      guard property.canLink else { return }
      if property.isEmbedded {
        plan.embeddedCount += value.links.count
      } else {
        plan.linkCount += value.links.count
      }
    }
  }

  func comparing(
    _ property: PropertySchema,
    isPrimaryKey: Bool,
    _ plan: inout SchemaPlan
  ) throws(DatabaseError) {
    if !property.isIndexed { plan.valueCount = plan.objectCount }
    var seen: Set<Value> = []
    try forEachValue(of: property) { object, value in
      if value.isNull, !isPrimaryKey { return }
      if !seen.insert(value).inserted { plan.noteDuplicate(object, value) }
    }
  }

  func retyping(
    _ property: PropertySchema,
    _ type: PropertyType,
    clearing isClearing: Bool,
    _ plan: inout SchemaPlan
  ) throws(DatabaseError) {
    if let problem = problem(property, type) { throw schema.error(property, problem) }
    let conversion = ValueConversion(
      target: type,
      targetClass: type.target.flatMap { reader.schema[$0]?.key }
    )
    var seen: Set<Value> = []
    try forEachValue(of: property) { object, value in
      var converted = conversion.convert(value)
      if converted == nil {
        plan.noteMisfit(object, value)
        if isClearing { converted = conversion.convertClearing(value) }
      }
      guard let converted else { return }
      if converted != value { plan.valueCount += 1 }
      guard property.isUnique && !converted.isNull || property.isPrimaryKey else { return }
      if !seen.insert(converted).inserted { plan.noteDuplicate(object, value) }
    }
  }

  private func problem(_ property: PropertySchema, _ type: PropertyType) -> String? {
    if property.isEmbedded || type.target.map({ reader.schema[$0]?.isEmbedded == true }) == true {
      return "holds embedded objects, which belong to it: add another property instead"
    }
    let isSingle = type.collection == .none && type.kind != .link && type.kind != .mixed
    if property.isPrimaryKey, !type.kind.canBePrimaryKey || type.collection != .none {
      return "is the primary key, which an int, string, objectId or uuid can be, not \(type)"
    }
    if property.isIndexed, !isSingle {
      return
        "is \(property.isUnique ? "unique" : "indexed"), which a single scalar can be, not \(type)"
    }
    return nil
  }
}
