/// Lists and sets of links.
extension ValueStore {
  /// A list or set of links, without making values of it.
  package func keyList(
    of object: ObjectIdentity,
    _ property: PropertySchema
  ) throws(StorageError) -> KeyListAccess {
    guard let cluster = try clusters.cluster(object.classKey, object.key.cluster) else {
      return .none
    }
    return try keyList(clusters.chunk(cluster, property), object.key.place)
  }

  internal func keyList(_ state: ChunkState, _ place: Int) throws(StorageError) -> KeyListAccess {
    switch state {
    case .absent, .unknown: return .none
    case .decoded(let column, _):
      guard place < column.count else { return .none }
      switch column.keys[place] {
      case .inline(let keys): return .array(keys)
      case .external(let location): return .long(try pieces.list(location), pieces)
      }
    case .stored(let view):
      guard place < view.count else { return .none }
      switch view.keys(place) {
      case .inline(let keys): return .stored(keys)
      case .external(let location): return .long(try pieces.list(location), pieces)
      }
    }
  }

  /// Calls a body with each key of a list or set of links.
  ///
  /// The body may change anything but this list.
  package func forEachKey(
    of object: ObjectIdentity,
    _ property: PropertyKey,
    _ body: (UInt64) throws(StorageError) -> Void
  ) throws(StorageError) {
    guard let cluster = try clusters.cluster(object.classKey, object.key.cluster),
      let index = cluster.index(of: property)
    else { return }
    if cluster.body.chunks[index].state == .unknown {
      try clusters.loadChunk(cluster, index)
    }
    try forEachKey(cluster, index, object.key.place, body)
  }

  /// Calls a body with each key of a list in a column of a cluster.
  internal func forEachKey(
    _ cluster: Cluster,
    _ index: Int,
    _ place: Int,
    _ body: (UInt64) throws(StorageError) -> Void
  ) throws(StorageError) {
    let chunk = cluster.body.chunks.handle(index)
    switch chunk.pointee.state {
    case .unknown, .absent: return
    case .stored:
      let view = unsafe cluster.body.pointee.views.handle(index)
      guard place < view.pointee.count else { return }
      switch view.pointee.keys(place) {
      case .inline(let keys): for position in 0..<keys.count { try body(keys[position]) }
      case .external(let location):
        for key in try pieces.keys(location) { try body(key) }
      }
    case .decoded:
      guard let column = chunk.pointee.column, place < column.pointee.count else { return }
      if let location = column.pointee.external(at: place) {
        for key in try pieces.keys(location) { try body(key) }
      } else {
        let keys = unsafe column.pointee.keys(at: place)
        for position in 0..<keys.count { try unsafe body(keys[position]) }
      }
    }
  }

  /// Removes the keys of objects that a deletion under way takes from a list or set of links to
  /// objects of a class.
  package func removeMarkedKeys(
    of object: ObjectIdentity,
    _ property: PropertyKey,
    _ target: ClassKey
  ) throws(StorageError) {
    var kept: [UInt64] = []
    var lost: [Int] = []
    try forEachKey(of: object, property) { (key) throws(StorageError) in
      if try objects.isMarked(ObjectIdentity(target, ObjectKey(rawValue: key))) {
        lost.append(kept.count + lost.count)
      } else {
        kept.append(key)
      }
    }
    guard !lost.isEmpty, let schema = clusters.schema[object.classKey]?[property],
      let cluster = try clusters.cluster(object.classKey, object.key.cluster)
    else { return }
    let column = try clusters.column(cluster, schema, object.key.place)
    if column.external(at: object.key.place) != nil {
      for index in lost.reversed() { _ = try removeKey(at: index, of: object, schema) }
    } else {
      column.keys[object.key.place] = .inline(kept)
    }
  }

  // MARK: - Changing

  package func insertKey(
    _ key: UInt64,
    at index: Int,
    of object: ObjectIdentity,
    _ property: PropertySchema
  ) throws(StorageError) {
    guard let cluster = try clusters.cluster(object.classKey, object.key.cluster) else { return }
    let place = object.key.place
    let column = try clusters.column(cluster, property, place)
    clusters.changedByteCount += 16
    try pieces.insert(key, at: index, column.body, place)
  }

  package func removeKey(
    at index: Int,
    of object: ObjectIdentity,
    _ property: PropertySchema
  ) throws(StorageError) -> UInt64 {
    guard let cluster = try clusters.cluster(object.classKey, object.key.cluster) else { return 0 }
    let place = object.key.place
    let column = try clusters.column(cluster, property, place)
    return try pieces.remove(at: index, column.body, place)
  }
}
