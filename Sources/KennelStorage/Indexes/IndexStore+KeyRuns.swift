import KennelPages

/// Primary keys that ascend, which need no look-up: see ``PrimaryKeyRun``.
extension IndexStore {
  /// Whether a whole number is greater than every primary key of its class.
  ///
  /// The first question of a transaction looks for the greatest key: logarithmic in the size of the
  /// class, linear in the changes so far.
  package func isGreatestKey(
    _ classKey: ClassKey,
    _ property: PropertySchema,
    _ value: Value
  ) throws(StorageError) -> Bool {
    guard property.isPrimaryKey, case .int(let value) = value else { return false }
    let number = Int(classKey.rawValue)
    directory.growRecords(to: number + 1)
    if unsafe !directory.table.pointee.entries[number].keyRun.isOpen {
      let greatest = try greatestKey(classKey, property.key)
      unsafe directory.table.pointee.entries[number].keyRun.open(property.key, greatest: greatest)
    }
    return unsafe directory.table.pointee.entries[number].keyRun.takes(property.key, value)
  }

  /// Notes a primary key that an object got; false where it is not greater than all others.
  internal func addToKeyRun(
    _ object: ObjectIdentity,
    _ property: PropertyKey,
    _ value: Value
  ) -> Bool {
    let number = Int(object.classKey.rawValue)
    guard case .int(let value) = value, number < directory.table.pointee.entries.count,
      unsafe directory.table.pointee.entries[number].keyRun.takes(property, value)
    else { return false }
    unsafe directory.table.pointee.entries[number].keyRun.append(value, object.key.rawValue)
    directory.table.pointee.entries[number].hasKeyRun = true
    unsafe clusters.changedByteCount += PrimaryKeyRun.bytesPerEntry
    return true
  }

  private func greatestKey(
    _ classKey: ClassKey,
    _ property: PropertyKey
  ) throws(StorageError) -> Int64 {
    guard let schema = clusters.schema[classKey]?[property] else { return .max }
    let range = IndexKey.range(classKey, property)
    var greatest = Int64.min
    var cursor = try source.cursor(.indexes)
    let found = try range.upper.withRawBytes { (upper) throws(StorageError) in
      try cursor.seek(atOrBefore: upper)
    }
    // What the entry says and not its object, which changes may have taken or given another key:
    // those before it are still there.
    if found, cursor.bytes.isOrdered(atOrAfter: range.lower) {
      greatest = IndexKey.greatestInt(upTo: cursor.bytes)
    }
    // A run that is not open has nothing, and those of other classes stay.
    let objects = settledChanges.added(from: range.lower, to: range.upper).map(ObjectKey.init)
    for key in objects {
      let object = ObjectIdentity(classKey, key)
      guard let cluster = try clusters.cluster(classKey, key.cluster), cluster.isLive(key.place),
        case .int(let value) = try values.value(of: object, schema)
      else { continue }
      greatest = max(greatest, value)
    }
    return greatest
  }

  /// All changes of the indexes, key runs included.
  internal var changes: IndexChanges {
    get {
      settleKeyRuns()
      return settledChanges
    }
    _modify {
      settleKeyRuns()
      yield &settledChanges
    }
  }

  /// Tells the changes of the indexes what is in runs only.
  internal func settleKeyRuns() {
    let table = directory.table
    for number in 0..<table.pointee.entries.count
    where table.pointee.entries[number].hasKeyRun {
      let run = unsafe table.pointee.entries[number].keyRun
      for position in unsafe 0..<run.count {
        guard let entry = unsafe run[position] else { continue }
        unsafe IndexKey.withPrefix(
          ClassKey(rawValue: UInt16(number)),
          run.property,
          .int(entry.value)
        ) {
          prefix,
          _ in settledChanges.note(prefix, entry.key, isAdded: true)
        }
      }
      table.pointee.entries[number].forgetKeyRun()
    }
  }

  /// Calls a body with each entry of the runs, ascending; false, and nothing, where there are other
  /// changes among which they have to be sorted.
  internal func visitKeyRuns<Failure: Error>(
    _ body: (_ entry: StoredBytes) throws(Failure) -> Void
  ) throws(Failure) -> Bool {
    guard settledChanges.isEmpty else { return false }
    let table = directory.table
    for number in 0..<table.pointee.entries.count
    where table.pointee.entries[number].hasKeyRun {
      let run = unsafe table.pointee.entries[number].keyRun
      let classKey = ClassKey(rawValue: UInt16(number))
      for position in unsafe 0..<run.count {
        guard let entry = unsafe run[position] else { continue }
        try unsafe IndexKey.withEntry(classKey, run.property, entry.value, entry.key, body)
      }
      table.pointee.entries[number].forgetKeyRun()
    }
    return true
  }
}
