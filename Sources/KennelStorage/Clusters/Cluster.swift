/// One cluster as a view of the store knows it: its header, the chunks that were read in place,
/// and the columns that were decoded to be changed.
///
/// A decoded column stands for the chunk from then on. Columns that differ from what is stored
/// are marked; only they are encoded again.
///
/// This is a handle without a reference count; the view's ``ClusterDirectory`` owns what it points
/// to, until the view goes or hands its changes to a transaction.
///
/// Safe to use while its view keeps the cluster.
@safe package struct Cluster {
  @usableFromInline let body: ViewHandle<ClusterStorage>

  @inlinable
  init(body: ViewHandle<ClusterStorage>) { self.body = body }

  @inlinable
  package var classKey: ClassKey { body.pointee.classKey }

  @inlinable
  package var number: UInt64 { body.pointee.number }

  /// Which places are in use and live.
  @inlinable
  package var header: ClusterFacts { body.pointee.facts }

  @inlinable
  package func isLive(_ place: Int) -> Bool { body.pointee.facts.live[place] }

  /// The object at a place.
  package func object(_ place: Int) -> ObjectIdentity {
    ObjectIdentity(classKey, ObjectKey(cluster: number, place: place))
  }
}

/// The facts of a cluster apart from its chunks.
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
///
/// Safe to use, but for views that nobody has set.
@usableFromInline
@safe struct ClusterStorage {
  let classKey: ClassKey
  let number: UInt64
  @usableFromInline var facts: ClusterFacts
  /// Whether the header differs from what is stored.
  var isHeaderChanged = false
  /// Whether the cluster is in the directory's list of changed ones.
  var isNoted = false
  /// How many of the chunks are those of properties; those of backlinks come after them.
  @usableFromInline let propertyCount: Int
  @usableFromInline let chunkCount: Int
  /// The chunks that are read in place; nothing is there where the entry does not say so.
  @usableFromInline @unsafe let views: ViewArray<ChunkView>
  /// Objects that a deletion under way takes.
  var marked = PlaceSet()

  /// The bytes before the entries of the chunks, which begin a cache line.
  @inlinable
  static var byteCount: Int { (MemoryLayout<ClusterStorage>.stride &+ 63) & ~63 }
}

extension ViewHandle<ClusterStorage> {
  /// The entries of the chunks, which lie behind the rest, so that nobody has to wait for memory to know where.
  @inlinable
  @inline(__always)
  var chunks: ViewArray<ChunkEntry> {
    let start = unsafe UnsafeMutableRawPointer(pointer) + ClusterStorage.byteCount
    return unsafe ViewArray(
      start.assumingMemoryBound(to: ChunkEntry.self),
      count: pointee.chunkCount
    )
  }
}

/// The changes that ``PointWriter`` may make in a column without a look at an index, a range or a delete rule.
@usableFromInline
enum PointAccess: UInt8 {
  case none
  /// Any value of its kind.
  case value
  /// A link that holds nothing alive, or a list or set of such links.
  case link, list, set
  /// A link to an embedded object, while it is null.
  case owned
}

/// The entry of one chunk in its cluster.
///
/// Safe to use: only following its owner is unsafe.
@usableFromInline
@safe struct ChunkEntry {
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
  /// The changes that ``PointWriter`` may make in the decoded and changed column.
  @usableFromInline var access = PointAccess.none
  /// Whether a place that no chunk reaches is null or empty.
  @usableFromInline var hasNoFill = false
  @usableFromInline var isOptional = false
  /// The class that links point to, and where it keeps the links of the property.
  var target = ClassKey(rawValue: 0)
  var backlinkColumn: UInt16 = 0
  @usableFromInline var column: ViewHandle<ColumnStorage>?
  var owner: Unmanaged<MutableColumn>?
  /// The words of a chunk that is dense; of lists of keys, where they begin.
  @usableFromInline var packed = PackedView.none

  init(isStored: Bool) {
    self.isStored = isStored
    state = isStored ? .unknown : .absent
  }
}

/// The entry of one chunk in its cluster, for whoever is in no hurry.
///
/// Safe to pass around: only reading the chunk is unsafe.
@safe package enum ChunkState {
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
  /// A cluster without objects, all of whose chunks are absent.
  static func make(
    _ classKey: ClassKey,
    _ number: UInt64,
    _ facts: ClusterFacts,
    properties: Int,
    backlinks: Int
  ) -> Cluster {
    let count = properties + backlinks
    // One allocation for all, so that what belongs together lies together, each in cache lines of its own.
    let viewsStart = ClusterStorage.byteCount + count * MemoryLayout<ChunkEntry>.stride
    let byteCount = viewsStart + count * MemoryLayout<ChunkView>.stride
    let start = UnsafeMutableRawPointer.allocate(byteCount: byteCount, alignment: 64)
    let body = unsafe start.bindMemory(to: ClusterStorage.self, capacity: 1)
    unsafe body.initialize(
      to: ClusterStorage(
        classKey: classKey,
        number: number,
        facts: facts,
        propertyCount: properties,
        chunkCount: count,
        views: ViewArray(
          (start + viewsStart).bindMemory(to: ChunkView.self, capacity: count),
          count: count
        )
      )
    )
    unsafe (start + ClusterStorage.byteCount).bindMemory(to: ChunkEntry.self, capacity: count)
      .initialize(repeating: ChunkEntry(isStored: false), count: count)
    return unsafe Cluster(body: ViewHandle(body))
  }

  /// A copy whose decoded columns are its own, and which shares no view whose snapshot may go.
  ///
  /// It has room for at least so many columns of properties and of backlinks.
  func copied(properties: Int = 0, backlinks: Int = 0) -> Cluster {
    let facts = body.pointee
    let properties = max(properties, facts.propertyCount)
    let copy = Cluster.make(
      classKey,
      number,
      facts.facts,
      properties: properties,
      backlinks: max(backlinks, facts.chunkCount - facts.propertyCount)
    )
    copy.body.pointee.isHeaderChanged = facts.isHeaderChanged
    for index in 0..<facts.chunkCount {
      let chunk = body.chunks[index]
      let place = index < facts.propertyCount ? index : index - facts.propertyCount + properties
      copy.body.chunks[place] = ChunkEntry(isStored: chunk.isStored)
      if chunk.isChanged, let owner = unsafe chunk.owner {
        let column = unsafe MutableColumn(copying: owner.takeUnretainedValue())
        copy.setDecoded(column, place)
        copy.body.chunks[place].isChanged = true
      }
    }
    return copy
  }

  /// Frees the memory, which nobody may use any more.
  @unsafe func deallocate() {
    for index in 0..<body.pointee.chunkCount { unsafe body.chunks[index].owner?.release() }
    unsafe UnsafeMutableRawPointer(body.pointer).deallocate()
  }

  /// Where the chunk of a property lies; `nil` where the cluster has none.
  func index(of property: PropertyKey) -> Int? {
    let index = Int(property.rawValue)
    return index < body.pointee.propertyCount ? index : nil
  }

  /// Where a chunk of backlinks lies; `nil` where the cluster has none.
  func index(ofBacklinks number: UInt16) -> Int? {
    let index = body.pointee.propertyCount + Int(number)
    return index < body.pointee.chunkCount ? index : nil
  }

  func state(_ index: Int) -> ChunkState {
    let chunk = body.chunks[index]
    switch chunk.state {
    case .unknown: return .unknown
    case .absent: return .absent
    case .stored: return unsafe .stored(body.pointee.views[index])
    case .decoded:
      guard let owner = unsafe chunk.owner else { return .absent }
      return unsafe .decoded(owner.takeUnretainedValue(), isChanged: chunk.isChanged)
    }
  }

  /// The words of a property's chunk if it is read in place and has one in each of 256 places.
  @inline(__always)
  func denseWords(_ property: PropertySchema) -> PackedView? {
    let index = Int(property.key.rawValue)
    guard index < body.pointee.propertyCount, property.collection == .none,
      body.chunks[index].dense == property.kind.rawValue
    else { return nil }
    return body.chunks[index].packed
  }

  func setStored(_ view: ChunkView, _ index: Int) {
    unsafe body.pointee.views.handle(index).pointer.initialize(to: view)
    let chunk = body.chunks.handle(index)
    chunk.pointee.state = .stored
    chunk.pointee.quick = ColumnType(view.kind, view.collection).quickCode
    chunk.pointee.packed = view.first
    chunk.pointee.dense = view.isDense ? chunk.pointee.quick : 0
  }

  func setDecoded(_ column: MutableColumn, _ index: Int) {
    let chunk = body.chunks.handle(index)
    unsafe chunk.pointee.owner?.release()
    unsafe chunk.pointee.owner = unsafe Unmanaged.passRetained(column)
    chunk.pointee.column = column.body
    chunk.pointee.state = .decoded
    let quick = column.type.quickCode
    chunk.pointee.quick = quick == 0 ? 0 : quick | 0x80
    chunk.pointee.dense = 0
  }

  /// The header as it is to be stored.
  var encodedHeader: ClusterHeader {
    let facts = body.pointee
    var header = ClusterHeader(previous: facts.facts.previous)
    header.count = facts.facts.count
    header.live = facts.facts.live
    for index in 0..<facts.chunkCount where body.chunks[index].isStored {
      if index < facts.propertyCount {
        header.columns.append(UInt16(index))
      } else {
        header.backlinkColumns.append(UInt16(index - facts.propertyCount))
      }
    }
    return header
  }
}

extension ColumnType {
  /// See ``ChunkEntry/quick``.
  var quickCode: UInt8 {
    switch form {
    case .words, .pairs, .cells: kind.rawValue
    case .keys: kind.rawValue | 0x40
    case .collections: 0
    }
  }
}
