/// Changing lists and sets of links, and the backlinks of their targets.
extension StoreView {
  package func insertKey(
    _ key: UInt64,
    at index: Int,
    of object: ObjectIdentity,
    _ property: PropertyKey
  ) throws(StorageError) {
    guard let cluster = try cluster(object.classKey, object.key.cluster) else { return }
    let place = object.key.place
    try insert(key, at: index, columnBody(cluster, property, place), place)
  }

  package func removeKey(
    at index: Int,
    of object: ObjectIdentity,
    _ property: PropertyKey
  ) throws(StorageError) -> UInt64 {
    guard let cluster = try cluster(object.classKey, object.key.cluster) else { return 0 }
    let place = object.key.place
    return try remove(at: index, columnBody(cluster, property, place), place)
  }

  /// Adds a key at the end of a list.
  package func appendKey(
    _ key: UInt64,
    to object: ObjectIdentity,
    _ property: PropertyKey
  ) throws(StorageError) -> Int {
    guard let cluster = try cluster(object.classKey, object.key.cluster) else { return 0 }
    let place = object.key.place
    let column = try columnBody(cluster, property, place)
    let end: Int
    if let location = column.pointee.external(at: place) {
      end = try longList(location).count
    } else {
      end = column.pointee.keyCount(at: place)
    }
    try insert(key, at: end, column, place)
    return end
  }

  private func insert(
    _ key: UInt64,
    at index: Int,
    _ column: UnsafeMutablePointer<ColumnStorage>,
    _ place: Int
  ) throws(StorageError) {
    changedByteCount += 16
    guard let location = column.pointee.external(at: place) else {
      column.pointee.insertKey(key, at: index, place: place)
      return
    }
    let list = try longList(location)
    try list.insert(key, at: index) { (piece) throws(StorageError) in
      try loadPiece(list.id, piece)
    }
    column.pointee.setExternal(location.counting(list.count), at: place)
  }

  private func remove(
    at index: Int,
    _ column: UnsafeMutablePointer<ColumnStorage>,
    _ place: Int
  ) throws(StorageError) -> UInt64 {
    guard let location = column.pointee.external(at: place) else {
      return column.pointee.removeKey(at: index, place: place)
    }
    let list = try longList(location)
    let removed = try list.remove(at: index) { (piece) throws(StorageError) in
      try loadPiece(list.id, piece)
    }
    column.pointee.setExternal(location.counting(list.count), at: place)
    return removed
  }

  // MARK: - Backlinks

  /// Notes that an object links to a target; its keys stay ascending.
  package func addBacklink(
    to target: ObjectIdentity,
    _ slot: UInt16,
    from origin: UInt64
  ) throws(StorageError) {
    // The order in which backlinks are noted does not matter, but room has to be made.
    if directory.table.pointee.waiting.isFull { try settleBacklinks() }
    try insertBacklink(to: target, slot, from: origin)
  }

  internal func insertBacklink(
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
    try settleBacklinks()
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
    _ column: UnsafeMutablePointer<ColumnStorage>,
    _ place: Int
  ) throws(StorageError) -> (position: Int, isFound: Bool) {
    guard let location = column.pointee.external(at: place) else {
      let keys = column.pointee.keys(at: place)
      // Links are mostly made in the order of their origins.
      if keys.isEmpty || keys[keys.count - 1] < key { return (keys.count, false) }
      var low = 0
      var high = keys.count - 1
      while low < high {
        let middle = (low + high) >> 1
        if keys[middle] < key { low = middle + 1 } else { high = middle }
      }
      return (low, keys[low] == key)
    }
    let list = try longList(location)
    return try list.lowerBound(key) { (piece) throws(StorageError) in
      try loadPiece(list.id, piece)
    }
  }
}

extension ExternalLocation {
  /// The same place after a change that left so many elements.
  fileprivate func counting(_ count: Int) -> ExternalLocation {
    ExternalLocation(id: id, count: UInt64(count), revision: revision &+ 1)
  }
}
