public import KennelStorage

extension Schema {
  /// Returns a class by its name, or throws.
  ///
  /// ```swift
  /// let dog = try transaction.schema.require("Dog")
  /// let rex = try transaction.create(dog.key, [dog.require("name").key: .string("Rex")])
  /// ```
  ///
  /// - Throws: `DatabaseError` with code `noSuchClass`. Inside ``Database/write(_:)``, a
  ///   misspelled name therefore rolls back the transaction.
  public func require(_ className: String) throws(DatabaseError) -> ClassSchema {
    if let schema = self[className] { return schema }
    throw DatabaseError(.noSuchClass, "There is no class \(className)", className: className)
  }

  /// The property of a name of a class.
  internal func found(
    _ name: String,
    of className: String
  ) throws(DatabaseError) -> (schema: ClassSchema, property: PropertySchema) {
    let schema = try require(className)
    return (schema, try schema.require(name))
  }

  /// Returns whether ``WriteTransaction/define(_:migration:)`` would change the schema.
  ///
  /// If a program checks this beforehand, it takes the writer's lock only when necessary.
  ///
  /// - Parameter classes: The classes.
  /// - Returns: Whether the schema would change.
  /// - Throws: `DatabaseError` with code `schemaMismatch` if defining them would fail.
  public func lacks(_ classes: [ClassDefinition]) throws(DatabaseError) -> Bool {
    var merger = SchemaMerger(self)
    try merger.merge(classes)
    return merger.isChanged
  }
}

extension ClassSchema {
  /// Returns a property by its name, or throws.
  ///
  /// - Throws: `DatabaseError` with code `noSuchProperty`.
  public func require(_ propertyName: String) throws(DatabaseError) -> PropertySchema {
    if let property = self[propertyName] { return property }
    throw DatabaseError(
      .noSuchProperty,
      "Class \(name) has no property \(propertyName)",
      className: name,
      propertyName: propertyName
    )
  }

  /// Makes an error about a property, whose message begins with its name.
  internal func error(
    _ property: PropertySchema,
    _ reason: String,
    _ code: DatabaseError.Code = .schemaMismatch,
    object: ObjectIdentity? = nil
  ) -> DatabaseError {
    DatabaseError(
      code,
      "\(name).\(property.name) \(reason)",
      className: name,
      propertyName: property.name,
      object: object
    )
  }
}

extension Schema {
  /// The definitions of the classes.
  ///
  /// Defining them in an empty file creates the same classes. A definition does not include the
  /// fill value: the value of objects that were created before the property was added.
  public var definitions: [ClassDefinition] {
    classes.map { declared in
      ClassDefinition(
        declared.name,
        isEmbedded: declared.isEmbedded,
        properties: declared.properties.map(\.definition),
        backlinks: declared.backlinks.compactMap { backlink in
          guard let origin = self[backlink.origin], let property = origin[backlink.property]
          else { return nil }
          return BacklinkDefinition(backlink.name, origin: origin.name, property: property.name)
        }
      )
    }
  }
}

extension PropertySchema {
  /// The value in a new object that is made without one.
  @_spi(Faces)
  public var initialValue: Value {
    isCollection ? (defaultValue.isNull ? type.collection.empty : defaultValue) : defaultValue
  }
}
