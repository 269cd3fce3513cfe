internal import KennelCore
internal import KennelRealmFile

/// Creates the embedded objects of a `.realm` file in the slots of their owners.
struct RealmOwnership {
  /// A property with embedded objects.
  private struct OwningProperty {
    let realm: RealmFileProperty
    let key: PropertyKey
    let name: String
    let target: Int
  }

  /// Embedded objects in a property of an object.
  private struct Edge {
    let column: OwningProperty
    let value: RealmValue
  }

  private let file: RealmFile
  private let transaction: WriteTransaction
  private let embedded: [ConvertedClass]
  /// The tables of embedded objects.
  let tables: Set<Int>
  private var columns: [Int: [OwningProperty]] = [:]
  /// The edges from embedded objects, by table and key.
  private var edges: [Int: [Int64: [Edge]]] = [:]

  init(_ schema: RealmSchema, _ file: RealmFile, _ transaction: WriteTransaction) throws {
    self.file = file
    self.transaction = transaction
    embedded = schema.classes.filter { $0.realm.kind == .embedded }
    tables = Set(embedded.map(\.realm.tableKey))
    for item in schema.classes {
      let stored = try transaction.schema.require(item.name)
      for (property, definition) in zip(item.realm.properties, item.definition.properties) {
        guard let target = property.target, tables.contains(target) else { continue }
        columns[item.realm.tableKey, default: []].append(
          OwningProperty(
            realm: property,
            key: try stored.require(definition.name).key,
            name: "\(item.name).\(definition.name)",
            target: target
          )
        )
      }
    }
    for item in embedded { try readEdges(of: item.realm) }
  }

  private mutating func readEdges(of realm: RealmClass) throws {
    guard let columns = columns[realm.tableKey] else { return }
    var found: [Int64: [Edge]] = [:]
    try file.forEachCluster(of: realm) { cluster in
      for column in columns {
        for (key, value) in zip(cluster.keys, try cluster.values(of: column.realm))
        where value != .null && value != .list([]) && value != .dictionary([]) {
          found[key, default: []].append(Edge(column: column, value: value))
        }
      }
    }
    edges[realm.tableKey] = found
  }

  /// Creates what some objects own, and what that owns.
  func create(
    in owners: [ObjectIdentity],
    of cluster: RealmCluster,
    _ objects: inout RealmObjects
  ) throws {
    for column in columns[cluster.realmClass.tableKey] ?? [] {
      for (owner, value) in zip(owners, try cluster.values(of: column.realm)) {
        var made = try create(Edge(column: column, value: value), in: owner, &objects)
        while let (table, key, object) = made.popLast() {
          for edge in edges[table]?[key] ?? [] { made += try create(edge, in: object, &objects) }
        }
      }
    }
  }

  /// Creates the objects of one property.
  private func create(
    _ edge: Edge,
    in owner: ObjectIdentity,
    _ objects: inout RealmObjects
  ) throws -> [(table: Int, key: Int64, object: ObjectIdentity)] {
    var made: [(table: Int, key: Int64, object: ObjectIdentity)] = []
    func add(_ value: RealmValue, at position: Slot.Position) throws {
      guard case .link(let table, let key) = value else { return }
      guard table == edge.column.target else {
        throw RealmImportError("\(edge.column.name) links to another class than it says")
      }
      let slot = Slot(owner, edge.column.key, position)
      let object = try transaction.createEmbedded(at: slot)
      try objects.add(object, for: key, of: table)
      made.append((table, key, object))
    }
    switch edge.value {
    case .list(let elements):
      for (index, element) in elements.enumerated() { try add(element, at: .index(index)) }
    case .dictionary(let entries):
      for entry in entries {
        if entry.value == .null {
          try transaction.setEntry(entry.key, to: .null, of: owner, property: edge.column.key)
        } else {
          try add(entry.value, at: .key(entry.key))
        }
      }
    case .null, .int, .bool, .string, .data, .timestamp, .float, .double, .decimal, .objectId,
      .uuid, .link, .set:
      try add(edge.value, at: .value)
    }
    return made
  }

  /// - Throws: `RealmImportError` if there are embedded objects that nothing owns.
  func requireOwners(_ objects: RealmObjects) throws(RealmImportError) {
    for item in embedded {
      let rest = item.realm.count - objects.count(of: item.realm.tableKey)
      guard rest == 0 else {
        throw RealmImportError("\(rest) of the embedded objects of \(item.name) have no owner")
      }
    }
  }
}
