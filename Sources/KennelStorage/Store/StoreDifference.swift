import KennelPages

/// The differences between two views of one file, found by the pages they do not share.
///
/// | tree | says |
/// |---|---|
/// | clusters | which objects were created and deleted: the live bits of the headers that differ |
/// | chunks | which values may differ: those of the objects in chunks that differ |
///
/// A value outside its chunk has another id or revision when it changes
/// (``ExternalLocation``), so the chunk always tells. The cost is what changed: chunks that
/// differ are compared place by place, and only values that differ are read whole.
package struct StoreDifference {
  /// A value that differs.
  package struct ChangedValue {
    package let object: ObjectIdentity
    package let property: PropertyKey
    package let old: Value
    package let new: Value
  }

  /// Objects that only the newer view has, ascending.
  package private(set) var created: [ObjectIdentity] = []
  /// Objects that only the older view has, ascending.
  package private(set) var deleted: [ObjectIdentity] = []
  /// Values of objects that both have, by cluster, then property, then object.
  package private(set) var changed: [ChangedValue] = []

  private let old: StoreView
  private let new: StoreView

  /// Compares two views, of which each sees one commit; what they changed in memory is not
  /// looked at.
  ///
  /// - Throws: `StorageError.damaged` if a page or chunk on the way is, and
  ///   `StorageError.file` if a view is that of a writer or of another file.
  package init(from old: StoreView, to new: StoreView) throws(StorageError) {
    self.old = old
    self.new = new
    guard old.store.pages === new.store.pages, let before = old.source.snapshot,
      let after = new.source.snapshot
    else {
      throw .file(PageStoreError(.writerFinished, .read, path: new.store.path))
    }
    try Self.forEach(.clusters, before, after) { (change) throws(StorageError) in
      try compareHeaders(change)
    }
    try Self.forEach(.chunks, before, after) { (change) throws(StorageError) in
      try compareChunks(ChunkKey(rawValue: change.number))
    }
  }

  private static func forEach(
    _ tree: Tree,
    _ before: PageSnapshot,
    _ after: PageSnapshot,
    _ body: (TreeChange) throws(StorageError) -> Void
  ) throws(StorageError) {
    var difference = try inPages { () throws(PageStoreError) in
      try TreeDifference(tree, from: before, to: after)
    }
    while true {
      let change = try inPages { () throws(PageStoreError) in try difference.next() }
      guard let change = change else { return }
      try body(change)
    }
  }

  private mutating func compareHeaders(_ change: TreeChange) throws(StorageError) {
    let key = ChunkKey(rawValue: change.number)
    var before = PlaceSet()
    var after = PlaceSet()
    if let bytes = unsafe change.old {
      before = try unsafe ClusterHeader(decoding: StoredBytes(bytes), for: key).live
    }
    if let bytes = unsafe change.new {
      after = try unsafe ClusterHeader(decoding: StoredBytes(bytes), for: key).live
    }
    for place in 0..<256 where before[place] != after[place] {
      let object = ObjectIdentity(key.classKey, ObjectKey(cluster: key.cluster, place: place))
      if after[place] { created.append(object) } else { deleted.append(object) }
    }
  }

  private mutating func compareChunks(_ key: ChunkKey) throws(StorageError) {
    guard key.column > 0 else {
      throw .damaged(in: "chunk \(key.rawValue)", "no property has such a chunk")
    }
    let propertyKey = PropertyKey(rawValue: key.column - 1)
    guard let property = new.schema.property(propertyKey, of: key.classKey),
      let oldCluster = try old.clusters.cluster(key.classKey, key.cluster),
      let newCluster = try new.clusters.cluster(key.classKey, key.cluster)
    else { return }
    let oldProperty = old.schema.property(propertyKey, of: key.classKey)
    let oldState = oldProperty == nil ? .absent : try old.clusters.chunk(oldCluster, property)
    let newState = try new.clusters.chunk(newCluster, property)
    let same = ChunkState.samePlaces(oldState, newState, areOfOneFile: true)
    for place in newCluster.header.live {
      if !oldCluster.isLive(place) || same[place] { continue }
      // A property that was added since has been read as its fill value before.
      let oldValue = try oldProperty.map { (property) throws(StorageError) in
        try old.values.value(in: oldCluster, place, property)
      }
      let newValue = try new.values.value(in: newCluster, place, property)
      guard (oldValue ?? property.absentValue) != newValue else { continue }
      changed.append(
        ChangedValue(
          object: ObjectIdentity(
            key.classKey,
            ObjectKey(cluster: key.cluster, place: place)
          ),
          property: propertyKey,
          old: oldValue ?? property.absentValue,
          new: newValue
        )
      )
    }
  }
}

extension StoreView {
  /// The places of a cluster whose objects another file has, too, certainly with the same values of some properties.
  ///
  /// A link is the same if the key of its target is.
  package func samePlaces(
    of classKey: ClassKey,
    _ cluster: UInt64,
    as otherClass: ClassKey,
    in other: StoreView,
    _ properties: [(own: PropertySchema, other: PropertySchema)]
  ) throws(StorageError) -> PlaceSet {
    guard let own = try clusters.cluster(classKey, cluster),
      let others = try other.clusters.cluster(otherClass, cluster)
    else { return PlaceSet() }
    var same = own.header.live.intersection(others.header.live)
    for property in properties {
      guard property.own.columnType == property.other.columnType, !same.isEmpty else {
        return PlaceSet()
      }
      let (left, right) = (
        try clusters.chunk(own, property.own), try other.clusters.chunk(others, property.other)
      )
      same = same.intersection(ChunkState.samePlaces(left, right, areOfOneFile: false))
    }
    return same
  }
}

extension ChunkState {
  /// The places that certainly have the same value in two chunks of one property.
  fileprivate static func samePlaces(
    _ left: ChunkState,
    _ right: ChunkState,
    areOfOneFile: Bool
  ) -> PlaceSet {
    var same = PlaceSet()
    guard case .stored(let left) = left, case .stored(let right) = right else { return same }
    for place in 0..<min(left.count, right.count) where isSame(left, right, place, areOfOneFile) {
      same[place] = true
    }
    return same
  }

  private static func isSame(
    _ left: ChunkView,
    _ right: ChunkView,
    _ place: Int,
    _ areOfOneFile: Bool
  ) -> Bool {
    switch ColumnType(left.kind, left.collection).form {
    case .words, .pairs, .cells:
      if left.isNull(place) || right.isNull(place) {
        return left.isNull(place) && right.isNull(place)
      }
    case .keys, .collections: break
    }
    if let location = left.external(place) {
      return areOfOneFile && location == right.external(place)
    }
    if right.external(place) != nil { return false }
    switch ColumnType(left.kind, left.collection).form {
    case .words: return left.word(place) == right.word(place)
    case .pairs: return left.pair(place) == right.pair(place)
    case .cells:
      guard case .inline(let before) = left.cell(place),
        case .inline(let after) = right.cell(place)
      else { return false }
      return ByteOrder.compare(before, after) == 0
    case .keys:
      guard case .inline(let before) = left.keys(place),
        case .inline(let after) = right.keys(place)
      else { return false }
      return before.count == after.count && before.unpack() == after.unpack()
    case .collections: return false
    }
  }
}
