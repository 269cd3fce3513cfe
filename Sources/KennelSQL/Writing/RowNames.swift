package import KennelCore
internal import Synchronization

/// The names of rows, by which their objects are found again in another copy of the database: the class and
/// the primary key.
package final class RowNames: Sendable {
  private let database: Database
  private let rows: StoredRows
  /// The objects of the classes that were asked for.
  private let known = Mutex<[ClassKey: [String: ObjectIdentity]]>([:])

  /// - Throws: `SQLError` if the database has other classes, `DatabaseError` if it is damaged.
  package init(_ mapping: SQLMapping, _ database: Database) throws {
    rows = try StoredRows(mapping, database.snapshot().schema)
    self.database = database
  }

  /// The name of an object; `nil` if its table has no key.
  package func name(of object: ObjectIdentity) -> String? {
    guard let snapshot = try? database.snapshot() else { return nil }
    return try? name(of: object, snapshot)
  }

  private func name(of object: ObjectIdentity, _ reader: DatabaseReader) throws -> String? {
    let key = try rows.key(object, in: reader)
    guard let name = reader.schema[object.classKey]?.name, !key.values.isEmpty else { return nil }
    // A length before each value tells where it ends.
    let values = key.values.map { SQLDialect.postgres.text($0) ?? "" }
    return ([name] + values).map { "\($0.utf8.count):\($0)" }.joined()
  }

  /// The object of a name in the newest commit; `nil` if there is none.
  package func object(named name: String) -> ObjectIdentity? {
    guard let snapshot = try? database.snapshot(),
      let length = name.split(separator: ":").first.flatMap({ Int($0) }),
      length >= 0, let start = name.firstIndex(of: ":")
    else { return nil }
    let className = String(decoding: name[start...].utf8.dropFirst().prefix(length), as: UTF8.self)
    guard let schema = snapshot.schema[className] else { return nil }
    return known.withLock { known in
      if known[schema.key] == nil { known[schema.key] = names(of: schema.key, snapshot) }
      return known[schema.key]?[name]
    }
  }

  private func names(of classKey: ClassKey, _ reader: Snapshot) -> [String: ObjectIdentity] {
    var found: [String: ObjectIdentity] = [:]
    guard let objects = try? reader.objects(of: classKey) else { return found }
    for object in objects {
      if let name = try? name(of: object, reader) { found[name] = object }
    }
    return found
  }
}
