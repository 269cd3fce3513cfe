import KennelCore

/// A block that receives each object of a class, before and after the migration; one of the two is
/// `nil` if the class is only in one version.
public typealias MigrationObjectEnumerateBlock = (
  _ oldObject: MigrationObject?, _ newObject: MigrationObject?
) -> Void

/// Migrates the objects of a file to a new schema version.
///
/// ```swift
/// let configuration = Realm.Configuration(schemaVersion: 2) { migration, oldVersion in
///   if oldVersion < 2 {
///     migration.enumerateObjects(ofType: "Ship") { old, new in
///       new?["name"] = "\(old?["prefix"] ?? "") \(old?["name"] ?? "")"
///     }
///   }
/// }
/// ```
public struct Migration {
  internal let state: MigrationState

  internal init(_ state: MigrationState) {
    self.state = state
  }

  /// The classes before the migration.
  public var oldSchema: Schema { state.old.storedSchema }

  /// The classes after the migration.
  public var newSchema: Schema { Schema(state.models.models.map(ObjectSchema.init)) }

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
      let isWanted = state.models.models.contains { $0.storedName == typeName }
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
    if !state.models.models.contains(where: { $0.storedName == typeName }) {
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
}

/// What a migration works on.
internal final class MigrationState {
  let old: RealmContext
  let new: RealmContext
  let models: ModelSet
  /// Properties that are deleted at the end.
  var leftovers: [(className: String, name: String)]
  /// Classes that are deleted at the end, if nothing links to them then.
  var abandoned: Set<String> = []

  init(
    _ database: Database,
    _ snapshot: Snapshot,
    _ transaction: WriteTransaction,
    _ models: ModelSet,
    _ leftovers: [(className: String, name: String)]
  ) throws {
    var configuration = Realm.Configuration(fileURL: nil)
    configuration.isMigrating = true
    let file = RealmFile(database, FileBindings(), memory: nil)
    old = try RealmContext(configuration, file, on: nil)
    old.view = snapshot
    new = try RealmContext(configuration, file, on: nil)
    new.view = transaction
    new.transaction = transaction
    new.migrationModels = Dictionary(
      models.models.map { ($0.storedName, $0) },
      uniquingKeysWith: { first, _ in first }
    )
    self.models = models
    self.leftovers = leftovers
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

extension RealmContext {
  /// The classes of the file, whatever the program has.
  internal var storedSchema: Schema { Schema(view.schema.classes.map(ObjectSchema.init)) }
}
