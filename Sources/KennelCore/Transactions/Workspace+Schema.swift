import KennelStorage

/// Changes of the schema, with the objects that are there.
///
/// Each checks everything first, so that it happens as a whole or leaves everything as it was.
extension Workspace {
  /// Performs a change of the schema.
  ///
  /// - Parameters:
  ///   - change: The change.
  ///   - number: The number of the class or property that it makes; `nil` for the next one.
  /// - Returns: Its effect.
  /// - Throws: `DatabaseError` if the change is not possible, or the file is damaged.
  func perform(_ change: SchemaChange, number: Int?) throws(DatabaseError) -> SchemaPlan {
    let plan = try reader.plan(of: change, progress: progress)
    switch change {
    case .addClass(let name, let isEmbedded):
      try requireNew(name)
      try define([ClassDefinition(name, isEmbedded: isEmbedded)], nextClass: number)
    case .renameClass(let old, let new):
      try define([], migration: [.renameClass(from: old, to: new)])
    case .deleteClass(let name): try deleteClasses([name])
    case .addProperty(let definition, let className):
      try requireNew(definition.name, in: className)
      try define(definition, of: className, number: number)
    case .renameProperty(let old, let className, let new):
      try define([], migration: [.renameProperty(className: className, from: old, to: new)])
    case .retypeProperty(let name, let className, let type, let isClearing):
      try retype(name, of: className, to: type, clearing: isClearing, number: number, plan)
    case .deleteProperty(let name, let className): try deleteProperty(name, of: className)
    case .setPrimaryKey(let name, let className): try setPrimaryKey(name, of: className)
    case .setUnique(let isUnique, let name, let className):
      try setUnique(isUnique, name, of: className)
    case .setIndexed(let isIndexed, let name, let className):
      try setIndexed(isIndexed, name, of: className)
    case .setDeleteRule(let rule, let name, let className):
      try define([], migration: [.setDeleteRule(className: className, property: name, rule)])
    case .setTargetRule(let rule, let name, let className):
      try define([], migration: [.setTargetRule(className: className, property: name, rule)])
    }
    return plan
  }

  // MARK: - Definitions

  /// Merges definitions into the schema.
  func define(
    _ classes: [ClassDefinition],
    migration: [MigrationStep] = [],
    nextClass: Int? = nil
  ) throws(DatabaseError) {
    let next = try storing(view.nextClassNumber())
    if let nextClass, nextClass < next {
      throw DatabaseError(
        .schemaMismatch,
        "Another class has the number \(nextClass)",
        className: classes.first?.name
      )
    }
    try define(classes, migration, in: reader.schema, nextClass: nextClass ?? next)
  }

  private func define(
    _ classes: [ClassDefinition],
    _ migration: [MigrationStep],
    in schema: Schema,
    nextClass: Int
  ) throws(DatabaseError) {
    var merger = SchemaMerger(schema, nextClass: nextClass)
    try merger.migrate(migration)
    try merger.merge(classes)
    let count = { (name: String) in schema[name].map { self.reader.count(of: $0.key) } ?? 0 }
    let keyless = merger.needEmptyClass.filter { count($0) > 0 }
    let equal = merger.needFewObjects.filter { count($0.className) > 1 }
    let mistakes =
      keyless.map { merger.refusal(for: $0) }
      + equal.map { merger.refusal(for: $0.className, $0.property) }
    if !mistakes.isEmpty { throw DatabaseError(mistakes: mistakes) }
    for (classKey, property) in merger.madeUnique {
      let found = try reader.classSchema(classKey)
      try requireDifferent(property, found, .duplicateValue, "unique")
    }
    guard merger.isChanged else { return }
    let added = merger.addedIndexes
    try adopt(merger.schema)
    for (classKey, property) in added { try makeIndex(classKey, property) }
  }

  /// Adds a property, with a number of its own if there is one.
  func define(
    _ definition: PropertyDefinition,
    of className: String,
    number: Int? = nil
  ) throws(DatabaseError) {
    var schema = reader.schema
    let found = try schema.require(className)
    if let number { try schema.skipColumns(of: found, to: number) }
    try define(
      [ClassDefinition(className, isEmbedded: found.isEmbedded, properties: [definition])],
      [],
      in: schema,
      nextClass: 0
    )
  }

  /// A class that is there is not what a person adds.
  private func requireNew(_ className: String) throws(DatabaseError) {
    guard reader.schema[className] == nil else {
      throw DatabaseError(
        .schemaMismatch,
        "There is a class \(className) already",
        className: className
      )
    }
  }

  private func requireNew(_ name: String, in className: String) throws(DatabaseError) {
    let schema = try reader.schema.require(className)
    guard schema[name] == nil, !schema.backlinks.contains(where: { $0.name.hasSameBytes(as: name) })
    else {
      throw DatabaseError(
        .schemaMismatch,
        "Class \(className) has a property \(name) already",
        className: className,
        propertyName: name
      )
    }
  }

  /// Goes on with another schema.
  func adopt(_ schema: Schema) throws(DatabaseError) {
    try storing(keeper.setSchema(schema))
    reader.links = LinkIndex(view.schema)
  }

  func makeIndex(_ classKey: ClassKey, _ key: PropertyKey) throws(DatabaseError) {
    let property = try reader.property(key, of: classKey)
    try storing(keeper.makeIndex(classKey, property))
  }

  // MARK: - Deleting

  func deleteProperty(_ name: String, of className: String) throws(DatabaseError) {
    let (schema, property) = try reader.schema.found(name, of: className)
    try delete(property, of: schema.key)
  }

  /// Deletes a property, which need not be the first one of its name.
  func delete(_ property: PropertySchema, of classKey: ClassKey) throws(DatabaseError) {
    // In the memory of a draft, nobody finds what is left of values and of an index.
    if !isDraft || property.canLink {
      if property.isIndexed { try removeIndex(of: property, classKey) }
      // Without rule, index or fill value, an object that has no value leaves nothing behind.
      try update(classKey, property.key) { $0 = $0.plain }
      let nothing = property.isCollection ? property.type.collection.empty : Value.null
      let filler = property.type.initialValueOfKind
      try forEachObject(of: classKey) { (object) throws(DatabaseError) in
        if !property.fillValue.isNull { try setValue(object, property.key, filler) }
        try setValue(object, property.key, nothing)
      }
    }
    var schema = reader.schema
    schema.remove(property.key, of: classKey)
    try adopt(schema)
  }

  private func removeIndex(
    of property: PropertySchema,
    _ classKey: ClassKey
  ) throws(DatabaseError) {
    try forEachObject(of: classKey) { (object) throws(DatabaseError) in
      let value = try reader.value(of: object, property: property.key)
      view.indexes.removeEntry(object, property, value)
    }
  }

  func deleteClasses(_ names: Set<String>) throws(DatabaseError) {
    var keys: Set<ClassKey> = []
    for name in names {
      let found = try reader.schema.require(name)
      guard reader.count(of: found.key) == 0 else {
        throw DatabaseError(
          .schemaMismatch,
          "Class \(name) has objects: delete them before the class",
          className: name
        )
      }
      keys.insert(found.key)
    }
    for other in reader.schema.classes where !keys.contains(other.key) {
      for property in other.properties where property.target.map(keys.contains) ?? false {
        let target = property.type.target ?? "a class"
        throw other.error(property, "links to \(target), so it must be deleted first")
      }
    }
    var changed = reader.schema
    changed.remove(keys)
    try adopt(changed)
  }

  // MARK: - Types

  func setOptional(
    _ isOptional: Bool,
    _ name: String,
    of className: String
  ) throws(DatabaseError) {
    let (schema, property) = try reader.schema.found(name, of: className)
    guard property.type.kind != .link, property.type.kind != .mixed else {
      throw schema.error(property, "is a \(property.type), which is always optional")
    }
    guard property.type.isOptional != isOptional else { return }
    if !isOptional {
      let first = try storing { () throws(StorageError) in
        property.isUnique ? try view.indexes.findFirst(schema.key, property, .null) : nil
      }
      if first != nil {
        throw schema.error(
          property,
          "is unique, and cannot be required while objects have none: give them values first"
        )
      }
      let filler = property.type.initialValueOfKind
      try forEachObject(of: schema.key) { (object) throws(DatabaseError) in
        let old = try reader.value(of: object, property: property.key)
        let new = old.replacingNull(with: filler)
        if new != old { try setValue(object, property.key, new) }
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

  func setBitWidth(
    _ bitWidth: Int,
    _ name: String,
    of className: String
  ) throws(DatabaseError) {
    let (schema, property) = try reader.schema.found(name, of: className)
    guard property.type.kind == .int, PropertyType.bitWidths.contains(bitWidth) else {
      throw schema.error(property, "is a \(property.type): only an int has 8 to 64 bits")
    }
    if bitWidth < property.type.bitWidth {
      let range = PropertyType.int(bitWidth: bitWidth).intRange
      try forEachObject(of: schema.key) { (object) throws(DatabaseError) in
        let value = try reader.value(of: object, property: property.key)
        let fits = value.elements.allSatisfy { element in
          if case .int(let number) = element.value { range.contains(number) } else { true }
        }
        guard fits else {
          throw schema.error(property, "has a number that does not fit \(bitWidth) bits")
        }
      }
    }
    try update(schema.key, property.key) { $0.type.bitWidth = bitWidth }
  }

  // MARK: - Indexes

  func setPrimaryKey(_ name: String?, of className: String) throws(DatabaseError) {
    let schema = try reader.schema.require(className)
    let property = try name.map { (name) throws(DatabaseError) in
      try reader.schema.found(name, of: className).property
    }
    if schema.primaryKey?.key == property?.key { return }
    if let property { try requireKey(property, schema) }
    var changed = reader.schema
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
    if let property, !property.isIndexed { try makeIndex(schema.key, property.key) }
  }

  func setUnique(_ isUnique: Bool, _ name: String, of className: String) throws(DatabaseError) {
    let (schema, property) = try reader.schema.found(name, of: className)
    if isUnique {
      let isKey = property.isPrimaryKey
      try define(.init(name, property.type, isPrimaryKey: isKey, isUnique: true), of: className)
    } else if property.isUnique {
      try update(schema.key, property.key) { $0.isUnique = false }
    }
  }

  func setIndexed(_ isIndexed: Bool, _ name: String, of className: String) throws(DatabaseError) {
    let (schema, property) = try reader.schema.found(name, of: className)
    if isIndexed {
      let isKey = property.isPrimaryKey
      try define(.init(name, property.type, isPrimaryKey: isKey, isIndexed: true), of: className)
    } else if property.isIndexed {
      guard !property.isPrimaryKey, !property.isUnique else {
        let use = property.isPrimaryKey ? "the primary key" : "unique"
        throw schema.error(property, "is \(use), which needs its index")
      }
      try removeIndex(of: property, schema.key)
      try update(schema.key, property.key) { $0.isIndexed = false }
    }
  }

  // MARK: - Parts

  /// The values of a property are fit for a primary key.
  private func requireKey(
    _ property: PropertySchema,
    _ schema: ClassSchema
  ) throws(DatabaseError) {
    guard property.type.kind.canBePrimaryKey, !property.isCollection, !schema.isEmbedded else {
      throw schema.error(
        property,
        "is a \(property.type) and cannot be a primary key: an int, string, objectId or uuid can"
      )
    }
    try requireDifferent(property, schema, .duplicatePrimaryKey, "the primary key")
  }

  private func requireDifferent(
    _ property: PropertySchema,
    _ schema: ClassSchema,
    _ code: DatabaseError.Code,
    _ use: String
  ) throws(DatabaseError) {
    var seen: Set<Value> = []
    try forEachObject(of: schema.key) { (object) throws(DatabaseError) in
      let value = try reader.value(of: object, property: property.key)
      if value.isNull, code == .duplicateValue { return }
      guard seen.insert(value).inserted else {
        let reason = "cannot be \(use): two objects have the same value"
        throw schema.error(property, reason, code, object: object)
      }
    }
  }

  /// Calls a body with each object of a class; the storage's memory is relieved in between.
  func forEachObject(
    of classKey: ClassKey,
    _ body: (ObjectIdentity) throws(DatabaseError) -> Void
  ) throws(DatabaseError) {
    try reader.visitObjects(
      of: classKey,
      step: { (_) throws(DatabaseError) in try storing(keeper.relieve()) },
      body
    )
  }

  func update(
    _ classKey: ClassKey,
    _ key: PropertyKey,
    _ change: (inout PropertySchema) -> Void
  ) throws(DatabaseError) {
    guard var property = reader.schema.property(key, of: classKey) else { return }
    change(&property)
    var changed = reader.schema
    changed.replace(property, of: classKey)
    try adopt(changed)
  }
}
