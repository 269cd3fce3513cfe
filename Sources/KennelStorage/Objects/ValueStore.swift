/// The values of a view's objects, property by property, wherever they lie.
///
/// Setting one changes a column and nothing else: what a value means for other objects and for indexes is
/// the business of the layer above.
package final class ValueStore {
  internal let clusters: ClusterStore
  internal let pieces: PieceStore
  internal let objects: ObjectStore

  internal init(_ clusters: ClusterStore, _ objects: ObjectStore) {
    self.clusters = clusters
    self.objects = objects
    pieces = clusters.pieces
  }

  // MARK: - Reading

  /// The value of a property; collections as a whole.
  ///
  /// The object must live. Linear in the size of the value.
  package func value(
    of object: ObjectIdentity,
    _ property: PropertySchema
  ) throws(StorageError) -> Value {
    guard let cluster = try clusters.cluster(object.classKey, object.key.cluster) else {
      return .null
    }
    return try value(in: cluster, object.key.place, property)
  }

  package func value(
    in cluster: Cluster,
    _ place: Int,
    _ property: PropertySchema
  ) throws(StorageError) -> Value {
    switch try clusters.chunk(cluster, property) {
    case .decoded(let column, _): try value(column, place, property)
    case .stored(let view): try value(view, place, property)
    case .absent, .unknown: property.absentValue
    }
  }

  private func value(
    _ column: some ReadableColumn,
    _ place: Int,
    _ property: PropertySchema
  ) throws(StorageError) -> Value {
    guard place < column.count else { return property.absentValue }
    let kind = property.type.kind
    switch property.columnType.form {
    case .words:
      return column.isNull(place)
        ? .null : Value(word: column.word(place), kind: kind, target: property.target)
    case .pairs:
      return column.isNull(place) ? .null : try Value(pair: column.pair(place), kind: kind)
    case .cells:
      if column.isNull(place) { return .null }
      switch column.cell(place) {
      case .inline(let bytes): return try Value(cell: bytes, kind: kind)
      case .external(let location): return try Value(cell: pieces.bytes(of: location), kind: kind)
      }
    case .keys:
      switch column.linkedKeys(place) {
      case .inline(let keys): return property.collection(ofKeys: keys)
      case .external(let location):
        return property.collection(ofKeys: try pieces.keys(location))
      }
    case .collections:
      switch try column.collection(place) {
      case .inline(let value): return value
      case .external(let location): return try Value(cell: pieces.bytes(of: location), kind: .mixed)
      }
    }
  }

  /// The key of a to-one link's target.
  package func link(
    _ object: ObjectIdentity,
    _ property: PropertyKey
  ) throws(StorageError) -> ObjectKey? {
    var word: UInt64 = 0
    switch clusters.points.readWord(object, property, .link, &word) {
    case .value: return ObjectKey(rawValue: word)
    case .null: return nil
    case .unknown: break
    }
    guard let schema = clusters.schema[object.classKey]?[property],
      let key = try value(of: object, schema).word
    else { return nil }
    return ObjectKey(rawValue: key)
  }

  // MARK: - Writing

  /// Sets a property that is not a list or set of links.
  ///
  /// The value must be of the property's type.
  package func set(
    _ object: ObjectIdentity,
    _ property: PropertySchema,
    _ value: Value
  ) throws(StorageError) {
    guard let cluster = try clusters.cluster(object.classKey, object.key.cluster) else { return }
    let place = object.key.place
    let column = try clusters.column(cluster, property, place)
    if let location = column.external(at: place) { pieces.drop(location) }
    column.set(place, value)
    clusters.changedByteCount += 16 + value.roughByteCount
  }

  /// Sets all keys of a list or set of links at once.
  package func setKeys(
    _ object: ObjectIdentity,
    _ property: PropertySchema,
    _ keys: [UInt64]
  ) throws(StorageError) {
    guard let cluster = try clusters.cluster(object.classKey, object.key.cluster) else { return }
    let place = object.key.place
    let column = try clusters.column(cluster, property, place)
    if let location = column.external(at: place) { pieces.drop(location) }
    column.keys[place] = .inline(keys)
    clusters.changedByteCount += 32 + 8 * keys.count
  }

  /// Clears what a dead object left in its columns, and what linked to it, before its key is used again.
  ///
  /// Values outside their chunks were dropped when the object died.
  package func forget(
    _ object: ObjectIdentity,
    _ schema: ClassSchema
  ) throws(StorageError) {
    guard let cluster = try clusters.cluster(object.classKey, object.key.cluster) else { return }
    let place = object.key.place
    for property in schema.properties {
      if case .absent = try clusters.chunk(cluster, property) { continue }
      let column = try clusters.column(cluster, property, place)
      if property.columnType.form == .keys {
        column.keys[place] = .inline([])
      } else {
        column.set(place, property.absentValue)
      }
    }
    for backlinks in schema.backlinkColumns {
      if case .absent = try clusters.backlinkChunk(cluster, backlinks.number) { continue }
      let column = try clusters.backlinkColumn(cluster, backlinks.number, place)
      unsafe column.pointee.setKeys(UnsafeBufferPointer(start: nil, count: 0), at: place)
    }
  }

  /// Notes the values of an object that lie outside their chunks as no longer needed.
  ///
  /// A file that never had any need not be looked at.
  package func dropExternals(of object: ObjectIdentity) throws(StorageError) {
    guard pieces.wasUsed,
      let cluster = try clusters.cluster(object.classKey, object.key.cluster)
    else { return }
    let place = object.key.place
    let body = cluster.body
    for index in 0..<body.pointee.chunkCount {
      if body.chunks[index].state == .unknown { try clusters.loadChunk(cluster, index) }
      switch body.chunks[index].state {
      case .unknown, .absent: continue
      case .stored where unsafe body.pointee.views[index].hasExternals:
        if let location = unsafe body.pointee.views[index].external(place) {
          pieces.drop(location)
        }
      case .stored: continue
      case .decoded:
        guard let owner = unsafe body.chunks[index].owner else { continue }
        if let location = unsafe owner.takeUnretainedValue().external(at: place) {
          pieces.drop(location)
        }
      }
    }
  }
}
