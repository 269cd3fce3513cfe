import KennelStorage

extension Schema {
  /// Takes a property out, with the backlinks along it.
  internal mutating func remove(_ key: PropertyKey, of classKey: ClassKey) {
    for position in classes.indices {
      if classes[position].key == classKey {
        classes[position].properties.removeAll { $0.key == key }
        classes[position].index()
      }
      classes[position].backlinks.removeAll { $0.origin == classKey && $0.property == key }
      classes[position].backlinkColumns.removeAll { $0.origin == classKey && $0.property == key }
    }
    index()
  }

  /// Takes classes out, with the backlinks along their properties.
  internal mutating func remove(_ keys: Set<ClassKey>) {
    classes.removeAll { keys.contains($0.key) }
    for position in classes.indices {
      classes[position].backlinks.removeAll { keys.contains($0.origin) }
      classes[position].backlinkColumns.removeAll { keys.contains($0.origin) }
    }
    index()
  }

  internal mutating func replace(_ property: PropertySchema, of classKey: ClassKey) {
    guard let position = position(of: classKey),
      let place = classes[position].properties.firstIndex(where: { $0.key == property.key })
    else { return }
    classes[position].properties[place] = property
    classes[position].index()
    index()
  }

  /// Puts a property in the place of another one, with its name and the backlinks that are declared.
  internal mutating func supersede(
    _ old: PropertySchema,
    with new: PropertySchema,
    of classKey: ClassKey
  ) {
    guard let position = position(of: classKey),
      let place = classes[position].properties.firstIndex(where: { $0.key == old.key })
    else { return }
    classes[position].properties.removeAll { $0.key == new.key }
    classes[position].properties.insert(new, at: place)
    classes[position].index()
    for other in classes.indices {
      classes[other].backlinks = classes[other].backlinks.map { backlink in
        backlink.origin == classKey && backlink.property == old.key
          ? BacklinkSchema(name: backlink.name, origin: classKey, property: new.key) : backlink
      }
    }
    index()
  }

  /// Has the next property of a class get a number, which no other one had.
  internal mutating func skipColumns(
    of schema: ClassSchema,
    to number: Int
  ) throws(DatabaseError) {
    guard let position = position(of: schema.key), number >= schema.nextColumn,
      let column = UInt16(exactly: number)
    else {
      throw DatabaseError(
        .schemaMismatch,
        "Class \(schema.name) has given the number \(number) to another property",
        className: schema.name
      )
    }
    classes[position].nextColumn = column
    classes[position].index()
  }
}

extension PropertySchema {
  /// The same without anything that an object without a value would have.
  internal var plain: PropertySchema {
    var type = type
    if type.kind != .link { type.isOptional = true }
    return PropertySchema(
      key: key,
      name: name,
      type: type,
      target: target,
      isEmbedded: isEmbedded,
      defaultValue: type.collection == .none ? .null : type.collection.empty,
      fillValue: .null
    )
  }

  /// The same as a program would define it.
  internal var definition: PropertyDefinition {
    PropertyDefinition(
      name,
      type,
      isPrimaryKey: isPrimaryKey,
      isUnique: isUnique,
      isIndexed: isIndexed && !isPrimaryKey && !isUnique,
      deleteRule: deleteRule == .nullify ? nil : deleteRule,
      targetRule: targetRule == .nullify ? nil : targetRule,
      defaultValue: defaultValue == type.initialValue ? nil : defaultValue,
      schemaForm: schemaForm.isEmpty ? nil : schemaForm
    )
  }
}

extension PropertyType {
  /// The initial value of the kind, never null.
  internal var initialValueOfKind: Value {
    var type = element
    type.isOptional = false
    return type.initialValue
  }
}

extension Value {
  /// The same with another value for each null.
  internal func replacingNull(with filler: Value) -> Value {
    mapElements { $0.isNull ? filler : $0 }.canonical
  }
}
