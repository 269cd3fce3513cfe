import Foundation
import KennelCore

/// Brings a file's schema up to the classes that a realm is opened with.
internal struct SchemaUpdate {
  let database: Database
  let models: ModelSet
  let configuration: Realm.Configuration

  init(_ database: Database, _ models: ModelSet, _ configuration: Realm.Configuration) {
    self.database = database
    self.models = models
    self.configuration = configuration
  }

  /// Updates the schema where it differs.
  ///
  /// - Returns: The database to go on with, where it is another one.
  func run() throws -> Database? {
    let snapshot = try database.snapshot()
    let plain = models.definitions(withDefaults: false)
    let full = models.definitions(withDefaults: true)
    if configuration.readOnly || !database.canWrite { return nil }
    guard try snapshot.schema.lacks(full) else { return nil }
    try database.write { transaction in
      try transaction.define(plain)
      try transaction.define(full)
    }
    return nil
  }
}
