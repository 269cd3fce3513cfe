import KennelCore

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
}

/// The two states of the file, and what a migration is still to do.
internal final class MigrationState {
  let old: RealmContext
  let new: RealmContext
  /// Properties that are deleted at the end.
  var leftovers: [(className: String, name: String)]
  /// Classes that are deleted at the end, if nothing links to them then.
  var abandoned: Set<String> = []

  init(
    _ old: RealmContext,
    _ new: RealmContext,
    _ leftovers: [(className: String, name: String)]
  ) {
    self.old = old
    self.new = new
    self.leftovers = leftovers
  }
}
