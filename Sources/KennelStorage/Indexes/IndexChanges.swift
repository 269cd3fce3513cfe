import KennelPages

/// Entries of indexes that changes added and removed.
///
/// Nothing is put into the index tree before the flush, so that a draft can look its own objects
/// up and a pointer read earlier stays valid. A change is noted in about 40 ns, however many there
/// are: its bytes go to the end of one array, and a table of numbers finds the newest change of
/// each value, from which a chain leads to the earlier ones. Only the flush sorts.
package struct IndexChanges {
  /// One object's entry under one value was added or removed.
  private struct Change {
    /// The object's key; the highest bit says that the entry was added.
    var key: UInt64
    /// Where the value's bytes begin, and in the lower 16 bits their number.
    var span: UInt64
    /// One more than the position of the change before this one of the same value; 0 without one.
    var previous: UInt32

    var isAdded: Bool { key &>> 63 != 0 }
    var objectKey: UInt64 { key & ~Change.added }
    var start: Int { Int(truncatingIfNeeded: span &>> 16) }
    var count: Int { Int(truncatingIfNeeded: span & 0xFFFF) }

    static let added: UInt64 = 1 << 63
  }

  /// The bytes of ``IndexKey/prefix(_:_:_:)`` of every value, one after the other.
  private var bytes: [UInt8] = []
  private var changes: [Change] = []
  /// One more than the position of the newest change of a value, found by its hash, which lies above
  /// it so that another value's change need not be looked at; 0 where free.
  private var table: [UInt64] = []
  private var valueCount = 0

  /// So many changes of a value are looked through for one of the same object, whose place a new
  /// one takes: an object that goes back and forth makes no chain.
  private static let nearby = 8

  package init() {}

  package var isEmpty: Bool { changes.isEmpty }

  /// Notes that an object's entry came or went; the last word on each entry counts.
  package mutating func note(_ prefix: StoredBytes, _ key: UInt64, isAdded: Bool) {
    if 2 * valueCount >= table.count { growTable() }
    let hash = Self.hash(prefix)
    let bucket = bucket(of: prefix, hash)
    let marked = isAdded ? key | Change.added : key
    let head = UInt32(truncatingIfNeeded: table[bucket])
    var span: UInt64
    if head == 0 {
      span = UInt64(bytes.count) << 16 | UInt64(prefix.count)
      bytes.append(contentsOf: prefix)
      valueCount += 1
    } else {
      var position = head
      for _ in 0..<Self.nearby where position != 0 {
        let index = Int(position) - 1
        if changes[index].objectKey == key {
          // An entry that comes and goes within the changes leaves the stored one as it was.
          changes[index].key = marked
          return
        }
        position = changes[index].previous
      }
      span = changes[Int(head) - 1].span
    }
    changes.append(Change(key: marked, span: span, previous: head))
    table[bucket] = UInt64(hash) << 32 | UInt64(changes.count)
  }

  package mutating func removeAll() {
    self = IndexChanges()
  }

  // MARK: - Looking up

  /// Whether anything is known of a value.
  package func contains(_ prefix: StoredBytes) -> Bool {
    !changes.isEmpty && table[bucket(of: prefix, Self.hash(prefix))] != 0
  }

  /// Whether each object's entry under a value was added or removed, by object.
  package func states(of prefix: StoredBytes) -> [UInt64: Bool] {
    var states: [UInt64: Bool] = [:]
    guard !changes.isEmpty else { return states }
    var position = UInt32(truncatingIfNeeded: table[bucket(of: prefix, Self.hash(prefix))])
    // The newest come first.
    while position != 0 {
      let change = changes[Int(position) - 1]
      if states[change.objectKey] == nil { states[change.objectKey] = change.isAdded }
      position = change.previous
    }
    return states
  }

  /// The objects that were added under any value at or past some bytes and before others, also
  /// such as were removed again; linear in the number of changes.
  package func added(from lower: [UInt8], to upper: [UInt8]) -> [UInt64] {
    var keys: [UInt64] = []
    bytes.withRawBytes { bytes in
      lower.withRawBytes { lower in
        upper.withRawBytes { upper in
          for change in changes where change.isAdded {
            let prefix = Self.prefix(change, bytes)
            if ByteOrder.compare(prefix, lower) >= 0,
              ByteOrder.compare(prefix, upper) < 0
            {
              keys.append(change.objectKey)
            }
          }
        }
      }
    }
    return keys
  }

  // MARK: - In order

  /// Calls a body with each entry that was added or removed, ascending, each once.
  package func visit<Failure: Error>(
    _ body: (_ entry: StoredBytes, _ isAdded: Bool) throws(Failure) -> Void
  ) throws(Failure) {
    var entry: [64 of UInt64] = .init(repeating: 0)
    try unsafe withUnsafeMutableBytes(of: &entry) { (entry) throws(Failure) in
      try bytes.withRawBytes { (bytes) throws(Failure) in
        try visitSorted(bytes) { (change) throws(Failure) in
          let prefix = Self.prefix(change, bytes)
          unsafe entry.copyMemory(from: prefix.buffer)
          unsafe entry.storeBytes(
            of: change.objectKey.bigEndian,
            toByteOffset: prefix.count,
            as: UInt64.self
          )
          let whole = unsafe StoredBytes(entry.baseAddress, count: prefix.count + 8)
          try body(whole, change.isAdded)
        }
      }
    }
  }

  private func visitSorted<Failure: Error>(
    _ bytes: StoredBytes,
    _ body: (Change) throws(Failure) -> Void
  ) throws(Failure) {
    if isAscending(bytes) {
      for change in changes { try body(change) }
      return
    }
    // Most values differ in the sixteen bytes at their beginning.
    var order: [(beginning: UInt128, position: UInt32)] = []
    order.reserveCapacity(changes.count)
    for (position, change) in changes.enumerated() {
      order.append((Self.beginning(Self.prefix(change, bytes)), UInt32(position)))
    }
    order.sort { left, right in
      if left.beginning != right.beginning { return left.beginning < right.beginning }
      let comparison = compare(changes[Int(left.position)], changes[Int(right.position)], bytes)
      return comparison == 0 ? left.position < right.position : comparison < 0
    }
    for index in order.indices {
      let change = changes[Int(order[index].position)]
      // Of several changes of one entry the last counts.
      if index + 1 < order.count,
        compare(change, changes[Int(order[index + 1].position)], bytes) == 0
      {
        continue
      }
      try body(change)
    }
  }

  private func isAscending(_ bytes: StoredBytes) -> Bool {
    for index in 1..<max(changes.count, 1)
    where compare(changes[index - 1], changes[index], bytes) >= 0 {
      return false
    }
    return true
  }

  /// By value, then by object.
  private func compare(_ left: Change, _ right: Change, _ bytes: StoredBytes) -> Int {
    if left.span != right.span {
      let order = ByteOrder.compare(Self.prefix(left, bytes), Self.prefix(right, bytes))
      if order != 0 { return order }
    }
    let (a, b) = (left.objectKey, right.objectKey)
    return a == b ? 0 : a < b ? -1 : 1
  }

  private static func prefix(_ change: Change, _ bytes: StoredBytes) -> StoredBytes {
    bytes.slice(change.start..<change.start + change.count)
  }

  private static func beginning(_ prefix: StoredBytes) -> UInt128 {
    if prefix.count >= 16 {
      let high = prefix.loadUnaligned(as: UInt64.self).bigEndian
      let low = prefix.loadUnaligned(fromByteOffset: 8, as: UInt64.self).bigEndian
      return UInt128(high) << 64 | UInt128(low)
    }
    let word = prefix.reduce(0 as UInt128) { $0 << 8 | UInt128($1) }
    return word << UInt128(8 * (16 - prefix.count))
  }

  // MARK: - The table

  /// The bucket of a value, or the free one that it would get.
  @inline(__always)
  private func bucket(of prefix: StoredBytes, _ hash: UInt32) -> Int {
    let mask = table.count &- 1
    var bucket = Int(hash) & mask
    while true {
      let entry = table[bucket]
      if entry == 0 { return bucket }
      if UInt32(truncatingIfNeeded: entry &>> 32) == hash {
        let change = changes[Int(UInt32(truncatingIfNeeded: entry)) - 1]
        if change.count == prefix.count, isEqual(change, prefix) { return bucket }
      }
      bucket = (bucket &+ 1) & mask
    }
  }

  private func isEqual(_ change: Change, _ prefix: StoredBytes) -> Bool {
    bytes.withRawBytes {
      ByteOrder.compare(Self.prefix(change, $0), prefix) == 0
    }
  }

  private mutating func growTable() {
    let old = table
    table = Array(repeating: 0, count: max(64, 4 * old.count))
    let mask = table.count - 1
    for entry in old where entry != 0 {
      var bucket = Int(entry &>> 32) & mask
      while table[bucket] != 0 { bucket = (bucket + 1) & mask }
      table[bucket] = entry
    }
  }

  /// Differs from process to process, so that no values can be chosen to collide.
  private static let seed = UInt64.random(in: .min ... .max)

  /// Values that differ in their last three bits alone, such as neighbouring numbers, lie in one cache
  /// line of the table: who deletes objects in order does not wait for memory at each.
  private static func hash(_ bytes: StoredBytes) -> UInt32 {
    var hash = seed ^ UInt64(bytes.count)
    var offset = 0
    while offset < bytes.count {
      var word: UInt64
      if offset &+ 8 < bytes.count {
        word = bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      } else if bytes.count >= 8 {
        word = bytes.loadUnaligned(fromByteOffset: bytes.count &- 8, as: UInt64.self)
        word = UInt64(littleEndian: word) & ~(0x07 &<< 56)
      } else {
        word = bytes.reduce(0) { $0 &<< 8 | UInt64($1) }
        word &= ~0x07
      }
      word = (word ^ hash) &* 0x9E37_79B9_7F4A_7C15
      hash = word ^ word &>> 29
      offset &+= 8
    }
    let last = UInt32(bytes.last ?? 0) & 0x07
    return UInt32(truncatingIfNeeded: hash &>> 32 ^ hash) & ~0x07 | last
  }
}
