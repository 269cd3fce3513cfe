/// Asks a question of a whole column of a cluster at once, and reads columns of many objects.
package final class ColumnScanner {
  package let clusters: ClusterStore
  internal let pieces: PieceStore

  internal init(_ clusters: ClusterStore) {
    self.clusters = clusters
    pieces = clusters.pieces
  }

  /// The places of `wanted` whose value passes a test; those that no chunk reaches have the
  /// property's fill value.
  package func places(
    in cluster: Cluster,
    _ property: PropertySchema,
    among wanted: PlaceSet,
    where test: some ColumnTest
  ) throws(StorageError) -> PlaceSet {
    if let words = cluster.denseWords(property),
      let places = test.places(words, count: 256)
    {
      return wanted.intersection(places)
    }
    let read: ExternalReader = { (location) throws(StorageError) in
      try self.pieces.bytes(of: location)
    }
    let reached: PlaceSet
    let nulls: PlaceSet
    var places: PlaceSet
    switch try clusters.chunk(cluster, property) {
    case .absent, .unknown: return try test.holds(for: property.absentValue) ? wanted : PlaceSet()
    case .stored(let chunk):
      reached = wanted.intersection(PlaceSet(first: chunk.count))
      nulls = chunk.hasNulls ? chunk.nullBits() : PlaceSet()
      places = try test.places(chunk, among: reached.subtracting(nulls), external: read)
    case .decoded(let column, _):
      reached = wanted.intersection(PlaceSet(first: column.count))
      nulls = column.nulls
      places = try test.places(column, among: reached.subtracting(nulls), external: read)
    }
    if test.answerForNull { places.formUnion(reached.intersection(nulls)) }
    let rest = wanted.subtracting(reached)
    if !rest.isEmpty, try test.holds(for: property.absentValue) { places.formUnion(rest) }
    return places
  }

  /// The word of each place, 0 where it is null: the targets of to-one links.
  package func words(
    in cluster: Cluster,
    _ property: PropertySchema
  ) throws(StorageError) -> ClusterWords {
    let words = ClusterWords()
    words.load(try clusters.chunk(cluster, property), absent: property.absentValue.word)
    return words
  }
}

/// The words of one property of one cluster, all 256 of them.
///
/// Safe to use: it owns its memory; only its pointer is unsafe.
@safe package final class ClusterWords {
  private let words: UnsafeMutablePointer<UInt64>
  /// The places that are null; their words are anything.
  package private(set) var nulls = PlaceSet()

  init() {
    unsafe words = .allocate(capacity: 256)
    unsafe words.initialize(repeating: 0, count: 256)
  }

  deinit {
    unsafe words.deallocate()
  }

  /// Takes the words of a chunk, and one for the places that it does not reach.
  func load(_ state: ChunkState, absent: UInt64?) {
    var count = 0
    nulls = PlaceSet()
    switch state {
    case .stored(let chunk):
      count = chunk.count
      unsafe chunk.unpackWords(into: words)
      if chunk.hasNulls { nulls = chunk.nullBits() }
    case .decoded(let column, _):
      count = column.count
      for place in 0..<count { unsafe words[place] = column.words[place] }
      nulls = column.nulls
    case .absent, .unknown: break
    }
    guard count < 256 else { return }
    unsafe (words + count).update(repeating: absent ?? 0, count: 256 - count)
    let reached = PlaceSet(first: count)
    nulls = nulls.intersection(reached)
    if absent == nil { nulls.formUnion(PlaceSet(all: true).subtracting(reached)) }
  }

  /// The word of a place, 0…255.
  package subscript(place: Int) -> UInt64 { unsafe words[place & 255] }
}
