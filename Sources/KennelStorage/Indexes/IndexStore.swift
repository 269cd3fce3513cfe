import KennelPages

/// The indexes of a view: finding objects by the value of an indexed property.
///
/// An entry is looked up in the snapshot's tree, and in the changes on top of it.
package final class IndexStore {
  internal let clusters: ClusterStore
  /// That of the clusters, at hand without another reference to count.
  internal let directory: ClusterDirectory
  internal let values: ValueStore
  /// Where stored entries are read.
  internal var source: TreeSource
  /// The changes, but for what is in runs of primary keys; see `changes`.
  internal var settledChanges = IndexChanges()

  internal init(_ source: TreeSource, _ values: ValueStore) {
    self.source = source
    self.values = values
    clusters = values.clusters
    directory = clusters.directory
  }

  /// The indexes of the same snapshot with their own copy of the changes.
  internal init(copying other: IndexStore, _ values: ValueStore) {
    source = other.source
    self.values = values
    clusters = values.clusters
    directory = clusters.directory
    settledChanges = other.changes
  }

  package func addEntry(_ object: ObjectIdentity, _ property: PropertySchema, _ value: Value) {
    if property.isPrimaryKey, addToKeyRun(object, property.key, value) { return }
    note(object, property.key, value, isAdded: true)
  }

  package func removeEntry(
    _ object: ObjectIdentity,
    _ property: PropertySchema,
    _ value: Value
  ) {
    note(object, property.key, value, isAdded: false)
  }

  /// The same for a whole number that can be read in place; false where it cannot.
  package func removeIntEntry(_ object: ObjectIdentity, _ property: PropertyKey) -> Bool {
    var word: UInt64 = 0
    guard clusters.points.readWord(object, property, .int, &word) == .value else { return false }
    note(object, property, .int(Int64(bitPattern: word)), isAdded: false)
    return true
  }

  private func note(
    _ object: ObjectIdentity,
    _ property: PropertyKey,
    _ value: Value,
    isAdded: Bool
  ) {
    IndexKey.withPrefix(object.classKey, property, value) { prefix, _ in
      changes.note(prefix, object.key.rawValue, isAdded: isAdded)
      // The bytes, the change, and its part of the table.
      clusters.changedByteCount += prefix.count + 36
    }
  }

  /// The object with a primary key that is a whole number, 0 if there is none; `nil` where the
  /// class has no such primary key, or another property has it than the one that is meant.
  ///
  /// Logarithmic in the size of the class, about 150 ns among a million objects, until many were
  /// looked up; then constant, a third of it (``NumberTable``).
  package func findKey(
    _ classKey: ClassKey,
    _ property: PropertyKey?,
    _ value: Int64
  ) throws(StorageError) -> ObjectKey? {
    guard let primaryKey = clusters.schema.intKey(of: classKey),
      property ?? primaryKey == primaryKey
    else {
      return nil
    }
    return try findFirst(classKey, primaryKey, intKey: value) ?? ObjectKey(rawValue: 0)
  }

  /// The object with a whole number in an indexed property of whole numbers that are unique.
  ///
  /// Logarithmic in the size of the class, about 150 ns among a million objects, until many were
  /// looked up; then constant, a third of it (``NumberTable``).
  package func findFirst(
    _ classKey: ClassKey,
    _ property: PropertyKey,
    intKey: Int64
  ) throws(StorageError) -> ObjectKey? {
    if changes.isEmpty {
      guard clusters.hasStored(classKey) else { return nil }
      if let key = try storedObject(classKey, property, intKey) { return key }
    }
    return try IndexKey.withPrefix(classKey, property, .int(intKey)) {
      (prefix, _) throws(StorageError) in
      try keys(under: prefix, classKey).min()
    }
  }

  /// The object with a whole number in an indexed property, if a look at the snapshot's tree is
  /// enough to find it.
  @inline(__always)
  private func storedObject(
    _ classKey: ClassKey,
    _ property: PropertyKey,
    _ value: Int64
  ) throws(StorageError) -> ObjectKey? {
    // Greater numbers may share a double, which alone is looked for.
    guard value.magnitude < 1 << 53 else { return nil }
    let header = IndexKey.intHeader(classKey, property)
    // Nobody lets the source go meanwhile: counting a reference takes as long as a page.
    let source = unsafe Unmanaged.passUnretained(source)
    let known = unsafe source._withUnsafeGuaranteedRef {
      $0.knownKey(header: header, number: value)
    }
    if known != 0 { return ObjectKey(rawValue: known) }
    return try IndexKey.withPrefix(classKey, property, .int(value)) {
      (prefix, _) throws(StorageError) in
      guard let found = try self.source.firstIndexEntry(atOrAfter: prefix),
        found.count == prefix.count + 8,
        ByteOrder.compare(found.slice(0..<prefix.count), prefix) == 0
      else { return nil }
      return try Self.objectKey(of: found)
    }
  }

  /// The first object whose indexed property has a value, but for one object.
  ///
  /// Logarithmic in the size of the class.
  package func findFirst(
    _ classKey: ClassKey,
    _ property: PropertySchema,
    _ value: Value,
    except excluded: ObjectKey? = nil
  ) throws(StorageError) -> ObjectKey? {
    if case .int(let number) = value, property.kind == .int, property.isPrimaryKey {
      let found = try findFirst(classKey, property.key, intKey: number)
      if found == nil || found != excluded { return found }
    }
    return try find(classKey, property, value).first { $0 != excluded }
  }

  /// The objects whose indexed property has a value, by key.
  ///
  /// Logarithmic in the size of the class.
  package func find(
    _ classKey: ClassKey,
    _ property: PropertySchema,
    _ value: Value
  ) throws(StorageError) -> [ObjectKey] {
    let found = try IndexKey.withPrefix(classKey, property.key, value) {
      (prefix, _) throws(StorageError) in
      try keys(under: prefix, classKey)
    }
    // Numbers of different kinds share an order and long texts a prefix: compare in full.
    var equal: [ObjectKey] = []
    for key in found {
      let stored = try values.value(of: ObjectIdentity(classKey, key), property)
      if stored.isEquivalent(to: value) { equal.append(key) }
    }
    return equal.sorted()
  }

  /// The objects with an entry that begins with a value's bytes, in no order.
  private func keys(
    under prefix: StoredBytes,
    _ classKey: ClassKey
  ) throws(StorageError) -> [ObjectKey] {
    var found = clusters.hasStored(classKey) ? try storedKeys(under: prefix) : []
    guard changes.contains(prefix) else { return found }
    let states = changes.states(of: prefix)
    found.removeAll { states[$0.rawValue] != nil }
    for (key, isAdded) in states where isAdded { found.append(ObjectKey(rawValue: key)) }
    return found
  }

  private func storedKeys(under prefix: StoredBytes) throws(StorageError) -> [ObjectKey] {
    var keys: [ObjectKey] = []
    try source.forEachEntry(from: prefix) { (entry) throws(StorageError) in
      let beginning = entry.slice(0..<prefix.count)
      guard ByteOrder.compare(beginning, prefix) == 0 else { return false }
      // Longer ones belong to other values.
      if entry.count != prefix.count + 8 { return true }
      keys.append(try Self.objectKey(of: entry))
      return true
    }
    return keys
  }

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
    try lower.withRawBytes { (start) throws(StorageError) in
      try upper.withRawBytes { (end) throws(StorageError) in
        try source.forEachEntry(from: start) { (entry) throws(StorageError) in
          guard ByteOrder.compare(entry, end) < 0, keys.count <= limit else { return false }
          keys.append(try Self.objectKey(of: entry))
          return true
        }
      }
    }
    for key in changes.added(from: lower, to: upper) {
      keys.append(ObjectKey(rawValue: key))
    }
    return keys.count <= limit ? keys : nil
  }

  private static func objectKey(of entry: StoredBytes) throws(StorageError) -> ObjectKey {
    guard let key = IndexKey.objectKey(of: entry) else {
      throw .damaged(in: "an index entry", "it names no object")
    }
    return key
  }

  // MARK: - Storing

  /// Stores the changes.
  internal func store(into transaction: Writer) throws(PageStoreError) {
    let areRunsAll = try visitKeyRuns { (entry) throws(PageStoreError) in
      try transaction.putIndexEntry(entry)
    }
    if areRunsAll { return }
    try changes.visit { (entry, isAdded) throws(PageStoreError) in
      if isAdded {
        try transaction.putIndexEntry(entry)
      } else {
        try unsafe transaction.delete(.indexes, key: entry.buffer)
      }
    }
    settledChanges.removeAll()
  }
}

extension Writer {
  /// Stores an entry of an index.
  internal func putIndexEntry(_ entry: StoredBytes) throws(PageStoreError) {
    try unsafe put(.indexes, key: entry.buffer, StoredBytes.empty.buffer)
  }
}

extension StoredBytes {
  /// Whether these bytes come at or after others.
  internal func isOrdered(atOrAfter other: [UInt8]) -> Bool {
    other.withRawBytes { ByteOrder.compare(self, $0) >= 0 }
  }
}
