import KennelStorage

extension Database {
  /// Saves the objects of a damaged file into a new database.
  ///
  /// Every page that is whole is used, also if the pages that lead to it are gone, and if the roots
  /// and the meta pages are. No value is invented: a value that is lost is null, and its property gets a type that
  /// can be null if it had none; collections are empty. What is older than the newest commit is saved only
  /// where nothing newer is left. Objects keep their keys, embedded objects get new ones.
  ///
  /// The damaged file is only read, and not locked; no program may write to it meanwhile.
  ///
  /// ```swift
  /// let report = try Database.recover(damaged, into: database)
  /// print(report.objectCount)
  /// for loss in report.losses { print(loss.message) }
  /// ```
  ///
  /// - Parameters:
  ///   - path: The path of the damaged file.
  ///   - key: The key of an encrypted file.
  ///   - database: A database without classes.
  ///   - backup: A database with the same classes, whose properties were defined in the same order, such as
  ///     an older copy of the file. It is used if the file has no classes any more.
  ///   - progress: Called periodically with the fraction done, from 0 to 1. Return false to cancel.
  /// - Returns: What was saved and what is lost.
  /// - Throws: `DatabaseError` if the file cannot be read, is not a Kennel file or has no classes any
  ///   more, if the database cannot be written, or with code `cancelled`. The database is unchanged then.
  public static func recover(
    _ path: String,
    key: Key? = nil,
    into database: Database,
    classesOf backup: Database? = nil,
    progress: ((Double) -> Bool)? = nil
  ) throws(DatabaseError) -> RecoveryReport {
    let other = try backup?.snapshot().schema
    let salvage = try storing(FileSalvage(path: path, key: key, schema: other))
    // Read like any other file: its parts are checked as they are read.
    let memory = try MemoryFile()
    try storing(salvage.store(at: memory.path))
    let found = try open(memory.path, Configuration(), memory)
    let transaction = try database.beginWrite()
    guard transaction.schema.classes.isEmpty else {
      throw DatabaseError(
        .schemaMismatch,
        "Objects are recovered into a new database, and \(database.path) has classes"
      )
    }
    let recovery = ObjectRecovery(salvage, try found.snapshot(), transaction) { part in
      progress?(part) ?? true
    }
    let report = try recovery.run()
    try transaction.commit()
    return report
  }
}
