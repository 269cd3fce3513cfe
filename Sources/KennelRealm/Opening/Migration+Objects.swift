import KennelCore

/// An object in a migration.
public typealias MigrationObject = DynamicObject

/// A block that receives each object of a class, before and after the migration; one of the two is
/// `nil` if the class is only in one version.
public typealias MigrationObjectEnumerateBlock = (
  _ oldObject: MigrationObject?, _ newObject: MigrationObject?
) -> Void

extension Migration {
  /// The classes before the migration.
  public var oldSchema: Schema { state.old.storedSchema }

  /// The classes after the migration.
  public var newSchema: Schema { Schema(models.map(ObjectSchema.init)) }

  /// Calls a block with each object of a class.
  ///
  /// - Parameters:
  ///   - typeName: The class. If neither version has it, nothing happens.
  ///   - block: Receives the old object and the new one, which may be changed; `nil` for the
  ///     version without the class. Objects that were deleted from the new version are skipped.
  public func enumerateObjects(
    ofType typeName: String,
    _ block: MigrationObjectEnumerateBlock
  ) {
    let old = state.old
    let new = state.new
    let typeName = new.storedName(ofClass: typeName)
    let oldClass = old.view.schema[typeName]?.key
    let newClass = new.view.schema[typeName]?.key
    guard let classKey = oldClass ?? newClass else { return }
    let objects = new.attempt { try (oldClass == nil ? new : old).view.objects(of: classKey) }
    for identity in objects {
      let isThere = newClass != nil && new.attempt { try new.view.contains(identity) }
      let isWanted = models.contains { $0.storedName == typeName }
      if isWanted, !isThere { continue }
      block(
        oldClass == nil ? nil : old.accessors.makeDynamic(identity),
        isWanted ? new.accessors.makeDynamic(identity) : nil
      )
    }
  }

  /// Creates an object.
  ///
  /// - Parameters:
  ///   - typeName: A class of the new version.
  ///   - value: A dictionary by property name, an array of all property values, or an object.
  /// - Returns: The object.
  @discardableResult
  public func create(_ typeName: String, value: Any = [:]) -> MigrationObject {
    state.new.createDynamic(typeName, value, .error)
  }

  /// Deletes an object.
  ///
  /// - Parameter object: An object of the new version.
  public func delete(_ object: MigrationObject) {
    state.new.delete([state.new.deletable(object)])
  }

  /// Deletes all objects of a class, and the class itself if the program no longer has it.
  ///
  /// A class that another class still links to is kept without objects.
  ///
  /// - Parameter typeName: The class.
  /// - Returns: Whether the file had the class.
  @discardableResult
  public func deleteData(forType typeName: String) -> Bool {
    let typeName = state.new.storedName(ofClass: typeName)
    guard let classKey = state.new.view.schema[typeName]?.key, !state.abandoned.contains(typeName)
    else { return false }
    state.new.deleteAll(of: classKey)
    if !models.contains(where: { $0.storedName == typeName }) {
      state.abandoned.insert(typeName)
    }
    return true
  }

  /// Renames a property and keeps its values.
  ///
  /// - Parameters:
  ///   - typeName: The class.
  ///   - oldName: The old name, which the new version must not have.
  ///   - newName: The new name, of a property of the same type.
  public func renameProperty(onType typeName: String, from oldName: String, to newName: String) {
    state.rename(typeName, oldName, newName)
  }

  private var models: [ModelClass] { state.new.file.bindings.migrated }
}

extension MigrationState {
  convenience init(
    _ database: Database,
    _ snapshot: Snapshot,
    _ transaction: WriteTransaction,
    _ models: ModelSet,
    _ leftovers: [(className: String, name: String)]
  ) throws {
    var configuration = Realm.Configuration(fileURL: nil)
    configuration.isMigrating = true
    func realm(_ view: DatabaseReader, _ models: [ModelClass]) throws -> RealmContext {
      let file = BoundFile(database, FileBindings(migrating: models))
      let realm = try RealmContext(configuration, file, on: nil)
      realm.view = view
      return realm
    }
    self.init(try realm(snapshot, []), try realm(transaction, models.models), leftovers)
    new.transaction = transaction
  }

  /// Lets go of the transaction; objects of the migration must not be used after it.
  func end() {
    new.transaction = nil
    new.noteEnding(nil)
    old.noteEnding(nil)
  }

  func rename(_ typeName: String, _ oldName: String, _ newName: String) {
    guard let oldClass = old.view.schema[typeName] else {
      throwRealmException(
        "Cannot rename properties for type '\(typeName)' because it does not exist."
      )
    }
    guard let oldProperty = oldClass[oldName] else {
      throwRealmException(
        "Cannot rename property '\(typeName).\(oldName)' because it does not exist."
      )
    }
    guard let newProperty = new.view.schema[typeName]?[newName] else {
      throwRealmException("Renamed property '\(typeName).\(newName)' does not exist.")
    }
    guard let leftover = leftovers.firstIndex(where: { $0 == (typeName, oldName) }) else {
      throwRealmException(
        "Cannot rename property '\(typeName).\(oldName)' to '\(newName)' because the source "
          + "property still exists."
      )
    }
    var oldType = oldProperty.type
    oldType.isOptional = newProperty.type.isOptional
    oldType.bitWidth = newProperty.type.bitWidth
    guard oldType == newProperty.type,
      newProperty.type.isOptional || !oldProperty.type.isOptional
        || newProperty.type.kind == .mixed
    else {
      throwRealmException(
        "Cannot rename property '\(typeName).\(oldName)' to '\(newName)' because it would change "
          + "from type '\(oldProperty.type)' to '\(newProperty.type)'."
      )
    }
    leftovers.remove(at: leftover)
    new.change { transaction in
      try transaction.deleteProperty(newName, of: typeName)
      try transaction.define(
        [],
        migration: [.renameProperty(className: typeName, from: oldName, to: newName)]
      )
      if newProperty.type.isOptional, !oldProperty.type.isOptional {
        try transaction.setOptional(true, newName, of: typeName)
      }
      if newProperty.type.bitWidth != oldProperty.type.bitWidth {
        try transaction.setBitWidth(newProperty.type.bitWidth, newName, of: typeName)
      }
      if oldProperty.isPrimaryKey { try transaction.setPrimaryKey(nil, of: typeName) }
    }
  }
}
