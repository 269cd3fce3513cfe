/// One cluster as a view of the store knows it: its header, the chunks that were read in place,
/// and the columns that were decoded to be changed.
///
/// A decoded column stands for the chunk from then on. Columns that differ from what is stored
/// are marked; only they are encoded again.
///
/// This is a handle without a reference count; the view's ``ClusterDirectory`` owns what it points
/// to, until the view goes or hands its changes to a transaction.
package struct Cluster {
  @usableFromInline let body: UnsafeMutablePointer<ClusterStorage>

  @inlinable
  init(body: UnsafeMutablePointer<ClusterStorage>) { self.body = body }

  @inlinable
  package var classKey: ClassKey { body.pointee.classKey }

  @inlinable
  package var number: UInt64 { body.pointee.number }

  /// Which places are in use and live.
  @inlinable
  package var header: ClusterFacts { body.pointee.facts }

  @inlinable
  package func isLive(_ place: Int) -> Bool { body.pointee.facts.live[place] }
}

/// What is known of a cluster apart from its chunks.
@usableFromInline
package struct ClusterFacts: Sendable {
  /// Places in use, live or dead.
  @usableFromInline package var count = 0
  /// A bit per place, set where an object lives.
  @usableFromInline package var live = PlaceSet()
  /// The cluster of the class before this one.
  @usableFromInline package var previous: UInt64?

  @inlinable
  package init(count: Int = 0, live: PlaceSet = PlaceSet(), previous: UInt64?) {
    self.count = count
    self.live = live
    self.previous = previous
  }
}

/// The memory of a ``Cluster``: trivial, so that it can be followed without reference counting.
@usableFromInline
struct ClusterStorage {
  let classKey: ClassKey
  let number: UInt64
  @usableFromInline var facts: ClusterFacts
  /// Whether the header differs from what is stored.
  var isHeaderChanged = false
  /// Whether the cluster is in the directory's list of changed ones.
  var isNoted = false
  /// Whether the memory is a pool's, which goes as a whole.
  let isPooled: Bool
  /// How many of the slots are those of properties; those of backlinks come after them.
  @usableFromInline let propertyCount: Int
  @usableFromInline let slotCount: Int
  /// The chunks that are read in place; only where the slot says so.
  @usableFromInline let views: UnsafeMutablePointer<ChunkView>
  /// Objects that a deletion under way takes.
  var marked = PlaceSet()

  /// The bytes before the slots, which begin a cache line.
  @inlinable
  static var byteCount: Int { (MemoryLayout<ClusterStorage>.stride &+ 63) & ~63 }
}

extension UnsafeMutablePointer<ClusterStorage> {
  /// The slots, which lie behind the rest, so that nobody has to wait for memory to know where.
  @inlinable
  @inline(__always)
  var slots: UnsafeMutablePointer<ChunkSlot> {
    (UnsafeMutableRawPointer(self) + ClusterStorage.byteCount)
      .assumingMemoryBound(to: ChunkSlot.self)
  }
}

/// What a cluster knows of one of its chunks.
@usableFromInline
struct ChunkSlot {
  @usableFromInline
  enum State: UInt8 {
    /// It was not asked for yet.
    case unknown
    /// There is none: every place reads as the property's fill value.
    case absent
    /// It is read in place.
    case stored
    /// It is decoded.
    case decoded
  }

  @usableFromInline var state: State
  /// Whether the decoded column differs from what is stored.
  var isChanged = false
  /// Whether the tree has a chunk.
  var isStored: Bool
  /// The kind of the values, where they can be read without looking further: plus 0x40 for lists of
  /// keys, plus 0x80 for a decoded column; else 0.
  @usableFromInline var quick: UInt8 = 0
  /// The same, but 0 unless the chunk is read in place and has a value in each of 256 places.
  ///
  /// Then ``packed`` is all that reading one takes. Nearly every cluster is full.
  @usableFromInline var dense: UInt8 = 0
  /// Whether a decoded and changed column takes any value of its kind without more ado: no index and no
  /// range has to be looked at, and a link holds nothing alive.
  @usableFromInline var isPlain = false
  /// Whether a place that no chunk reaches is null or empty.
  @usableFromInline var hasNoFill = false
  /// Whether the property holds an embedded object.
  var isOwning = false
  /// The class that links point to, and where it keeps the links of the property.
  var target = ClassKey(rawValue: 0)
  var backlinkSlot: UInt16 = 0
  /// The lower bits of the number of the cluster that was linked to last; see ``PointWriter``.
  var recentTarget = UInt32.max
  @usableFromInline var column: UnsafeMutablePointer<ColumnStorage>?
  var owner: Unmanaged<MutableColumn>?
  /// The words of a chunk that is dense; of lists of keys, where they begin.
  @usableFromInline var packed = PackedView.none

  init(isStored: Bool) {
    self.isStored = isStored
    state = isStored ? .unknown : .absent
  }
}

/// What a cluster knows of one of its chunks, for whoever is in no hurry.
package enum ChunkState {
  /// It was not asked for yet.
  case unknown
  /// There is none: every place reads as the property's fill value.
  case absent
  /// It is read in place.
  case stored(ChunkView)
  /// It is decoded; `isChanged` says whether it differs from what is stored.
  case decoded(MutableColumn, isChanged: Bool)
}

extension Cluster {
  /// A cluster without objects, all of whose slots are absent.
  static func make(
    _ classKey: ClassKey,
    _ number: UInt64,
    _ facts: ClusterFacts,
    properties: Int,
    backlinks: Int,
    _ pool: ColumnPool? = nil
  ) -> Cluster {
    let count = properties + backlinks
    // One part for all, so that what belongs together lies together, each in cache lines of its own.
    let viewsStart = ClusterStorage.byteCount + count * MemoryLayout<ChunkSlot>.stride
    let byteCount = viewsStart + count * MemoryLayout<ChunkView>.stride
    let part = pool?.state.pointee.cut(byteCount) ?? ColumnPoolState.heap(byteCount)
    let body = part.start.bindMemory(to: ClusterStorage.self, capacity: 1)
    body.initialize(
      to: ClusterStorage(
        classKey: classKey,
        number: number,
        facts: facts,
        isPooled: part.isPooled,
        propertyCount: properties,
        slotCount: count,
        views: (part.start + viewsStart).bindMemory(to: ChunkView.self, capacity: count)
      )
    )
    (part.start + ClusterStorage.byteCount).bindMemory(to: ChunkSlot.self, capacity: count)
      .initialize(repeating: ChunkSlot(isStored: false), count: count)
    return Cluster(body: body)
  }

  /// A copy whose decoded columns are its own, and which shares no view whose snapshot may go.
  func copied() -> Cluster {
    let facts = body.pointee
    let copy = Cluster.make(
      classKey,
      number,
      facts.facts,
      properties: facts.propertyCount,
      backlinks: facts.slotCount - facts.propertyCount
    )
    copy.body.pointee.isHeaderChanged = facts.isHeaderChanged
    for index in 0..<facts.slotCount {
      let slot = body.slots[index]
      copy.body.slots[index] = ChunkSlot(isStored: slot.isStored)
      if slot.isChanged, let owner = slot.owner {
        let column = MutableColumn(copying: owner.takeUnretainedValue())
        copy.setDecoded(column, index)
        copy.body.slots[index].isChanged = true
      }
    }
    return copy
  }

  func deallocate() {
    for index in 0..<body.pointee.slotCount { body.slots[index].owner?.release() }
    if !body.pointee.isPooled { UnsafeMutableRawPointer(body).deallocate() }
  }

  /// Where the slot of a property lies; `nil` where the cluster has none.
  func slot(_ property: PropertyKey) -> Int? {
    let index = Int(property.rawValue)
    return index < body.pointee.propertyCount ? index : nil
  }

  /// Where a slot of backlinks lies; `nil` where the cluster has none.
  func slot(backlinks: UInt16) -> Int? {
    let index = body.pointee.propertyCount + Int(backlinks)
    return index < body.pointee.slotCount ? index : nil
  }

  func state(_ index: Int) -> ChunkState {
    let slot = body.slots[index]
    switch slot.state {
    case .unknown: return .unknown
    case .absent: return .absent
    case .stored: return .stored(body.pointee.views[index])
    case .decoded:
      guard let owner = slot.owner else { return .absent }
      return .decoded(owner.takeUnretainedValue(), isChanged: slot.isChanged)
    }
  }

  /// The words of a property's chunk if it is read in place and has one in each of 256 places.
  @inline(__always)
  func denseWords(_ property: PropertySchema) -> PackedView? {
    let index = Int(property.key.rawValue)
    guard index < body.pointee.propertyCount, property.collection == .none,
      body.slots[index].dense == property.kind.rawValue
    else { return nil }
    return body.slots[index].packed
  }

  func setStored(_ view: ChunkView, _ index: Int) {
    (body.pointee.views + index).initialize(to: view)
    let slot = body.slots + index
    slot.pointee.state = .stored
    slot.pointee.quick = ColumnType(view.kind, view.collection).quickCode
    slot.pointee.packed = view.first
    slot.pointee.dense = view.isDense ? slot.pointee.quick : 0
  }

  func setDecoded(_ column: MutableColumn, _ index: Int) {
    let slot = body.slots + index
    slot.pointee.owner?.release()
    slot.pointee.owner = Unmanaged.passRetained(column)
    slot.pointee.column = column.body
    slot.pointee.state = .decoded
    let quick = column.type.quickCode
    slot.pointee.quick = quick == 0 ? 0 : quick | 0x80
    slot.pointee.dense = 0
  }

  /// The header as it is to be stored.
  var encodedHeader: ClusterHeader {
    let facts = body.pointee
    var header = ClusterHeader(previous: facts.facts.previous)
    header.count = facts.facts.count
    header.live = facts.facts.live
    for index in 0..<facts.slotCount where body.slots[index].isStored {
      if index < facts.propertyCount {
        header.slots.append(UInt16(index))
      } else {
        header.backlinkSlots.append(UInt16(index - facts.propertyCount))
      }
    }
    return header
  }
}

extension ColumnType {
  /// See ``ChunkSlot/quick``.
  var quickCode: UInt8 {
    switch form {
    case .words, .pairs: kind.rawValue
    case .cells: kind == .mixed ? 0 : kind.rawValue
    case .keys: kind.rawValue | 0x40
    case .collections: 0
    }
  }
}
