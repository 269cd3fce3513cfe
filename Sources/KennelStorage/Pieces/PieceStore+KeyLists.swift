/// The list of keys in one place of a column, in its chunk or outside of it.
extension PieceStore {
  /// Inserts a key at a position of the list.
  internal func insert(
    _ key: UInt64,
    at position: Int,
    _ column: ViewHandle<ColumnStorage>,
    _ place: Int
  ) throws(StorageError) {
    guard let location = column.pointee.external(at: place) else {
      column.pointee.insertKey(key, at: position, place: place)
      return
    }
    let list = try list(location)
    try list.insert(key, at: position) { (piece) throws(StorageError) in
      try loadPiece(list.id, piece)
    }
    column.pointee.setExternal(location.counting(list.count), at: place)
  }

  /// Removes the key at a position of the list.
  internal func remove(
    at position: Int,
    _ column: ViewHandle<ColumnStorage>,
    _ place: Int
  ) throws(StorageError) -> UInt64 {
    guard let location = column.pointee.external(at: place) else {
      return column.pointee.removeKey(at: position, place: place)
    }
    let list = try list(location)
    let removed = try list.remove(at: position) { (piece) throws(StorageError) in
      try loadPiece(list.id, piece)
    }
    column.pointee.setExternal(location.counting(list.count), at: place)
    return removed
  }

  /// Where a key stands, or would stand, in a list whose keys ascend.
  internal func lowerBound(
    _ key: UInt64,
    _ column: ViewHandle<ColumnStorage>,
    _ place: Int
  ) throws(StorageError) -> (position: Int, isFound: Bool) {
    guard let location = column.pointee.external(at: place) else {
      let keys = unsafe column.pointee.keys(at: place)
      // Links are mostly made in the order of their origins.
      if unsafe keys.isEmpty || keys[keys.count - 1] < key { return (keys.count, false) }
      var low = 0
      var high = keys.count - 1
      while low < high {
        let middle = (low + high) >> 1
        if unsafe keys[middle] < key { low = middle + 1 } else { high = middle }
      }
      return unsafe (low, keys[low] == key)
    }
    let list = try list(location)
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
