/// The trees of a file.
///
/// Their number is fixed: LMDB opens its trees once per environment, and may not open one
/// beside other transactions.
package enum Tree: Int, CaseIterable, Sendable {
  /// The schema and other facts of the whole file.
  case meta
  /// The headers of the clusters.
  case clusters
  /// The properties of the clusters.
  case chunks
  /// The hidden lists of who points at an object.
  case backlinks
  /// Large values and collections, out of line.
  case pieces
  /// Primary keys and indexes, in the order of their bytes.
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

  /// The key in the main tree under which the header lies beside the trees' names.
  package static var headerKey: UnsafeRawBufferPointer {
    let key: StaticString = "header"
    return unsafe UnsafeRawBufferPointer(start: key.utf8Start, count: key.utf8CodeUnitCount)
  }

  /// Whether the keys are 64-bit integers; otherwise bytes that compare like `memcmp`.
  package var hasIntegerKeys: Bool { self != .indexes }
}
