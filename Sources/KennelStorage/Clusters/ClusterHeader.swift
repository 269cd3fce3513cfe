/// What a cluster says about itself: which of its places hold a live object, and which chunks
/// it has.
///
/// | bytes | what |
/// |---|---|
/// | 0…1 | places in use, live or dead, 1…256 |
/// | 2…3 | number of property slots that have a chunk |
/// | 4…5 | number of backlink slots that have a chunk |
/// | 6…7 | zero |
/// | 8…39 | a bit per place, set where an object lives |
/// | 40…47 | the number of the cluster before this one, all ones where there is none |
/// | 48… | the property slots, then the backlink slots, two bytes each, ascending |
/// | last 4 | CRC-32C of the cluster's key and all bytes before |
///
/// The list of chunks makes a missing chunk certain: a chunk that the header names and the tree
/// does not have is damage, not null. The chain of predecessors does the same for headers.
package struct ClusterHeader: Hashable, Sendable {
  /// Places in use, live or dead.
  package var count = 0
  /// A bit per place, set where an object lives.
  package var live = PlaceSet()
  /// The cluster of the class before this one.
  package var previous: UInt64?
  /// The property slots that have a chunk, ascending.
  package var slots: [UInt16] = []
  /// The backlink slots that have a chunk, ascending.
  package var backlinkSlots: [UInt16] = []

  package init(previous: UInt64?) {
    self.previous = previous
  }

  package func encoded(for key: ChunkKey) -> [UInt8] {
    var bytes = ByteWriter()
    bytes.append(UInt16(count))
    bytes.append(UInt16(slots.count))
    bytes.append(UInt16(backlinkSlots.count))
    bytes.append(UInt16(0))
    for index in 0..<4 { bytes.append(live.words[index]) }
    bytes.append(previous ?? .max)
    for slot in slots { bytes.append(slot) }
    for slot in backlinkSlots { bytes.append(slot) }
    bytes.appendChecksum(for: key.rawValue)
    return bytes.bytes
  }

  package init(
    decoding bytes: UnsafeRawBufferPointer,
    for key: ChunkKey
  ) throws(StorageError) {
    var reader = try ByteReader(checked: bytes, for: key.rawValue, what: "cluster header")
    count = Int(try reader.read(UInt16.self))
    let slotCount = Int(try reader.read(UInt16.self))
    let backlinkSlotCount = Int(try reader.read(UInt16.self))
    _ = try reader.read(UInt16.self)
    for index in 0..<4 { live.words[index] = try reader.read(UInt64.self) }
    let before = try reader.read(UInt64.self)
    previous = before == .max ? nil : before
    slots = try Self.readSlots(&reader, slotCount)
    backlinkSlots = try Self.readSlots(&reader, backlinkSlotCount)
    let isSound =
      (1...256).contains(count) && live.isEmpty(from: count) && reader.isAtEnd
      && (previous.map { $0 < key.cluster } ?? true)
    guard isSound else { throw reader.damage("its parts do not fit together") }
  }

  private static func readSlots(
    _ reader: inout ByteReader,
    _ count: Int
  ) throws(StorageError) -> [UInt16] {
    var slots: [UInt16] = []
    slots.reserveCapacity(count)
    for _ in 0..<count {
      let slot = try reader.read(UInt16.self)
      guard slot < 4095, slots.last.map({ $0 < slot }) ?? true else {
        throw reader.damage("its list of chunks is not ascending")
      }
      slots.append(slot)
    }
    return slots
  }
}

extension Cluster {
  /// The cluster of a stored header, for a class with so many slots.
  ///
  /// Checks what ``ClusterHeader/init(decoding:for:)`` checks, without making arrays.
  static func load(
    _ bytes: UnsafeRawBufferPointer,
    _ key: ChunkKey,
    properties: Int,
    backlinks: Int,
    _ pool: ColumnPool
  ) throws(StorageError) -> Cluster {
    var reader = try ByteReader(checked: bytes, for: key.rawValue, what: "cluster header")
    let count = Int(try reader.read(UInt16.self))
    let slotCount = Int(try reader.read(UInt16.self))
    let backlinkSlotCount = Int(try reader.read(UInt16.self))
    _ = try reader.read(UInt16.self)
    var live = PlaceSet()
    for index in 0..<4 { live.words[index] = try reader.read(UInt64.self) }
    let before = try reader.read(UInt64.self)
    let previous = before == .max ? nil : before
    var rest = reader
    let lastSlot = try rest.lastSlot(of: slotCount)
    let lastBacklinkSlot = try rest.lastSlot(of: backlinkSlotCount)
    let isSound =
      (1...256).contains(count) && live.isEmpty(from: count) && rest.isAtEnd
      && (previous.map { $0 < key.cluster } ?? true)
    guard isSound else { throw reader.damage("its parts do not fit together") }
    let cluster = Cluster.make(
      key.classKey,
      key.cluster,
      ClusterFacts(count: count, live: live, previous: previous),
      properties: max(properties, lastSlot + 1),
      backlinks: max(backlinks, lastBacklinkSlot + 1),
      pool
    )
    let slots = cluster.body.slots
    for _ in 0..<slotCount {
      slots[Int(try reader.read(UInt16.self))] = ChunkSlot(isStored: true)
    }
    for _ in 0..<backlinkSlotCount {
      let slot = Int(try reader.read(UInt16.self))
      slots[cluster.body.pointee.propertyCount + slot] = ChunkSlot(isStored: true)
    }
    return cluster
  }
}

extension ByteReader {
  /// Reads ascending slots; the last one, or −1 without any.
  fileprivate mutating func lastSlot(of count: Int) throws(StorageError) -> Int {
    var last = -1
    for _ in 0..<count {
      let slot = Int(try read(UInt16.self))
      guard slot < 4095, slot > last else {
        throw damage("its list of chunks is not ascending")
      }
      last = slot
    }
    return last
  }
}

/// A set of places of a cluster: a bit for each of the 256.
@usableFromInline
package struct PlaceSet: Hashable, Sendable {
  @usableFromInline package var words: [4 of UInt64] = [0, 0, 0, 0]

  @inlinable
  package init() {}

  /// The bits, lowest place first.
  package var bits: PlaceBits { (words[0], words[1], words[2], words[3]) }

  /// The first `count` places.
  package init(first count: Int) {
    for index in 0..<4 {
      let rest = count - index * 64
      words[index] = rest >= 64 ? .max : rest <= 0 ? 0 : (1 << UInt64(rest)) - 1
    }
  }

  @usableFromInline
  package static func == (left: Self, right: Self) -> Bool {
    (0..<4).allSatisfy { left.words[$0] == right.words[$0] }
  }

  @usableFromInline
  package func hash(into hasher: inout Hasher) {
    for index in 0..<4 { hasher.combine(words[index]) }
  }

  @inlinable
  package subscript(place: Int) -> Bool {
    get { words[place &>> 6] & (1 &<< UInt64(place & 63)) != 0 }
    set {
      let bit: UInt64 = 1 &<< UInt64(place & 63)
      words[place &>> 6] = newValue ? words[place &>> 6] | bit : words[place &>> 6] & ~bit
    }
  }

  /// Inserts all places of a range.
  mutating func insert(_ places: Range<Int>) {
    let (before, all) = (PlaceSet(first: places.lowerBound), PlaceSet(first: places.upperBound))
    for index in 0..<4 { words[index] |= all.words[index] & ~before.words[index] }
  }

  package var count: Int {
    (0..<4).reduce(0) { $0 + words[$1].nonzeroBitCount }
  }

  package var isEmpty: Bool { isEmpty(from: 0) }

  /// Whether no place at or past `start` is in the set.
  package func isEmpty(from start: Int) -> Bool {
    next(from: start) == nil
  }

  /// The first place of the set at or past `start`.
  package func next(from start: Int) -> Int? {
    guard start < 256 else { return nil }
    var index = start >> 6
    var word = words[index] & (UInt64.max << UInt64(start & 63))
    while word == 0 {
      index += 1
      guard index < 4 else { return nil }
      word = words[index]
    }
    return index << 6 + word.trailingZeroBitCount
  }

  /// The last place of the set before `end`.
  package func previous(before end: Int) -> Int? {
    guard end > 0 else { return nil }
    var index = (end - 1) >> 6
    let keep = UInt64(end - index * 64)
    var word = words[index] & (keep >= 64 ? .max : (1 << keep) - 1)
    while word == 0 {
      index -= 1
      guard index >= 0 else { return nil }
      word = words[index]
    }
    return index << 6 + 63 - word.leadingZeroBitCount
  }

  /// How many places of the set lie before `end`.
  package func count(before end: Int) -> Int {
    var total = 0
    for index in 0..<4 {
      let keep = end - index * 64
      guard keep > 0 else { break }
      total +=
        (keep >= 64 ? words[index] : words[index] & ((1 << UInt64(keep)) - 1)).nonzeroBitCount
    }
    return total
  }
}
