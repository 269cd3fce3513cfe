import KennelStorage

/// Gives a property another type, with the values of the objects that are there.
extension Workspace {
  /// - Parameters:
  ///   - name: The property.
  ///   - className: Its class.
  ///   - type: The new type.
  ///   - isClearing: Whether values that cannot be converted are given up.
  ///   - number: The number of the property that takes its place; `nil` for the next one.
  ///   - plan: The effect of the change, which was found out just now.
  /// - Throws: `DatabaseError` if the change is not possible, or the file is damaged.
  func retype(
    _ name: String,
    of className: String,
    to type: PropertyType,
    clearing isClearing: Bool,
    number: Int?,
    _ plan: SchemaPlan
  ) throws(DatabaseError) {
    let (schema, property) = try reader.schema.found(name, of: className)
    if property.type == type { return }
    if plan.misfitCount > 0, !isClearing {
      throw misfits(plan.misfitCount, plan.misfits, schema, property, type)
    }
    if let double = plan.duplicates.first {
      throw schema.error(
        property,
        "cannot be \(type): it is \(property.isPrimaryKey ? "the primary key" : "unique"), and two "
          + "objects would have the same value",
        property.isPrimaryKey ? .duplicatePrimaryKey : .duplicateValue,
        object: double.object
      )
    }
    let conversion = ValueConversion(
      target: type,
      targetClass: type.target.flatMap { reader.schema[$0]?.key }
    )
    if property.type.needsColumn(for: type) {
      try move(property, of: schema, conversion, number: number)
    } else {
      try retype(property, of: schema.key, conversion)
    }
  }

  private func misfits(
    _ count: Int,
    _ misfits: [SchemaPlan.Misfit],
    _ schema: ClassSchema,
    _ property: PropertySchema,
    _ type: PropertyType
  ) -> DatabaseError {
    let first = misfits.first
    let text = first.map { "\(ValueText.describeMixed($0.value)) of \(reader.describe($0.object))" }
    return schema.error(
      property,
      "cannot be \(type): \(count) \(count == 1 ? "value" : "values") cannot be converted, such as "
        + (text ?? ""),
      .wrongType,
      object: first?.object
    )
  }

  /// Changes what a property may hold, in its place.
  private func retype(
    _ property: PropertySchema,
    of classKey: ClassKey,
    _ conversion: ValueConversion
  ) throws(DatabaseError) {
    // The new values fit the old type, too: what they may be is less, or they stay.
    try forEachObject(of: classKey) { (object) throws(DatabaseError) in
      let old = try reader.value(of: object, property: property.key)
      let new = conversion.convertClearing(old)
      if new != old { try setValue(object, property.key, new) }
    }
    try update(classKey, property.key) { property in
      property.type = conversion.target
      property.defaultValue = conversion.convertClearing(property.defaultValue)
      if !property.isCollection {
        property.fillValue = conversion.convertClearing(property.fillValue)
      }
    }
  }

  /// Puts a new property with the converted values in the place of one: a column has one form.
  private func move(
    _ property: PropertySchema,
    of schema: ClassSchema,
    _ conversion: ValueConversion,
    number: Int?
  ) throws(DatabaseError) {
    let type = conversion.target
    let canLink = type.kind == .link || type.kind == .mixed
    var taken = Set(schema.properties.map { Array($0.name.utf8) })
    taken.formUnion(schema.backlinks.map { Array($0.name.utf8) })
    let temporary = ClassDefinition.allowedName(for: property.name, besides: &taken)
    let definition = PropertyDefinition(
      temporary,
      type,
      deleteRule: canLink ? property.deleteRule : nil,
      targetRule: canLink ? property.targetRule : nil
    )
    try define(definition, of: schema.name, number: number)
    var new = try reader.schema.found(temporary, of: schema.name).property
    try forEachObject(of: schema.key) { (object) throws(DatabaseError) in
      let value = try reader.value(of: object, property: property.key)
      let converted = conversion.convertClearing(value)
      if converted != new.absentValue { try setValue(object, new.key, converted) }
    }
    new.name = property.name
    new.defaultValue = conversion.convert(property.defaultValue) ?? type.initialValue
    var changed = reader.schema
    changed.supersede(property, with: new, of: schema.key)
    try adopt(changed)
    try delete(property, of: schema.key)
    guard property.isIndexed else { return }
    try update(schema.key, new.key) { new in
      new.isPrimaryKey = property.isPrimaryKey
      new.isUnique = property.isUnique
      new.isIndexed = true
    }
    try makeIndex(schema.key, new.key)
  }
}

extension PropertyType {
  /// Whether values of another type are stored in another form.
  internal func needsColumn(for type: PropertyType) -> Bool {
    kind != type.kind || collection != type.collection || target != type.target
  }
}
