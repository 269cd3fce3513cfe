package import KennelPages

/// The trees of a file.
extension Tree {
  /// The schema, and a record of each class.
  package static let meta = Tree(0, keys: .numbers)
  /// The headers of the clusters.
  package static let clusters = Tree(1, keys: .numbers)
  /// The properties of the clusters.
  package static let chunks = Tree(2, keys: .numbers)
  /// The backlinks of objects.
  package static let backlinks = Tree(3, keys: .numbers)
  /// Large values and collections, out of line.
  package static let pieces = Tree(4, keys: .numbers)
  /// Primary keys and indexes, ordered by their bytes.
  package static let indexes = Tree(5, keys: .bytes)

  /// All of them, in the order of their numbers.
  package static let all = [meta, clusters, chunks, backlinks, pieces, indexes]
}

extension Writer {
  func put(_ tree: Tree, _ key: UInt64, _ bytes: [UInt8]) throws(PageStoreError) {
    try bytes.withRawBytes { (raw) throws(PageStoreError) in
      try unsafe put(tree, key, raw.buffer)
    }
  }
}
