/// The entries of indexes.
extension FileCheck {
  /// Notes the entry that an object should have.
  func noteEntry(_ object: ObjectIdentity, _ property: PropertySchema, _ value: Value) {
    let entry = IndexKey.entry(object.classKey, property.key, value, object.key).bytes
    let key = sumKey(object, property.key)
    entry.withRawBytes { entrySums.add(entrySums.hash($0), to: key) }
  }

  private func sumKey(_ object: ObjectIdentity, _ property: PropertyKey) -> UInt64 {
    ChunkKey(object.classKey, cluster: object.key.cluster, column: property.rawValue + 1).rawValue
  }

  /// Every entry: its object, and whether a primary key or a unique value is there twice.
  func checkIndexes() throws(StorageError) {
    var group = EqualEntries()
    try forEachEntry(of: .indexes) { (cursor) throws(StorageError) in
      let bytes = cursor.bytes
      if let (object, property) = indexed(bytes) {
        let key = sumKey(object, property.key)
        entrySums.subtract(entrySums.hash(bytes), from: key)
        if property.isPrimaryKey || property.isUnique {
          try compare(bytes, object, property, &group)
        }
      } else {
        add(.strayIndexEntry, "An entry of the indexes belongs to no indexed property")
      }
    }
  }

  /// Decodes an entry's first and last bytes; `nil` for an entry of no index.
  private func indexed(_ bytes: StoredBytes) -> (ObjectIdentity, PropertySchema)? {
    guard let key = IndexKey.objectKey(of: bytes) else { return nil }
    let number = UInt16(bigEndian: bytes.loadUnaligned(as: UInt16.self))
    let column = UInt16(bigEndian: bytes.loadUnaligned(fromByteOffset: 2, as: UInt16.self))
    let classKey = ClassKey(rawValue: number)
    guard let property = schema.property(PropertyKey(rawValue: column), of: classKey),
      property.isIndexed
    else { return nil }
    return (ObjectIdentity(classKey, key), property)
  }

  /// The objects whose entries begin with the same bytes: equal values, or ones that only a full
  /// comparison can tell apart.
  private struct EqualEntries {
    var prefix: [UInt8] = []
    var objects: [ObjectIdentity] = []
  }

  private func compare(
    _ bytes: StoredBytes,
    _ object: ObjectIdentity,
    _ property: PropertySchema,
    _ group: inout EqualEntries
  ) throws(StorageError) {
    let prefix = bytes.slice(0..<bytes.count - 8)
    guard prefix.elementsEqual(group.prefix) else {
      group = EqualEntries(prefix: Array(prefix), objects: [object])
      return
    }
    let value = try view.objects.contains(object) ? view.values.value(of: object, property) : nil
    for other in group.objects where other != object {
      guard let value, property.isReserved(value), try view.objects.contains(other),
        try view.values.value(of: other, property).isEquivalent(to: value)
      else { continue }
      let both = "\(name(other)) and \(name(object)) have the same"
      if property.isPrimaryKey {
        add(.duplicatePrimaryKey, "\(both) primary key, \(property.name)")
      } else {
        add(.duplicateValue, "\(both) \(property.name), which is unique")
      }
      break
    }
    group.objects.append(object)
  }

  // MARK: - Where the sums differ

  /// Looks one by one at the clusters whose index entries are not those of their objects.
  func compareIndexes() throws(StorageError) {
    guard !isPartial else { return }
    var suspects: [PropertyIdentity: Set<UInt64>] = [:]
    for rawKey in entrySums.unequal() {
      let key = ChunkKey(rawValue: rawKey)
      let place = PropertyIdentity(key.classKey, PropertyKey(rawValue: key.column - 1))
      if !unread.contains(place) { suspects[place, default: []].insert(key.cluster) }
    }
    let ordered = suspects.sorted {
      ($0.key.classKey, $0.key.property) < ($1.key.classKey, $1.key.property)
    }
    for (place, numbers) in ordered where !isStopped {
      guard let property = schema.property(place.property, of: place.classKey) else { continue }
      try compareIndex(place.classKey, property, numbers)
    }
  }

  private func compareIndex(
    _ classKey: ClassKey,
    _ property: PropertySchema,
    _ numbers: Set<UInt64>
  ) throws(StorageError) {
    var stray: [ObjectKey: [[UInt8]]] = [:]
    let range = IndexKey.range(classKey, property.key)
    var cursor = try source.cursor(.indexes)
    var isThere = try range.lower.withRawBytes { (raw) throws(StorageError) in
      try cursor.seek(atOrAfter: raw)
    }
    while isThere, !cursor.bytes.isOrdered(atOrAfter: range.upper) {
      if let key = IndexKey.objectKey(of: cursor.bytes), numbers.contains(key.cluster) {
        stray[key, default: []].append(Array(cursor.bytes))
      }
      isThere = try cursor.next()
    }
    for number in numbers.sorted() where !isStopped {
      guard let cluster = try view.clusters.cluster(classKey, number) else { continue }
      for place in cluster.header.live {
        let key = ObjectKey(cluster: number, place: place)
        let value = try view.values.value(in: cluster, place, property)
        let entry = IndexKey.entry(classKey, property.key, value, key).bytes
        if let index = stray[key]?.firstIndex(of: entry) {
          stray[key]?.remove(at: index)
        } else {
          add(
            .missingIndexEntry,
            "\(name(ObjectIdentity(classKey, key))) is missing in the index of "
              + "\(name(classKey)).\(property.name)"
          )
        }
      }
    }
    for (key, entries) in stray.sorted(by: { $0.key < $1.key }) {
      for _ in entries {
        add(
          .strayIndexEntry,
          "The index of \(name(classKey)).\(property.name) has an entry for "
            + "\(name(ObjectIdentity(classKey, key))) that is not its value's"
        )
      }
    }
  }
}
