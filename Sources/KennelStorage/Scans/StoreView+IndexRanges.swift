/// Looking objects up by a range of an index.
extension StoreView {
  /// The objects with an index entry at or past some bytes and before others, in no order, perhaps
  /// twice; `nil` where there are more than `limit`.
  ///
  /// Entries that changes removed are still among them, so each object has to be looked at.
  package func findRange(
    from lower: [UInt8],
    to upper: [UInt8],
    limit: Int
  ) throws(StorageError) -> [ObjectKey]? {
    var keys: [ObjectKey] = []
    var isDamaged = false
    try source.forEachEntry(from: lower) { entry, value in
      guard !entry.isOrdered(atOrAfter: upper), keys.count <= limit else { return false }
      guard value.isIndexChecksum(of: entry), let key = IndexKey.objectKey(of: entry) else {
        isDamaged = true
        return false
      }
      keys.append(key)
      return true
    }
    if isDamaged { throw .damaged(in: "an index entry", "its checksum does not match") }
    for (prefix, changes) in indexChanges.byPrefix
    where !prefix.lexicographicallyPrecedes(lower) && prefix.lexicographicallyPrecedes(upper) {
      for (key, isAdded) in changes where isAdded { keys.append(ObjectKey(rawValue: key)) }
    }
    return keys.count <= limit ? keys : nil
  }
}
