/// Changing objects. What a change means for other objects — backlinks, owners, delete rules —
/// is the business of the layer above; here a column gets a value.
extension StoreView {
  // MARK: - Objects

  /// Gives a new object the next key of its class and makes it live, without values.
  package func createObject(_ classKey: ClassKey) throws(StorageError) -> ObjectKey {
    let key = ObjectKey(rawValue: record(of: classKey).nextKey)
    try createObject(classKey, key)
    return key
  }

  /// Lets ``PointWriter`` make objects of a class whose new objects have only absent values, and no
  /// index to tell; until the schema changes.
  package func allowBlankObjects(of classKey: ClassKey, isEmbedded: Bool) {
    let number = Int(classKey.rawValue)
    directory.growRecords(to: number + 1)
    if isEmbedded {
      directory.table.pointee.entries[number].isBlankEmbedded = true
    } else {
      directory.table.pointee.entries[number].isBlank = true
    }
  }

  /// The same for classes with a primary key that is a whole number of 64 bits.
  package func allowKeyedObjects(of classKey: ClassKey) {
    let number = Int(classKey.rawValue)
    directory.growRecords(to: number + 1)
    directory.table.pointee.entries[number].isBlankKeyed = true
  }

  /// Makes a new object live under a key that no object of the class had before.
  ///
  /// The key must be at or past the class's next one, and below the provisional ones.
  package func createObject(_ classKey: ClassKey, _ key: ObjectKey) throws(StorageError) {
    let number = Int(classKey.rawValue)
    var record = directory[record: number]
    if record.lastCluster.map({ $0 < key.cluster }) ?? true {
      addCluster(classKey, key.cluster, previous: record.lastCluster)
      record.lastCluster = key.cluster
    }
    record.nextKey = key.rawValue + 1
    directory[record: number] = record
    try occupy(classKey, key)
  }

  /// Gives a new object of a draft a provisional key and makes it live, without values.
  package func createProvisionalObject(_ classKey: ClassKey) throws(StorageError) -> ObjectKey {
    let used = provisionalCounts[classKey] ?? 0
    let key = ObjectKey(rawValue: ObjectKey.firstProvisional + used)
    try createProvisionalObject(classKey, key)
    return key
  }

  /// Makes a new object of a draft live under a provisional key it had before.
  package func createProvisionalObject(
    _ classKey: ClassKey,
    _ key: ObjectKey
  ) throws(StorageError) {
    if directory[classKey, key.cluster] == nil { addCluster(classKey, key.cluster, previous: nil) }
    let number = key.rawValue - ObjectKey.firstProvisional
    provisionalCounts[classKey] = max(provisionalCounts[classKey] ?? 0, number + 1)
    try occupy(classKey, key)
  }

  /// Gives out no provisional key that another view gave out.
  package func reserveProvisionalKeys(of other: StoreView) {
    provisionalCounts.merge(other.provisionalCounts) { max($0, $1) }
  }

  /// Gives out none of these provisional keys.
  package func reserveProvisionalKeys(_ objects: [ObjectIdentity]) {
    for object in objects where object.key.isProvisional {
      let number = object.key.rawValue - ObjectKey.firstProvisional
      provisionalCounts[object.classKey] = max(
        provisionalCounts[object.classKey] ?? 0,
        number + 1
      )
    }
  }

  private func addCluster(_ classKey: ClassKey, _ number: UInt64, previous: UInt64?) {
    let schema = schema[classKey]
    let cluster = Cluster.make(
      classKey,
      number,
      ClusterFacts(previous: previous),
      properties: Int(schema?.nextSlot ?? 0),
      backlinks: schema?.backlinkSlots.count ?? 0,
      directory.pool
    )
    directory.insert(cluster, last: nil)
    directory.note(cluster)
    changedByteCount += 512
  }

  private func occupy(_ classKey: ClassKey, _ key: ObjectKey) throws(StorageError) {
    guard let cluster = try cluster(classKey, key.cluster) else {
      throw .damaged(in: "class record \(classKey.rawValue)", "its last cluster is missing")
    }
    if cluster.body.pointee.facts.count <= key.place {
      cluster.body.pointee.facts.count = key.place + 1
    }
    setLive(cluster, key.place, true)
  }

  /// Makes a live object dead, or a dead one live again with the values it had.
  ///
  /// The values of a dead object stay where they are until its column is stored again.
  package func setLive(_ object: ObjectIdentity, _ isLive: Bool) throws(StorageError) {
    guard let cluster = try cluster(object.classKey, object.key.cluster) else { return }
    setLive(cluster, object.key.place, isLive)
  }

  private func setLive(_ cluster: Cluster, _ place: Int, _ isLive: Bool) {
    guard cluster.isLive(place) != isLive else { return }
    cluster.body.pointee.facts.live[place] = isLive
    cluster.body.pointee.isHeaderChanged = true
    directory.note(cluster)
    let number = Int(cluster.classKey.rawValue)
    var record = directory[record: number]
    record.count = isLive ? record.count &+ 1 : record.count &- 1
    directory[record: number] = record
  }

  /// Notes the values of an object that lie outside their chunks as no longer needed.
  ///
  /// A file that never had any need not be looked at.
  package func dropExternals(of object: ObjectIdentity) throws(StorageError) {
    guard header.nextPieceID > 1,
      let cluster = try cluster(object.classKey, object.key.cluster)
    else { return }
    let place = object.key.place
    let body = cluster.body
    for index in 0..<body.pointee.slotCount {
      if body.slots[index].state == .unknown { try loadSlot(cluster, index) }
      switch body.slots[index].state {
      case .unknown, .absent: continue
      case .stored where body.pointee.views[index].hasExternals:
        if let location = body.pointee.views[index].external(place) {
          droppedPieces.append(location)
        }
      case .stored: continue
      case .decoded:
        guard let owner = body.slots[index].owner else { continue }
        if let location = owner.takeUnretainedValue().external(at: place) {
          droppedPieces.append(location)
        }
      }
    }
  }

  internal func loadSlot(_ cluster: Cluster, _ index: Int) throws(StorageError) {
    let properties = cluster.body.pointee.propertyCount
    if index >= properties {
      _ = try backlinkChunk(cluster, UInt16(index - properties))
    } else if let property = schema[cluster.classKey]?[PropertyKey(rawValue: UInt16(index))] {
      _ = try chunk(cluster, property)
    }
  }

  // MARK: - Values

  /// Sets a property that is not a list or set of links.
  ///
  /// The value must be of the property's type.
  package func set(
    _ object: ObjectIdentity,
    _ property: PropertySchema,
    _ value: Value
  ) throws(StorageError) {
    guard let cluster = try cluster(object.classKey, object.key.cluster) else { return }
    let place = object.key.place
    let column = try column(cluster, property, place)
    if let location = column.external(at: place) { droppedPieces.append(location) }
    column.set(place, value)
    changedByteCount += 16 + value.roughByteCount
  }

  /// Sets all keys of a list or set of links at once.
  package func setKeys(
    _ object: ObjectIdentity,
    _ property: PropertySchema,
    _ keys: [UInt64]
  ) throws(StorageError) {
    guard let cluster = try cluster(object.classKey, object.key.cluster) else { return }
    let place = object.key.place
    let column = try column(cluster, property, place)
    if let location = column.external(at: place) { droppedPieces.append(location) }
    column.keys[place] = .inline(keys)
    changedByteCount += 32 + 8 * keys.count
  }
}

extension MutableColumn {
  /// Sets a place that the column has; the value must be of the column's type.
  package func set(_ place: Int, _ value: Value) {
    switch type.form {
    case .words:
      setNull(place, value.isNull)
      words[place] = value.word ?? 0
    case .pairs:
      setNull(place, value.isNull)
      (pairs[2 * place], pairs[2 * place + 1]) = value.pair ?? (0, 0)
    case .cells:
      let bytes = value.isNull ? nil : value.cellBytes(kind: type.kind)
      setNull(place, bytes == nil)
      cells[place] = .inline(bytes ?? [])
    case .keys:
      keys[place] = .inline(value.linkedKeys)
    case .collections:
      collections[place] = .inline(value)
    }
  }

  /// Where the value of a place lies, if it lies outside the chunk.
  package func external(at place: Int) -> ExternalLocation? {
    guard place < count else { return nil }
    switch type.form {
    case .words, .pairs: return nil
    case .cells, .keys: return body.pointee.external(at: place)
    case .collections: if case .external(let location) = collections[place] { return location }
    }
    return nil
  }
}

extension Value {
  /// The object keys of a list or set of links.
  package var linkedKeys: [UInt64] {
    guard case .list(let elements) = self.asList else { return [] }
    return elements.compactMap { element in
      if case .link(let link) = element { link.key.rawValue } else { nil }
    }
  }

  private var asList: Value {
    if case .set(let members) = self { .list(members) } else { self }
  }

  /// About how many bytes the value takes.
  package var roughByteCount: Int {
    switch self {
    case .string(let text): text.utf8.count
    case .data(let bytes): bytes.count
    case .list(let values), .set(let values):
      values.reduce(0) { $0 + 16 + $1.roughByteCount }
    case .map(let entries):
      entries.reduce(0) { $0 + 32 + $1.key.utf8.count + $1.value.roughByteCount }
    default: 0
    }
  }
}
