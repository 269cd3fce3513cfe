/// One cluster as a view of the store knows it: its header, the chunks that were read in place,
/// and the columns that were decoded to be changed.
///
/// A decoded column stands for the chunk from then on. Columns that differ from what is stored
/// are marked; only they are encoded again.
package final class Cluster {
  package let classKey: ClassKey
  package let number: UInt64
  @exclusivity(unchecked) package var header: ClusterHeader
  /// Whether the header differs from what is stored.
  @exclusivity(unchecked) package var isHeaderChanged = false
  /// What is known of the property slots.
  @exclusivity(unchecked) package var chunks: [ChunkState]
  /// What is known of the backlink slots.
  @exclusivity(unchecked) package var backlinkChunks: [ChunkState]

  package init(
    _ classKey: ClassKey,
    _ number: UInt64,
    header: ClusterHeader,
    slots: Int,
    backlinkSlots: Int
  ) {
    self.classKey = classKey
    self.number = number
    self.header = header
    chunks = Array(repeating: .unknown, count: slots)
    backlinkChunks = Array(repeating: .unknown, count: backlinkSlots)
  }

  /// A copy whose decoded columns are its own.
  package init(copying other: Cluster) {
    classKey = other.classKey
    number = other.number
    header = other.header
    isHeaderChanged = other.isHeaderChanged
    chunks = other.chunks.map(\.detached)
    backlinkChunks = other.backlinkChunks.map(\.detached)
  }

  /// Whether anything of the cluster differs from what is stored.
  package var isChanged: Bool {
    isHeaderChanged || chunks.contains(where: \.isChanged)
      || backlinkChunks.contains(where: \.isChanged)
  }

  package func isLive(_ place: Int) -> Bool { header.live[place] }
}

/// What a cluster knows of one of its chunks.
package enum ChunkState {
  /// It was not asked for yet.
  case unknown
  /// There is none: every place reads as the property's fill value.
  case absent
  /// It is read in place.
  case stored(ChunkView)
  /// It is decoded; `isChanged` says whether it differs from what is stored.
  case decoded(MutableColumn, isChanged: Bool)

  package var isChanged: Bool {
    if case .decoded(_, let isChanged) = self { isChanged } else { false }
  }

  /// A copy that shares no decoded column, and no view whose snapshot may go.
  fileprivate var detached: ChunkState {
    switch self {
    case .decoded(let column, true): .decoded(MutableColumn(copying: column), isChanged: true)
    default: .unknown
    }
  }
}

/// The clusters that a view has met, by class and number.
///
/// Clusters are numbered densely, so they lie in pages of 512 under a dictionary of pages: a
/// hostile number costs one page, a walk over a class one look-up per 512 clusters. Nothing is
/// evicted; a view lives as long as one look at the data.
package struct ClusterDirectory {
  private var pages: [UInt64: Page] = [:]
  private var recent: Page?
  private var recentNumber: UInt64 = .max

  package final class Page {
    @exclusivity(unchecked) fileprivate var clusters: [Cluster?] = Array(repeating: nil, count: 512)
  }

  package init() {}

  package subscript(classKey: ClassKey, number: UInt64) -> Cluster? {
    mutating get {
      let page = UInt64(classKey.rawValue) &<< 32 | number &>> 9
      if page == recentNumber { return recent?.clusters[Int(number & 511)] }
      guard let found = pages[page] else { return nil }
      recent = found
      recentNumber = page
      return found.clusters[Int(number & 511)]
    }
    set {
      let page = UInt64(classKey.rawValue) &<< 32 | number &>> 9
      let holder = pages[page] ?? Page()
      pages[page] = holder
      holder.clusters[Int(number & 511)] = newValue
    }
  }

  /// Every cluster met so far, in no order.
  package var all: [Cluster] {
    pages.values.flatMap { $0.clusters.compactMap(\.self) }
  }
}
