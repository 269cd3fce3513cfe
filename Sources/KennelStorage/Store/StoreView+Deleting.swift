/// What a deletion of many objects walks over, without arrays or values.
extension StoreView {
  /// Marks a live object as one that a deletion under way takes; false where it was marked before.
  package func mark(_ object: ObjectIdentity) throws(StorageError) -> Bool {
    guard let cluster = try cluster(object.classKey, object.key.cluster),
      !cluster.body.pointee.marked[object.key.place]
    else { return false }
    cluster.body.pointee.marked[object.key.place] = true
    return true
  }

  /// Whether a deletion under way takes an object.
  package func isDoomed(_ object: ObjectIdentity) throws(StorageError) -> Bool {
    guard let cluster = try cluster(object.classKey, object.key.cluster) else { return false }
    return cluster.body.pointee.marked[object.key.place]
  }

  /// Takes the mark away.
  package func unmark(_ object: ObjectIdentity) throws(StorageError) {
    guard let cluster = try cluster(object.classKey, object.key.cluster) else { return }
    cluster.body.pointee.marked[object.key.place] = false
  }

  /// Calls a body with each key of a list or set of links.
  ///
  /// The body may change anything but this list.
  package func forEachKey(
    of object: ObjectIdentity,
    _ property: PropertyKey,
    _ body: (UInt64) throws(StorageError) -> Void
  ) throws(StorageError) {
    guard let cluster = try cluster(object.classKey, object.key.cluster),
      let index = cluster.slot(property)
    else { return }
    if cluster.body.slots[index].state == .unknown { try loadSlot(cluster, index) }
    try forEachKey(cluster, index, object.key.place, body)
  }

  /// Calls a body with the key of each object that links to an object; one that links twice comes
  /// twice.
  ///
  /// The body may change anything but these backlinks.
  package func forEachOrigin(
    of object: ObjectIdentity,
    _ slot: UInt16,
    _ body: (UInt64) throws(StorageError) -> Void
  ) throws(StorageError) {
    try settleBacklinks()
    guard let cluster = try cluster(object.classKey, object.key.cluster),
      let index = cluster.slot(backlinks: slot)
    else { return }
    if cluster.body.slots[index].state == .unknown { try loadSlot(cluster, index) }
    try forEachKey(cluster, index, object.key.place, body)
  }

  private func forEachKey(
    _ cluster: Cluster,
    _ index: Int,
    _ place: Int,
    _ body: (UInt64) throws(StorageError) -> Void
  ) throws(StorageError) {
    let slot = cluster.body.slots + index
    switch slot.pointee.state {
    case .unknown, .absent: return
    case .stored:
      let view = cluster.body.pointee.views + index
      guard place < view.pointee.count else { return }
      switch view.pointee.keys(place) {
      case .inline(let keys): for position in 0..<keys.count { try body(keys[position]) }
      case .external(let location):
        for key in try longList(location).allKeys(self) { try body(key) }
      }
    case .decoded:
      guard let column = slot.pointee.column, place < column.pointee.count else { return }
      if let location = column.pointee.external(at: place) {
        for key in try longList(location).allKeys(self) { try body(key) }
      } else {
        let keys = column.pointee.keys(at: place)
        for position in 0..<keys.count { try body(keys[position]) }
      }
    }
  }

  /// Removes the keys of objects that a deletion under way takes from a list or set of links to
  /// objects of a class.
  package func removeDoomedKeys(
    of object: ObjectIdentity,
    _ property: PropertyKey,
    _ target: ClassKey
  ) throws(StorageError) {
    var kept: [UInt64] = []
    var lost: [Int] = []
    try forEachKey(of: object, property) { (key) throws(StorageError) in
      if try isDoomed(ObjectIdentity(target, ObjectKey(rawValue: key))) {
        lost.append(kept.count + lost.count)
      } else {
        kept.append(key)
      }
    }
    guard !lost.isEmpty, let cluster = try cluster(object.classKey, object.key.cluster) else {
      return
    }
    let column = try columnBody(cluster, property, object.key.place)
    if column.pointee.isExternal(object.key.place) {
      for index in lost.reversed() { _ = try removeKey(at: index, of: object, property) }
    } else {
      kept.withUnsafeBufferPointer { column.pointee.setKeys($0, at: object.key.place) }
    }
  }
}
