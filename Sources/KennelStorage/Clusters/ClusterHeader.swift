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
