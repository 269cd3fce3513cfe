import KennelLMDB

/// Reading objects and their values.
extension StoreView {
  /// The number of live objects of a class.
  package func count(of classKey: ClassKey) -> Int {
    Int(record(of: classKey).count)
  }

  package func contains(_ object: ObjectIdentity) throws(StorageError) -> Bool {
    guard let cluster = try cluster(object.classKey, object.key.cluster) else { return false }
    return cluster.isLive(object.key.place)
  }

  /// The value of a property; collections as a whole.
  ///
  /// The object must live. Linear in the size of the value.
  package func value(
    of object: ObjectIdentity,
    _ property: PropertySchema
  ) throws(StorageError) -> Value {
    guard let cluster = try cluster(object.classKey, object.key.cluster) else { return .null }
    return try value(in: cluster, object.key.place, property)
  }

  package func value(
    in cluster: Cluster,
    _ place: Int,
    _ property: PropertySchema
  ) throws(StorageError) -> Value {
    switch try chunk(cluster, property) {
    case .decoded(let column, _): try value(column, place, property)
    case .stored(let view): try value(view, place, property)
    case .absent, .unknown: property.absentValue
    }
  }

  private func value(
    _ column: MutableColumn,
    _ place: Int,
    _ property: PropertySchema
  ) throws(StorageError) -> Value {
    guard place < column.count else { return property.absentValue }
    let kind = property.type.kind
    switch column.type.form {
    case .words:
      return column.isNull(place)
        ? .null : Value(word: column.words[place], kind: kind, target: property.target)
    case .pairs:
      if column.isNull(place) { return .null }
      let pair = (column.pairs[2 * place], column.pairs[2 * place + 1])
      return try Value(pair: pair, kind: kind)
    case .cells:
      if column.isNull(place) { return .null }
      if let location = column.external(at: place) { return try externalCell(location, kind) }
      return try Value(cell: column.body.pointee.cell(at: place), kind: kind)
    case .keys:
      let keys: [UInt64] =
        switch column.keys[place] {
        case .inline(let keys): keys
        case .external(let location): try longList(location).allKeys(self)
        }
      return property.collection(ofKeys: keys)
    case .collections:
      switch column.collections[place] {
      case .inline(let value): return value
      case .external(let location): return try externalCollection(location)
      }
    }
  }

  private func value(
    _ view: ChunkView,
    _ place: Int,
    _ property: PropertySchema
  ) throws(StorageError) -> Value {
    guard place < view.count else { return property.absentValue }
    let kind = property.type.kind
    switch property.columnType.form {
    case .words:
      return view.isNull(place)
        ? .null : Value(word: view.word(place), kind: kind, target: property.target)
    case .pairs:
      return view.isNull(place) ? .null : try Value(pair: view.pair(place), kind: kind)
    case .cells:
      if view.isNull(place) { return .null }
      switch view.cell(place) {
      case .inline(let bytes): return try Value(cell: bytes, kind: kind)
      case .external(let location): return try externalCell(location, kind)
      }
    case .keys:
      switch view.keys(place) {
      case .inline(let keys): return property.collection(ofKeys: keys.unpack())
      case .external(let location):
        return property.collection(ofKeys: try longList(location).allKeys(self))
      }
    case .collections:
      switch view.elements(place) {
      case .inline(let elements): return try property.collection(of: elements)
      case .external(let location): return try externalCollection(location)
      }
    }
  }

  private func externalCell(
    _ location: ExternalLocation,
    _ kind: ValueKind
  ) throws(StorageError) -> Value {
    let bytes = try externalBytes(location)
    if kind == .data { return .data(bytes) }
    return try bytes.withRawBytes { (raw) throws(StorageError) in
      try Value(cell: raw, kind: kind)
    }
  }

  private func externalCollection(_ location: ExternalLocation) throws(StorageError) -> Value {
    let bytes = try externalBytes(location)
    return try bytes.withRawBytes { (raw) throws(StorageError) in try MixedCodec.decode(raw) }
  }

  // MARK: - Lists of keys

  /// A list or set of links, or of backlinks, without making values of it.
  package func keyList(
    of object: ObjectIdentity,
    _ property: PropertySchema
  ) throws(StorageError) -> KeyListAccess {
    guard let cluster = try cluster(object.classKey, object.key.cluster) else { return .none }
    return try keyList(chunk(cluster, property), object.key.place)
  }

  /// The objects that link to an object through one property of one class.
  package func backlinks(
    to object: ObjectIdentity,
    _ slot: UInt16
  ) throws(StorageError) -> KeyListAccess {
    guard let cluster = try cluster(object.classKey, object.key.cluster) else { return .none }
    return try keyList(backlinkChunk(cluster, slot), object.key.place)
  }

  private func keyList(_ state: ChunkState, _ place: Int) throws(StorageError) -> KeyListAccess {
    switch state {
    case .absent, .unknown: return .none
    case .decoded(let column, _):
      guard place < column.count else { return .none }
      switch column.keys[place] {
      case .inline(let keys): return .array(keys)
      case .external(let location): return .long(try longList(location))
      }
    case .stored(let view):
      guard place < view.count else { return .none }
      switch view.keys(place) {
      case .inline(let keys): return .stored(keys)
      case .external(let location): return .long(try longList(location))
      }
    }
  }

  /// Opens a long list, or gives the one that is open.
  internal func longList(_ location: ExternalLocation) throws(StorageError) -> LongKeyList {
    if let open = longLists[location.id] { return open }
    let key = PieceKey.of(location.id, 0)
    guard let bytes = try source.get(.pieces, key) else {
      throw .damaged(in: "long list \(location.id)", "its directory is missing")
    }
    let list = try LongKeyList(id: location.id, directory: bytes)
    guard list.count == Int(location.count) else {
      throw .damaged(
        in: "long list \(location.id)",
        "it has \(list.count) elements, not \(location.count)"
      )
    }
    longLists[location.id] = list
    return list
  }

  internal func loadPiece(_ id: UInt64, _ piece: UInt32) throws(StorageError) -> [UInt64] {
    let key = PieceKey.of(id, piece)
    guard let bytes = try source.get(.pieces, key) else {
      throw .damaged(in: "piece \(piece) of long list \(id)", "it is missing")
    }
    return try ElementPieces.decodeKeys(bytes, key: key)
  }
}

/// A list of keys wherever it lies.
package enum KeyListAccess {
  case none
  case array([UInt64])
  case stored(PackedKeys)
  case long(LongKeyList)

  package var count: Int {
    switch self {
    case .none: 0
    case .array(let keys): keys.count
    case .stored(let keys): keys.count
    case .long(let list): list.count
    }
  }

  package func key(at index: Int, _ view: StoreView) throws(StorageError) -> UInt64 {
    switch self {
    case .none: return 0
    case .array(let keys): return keys[index]
    case .stored(let keys): return keys[index]
    case .long(let list):
      let (entry, offset) = list.locate(index)
      let keys = try list.keys(ofEntry: entry) { (piece) throws(StorageError) in
        try view.loadPiece(list.id, piece)
      }
      return keys[offset]
    }
  }

  /// A window of the list; the range must lie in `0..<count`.
  package func keys(_ range: Range<Int>, _ view: StoreView) throws(StorageError) -> [UInt64] {
    switch self {
    case .none: return []
    case .array(let keys): return Array(keys[range])
    case .stored(let keys): return range.map { keys[$0] }
    case .long(let list): return try list.keys(range, view)
    }
  }
}

extension LongKeyList {
  internal func allKeys(_ view: StoreView) throws(StorageError) -> [UInt64] {
    try keys(0..<count, view)
  }

  internal func keys(
    _ range: Range<Int>,
    _ view: StoreView
  ) throws(StorageError) -> [UInt64] {
    guard !range.isEmpty else { return [] }
    var result: [UInt64] = []
    result.reserveCapacity(range.count)
    var (entry, offset) = locate(range.lowerBound)
    while result.count < range.count, entry < entries.count {
      let keys = try keys(ofEntry: entry) { (piece) throws(StorageError) in
        try view.loadPiece(id, piece)
      }
      let end = min(keys.count, offset + range.count - result.count)
      result.append(contentsOf: keys[offset..<end])
      entry += 1
      offset = 0
    }
    return result
  }
}

extension PropertySchema {
  /// What a place reads as that no chunk reaches.
  package var absentValue: Value {
    isCollection ? type.collection.empty : fillValue
  }

  /// The collection of these elements.
  internal func collection(of elements: ElementRange) throws(StorageError) -> Value {
    switch type.collection {
    case .map: .map(try elements.entries())
    case .set: .set(try elements.values())
    case .list, .none: .list(try elements.values())
    }
  }

  /// The list or set of links to the target class with these keys.
  internal func collection(ofKeys keys: [UInt64]) -> Value {
    guard let target else { return type.collection.empty }
    let links = keys.map { Value.link(ObjectIdentity(target, ObjectKey(rawValue: $0))) }
    return type.collection == .set ? .set(links) : .list(links)
  }
}
