internal import KennelCore

extension Database {
  /// Opens a file, or creates it.
  ///
  /// The models that the given models link to, and those that their backlinks come from, are
  /// included. Classes, properties and indexes that are missing from the file are added; those that
  /// exist only in the file are kept.
  ///
  /// - Parameters:
  ///   - path: The file's path.
  ///   - models: The models.
  ///   - version: The version of the models; a new file, or one with a lower version, gets it.
  ///   - migrate: Called if the file has classes and a lower version, before the models are added.
  /// - Returns: The database.
  /// - Throws: `DatabaseError` if the file cannot be opened, with code `schemaMismatch` if a model
  ///   contradicts the file (the message says what a migration has to do) or the file's version is
  ///   higher than `version`; or what `migrate` throws. The file is unchanged then.
  public static func open(
    _ path: String,
    models: any Model.Type...,
    version: Int = 0,
    migrate: ((Migration) throws -> Void)? = nil
  ) throws -> Database {
    try open(path, models: models, version: version, migrate: migrate)
  }

  /// Opens a file, or creates it.
  ///
  /// - Parameters:
  ///   - path: The file's path.
  ///   - models: The models.
  ///   - version: The version of the models; a new file, or one with a lower version, gets it.
  ///   - migrate: Called if the file has classes and a lower version, before the models are added.
  /// - Returns: The database.
  /// - Throws: `DatabaseError` as ``open(_:models:version:migrate:)-(_,Model.Type...,_,_)`` does,
  ///   or what `migrate` throws.
  public static func open(
    _ path: String,
    models: [any Model.Type],
    version: Int = 0,
    migrate: ((Migration) throws -> Void)? = nil
  ) throws -> Database {
    let core = try KennelCore.Database.open(path)
    let bindings = try Bindings(core, models)
    let definitions = try bindings.definitions()
    let schema = try core.snapshot().schema
    let wanted = UInt64(clamping: version)
    guard schema.version <= wanted else {
      throw DatabaseError(
        .schemaMismatch,
        "The models in \(path) have version \(schema.version), those of the program \(version); "
          + "run a newer program",
        path: path
      )
    }
    let isOld = schema.version < wanted
    if try isOld || lacks(definitions, schema) {
      try core.write { transaction in
        let migration = Migration(transaction, bindings, definitions)
        if transaction.schema.version < wanted {
          if !transaction.schema.classes.isEmpty { try migrate?(migration) }
          try transaction.setSchemaVersion(wanted)
        }
        try migration.addModels()
      }
    }
    try bindings.bind(to: core.snapshot().schema)
    return Database(core, bindings)
  }

  private static func lacks(
    _ definitions: [ClassDefinition],
    _ schema: Schema
  ) throws(DatabaseError) -> Bool {
    do throws(DatabaseError) {
      return try schema.lacks(definitions)
    } catch {
      throw Migration.advised(error, definitions, schema)
    }
  }
}
