@_spi(Faces) internal import KennelCore

extension Database {
  /// How a file is accessed.
  ///
  /// ```swift
  /// let database = try Database.open(path, models: Dog.self, access: .readOnly)
  /// print(database.canWrite)
  /// ```
  public enum Access: Hashable, Sendable {
    /// For reading, and for writing if the file permits it.
    case readWrite
    /// For reading only; the file must exist and have all classes and properties of the models.
    case readOnly
  }

  /// Opens a file, or creates it.
  ///
  /// The models that the given models link to, and those that their backlinks come from, are
  /// included. Classes, properties and indexes that are missing from the file are added, and changed
  /// defaults are taken over; what exists only in the file is kept.
  ///
  /// - Parameters:
  ///   - path: The file's path.
  ///   - models: The models.
  ///   - access: How the file is accessed.
  ///   - createsIfMissing: Whether a missing file is created.
  ///   - key: The key of an encrypted file; a file that is created is encrypted with it.
  ///   - version: The version of the models; a new file, or one with a lower version, gets it.
  ///   - migrate: Called if the file has classes and a lower version, before the models are added.
  /// - Returns: The database.
  /// - Throws: `DatabaseError` if the file cannot be opened, with code `schemaMismatch` if models
  ///   contradict the file (the message lists all contradictions, and what a migration has to do) or
  ///   the file's version is higher than `version`, or with code `readOnly` if something is to be
  ///   added to a file that may not be written; or what `migrate` throws. The file is unchanged then.
  public static func open(
    _ path: String,
    models: any Model.Type...,
    access: Access = .readWrite,
    createsIfMissing: Bool = true,
    key: Key? = nil,
    version: Int = 0,
    migrate: ((Migration) throws -> Void)? = nil
  ) throws -> Database {
    try open(
      path,
      models: models,
      access: access,
      createsIfMissing: createsIfMissing,
      key: key,
      version: version,
      migrate: migrate
    )
  }

  /// Opens a file, or creates it.
  ///
  /// - Parameters:
  ///   - path: The file's path.
  ///   - models: The models.
  ///   - access: How the file is accessed.
  ///   - createsIfMissing: Whether a missing file is created.
  ///   - key: The key of an encrypted file; a file that is created is encrypted with it.
  ///   - version: The version of the models; a new file, or one with a lower version, gets it.
  ///   - migrate: Called if the file has classes and a lower version, before the models are added.
  /// - Returns: The database.
  /// - Throws: As `open` with a list of models does.
  public static func open(
    _ path: String,
    models: [any Model.Type],
    access: Access = .readWrite,
    createsIfMissing: Bool = true,
    key: Key? = nil,
    version: Int = 0,
    migrate: ((Migration) throws -> Void)? = nil
  ) throws -> Database {
    let configuration = KennelCore.Database.Configuration(
      access: access == .readOnly ? .readOnly : .readWrite,
      createsIfMissing: createsIfMissing,
      key: key
    )
    let core = try KennelCore.Database.open(path, configuration: configuration)
    return try open(core, models, version, migrate)
  }

  /// Opens an empty database in memory, for tests and for what need not outlive the program.
  ///
  /// ```swift
  /// let database = try Database.openInMemory(models: Dog.self)
  /// try database.write { db in _ = try db.create(Dog.self) { $0.name = "Rex" } }
  /// ```
  ///
  /// It is gone when nothing refers to the database and to what was read from it any more. It lies in the
  /// system's file system in memory, or in the temporary folder if there is none.
  ///
  /// - Parameter models: The models.
  /// - Returns: The database.
  /// - Throws: `DatabaseError` if there is no place for it, or the models contradict each other.
  public static func openInMemory(models: any Model.Type...) throws -> Database {
    try open(.openInMemory(), models, 0, nil)
  }

  private static func open(
    _ core: KennelCore.Database,
    _ models: [any Model.Type],
    _ version: Int,
    _ migrate: ((Migration) throws -> Void)?
  ) throws -> Database {
    let bindings = try Bindings(core, models)
    let definitions = try bindings.definitions()
    let schema = try core.snapshot().schema
    let wanted = UInt64(clamping: version)
    guard schema.version <= wanted else {
      throw DatabaseError(
        .schemaMismatch,
        "The models in \(core.path) have version \(schema.version), those of the program \(version); "
          + "run a newer program",
        path: core.path
      )
    }
    let isOld = schema.version < wanted
    if let reason = core.readOnlyReason {
      try requireAll(definitions, schema, isOld: isOld, core.path, reason)
    } else if try isOld || lacks(definitions, schema) {
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

  /// Makes sure that a file which may not be written has what the models read; its indexes and defaults
  /// may differ.
  private static func requireAll(
    _ definitions: [ClassDefinition],
    _ schema: Schema,
    isOld: Bool,
    _ path: String,
    _ reason: String
  ) throws(DatabaseError) {
    func refusal(_ problem: String) -> DatabaseError {
      DatabaseError(
        .readOnly,
        "Cannot open \(path) with these models: \(problem), and \(reason). Open it for writing once",
        path: path
      )
    }
    if isOld { throw refusal("it was written with older ones") }
    _ = try lacks(definitions, schema)
    let missing = definitions.flatMap { definition in
      guard let found = schema[definition.name] else { return [definition.name] }
      return definition.properties.filter { found[$0.name] == nil }
        .map { "\(definition.name).\($0.name)" }
    }
    if !missing.isEmpty { throw refusal("it lacks \(missing.joined(separator: ", "))") }
  }

  private static func lacks(
    _ definitions: [ClassDefinition],
    _ schema: Schema
  ) throws(DatabaseError) -> Bool {
    try rethrowing(try schema.lacks(definitions)) { Migration.advised($0, definitions, schema) }
  }
}
