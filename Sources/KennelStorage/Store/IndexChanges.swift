/// Entries of indexes that changes added and removed, by the value's part of the entry.
///
/// Nothing is put into the index tree before the flush, so that a draft can look its own
/// objects up and a pointer read earlier stays valid.
package struct IndexChanges {
  /// By ``IndexKey/prefix(_:_:_:)``: object key to whether the entry was added or removed.
  package private(set) var byPrefix: [[UInt8]: [UInt64: Bool]] = [:]

  package init() {}

  package var isEmpty: Bool { byPrefix.isEmpty }

  package mutating func note(_ prefix: [UInt8], _ key: UInt64, isAdded: Bool) {
    // An entry that comes and goes within the changes leaves the stored one as it was.
    byPrefix[prefix, default: [:]][key] = isAdded
  }

  package mutating func removeAll() {
    byPrefix = [:]
  }
}

/// Looking objects up by the value of an indexed property.
extension StoreView {
  package func addIndexEntry(_ object: ObjectIdentity, _ property: PropertySchema, _ value: Value) {
    let prefix = IndexKey.prefix(object.classKey, property.key, value).bytes
    indexChanges.note(prefix, object.key.rawValue, isAdded: true)
    changedByteCount += 96 + prefix.count
  }

  package func removeIndexEntry(
    _ object: ObjectIdentity,
    _ property: PropertySchema,
    _ value: Value
  ) {
    let prefix = IndexKey.prefix(object.classKey, property.key, value).bytes
    indexChanges.note(prefix, object.key.rawValue, isAdded: false)
    changedByteCount += 96 + prefix.count
  }

  /// The objects whose indexed property has a value, by key.
  ///
  /// Logarithmic in the size of the class.
  package func find(
    _ classKey: ClassKey,
    _ property: PropertySchema,
    _ value: Value
  ) throws(StorageError) -> [ObjectKey] {
    let prefix = IndexKey.prefix(classKey, property.key, value)
    let number = Int(classKey.rawValue)
    let hasStored = number < storedRecords.count && storedRecords[number].count > 0
    var found =
      !hasStored
      ? []
      : try storedKeys(
        from: prefix.bytes,
        to: IndexKey.upperBound(of: prefix.bytes),
        length: prefix.bytes.count + 8
      )
    if let changes = indexChanges.byPrefix[prefix.bytes] {
      found.removeAll { changes[$0.rawValue] == false }
      let known = Set(found)
      for (key, isAdded) in changes where isAdded && !known.contains(ObjectKey(rawValue: key)) {
        found.append(ObjectKey(rawValue: key))
      }
    }
    // Numbers of different kinds share an order and long texts a prefix: compare in full.
    var equal: [ObjectKey] = []
    for key in found {
      let stored = try self.value(of: ObjectIdentity(classKey, key), property)
      if stored.isEquivalent(to: value) { equal.append(key) }
    }
    return equal.sorted()
  }

  /// The objects with an index entry at or past one prefix and before another, by value.
  package func findRange(
    from lower: [UInt8],
    to upper: [UInt8]
  ) throws(StorageError) -> [ObjectKey] {
    var found = try storedKeys(from: lower, to: upper, length: nil)
    guard !indexChanges.isEmpty else { return found }
    var removed: Set<ObjectKey> = []
    var added: [ObjectKey] = []
    for (prefix, changes) in indexChanges.byPrefix
    where !prefix.lexicographicallyPrecedes(lower) && prefix.lexicographicallyPrecedes(upper) {
      for (key, isAdded) in changes {
        removed.insert(ObjectKey(rawValue: key))
        if isAdded { added.append(ObjectKey(rawValue: key)) }
      }
    }
    found.removeAll { removed.contains($0) }
    return found + added
  }

  private func storedKeys(
    from lower: [UInt8],
    to upper: [UInt8],
    length: Int?
  ) throws(StorageError) -> [ObjectKey] {
    var keys: [ObjectKey] = []
    var failure: StorageError?
    try source.forEachEntry(from: lower) { entry, value in
      guard !entry.isOrdered(atOrAfter: upper) else { return false }
      if let length, entry.count != length { return true }
      guard value.isIndexChecksum(of: entry), let key = IndexKey.objectKey(of: entry) else {
        failure = .damaged(in: "an index entry", "its checksum does not match")
        return false
      }
      keys.append(key)
      return true
    }
    if let failure { throw failure }
    return keys
  }
}

extension UnsafeRawBufferPointer {
  /// Whether these bytes come at or after others.
  internal func isOrdered(atOrAfter other: [UInt8]) -> Bool {
    !lexicographicallyPrecedes(other)
  }

  /// Whether this is what is stored under an entry of an index: the CRC-32C of the entry.
  internal func isIndexChecksum(of entry: UnsafeRawBufferPointer) -> Bool {
    count == 4
      && UInt32(littleEndian: loadUnaligned(as: UInt32.self)) == Checksum.crc32c(entry)
  }
}
