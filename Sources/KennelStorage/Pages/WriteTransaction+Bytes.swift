import KennelLMDB

extension WriteTransaction {
  internal func put(_ tree: Tree, _ key: UInt64, _ bytes: [UInt8]) throws(LMDBError) {
    try bytes.withRawBytes { (raw) throws(LMDBError) in try put(tree, key, raw) }
  }

  internal func put(_ tree: Tree, _ key: [UInt8], _ bytes: [UInt8]) throws(LMDBError) {
    try key.withRawBytes { (rawKey) throws(LMDBError) in
      try bytes.withRawBytes { (raw) throws(LMDBError) in try put(tree, key: rawKey, raw) }
    }
  }

  internal func delete(_ tree: Tree, _ key: [UInt8]) throws(LMDBError) {
    try key.withRawBytes { (raw) throws(LMDBError) in _ = try delete(tree, key: raw) }
  }

  /// Removes all keys of a range.
  internal func deleteRange(_ tree: Tree, _ range: ClosedRange<UInt64>) throws(LMDBError) {
    var keys: [UInt64] = []
    let cursor = try iterate(tree)
    var entry = try cursor.seek(atOrAfter: range.lowerBound)
    while let found = entry {
      let key = found.key.loadUnaligned(as: UInt64.self)
      guard key <= range.upperBound else { break }
      keys.append(key)
      entry = try cursor.next()
    }
    for key in keys { try delete(tree, key) }
  }
}
