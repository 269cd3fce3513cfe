internal import KennelCore
internal import KennelRealmFile

/// Writes the objects of one class, a column of some hundred neighbours at a time.
struct RealmClassWriter {
  private struct WrittenProperty {
    let realm: RealmFileProperty
    let name: String
    let key: PropertyKey
  }

  /// How many collections are read at once.
  private static let mostCollections = 16

  private let name: String
  private let realm: RealmClass
  private let key: ClassKey
  private let transaction: WriteTransaction
  private let primaryKey: PropertyKey?
  /// Columns that link to nothing.
  private let scalars: [WrittenProperty]
  /// Columns that are set when all objects exist.
  private let links: [WrittenProperty]

  /// Finds the columns of a class; the properties whose targets are in `owned` have been set before.
  init(
    _ item: ConvertedClass,
    _ transaction: WriteTransaction,
    owned: Set<Int>
  ) throws {
    name = item.name
    realm = item.realm
    self.transaction = transaction
    let schema = try transaction.schema.require(item.name)
    key = schema.key
    var scalars: [WrittenProperty] = []
    var links: [WrittenProperty] = []
    var primaryKey: PropertyKey?
    for (property, definition) in zip(item.realm.properties, item.definition.properties) {
      let stored = try schema.require(definition.name)
      if definition.isPrimaryKey {
        primaryKey = stored.key
        continue
      }
      if let target = property.target, owned.contains(target) { continue }
      let isLink = property.target != nil || property.kind == .mixed
      let column = WrittenProperty(realm: property, name: definition.name, key: stored.key)
      if isLink { links.append(column) } else { scalars.append(column) }
    }
    self.primaryKey = primaryKey
    self.scalars = scalars
    self.links = links
  }

  /// Whether objects have values that are set when all objects exist.
  var hasLinks: Bool { !links.isEmpty }

  /// Creates objects with their primary keys and scalars.
  ///
  /// - Returns: The objects.
  func create(_ cluster: RealmCluster, _ objects: RealmObjects) throws -> [ObjectIdentity] {
    let primary: [RealmValue]? =
      if let column = realm.primaryKey { try cluster.values(of: column) } else { nil }
    let keepsKeys = objects.keepsKeys(realm.tableKey)
    var made: [ObjectIdentity] = []
    made.reserveCapacity(cluster.keys.count)
    for (row, old) in cluster.keys.enumerated() {
      var values: [PropertyKey: Value] = [:]
      if let primaryKey, let primary { values[primaryKey] = try objects.value(primary[row]) }
      let next = transaction.firstUnusedKey(of: key)
      let wanted = keepsKeys ? ObjectKey(rawValue: UInt64(old) + 1) : next
      do throws(DatabaseError) {
        if wanted != next {
          made.append(try transaction.create(key, key: wanted, values))
        } else if values.isEmpty {
          made.append(try transaction.create(key))
        } else {
          made.append(try transaction.create(key, values))
        }
      } catch {
        throw error.code == .duplicatePrimaryKey
          ? RealmImportError("\(name)/\(old): \(error.message)") : error as any Error
      }
    }
    try write(scalars, of: cluster, to: made, objects)
    return made
  }

  /// Sets what links to other objects; of embedded objects, the scalars too.
  func fill(_ cluster: RealmCluster, _ objects: RealmObjects) throws {
    let isEmbedded = realm.kind == .embedded
    var found: [ObjectIdentity] = []
    found.reserveCapacity(cluster.keys.count)
    for key in cluster.keys { found.append(try objects.object(realm.tableKey, key)) }
    try write(isEmbedded ? scalars + links : links, of: cluster, to: found, objects)
  }

  private func write(
    _ columns: [WrittenProperty],
    of cluster: RealmCluster,
    to targets: [ObjectIdentity],
    _ objects: RealmObjects
  ) throws {
    for column in columns {
      // Collections may be long: few of them are in memory at a time.
      let isLong = column.realm.collection != nil || column.realm.kind == .mixed
      let step = isLong ? Self.mostCollections : max(targets.count, 1)
      for start in stride(from: 0, to: targets.count, by: step) {
        let rows = start..<min(start + step, targets.count)
        let values = try cluster.values(of: column.realm, rows: rows)
        for (object, value) in zip(targets[rows], values) {
          try set(column, of: object, to: value, objects)
        }
      }
    }
  }

  private func set(
    _ column: WrittenProperty,
    of object: ObjectIdentity,
    to value: RealmValue,
    _ objects: RealmObjects
  ) throws {
    let new: Value
    do throws(RealmImportError) {
      new = try objects.value(value)
    } catch {
      throw RealmImportError("\(name).\(column.name): \(error.message)")
    }
    try transaction.set(object, property: column.key, to: new)
  }
}
