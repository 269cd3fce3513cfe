@_spi(Faces) public import KennelCore

/// Adapts a file that was written with older models to the models of the program.
///
/// ```swift
/// let database = try Database.open(path, models: Dog.self, version: 2) { migration in
///   if migration.oldVersion < 1 { try migration.renameProperty("title", to: "name", of: "Dog") }
///   if migration.oldVersion < 2 {
///     try migration.convert("age", of: "Dog", to: Int.self) { old in
///       if case .string(let text) = old { Int(text) ?? 0 } else { 0 }
///     }
///   }
/// }
/// print(database.path)
/// ```
///
/// All steps are part of one write transaction: if the closure throws, the file is unchanged.
public final class Migration {
  private let transaction: WriteTransaction
  private let bindings: Bindings
  private let definitions: [ClassDefinition]
  /// The version of the models in the file.
  public let oldVersion: Int

  internal init(
    _ transaction: WriteTransaction,
    _ bindings: Bindings,
    _ definitions: [ClassDefinition]
  ) {
    self.transaction = transaction
    self.bindings = bindings
    self.definitions = definitions
    oldVersion = Int(clamping: transaction.schema.version)
  }

  /// Renames a class; its objects and the links to them stay.
  ///
  /// - Throws: `DatabaseError` if there is no such class, or the name is taken.
  public func renameClass(_ name: String, to newName: String) throws(DatabaseError) {
    try perform(.renameClass(from: name, to: newName))
  }

  /// Renames a property; its values stay.
  ///
  /// - Throws: `DatabaseError` if there is no such property, or the name is taken.
  public func renameProperty(
    _ name: String,
    to newName: String,
    of className: String
  ) throws(DatabaseError) {
    try perform(.renameProperty(className: className, from: name, to: newName))
  }

  /// Changes the delete rule of a link property.
  ///
  /// - Throws: `DatabaseError` if there is no such property, or it is not a link.
  public func setDeleteRule(
    _ rule: DeleteRule,
    _ name: String,
    of className: String
  ) throws(DatabaseError) {
    try perform(.setDeleteRule(className: className, property: name, rule))
  }

  /// Changes the target rule of a link property.
  ///
  /// - Throws: `DatabaseError` if there is no such property, or it is not a link.
  public func setTargetRule(
    _ rule: TargetRule,
    _ name: String,
    of className: String
  ) throws(DatabaseError) {
    try perform(.setTargetRule(className: className, property: name, rule))
  }

  private func perform(_ step: MigrationStep) throws(DatabaseError) {
    try transaction.define([], migration: [step])
  }

  /// Deletes a property with its values and embedded objects.
  ///
  /// - Throws: `DatabaseError` if there is no such property.
  public func deleteProperty(_ name: String, of className: String) throws(DatabaseError) {
    try transaction.deleteProperty(name, of: className)
  }

  /// Deletes a class with its objects, and applies delete and target rules.
  ///
  /// - Throws: `DatabaseError` if there is no such class, a class links to it, or a `deny` rule
  ///   prevents the deletion.
  public func deleteClass(_ name: String) throws(DatabaseError) {
    let classKey = try transaction.schema.require(name).key
    try transaction.delete(Array(transaction.objects(of: classKey)))
    try transaction.deleteClasses([name])
  }

  /// Makes a property optional or required.
  ///
  /// If it becomes required, its nulls become the default of its type.
  ///
  /// - Throws: `DatabaseError` if there is no such property, or it is a link or a mixed value.
  public func setOptional(
    _ isOptional: Bool,
    _ name: String,
    of className: String
  ) throws(DatabaseError) {
    try transaction.setOptional(isOptional, name, of: className)
  }

  /// Changes the width of an integer property: 8, 16, 32 or 64 bits.
  ///
  /// - Throws: `DatabaseError` if there is no such property, it is not an integer, or a value does
  ///   not fit.
  public func setBitWidth(
    _ bitWidth: Int,
    _ name: String,
    of className: String
  ) throws(DatabaseError) {
    try transaction.setBitWidth(bitWidth, name, of: className)
  }

  /// Sets or removes the primary key of a class.
  ///
  /// - Throws: `DatabaseError` if two objects have the same value, there is no such property, or it
  ///   cannot be a primary key.
  public func setPrimaryKey(_ name: String?, of className: String) throws(DatabaseError) {
    try transaction.setPrimaryKey(name, of: className)
  }

  /// Makes a property unique, or allows equal values.
  ///
  /// A model that declares a property as unique makes it so without a migration.
  ///
  /// - Throws: `DatabaseError` if two objects have the same value, there is no such property, or it cannot
  ///   be unique.
  public func setUnique(
    _ isUnique: Bool,
    _ name: String,
    of className: String
  ) throws(DatabaseError) {
    try transaction.setUnique(isUnique, name, of: className)
  }

  /// Changes the type of a property and converts its values.
  ///
  /// Linear in the number of objects of the class.
  ///
  /// - Parameters:
  ///   - name: The property.
  ///   - className: Its class.
  ///   - type: The new type, which must not be of links.
  ///   - transform: Makes a new value from an old one.
  /// - Throws: `DatabaseError` if there is no such property, or what `transform` throws.
  public func convert<V: Storable>(
    _ name: String,
    of className: String,
    to type: V.Type,
    _ transform: (Value) throws -> V
  ) throws {
    let schema = try transaction.schema.require(className)
    let old = try schema.require(name)
    let oldName = name + " before the migration"
    try renameProperty(name, to: oldName, of: className)
    let definition = PropertyDefinition(name, V.propertyType)
    try transaction.define(
      [ClassDefinition(className, isEmbedded: schema.isEmbedded, properties: [definition])]
    )
    let new = try transaction.schema.require(className).require(name)
    try transaction.forEachObject(of: schema.key) { object in
      let value = try transform(transaction.value(of: object, property: old.key))
      try transaction.set(object, property: new.key, to: value.stored.value(for: V.propertyType))
    }
    if old.isPrimaryKey { try setPrimaryKey(name, of: className) }
    try deleteProperty(oldName, of: className)
  }

  /// Adds the models now, and changes objects through them.
  ///
  /// ```swift
  /// let database = try Database.open(path, models: Dog.self, version: 3) { migration in
  ///   try migration.update { db in
  ///     for dog in try db.objects(Dog.self) {
  ///       guard case .string(let title) = try migration.value("title", of: dog) else { continue }
  ///       try db.edit(dog) { $0.name = title }
  ///     }
  ///   }
  ///   try migration.deleteProperty("title", of: "Dog")
  /// }
  /// print(database.path)
  /// ```
  ///
  /// - Parameter body: What to change.
  /// - Throws: `DatabaseError` if a model contradicts the file, or what the body throws.
  public func update(_ body: (Transaction) throws -> Void) throws {
    try addModels()
    try bindings.bind(to: transaction.schema)
    let session = Session(bindings, transaction, .transaction(transaction))
    defer {
      session.end(DatabaseError(.closed, "The update has ended; find the object in a snapshot"))
    }
    try body(Transaction(session))
  }

  /// The value of a property that no model has any more.
  ///
  /// - Parameters:
  ///   - name: The property in the file.
  ///   - object: An object from the transaction that ``update(_:)`` passes to its closure.
  /// - Returns: The value.
  /// - Throws: `DatabaseError` if there is no such object or property.
  public func value<M: Model>(
    _ name: String,
    of object: Object<M>
  ) throws(DatabaseError) -> Value {
    let property = try transaction.schema.require(M.className).require(name)
    return try transaction.value(of: object.identity, property: property.key)
  }

  internal func addModels() throws(DatabaseError) {
    try rethrowing(try transaction.define(definitions)) {
      Self.advised($0, definitions, transaction.schema)
    }
  }

  /// The error of models that contradict the file, with what a migration would say of each.
  internal static func advised(
    _ error: DatabaseError,
    _ definitions: [ClassDefinition],
    _ schema: Schema
  ) -> DatabaseError {
    if !error.mistakes.isEmpty {
      return DatabaseError(mistakes: error.mistakes.map { advised($0, definitions, schema) })
    }
    guard error.code == .schemaMismatch, let className = error.className,
      let definition = definitions.first(where: { $0.name == className }),
      let existing = schema[className], let step = step(definition, existing, error.propertyName)
    else { return error }
    return DatabaseError(
      .schemaMismatch,
      "\(error.message): open it with a higher version and "
        + "{ migration in try migration.\(step) }",
      path: error.path,
      className: className,
      propertyName: error.propertyName
    )
  }

  /// The step that makes a class of the file fit its model.
  private static func step(
    _ definition: ClassDefinition,
    _ existing: ClassSchema,
    _ name: String?
  ) -> String? {
    let className = definition.name
    guard let name, let new = definition.properties.first(where: { $0.name == name }),
      let old = existing[name]
    else {
      if let key = definition.properties.first(where: \.isPrimaryKey) {
        return "setPrimaryKey(\"\(key.name)\", of: \"\(className)\")"
      }
      return nil
    }
    if old.isPrimaryKey != new.isPrimaryKey {
      let key = new.isPrimaryKey ? "\"\(name)\"" : "nil"
      return "setPrimaryKey(\(key), of: \"\(className)\")"
    }
    if let rule = new.deleteRule, rule != old.deleteRule, old.type == new.type {
      return "setDeleteRule(.\(rule), \"\(name)\", of: \"\(className)\")"
    }
    if let rule = new.targetRule, rule != old.targetRule, old.type == new.type {
      return "setTargetRule(.\(rule), \"\(name)\", of: \"\(className)\")"
    }
    var type = old.type
    type.isOptional = new.type.isOptional
    if type == new.type, old.type != new.type {
      return "setOptional(\(new.type.isOptional), \"\(name)\", of: \"\(className)\")"
    }
    type = old.type
    type.bitWidth = new.type.bitWidth
    if type == new.type, old.type != new.type {
      return "setBitWidth(\(new.type.bitWidth), \"\(name)\", of: \"\(className)\")"
    }
    if new.type.kind == .link { return "deleteProperty(\"\(name)\", of: \"\(className)\")" }
    return "convert(\"\(name)\", of: \"\(className)\", to: …) { old in … }"
  }
}
