import KennelStorage

/// Merges what a program asks for into the schema of a file.
internal struct SchemaMerger {
  private(set) var schema: Schema
  private(set) var isChanged = false
  /// Indexes that must be built for objects that are there.
  private(set) var addedIndexes: [(ClassKey, PropertyKey)] = []
  /// Classes that must have no object for the change to be possible.
  private(set) var needEmptyClass: [String] = []
  /// New properties, of which no two objects may have the same value, and all would have one.
  private(set) var needFewObjects: [(className: String, property: String)] = []
  /// Properties of the file that become unique.
  private(set) var madeUnique: [(ClassKey, PropertySchema)] = []

  /// Contradictions to the file or in the definitions.
  private(set) var mistakes: [DatabaseError] = []

  /// The number of the next class.
  private let nextClass: Int

  private static let mostClasses = 4095
  private static let mostProperties = 4094

  /// - Parameters:
  ///   - schema: The schema of the file.
  ///   - nextClass: The number of the next class, where it is to be stored.
  init(_ schema: Schema, nextClass: Int = 0) {
    self.schema = schema
    self.nextClass = nextClass
  }

  mutating func merge(_ definitions: [ClassDefinition]) throws(DatabaseError) {
    var names: Set<[UInt8]> = []
    for definition in definitions {
      guard names.insert(Array(definition.name.utf8)).inserted else {
        mistakes.append(
          refuse(definition.name, "is defined twice; give each class one definition")
        )
        continue
      }
      do throws(DatabaseError) { try addClass(definition) } catch { mistakes.append(error) }
    }
    for definition in definitions { mergeProperties(definition) }
    for definition in definitions { mergeBacklinks(definition) }
    addBacklinkSlots()
    if !mistakes.isEmpty { throw DatabaseError(mistakes: mistakes) }
  }

  func refusal(for className: String) -> DatabaseError {
    refuse(className, "has objects, so it cannot get a primary key without a migration")
  }

  func refusal(for className: String, _ property: String) -> DatabaseError {
    refuse(
      className,
      "cannot be unique: there are objects, which would all get its default; make it optional",
      property
    )
  }

  // MARK: - Classes

  private mutating func addClass(_ definition: ClassDefinition) throws(DatabaseError) {
    try checkName(definition.name, of: "class", in: definition.name, nil)
    if let existing = schema[definition.name] {
      guard existing.isEmbedded == definition.isEmbedded else {
        let file = existing.isEmbedded ? "embedded" : "not embedded"
        throw refuse(definition.name, "is \(file) in the file; changing that needs a migration")
      }
      return
    }
    let next = max(nextClass, (schema.classes.last?.key.rawValue).map { Int($0) + 1 } ?? 0)
    guard next < Self.mostClasses else {
      throw refuse(definition.name, "exceeds the limit of \(Self.mostClasses) classes in a file")
    }
    schema.classes.append(
      ClassSchema(
        key: ClassKey(rawValue: UInt16(next)),
        name: definition.name,
        isEmbedded: definition.isEmbedded
      )
    )
    schema.index()
    isChanged = true
  }

  private func checkName(
    _ name: String,
    of what: String,
    in className: String,
    _ propertyName: String?
  ) throws(DatabaseError) {
    if let problem = SchemaName.problem(name) {
      throw refuse(className, "has an invalid \(what) name: \(problem)", propertyName)
    }
  }

  // MARK: - Properties

  private mutating func mergeProperties(_ definition: ClassDefinition) {
    guard var merged = schema[definition.name], let position = schema.position(of: merged.key)
    else {
      return
    }
    var names: Set<[UInt8]> = []
    for property in definition.properties.map(\.canonical) {
      guard names.insert(Array(property.name.utf8)).inserted else {
        mistakes.append(refuse(definition.name, "is defined twice", property.name))
        continue
      }
      do throws(DatabaseError) {
        try check(property, of: definition)
        if let existing = merged[property.name] {
          try update(existing, to: property, &merged)
        } else {
          try add(property, to: &merged)
        }
      } catch {
        mistakes.append(error)
      }
    }
    if merged.properties.count(where: \.isPrimaryKey) > 1 {
      mistakes.append(refuse(definition.name, "has two primary keys; a class has one at most"))
    }
    schema.classes[position] = merged
    schema.index()
  }

  private mutating func add(
    _ definition: PropertyDefinition,
    to merged: inout ClassSchema
  ) throws(DatabaseError) {
    guard Int(merged.nextColumn) < Self.mostProperties else {
      throw refuse(
        merged.name,
        "exceeds the limit of \(Self.mostProperties) properties in a class",
        definition.name
      )
    }
    let target = definition.type.target.flatMap { schema[$0] }
    let initial = definition.defaultValue ?? definition.type.initialValue
    let property = PropertySchema(
      key: PropertyKey(rawValue: merged.nextColumn),
      name: definition.name,
      type: definition.type,
      target: target?.key,
      isEmbedded: target?.isEmbedded ?? false,
      isPrimaryKey: definition.isPrimaryKey,
      isUnique: definition.isUnique,
      isIndexed: definition.isIndexed || definition.isPrimaryKey || definition.isUnique,
      deleteRule: definition.deleteRule ?? .nullify,
      targetRule: definition.targetRule ?? .nullify,
      defaultValue: initial,
      fillValue: definition.type.collection == .none ? initial : .null,
      schemaForm: definition.schemaForm ?? []
    )
    merged.nextColumn += 1
    merged.properties.append(property)
    merged.index()
    isChanged = true
    if property.isIndexed { addedIndexes.append((merged.key, property.key)) }
    if property.isPrimaryKey { needEmptyClass.append(merged.name) }
    if property.isUnique, !property.fillValue.isNull {
      needFewObjects.append((merged.name, property.name))
    }
  }

  private mutating func update(
    _ existing: PropertySchema,
    to definition: PropertyDefinition,
    _ merged: inout ClassSchema
  ) throws(DatabaseError) {
    guard existing.type == definition.type, target(of: definition) == existing.target else {
      throw refuse(
        merged.name,
        "has the type \(existing.type) in the file, not \(definition.type); changing that needs a "
          + "migration",
        existing.name
      )
    }
    guard existing.isPrimaryKey == definition.isPrimaryKey else {
      let file = existing.isPrimaryKey ? "the primary key" : "not the primary key"
      throw refuse(
        merged.name,
        "is \(file) in the file; changing that needs a migration",
        existing.name
      )
    }
    try requireEqual("delete rule", definition.deleteRule, existing.deleteRule, existing, merged)
    try requireEqual("target rule", definition.targetRule, existing.targetRule, existing, merged)
    var updated = existing
    if definition.isIndexed { updated.isIndexed = true }
    if definition.isUnique, !existing.isUnique {
      updated.isIndexed = true
      updated.isUnique = true
      madeUnique.append((merged.key, existing))
    }
    if let value = definition.defaultValue { updated.defaultValue = value }
    if let form = definition.schemaForm { updated.schemaForm = form }
    guard updated != existing else { return }
    if updated.isIndexed, !existing.isIndexed { addedIndexes.append((merged.key, existing.key)) }
    merged.properties[merged.positions[Int(existing.key.rawValue)]] = updated
    isChanged = true
  }

  private func requireEqual<Rule: Equatable>(
    _ what: String,
    _ defined: Rule?,
    _ stored: Rule,
    _ property: PropertySchema,
    _ owner: ClassSchema
  ) throws(DatabaseError) {
    guard let defined, defined != stored else { return }
    throw refuse(
      owner.name,
      "has the \(what) \(stored) in the file, not \(defined); changing that needs a migration",
      property.name
    )
  }

  /// The class that the definition names, to the byte.
  private func target(of definition: PropertyDefinition) -> ClassKey? {
    definition.type.target.flatMap { schema[$0]?.key }
  }

  // MARK: - Backlinks

  private mutating func mergeBacklinks(_ definition: ClassDefinition) {
    guard var merged = schema[definition.name], let position = schema.position(of: merged.key)
    else {
      return
    }
    for backlink in definition.backlinks {
      do throws(DatabaseError) {
        try merge(backlink, into: &merged)
      } catch {
        mistakes.append(error)
      }
    }
    schema.classes[position] = merged
    schema.index()
  }

  private mutating func merge(
    _ backlink: BacklinkDefinition,
    into merged: inout ClassSchema
  ) throws(DatabaseError) {
    try checkName(backlink.name, of: "backlink", in: merged.name, backlink.name)
    guard merged[backlink.name] == nil else {
      throw refuse(merged.name, "is both a property and a backlink", backlink.name)
    }
    let origin = schema[backlink.origin]
    guard let origin, let property = origin[backlink.property] else {
      throw refuse(
        merged.name,
        "names \(backlink.origin).\(backlink.property), which does not exist",
        backlink.name
      )
    }
    guard property.type.kind == .mixed || property.target == merged.key else {
      throw refuse(
        merged.name,
        "names \(backlink.origin).\(backlink.property), which does not link to \(merged.name)",
        backlink.name
      )
    }
    let declared = BacklinkSchema(
      name: backlink.name,
      origin: origin.key,
      property: property.key
    )
    if merged.backlinks.contains(declared) { return }
    merged.backlinks.removeAll { $0.name.hasSameBytes(as: backlink.name) }
    merged.backlinks.append(declared)
    isChanged = true
  }

  /// Gives every link property a place in each class that it can link to.
  private mutating func addBacklinkSlots() {
    for origin in schema.classes {
      for property in origin.properties where property.canLink {
        for (position, target) in schema.classes.enumerated() {
          guard property.type.kind == .mixed ? !target.isEmbedded : property.target == target.key,
            !target.backlinkColumns.contains(where: {
              $0.origin == origin.key && $0.property == property.key
            })
          else { continue }
          let number = (target.backlinkColumns.last?.number).map { $0 + 1 } ?? 0
          schema.classes[position].backlinkColumns.append(
            BacklinkColumn(number: number, origin: origin.key, property: property.key)
          )
          isChanged = true
        }
      }
    }
    schema.index()
  }

  // MARK: - Migration

  mutating func migrate(_ steps: [MigrationStep]) throws(DatabaseError) {
    for step in steps {
      switch step {
      case .renameProperty(let className, let old, let new):
        try change(className, old) { $0.name = new }
      case .setDeleteRule(let className, let name, let rule):
        try change(className, name) { $0.deleteRule = rule }
      case .setTargetRule(let className, let name, let rule):
        try change(className, name) { $0.targetRule = rule }
      case .renameClass(let old, let new): try rename(old, to: new)
      }
    }
  }

  private mutating func rename(_ old: String, to new: String) throws(DatabaseError) {
    guard let position = schema[old].flatMap({ schema.position(of: $0.key) }) else {
      throw refuse(old, "is not in the file, so it cannot be renamed")
    }
    if let problem = SchemaName.problem(new) {
      throw refuse(old, "cannot be renamed to \(new): \(problem)")
    }
    guard schema[new] == nil else {
      throw refuse(old, "cannot be renamed to \(new): the name is taken")
    }
    schema.classes[position].name = new
    isChanged = true
    let key = schema.classes[position].key
    for other in schema.classes {
      for var property in other.properties where property.target == key {
        property.type.target = new
        schema.replace(property, of: other.key)
      }
    }
    schema.index()
  }

  private mutating func change(
    _ className: String,
    _ name: String,
    _ body: (inout PropertySchema) -> Void
  ) throws(DatabaseError) {
    guard let owner = schema[className], var property = owner[name] else {
      throw refuse(className, "is not in the file, so it cannot be migrated", name)
    }
    body(&property)
    try checkName(property.name, of: "property", in: className, name)
    if let other = owner[property.name], other.key != property.key {
      throw refuse(className, "cannot be renamed to \(property.name): the name is taken", name)
    }
    if !property.canLink || property.isEmbedded {
      let reason = "does not link to other objects, so it has no"
      if property.deleteRule != .nullify { throw refuse(className, "\(reason) delete rule", name) }
      if property.targetRule != .nullify { throw refuse(className, "\(reason) target rule", name) }
    }
    schema.replace(property, of: owner.key)
    isChanged = true
  }

  // MARK: - Refusals

  internal func refuse(
    _ className: String,
    _ reason: String,
    _ propertyName: String? = nil
  ) -> DatabaseError {
    let subject = propertyName.map { "\(className).\($0)" } ?? "Class \(className)"
    return DatabaseError(
      .schemaMismatch,
      "\(subject) \(reason)",
      className: className,
      propertyName: propertyName
    )
  }
}

/// A change of the schema that changes the meaning of stored data.
///
/// ```swift
/// let dog = ClassDefinition("Dog", properties: [PropertyDefinition("nickname", .string)])
/// let rename = MigrationStep.renameProperty(className: "Dog", from: "name", to: "nickname")
/// try transaction.define([dog], migration: [rename])
/// ```
public enum MigrationStep: Hashable, Sendable {
  /// Renames a property.
  ///
  /// Its values stay.
  case renameProperty(className: String, from: String, to: String)
  /// Changes the delete rule of a link property.
  case setDeleteRule(className: String, property: String, DeleteRule)
  /// Changes the target rule of a link property.
  case setTargetRule(className: String, property: String, TargetRule)
  /// Renames a class.
  ///
  /// Its objects and the links to them stay; later steps name it by its new name.
  case renameClass(from: String, to: String)
}
