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

  /// Makes a new object live under a key that no object of the class had before.
  ///
  /// The key must be at or past the class's next one, and below the provisional ones.
  package func createObject(_ classKey: ClassKey, _ key: ObjectKey) throws(StorageError) {
    let number = Int(classKey.rawValue)
    if number >= records.count {
      records.append(contentsOf: repeatElement(ClassRecord(), count: number + 1 - records.count))
    }
    let isNew = records[number].lastCluster.map { $0 < key.cluster } ?? true
    if isNew {
      addCluster(classKey, key.cluster, previous: records[number].lastCluster)
      records[number].lastCluster = key.cluster
    }
    records[number].nextKey = key.rawValue + 1
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

  private func addCluster(_ classKey: ClassKey, _ number: UInt64, previous: UInt64?) {
    let schema = schema[classKey]
    let cluster = Cluster(
      classKey,
      number,
      header: ClusterHeader(previous: previous),
      slots: Int(schema?.nextSlot ?? 0),
      backlinkSlots: schema?.backlinkSlots.count ?? 0
    )
    for slot in cluster.chunks.indices { cluster.chunks[slot] = .absent }
    for slot in cluster.backlinkChunks.indices { cluster.backlinkChunks[slot] = .absent }
    directory[classKey, number] = cluster
    changedByteCount += 512
  }

  private func occupy(_ classKey: ClassKey, _ key: ObjectKey) throws(StorageError) {
    guard let cluster = try cluster(classKey, key.cluster) else {
      throw .damaged(in: "class record \(classKey.rawValue)", "its last cluster is missing")
    }
    cluster.header.count = max(cluster.header.count, key.place + 1)
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
    guard cluster.header.live[place] != isLive else { return }
    cluster.header.live[place] = isLive
    cluster.isHeaderChanged = true
    let number = Int(cluster.classKey.rawValue)
    if number >= records.count {
      records.append(contentsOf: repeatElement(ClassRecord(), count: number + 1 - records.count))
    }
    records[number].count = isLive ? records[number].count &+ 1 : records[number].count &- 1
  }

  /// Notes the values of an object that lie outside their chunks as no longer needed.
  package func dropExternals(of object: ObjectIdentity) throws(StorageError) {
    guard let cluster = try cluster(object.classKey, object.key.cluster),
      let classSchema = schema[object.classKey]
    else { return }
    let place = object.key.place
    for property in classSchema.properties {
      if let location = try external(chunk(cluster, property), place, property.columnType) {
        droppedPieces.append(location)
      }
    }
    for slot in classSchema.backlinkSlots {
      let state = try backlinkChunk(cluster, slot.slot)
      if let location = try external(state, place, .backlinks) { droppedPieces.append(location) }
    }
  }

  private func external(
    _ state: ChunkState,
    _ place: Int,
    _ type: ColumnType
  ) throws(StorageError) -> ExternalLocation? {
    switch state {
    case .absent, .unknown: return nil
    case .decoded(let column, _): return column.external(at: place)
    case .stored(let view):
      guard place < view.count else { return nil }
      switch type.form {
      case .words, .pairs: return nil
      case .cells:
        if view.isNull(place) { return nil }
        if case .external(let location) = view.cell(place) { return location }
      case .keys: if case .external(let location) = view.keys(place) { return location }
      case .collections:
        if case .external(let location) = view.elements(place) { return location }
      }
      return nil
    }
  }

  // MARK: - Columns

  /// The decoded column of a property with room for a place, marked as changed.
  internal func column(
    _ cluster: Cluster,
    _ property: PropertySchema,
    _ place: Int
  ) throws(StorageError) -> MutableColumn {
    let slot = Int(property.key.rawValue)
    if slot < cluster.chunks.count, case .decoded(let column, true) = cluster.chunks[slot],
      place < column.count
    {
      return column
    }
    let state = try chunk(cluster, property)
    let column = try decoded(state, cluster, slot, property.columnType)
    if cluster.chunks.count <= slot {
      cluster.chunks.append(
        contentsOf: repeatElement(.absent, count: slot + 1 - cluster.chunks.count)
      )
    }
    cluster.chunks[slot] = .decoded(column, isChanged: true)
    let first = column.count
    column.grow(to: place + 1)
    if !property.isCollection, !property.fillValue.isNull {
      for filled in first...max(place, first) where filled < column.count {
        column.set(filled, property.fillValue)
      }
    }
    return column
  }

  /// The decoded column of backlinks with room for a place, marked as changed.
  internal func backlinkColumn(
    _ cluster: Cluster,
    _ slot: UInt16,
    _ place: Int
  ) throws(StorageError) -> MutableColumn {
    let index = Int(slot)
    if index < cluster.backlinkChunks.count,
      case .decoded(let column, true) = cluster.backlinkChunks[index], place < column.count
    {
      return column
    }
    let state = try backlinkChunk(cluster, slot)
    let column = try decoded(state, cluster, index, .backlinks)
    if cluster.backlinkChunks.count <= index {
      cluster.backlinkChunks.append(
        contentsOf: repeatElement(.absent, count: index + 1 - cluster.backlinkChunks.count)
      )
    }
    cluster.backlinkChunks[index] = .decoded(column, isChanged: true)
    column.grow(to: place + 1)
    return column
  }

  private func decoded(
    _ state: ChunkState,
    _ cluster: Cluster,
    _ slot: Int,
    _ type: ColumnType
  ) throws(StorageError) -> MutableColumn {
    switch state {
    case .decoded(let column, _): return column
    case .absent, .unknown: return MutableColumn(type)
    case .stored(let view):
      changedByteCount += 4096
      return try view.decoded()
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

  package func insertKey(
    _ key: UInt64,
    at index: Int,
    of object: ObjectIdentity,
    _ property: PropertySchema
  ) throws(StorageError) {
    guard let cluster = try cluster(object.classKey, object.key.cluster) else { return }
    try insert(key, at: index, column(cluster, property, object.key.place), object.key.place)
  }

  package func removeKey(
    at index: Int,
    of object: ObjectIdentity,
    _ property: PropertySchema
  ) throws(StorageError) -> UInt64 {
    guard let cluster = try cluster(object.classKey, object.key.cluster) else { return 0 }
    let column = try column(cluster, property, object.key.place)
    return try remove(at: index, column, object.key.place)
  }

  private func insert(
    _ key: UInt64,
    at index: Int,
    _ column: MutableColumn,
    _ place: Int
  ) throws(StorageError) {
    changedByteCount += 16
    switch column.keys[place] {
    case .inline(var keys):
      column.keys[place] = .inline([])
      keys.insert(key, at: index)
      column.keys[place] = .inline(keys)
    case .external(let location):
      let list = try longList(location)
      try list.insert(key, at: index) { (piece) throws(StorageError) in
        try loadPiece(list.id, piece)
      }
      column.keys[place] = .external(location.counting(list.count))
    }
  }

  private func remove(
    at index: Int,
    _ column: MutableColumn,
    _ place: Int
  ) throws(StorageError) -> UInt64 {
    switch column.keys[place] {
    case .inline(var keys):
      column.keys[place] = .inline([])
      let removed = keys.remove(at: index)
      column.keys[place] = .inline(keys)
      return removed
    case .external(let location):
      let list = try longList(location)
      let removed = try list.remove(at: index) { (piece) throws(StorageError) in
        try loadPiece(list.id, piece)
      }
      column.keys[place] = .external(location.counting(list.count))
      return removed
    }
  }

  // MARK: - Backlinks

  /// Notes that an object links to a target; its keys stay ascending.
  package func addBacklink(
    to target: ObjectIdentity,
    _ slot: UInt16,
    from origin: UInt64
  ) throws(StorageError) {
    guard let cluster = try cluster(target.classKey, target.key.cluster) else { return }
    let place = target.key.place
    let column = try backlinkColumn(cluster, slot, place)
    let position = try lowerBound(origin + 1, column, place).position
    try insert(origin, at: position, column, place)
  }

  /// Notes that one link of an object to a target is gone.
  package func removeBacklink(
    to target: ObjectIdentity,
    _ slot: UInt16,
    from origin: UInt64
  ) throws(StorageError) {
    guard let cluster = try cluster(target.classKey, target.key.cluster) else { return }
    let place = target.key.place
    let column = try backlinkColumn(cluster, slot, place)
    let (position, isFound) = try lowerBound(origin, column, place)
    guard isFound else {
      throw .damaged(in: "backlinks of \(target)", "the link from object \(origin) is not noted")
    }
    _ = try remove(at: position, column, place)
  }

  private func lowerBound(
    _ key: UInt64,
    _ column: MutableColumn,
    _ place: Int
  ) throws(StorageError) -> (position: Int, isFound: Bool) {
    switch column.keys[place] {
    case .inline(let keys):
      // Links are mostly made in the order of their origins.
      if let last = keys.last, last < key { return (keys.count, false) }
      let position = keys.partitioningIndex { $0 >= key }
      return (position, position < keys.count && keys[position] == key)
    case .external(let location):
      let list = try longList(location)
      return try list.lowerBound(key) { (piece) throws(StorageError) in
        try loadPiece(list.id, piece)
      }
    }
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
    case .cells: if case .external(let location) = cells[place] { return location }
    case .keys: if case .external(let location) = keys[place] { return location }
    case .collections: if case .external(let location) = collections[place] { return location }
    }
    return nil
  }
}

extension ExternalLocation {
  /// The same place after a change that left so many elements.
  fileprivate func counting(_ count: Int) -> ExternalLocation {
    ExternalLocation(id: id, count: UInt64(count), revision: revision &+ 1)
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
