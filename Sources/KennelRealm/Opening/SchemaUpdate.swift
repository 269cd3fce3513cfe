import Foundation
import KennelCore

/// A mistake of a migration block that a test is going to catch.
internal struct MigrationMisuse: Error {
  let sentence: String
}

/// Brings a file's schema up to the classes that a realm is opened with.
internal struct SchemaUpdate {
  /// The file has to be made anew, as its configuration wants.
  struct NeedsRecreation: Error {}

  let database: Database
  let models: ModelSet
  let configuration: Realm.Configuration

  /// Updates the schema where it differs, with a migration where that takes one.
  ///
  /// - Returns: What the classes are in the file then.
  func run() throws -> FileBindings {
    let schema = try database.snapshot().schema
    if schema.version == configuration.schemaVersion,
      let bindings = FileBindings.known(models, schema)
    {
      return bindings
    }
    try update(schema)
    // A file that cannot be written may lack indexes, and classes.
    let isComplete = !configuration.readOnly && database.canWrite
    return FileBindings.made(models, try database.snapshot().schema, isComplete: isComplete)
  }

  private func update(_ schema: KennelCore.Schema) throws {
    let difference = NeededMigration(models, schema)
    if configuration.readOnly || !database.canWrite {
      if schema.version != configuration.schemaVersion, !schema.classes.isEmpty {
        try requireVersion(schema)
      }
      try requireNone(difference)
      return
    }
    if schema.classes.isEmpty {
      try define(version: configuration.schemaVersion)
      return
    }
    if configuration.deleteRealmIfMigrationNeeded,
      schema.version != configuration.schemaVersion || !difference.problems.isEmpty
    {
      throw NeedsRecreation()
    }
    if schema.version == configuration.schemaVersion {
      try requireNone(difference)
      try add(to: schema, difference)
    } else {
      try requireVersion(schema)
      Logger.note(.info) {
        "Migrating \(database.path) from version \(schema.version) to \(configuration.schemaVersion)"
      }
      try migrate(from: schema.version)
    }
  }

  private func mismatch(_ message: String) -> Realm.Error {
    Realm.Error(.schemaMismatch, message, fileURL: URL(fileURLWithPath: database.path))
  }

  private func requireVersion(_ schema: KennelCore.Schema) throws {
    guard schema.version > configuration.schemaVersion else { return }
    throw mismatch(
      "Provided schema version \(configuration.schemaVersion) is less than last set version "
        + "\(schema.version). Set schemaVersion to \(schema.version) or more"
    )
  }

  private func requireNone(_ difference: NeededMigration) throws {
    if difference.problems.isEmpty { return }
    throw mismatch(
      "Migration is required due to the following errors:\n"
        + difference.problems.map { "- \($0)" }.joined(separator: "\n")
        + "\nSet a higher schemaVersion, and a migrationBlock where values are to be carried over"
    )
  }

  /// Adds what takes no migration: classes, indexes, inverse relationships, defaults.
  private func add(to schema: KennelCore.Schema, _ difference: NeededMigration) throws {
    let isWidthChanged = !difference.widened.isEmpty
    if !isWidthChanged, try !schema.lacks(models.definitions(withDefaults: true)) { return }
    try define(version: schema.version)
  }

  private func define(version: UInt64) throws {
    try database.write { transaction in
      // Another process may have come first.
      let difference = NeededMigration(models, transaction.schema)
      try requireNone(difference)
      try widen(difference, transaction)
      try transaction.define(models.definitions(withDefaults: false))
      try transaction.define(models.definitions(withDefaults: true))
      try transaction.setSchemaVersion(version)
    }
  }

  // MARK: - Migrating

  private func migrate(from version: UInt64) throws {
    let old = try database.snapshot()
    try database.write { transaction in
      let difference = NeededMigration(models, transaction.schema)
      if let obstacle = difference.obstacle { throw mismatch(obstacle) }
      var leftovers = difference.removed
      for change in difference.retyped {
        // The new property takes the name; the old one stays until its values have been read.
        let name = freeName(for: change, transaction.schema)
        try transaction.define(
          [],
          migration: [
            .renameProperty(className: change.className, from: change.stored.name, to: name)
          ]
        )
        leftovers.append((change.className, name))
      }
      try apply(difference, to: transaction)
      try transaction.define(definitionsWithoutNewKeys(difference, false))
      try transaction.define(definitionsWithoutNewKeys(difference, true))
      let abandoned = try run(from: version, old, transaction, &leftovers)
      for (className, name) in leftovers { try transaction.deleteProperty(name, of: className) }
      for (className, name) in difference.rekeyed {
        try setPrimaryKey(name, of: className, transaction)
      }
      try transaction.define(models.definitions(withDefaults: true))
      try delete(abandoned, transaction)
      try transaction.setSchemaVersion(configuration.schemaVersion)
    }
  }

  /// Deletes classes, but those that others still link to or that got objects again.
  private func delete(_ names: Set<String>, _ transaction: WriteTransaction) throws {
    let schema = transaction.schema
    var names = names.filter { name in
      schema[name].map { transaction.count(of: $0.key) == 0 } ?? false
    }
    while true {
      let targets = schema.classes.filter { !names.contains($0.name) }
        .flatMap { $0.properties.compactMap(\.type.target) }
      let kept = names.intersection(targets)
      if kept.isEmpty { break }
      names.subtract(kept)
    }
    try transaction.deleteClasses(names)
  }

  private func freeName(for change: NeededMigration.Change, _ schema: KennelCore.Schema) -> String {
    var name = change.stored.name + " before"
    while schema[change.className]?[name] != nil { name += "'" }
    return name
  }

  private func apply(_ difference: NeededMigration, to transaction: WriteTransaction) throws {
    for change in difference.reoptioned {
      let isOptional = change.property.storedType.isOptional
      try transaction.setOptional(isOptional, change.stored.name, of: change.className)
    }
    try widen(difference, transaction)
    for change in difference.reruled {
      guard let rule = change.property.deleteRule else { continue }
      try transaction.define(
        [],
        migration: [
          .setDeleteRule(className: change.className, property: change.stored.name, rule)
        ]
      )
    }
    // A key that goes, or is to be another one, must not stand in the way of the values.
    for (className, _) in difference.rekeyed {
      try transaction.setPrimaryKey(nil, of: className)
    }
  }

  /// The classes with no primary key where it is another one: it is made one at the end.
  private func widen(_ difference: NeededMigration, _ transaction: WriteTransaction) throws {
    for change in difference.widened {
      let width = change.property.storedType.bitWidth
      try transaction.setBitWidth(width, change.stored.name, of: change.className)
    }
  }

  private func definitionsWithoutNewKeys(
    _ difference: NeededMigration,
    _ withDefaults: Bool
  ) -> [ClassDefinition] {
    let names = Set(difference.rekeyed.map(\.className))
    return models.definitions(withDefaults: withDefaults).map { definition in
      guard names.contains(definition.name) else { return definition }
      var changed = definition
      for index in changed.properties.indices { changed.properties[index].isPrimaryKey = false }
      return changed
    }
  }

  private func setPrimaryKey(
    _ name: String?,
    of className: String,
    _ transaction: WriteTransaction
  ) throws {
    do {
      try transaction.setPrimaryKey(name, of: className)
    } catch {
      guard error.code == .duplicatePrimaryKey, let name else { throw error }
      throw Realm.Error(
        .fail,
        "Primary key property '\(className).\(name)' has duplicate values after migration. Give each "
          + "object its own in the migrationBlock",
        fileURL: URL(fileURLWithPath: database.path)
      )
    }
  }

  private func run(
    from version: UInt64,
    _ old: Snapshot,
    _ transaction: WriteTransaction,
    _ leftovers: inout [(className: String, name: String)]
  ) throws -> Set<String> {
    guard let block = configuration.migrationBlock else { return [] }
    let migration = Migration(
      state: try MigrationState(database, old, transaction, models, leftovers)
    )
    defer { migration.state.end() }
    if MistakeCatcher.current != nil {
      // Thrown on, so that the transaction and the lock of opening are let go of.
      if let sentence = catchRealmException({ block(migration, version) }) {
        throw MigrationMisuse(sentence: sentence)
      }
    } else {
      block(migration, version)
    }
    leftovers = migration.state.leftovers
    if let failure = migration.state.new.failure { throw failure }
    return migration.state.abandoned
  }
}
