import KennelLMDB

extension WriteTransaction {
  internal func put(_ tree: Tree, _ key: UInt64, _ bytes: [UInt8]) throws(LMDBError) {
    try unsafe bytes.withRawBytes { (raw) throws(LMDBError) in try unsafe put(tree, key, raw) }
  }

  internal func put(_ tree: Tree, _ key: [UInt8], _ bytes: [UInt8]) throws(LMDBError) {
    try unsafe key.withRawBytes { (rawKey) throws(LMDBError) in
      try unsafe bytes.withRawBytes { (raw) throws(LMDBError) in
        try unsafe put(tree, key: rawKey, raw)
      }
    }
  }

  internal func delete(_ tree: Tree, _ key: [UInt8]) throws(LMDBError) {
    try unsafe key.withRawBytes { (raw) throws(LMDBError) in _ = try unsafe delete(tree, key: raw) }
  }

  /// Removes all keys of a range.
  internal func deleteRange(_ tree: Tree, _ range: ClosedRange<UInt64>) throws(LMDBError) {
    var keys: [UInt64] = []
    let cursor = try iterate(tree)
    var entry = try unsafe cursor.seek(atOrAfter: range.lowerBound)
    while let found = unsafe entry {
      let key = unsafe found.key.loadUnaligned(as: UInt64.self)
      guard key <= range.upperBound else { break }
      keys.append(key)
      unsafe entry = try unsafe cursor.next()
    }
    for key in keys { try delete(tree, key) }
  }
}
