/// The trees of a file.
///
/// Their number is fixed, because LMDB opens its trees once per environment and cannot open one
/// while there are other transactions.
package enum Tree: Int, CaseIterable, Sendable {
  /// The schema and other facts of the whole file.
  case meta
  /// The headers of the clusters.
  case clusters
  /// The properties of the clusters.
  case chunks
  /// The backlinks of objects.
  case backlinks
  /// Large values and collections, out of line.
  case pieces
  /// Primary keys and indexes, ordered by their bytes.
  case indexes

  /// The name in LMDB's main tree.
  package var name: String {
    switch self {
    case .meta: "meta"
    case .clusters: "clusters"
    case .chunks: "chunks"
    case .backlinks: "backlinks"
    case .pieces: "pieces"
    case .indexes: "indexes"
    }
  }

  /// The key of the header in the main tree, beside the names of the trees.
  package static var headerKey: UnsafeRawBufferPointer {
    let key: StaticString = "header"
    return unsafe UnsafeRawBufferPointer(start: key.utf8Start, count: key.utf8CodeUnitCount)
  }

  /// Whether the keys are 64-bit integers, not bytes in the order of `memcmp`.
  package var hasIntegerKeys: Bool { self != .indexes }
}
