import KennelStorage

/// Changes of the schema that lose or reinterpret existing data.
///
/// Each either happens as a whole or throws and leaves everything as it was.
extension WriteTransaction {
  /// Deletes a property with its values and embedded objects; ignores the rules of its links.
  ///
  /// Linear in the number of objects of the class.
  ///
  /// - Parameters:
  ///   - name: The property.
  ///   - className: Its class.
  /// - Throws: `DatabaseError` if there is no such class or property, or the file is damaged.
  public func deleteProperty(_ name: String, of className: String) throws(DatabaseError) {
    try change { (workspace) throws(DatabaseError) in
      let found = try self.schema.found(name, of: className)
      let classKey = found.schema.key
      let property = found.property
      if property.isIndexed {
        try forEachObject(of: classKey) { (object) throws(DatabaseError) in
          let value = try value(of: object, property: property.key)
          view.indexes.removeEntry(object, property, value)
        }
      }
      // Without rule, index or fill value, an object that has no value leaves nothing behind.
      try update(classKey, property.key) { $0 = $0.plain }
      let nothing = property.isCollection ? property.type.collection.empty : Value.null
      let filler = property.type.initialValueOfKind
      try forEachObject(of: classKey) { (object) throws(DatabaseError) in
        if !property.fillValue.isNull { try workspace.setValue(object, property.key, filler) }
        try workspace.setValue(object, property.key, nothing)
      }
      var schema = self.schema
      schema.remove(property.key, of: classKey)
      try adopt(schema)
    }
  }

  /// Deletes classes that have no objects.
  ///
  /// Their keys are never used again.
  ///
  /// Linear in the number of objects that the classes ever had.
  ///
  /// - Parameter names: The classes. No other class may have a property that links to them, except
  ///   mixed properties.
  /// - Throws: `DatabaseError` with code `noSuchClass`, or `schemaMismatch` if a class has objects
  ///   or another class links to it.
  public func deleteClasses(_ names: Set<String>) throws(DatabaseError) {
    try change { (_) throws(DatabaseError) in
      var keys: Set<ClassKey> = []
      for name in names {
        let found = try schema.require(name)
        guard count(of: found.key) == 0 else {
          throw DatabaseError(
            .schemaMismatch,
            "Class \(name) has objects: delete them before the class",
            className: name
          )
        }
        keys.insert(found.key)
      }
      for other in schema.classes where !keys.contains(other.key) {
        for property in other.properties where property.target.map(keys.contains) ?? false {
          let target = property.type.target ?? "a class"
          throw refused(other, property, "links to \(target), so it must be deleted first")
        }
      }
      var changed = schema
      changed.remove(keys)
      try adopt(changed)
    }
  }

  /// Makes a property optional or required.
  ///
  /// Nulls of a required property become the default of its type.
  ///
  /// Linear in the number of objects of the class if the property becomes required.
  ///
  /// - Parameters:
  ///   - isOptional: Whether null is allowed.
  ///   - name: The property. In a collection, its elements become optional or required.
  ///   - className: Its class.
  /// - Throws: `DatabaseError` if there is no such class or property, or if the property is a
  ///   link or mixed, which is always optional.
  public func setOptional(
    _ isOptional: Bool,
    _ name: String,
    of className: String
  ) throws(DatabaseError) {
    try change { (workspace) throws(DatabaseError) in
      let (schema, property) = try self.schema.found(name, of: className)
      guard property.type.kind != .link, property.type.kind != .mixed else {
        throw refused(schema, property, "is a \(property.type), which is always optional")
      }
      guard property.type.isOptional != isOptional else { return }
      if !isOptional {
        let first = try storing { () throws(StorageError) in
          property.isUnique ? try view.indexes.findFirst(schema.key, property, .null) : nil
        }
        if first != nil {
          throw refused(
            schema,
            property,
            "is unique, and cannot be required while objects have none: give them values first"
          )
        }
        let filler = property.type.initialValueOfKind
        try forEachObject(of: schema.key) { (object) throws(DatabaseError) in
          let old = try value(of: object, property: property.key)
          let new = old.replacingNull(with: filler)
          if new != old { try workspace.setValue(object, property.key, new) }
        }
      }
      try update(schema.key, property.key) { property in
        property.type.isOptional = isOptional
        let filler = property.type.initialValue
        if !isOptional {
          property.defaultValue = property.defaultValue.replacingNull(with: filler)
          property.fillValue = property.fillValue.replacingNull(with: filler)
        }
      }
    }
  }

  /// Changes the width of an integer property.
  ///
  /// Linear in the number of objects of the class if the width decreases.
  ///
  /// - Parameters:
  ///   - bitWidth: The width: 8, 16, 32 or 64 bits.
  ///   - name: The property.
  ///   - className: Its class.
  /// - Throws: `DatabaseError` if there is no such class or property, it is not an integer, or a
  ///   value does not fit.
  public func setBitWidth(
    _ bitWidth: Int,
    _ name: String,
    of className: String
  ) throws(DatabaseError) {
    try change { (_) throws(DatabaseError) in
      let (schema, property) = try self.schema.found(name, of: className)
      guard property.type.kind == .int, PropertyType.bitWidths.contains(bitWidth) else {
        throw refused(schema, property, "is a \(property.type): only an int has 8 to 64 bits")
      }
      if bitWidth < property.type.bitWidth {
        let range = PropertyType.int(bitWidth: bitWidth).intRange
        try forEachObject(of: schema.key) { (object) throws(DatabaseError) in
          let value = try value(of: object, property: property.key)
          let fits = value.elements.allSatisfy { element in
            if case .int(let number) = element.value { range.contains(number) } else { true }
          }
          guard fits else {
            throw refused(schema, property, "has a number that does not fit \(bitWidth) bits")
          }
        }
      }
      try update(schema.key, property.key) { $0.type.bitWidth = bitWidth }
    }
  }

  /// Sets or removes the primary key of a class.
  ///
  /// Linear in the number of objects of the class.
  ///
  /// - Parameters:
  ///   - name: The property; `nil` for none.
  ///   - className: The class.
  /// - Throws: `DatabaseError` with code `duplicatePrimaryKey` if two objects have the same value;
  ///   or if there is no such class or property, or it cannot be a primary key.
  public func setPrimaryKey(_ name: String?, of className: String) throws(DatabaseError) {
    try change { (_) throws(DatabaseError) in
      let schema = try self.schema.require(className)
      let property = try name.map { (name) throws(DatabaseError) in
        try self.schema.found(name, of: className).property
      }
      if schema.primaryKey?.key == property?.key { return }
      if let property { try requireKey(property, schema) }
      var changed = self.schema
      if var old = schema.primaryKey {
        // It keeps its index, as any property may have one.
        old.isPrimaryKey = false
        changed.replace(old, of: schema.key)
      }
      if var new = property {
        new.isPrimaryKey = true
        new.isIndexed = true
        changed.replace(new, of: schema.key)
      }
      try adopt(changed)
      if let property, !property.isIndexed {
        try forEachObject(of: schema.key) { (object) throws(DatabaseError) in
          view.indexes.addEntry(object, property, try value(of: object, property: property.key))
        }
      }
    }
  }

  /// Makes a property unique, or allows equal values.
  ///
  /// Linear in the number of objects of the class if the property becomes unique.
  ///
  /// - Parameters:
  ///   - isUnique: Whether no two objects may have the same value; any number may have null.
  ///   - name: The property, which keeps its index.
  ///   - className: Its class.
  /// - Throws: `DatabaseError` with code `duplicateValue` if two objects have the same value; or if
  ///   there is no such class or property, or it cannot be unique.
  public func setUnique(
    _ isUnique: Bool,
    _ name: String,
    of className: String
  ) throws(DatabaseError) {
    let (schema, property) = try self.schema.found(name, of: className)
    if isUnique {
      var definition = PropertyDefinition(name, property.type, isUnique: true)
      definition.isPrimaryKey = property.isPrimaryKey
      let changed = ClassDefinition(
        className,
        isEmbedded: schema.isEmbedded,
        properties: [definition]
      )
      try define([changed])
    } else if property.isUnique {
      try change { (_) throws(DatabaseError) in
        try update(schema.key, property.key) { $0.isUnique = false }
      }
    }
  }

  /// Sets the schema version of the program.
  ///
  /// - Parameter version: The version. The engine does not use it.
  /// - Throws: `DatabaseError` if the transaction is over.
  public func setSchemaVersion(_ version: UInt64) throws(DatabaseError) {
    try change { (_) throws(DatabaseError) in
      guard schema.version != version else { return }
      var schema = schema
      schema.version = version
      try adopt(schema)
    }
  }

  // MARK: - Parts

  private func refused(
    _ schema: ClassSchema,
    _ property: PropertySchema,
    _ reason: String
  ) -> DatabaseError {
    DatabaseError(
      .schemaMismatch,
      "\(schema.name).\(property.name) \(reason)",
      className: schema.name,
      propertyName: property.name
    )
  }

  /// The values of a property are fit for a primary key.
  private func requireKey(
    _ property: PropertySchema,
    _ schema: ClassSchema
  ) throws(DatabaseError) {
    guard property.type.kind.canBePrimaryKey, !property.isCollection, !schema.isEmbedded else {
      throw refused(
        schema,
        property,
        "is a \(property.type) and cannot be a primary key: an int, string, objectId or uuid can"
      )
    }
    try requireDifferent(property, schema, .duplicatePrimaryKey, "the primary key")
  }

  /// The values of a property are fit for a unique one.
  internal func requireUnique(
    _ property: PropertySchema,
    of classKey: ClassKey
  ) throws(DatabaseError) {
    try requireDifferent(property, classSchema(classKey), .duplicateValue, "unique")
  }

  private func requireDifferent(
    _ property: PropertySchema,
    _ schema: ClassSchema,
    _ code: DatabaseError.Code,
    _ use: String
  ) throws(DatabaseError) {
    var seen: Set<Value> = []
    try forEachObject(of: schema.key) { (object) throws(DatabaseError) in
      let value = try value(of: object, property: property.key)
      if value.isNull, code == .duplicateValue { return }
      guard seen.insert(value).inserted else {
        throw DatabaseError(
          code,
          "\(schema.name).\(property.name) cannot be \(use): two objects have the same value",
          className: schema.name,
          propertyName: property.name,
          object: object
        )
      }
    }
  }

  /// Calls a body with each object of a class; the storage's memory is relieved in between.
  private func forEachObject(
    of classKey: ClassKey,
    _ body: (ObjectIdentity) throws(DatabaseError) -> Void
  ) throws(DatabaseError) {
    var start: ObjectKey? = ObjectKey(rawValue: 1)
    while let from = start {
      let objects = try objects(of: classKey, from: from, limit: 4096)
      for object in objects { try body(object) }
      try spill()
      start = objects.keys.last.map { ObjectKey(rawValue: $0.rawValue + 1) }
    }
  }

  private func update(
    _ classKey: ClassKey,
    _ key: PropertyKey,
    _ change: (inout PropertySchema) -> Void
  ) throws(DatabaseError) {
    guard var property = schema.property(key, of: classKey) else { return }
    change(&property)
    var changed = schema
    changed.replace(property, of: classKey)
    try adopt(changed)
  }
}

extension Schema {
  /// Takes a property out, with the backlinks along it.
  fileprivate mutating func remove(_ key: PropertyKey, of classKey: ClassKey) {
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
  fileprivate mutating func remove(_ keys: Set<ClassKey>) {
    classes.removeAll { keys.contains($0.key) }
    for position in classes.indices {
      classes[position].backlinks.removeAll { keys.contains($0.origin) }
      classes[position].backlinkColumns.removeAll { keys.contains($0.origin) }
    }
    index()
  }

  fileprivate mutating func replace(_ property: PropertySchema, of classKey: ClassKey) {
    guard let position = position(of: classKey),
      let place = classes[position].properties.firstIndex(where: { $0.key == property.key })
    else { return }
    classes[position].properties[place] = property
    classes[position].index()
    index()
  }
}

extension PropertySchema {
  /// The same without anything that an object without a value would have.
  fileprivate var plain: PropertySchema {
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
}

extension PropertyType {
  /// The initial value of the kind, never null.
  fileprivate var initialValueOfKind: Value {
    var type = element
    type.isOptional = false
    return type.initialValue
  }
}

extension Value {
  /// The same with another value for each null.
  fileprivate func replacingNull(with filler: Value) -> Value {
    mapElements { $0.isNull ? filler : $0 }.canonical
  }
}
