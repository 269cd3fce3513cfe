/// LMDB's record of a tree: 48 bytes, in a meta page for the main and free trees, in the main tree
/// for the others.
///
/// | offset | bytes | what |
/// |---|---|---|
/// | 0 | 4 | in the free tree the page size; otherwise 0 |
/// | 4 | 2 | flags: 0x08 integer keys |
/// | 6 | 2 | depth; 0 for an empty tree |
/// | 8 | 8 | branch pages |
/// | 16 | 8 | leaf pages |
/// | 24 | 8 | overflow pages |
/// | 32 | 8 | entries |
/// | 40 | 8 | root page; all ones for an empty tree |
package struct TreeRoot: Equatable, Sendable {
  /// The size of LMDB's record.
  package static let byteCount = 48
  /// The flag of a tree whose keys are native 64-bit integers.
  package static let integerKeys: UInt16 = 0x08
  /// Levels that LMDB's cursors can hold.
  package static let maximumDepth = 31

  package let flags: UInt16
  package let depth: Int
  package let branchPages: UInt64
  package let leafPages: UInt64
  package let overflowPages: UInt64
  package let entries: UInt64
  package let rootPage: UInt64

  /// An empty tree.
  package static func empty(flags: UInt16) -> TreeRoot {
    TreeRoot(
      flags: flags,
      depth: 0,
      branchPages: 0,
      leafPages: 0,
      overflowPages: 0,
      entries: 0,
      rootPage: .max
    )
  }

  package var isEmpty: Bool { rootPage == .max }
  package var hasIntegerKeys: Bool { flags & TreeRoot.integerKeys != 0 }

  /// Whether the numbers can be those of a tree: an empty tree has depth 0 and no pages, another
  /// one has 1 to 31 levels and at least one leaf.
  package var isPlausible: Bool {
    if isEmpty {
      return depth == 0 && entries == 0 && leafPages == 0 && branchPages == 0 && overflowPages == 0
    }
    return depth >= 1 && depth <= TreeRoot.maximumDepth && entries > 0 && leafPages > 0
  }
}

extension TreeRoot {
  /// Reads the 48 bytes at `record`.
  package init(record: UnsafeRawPointer) {
    func word(_ offset: Int) -> UInt64 {
      unsafe record.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
    }
    unsafe self.init(
      flags: record.loadUnaligned(fromByteOffset: 4, as: UInt16.self),
      depth: Int(record.loadUnaligned(fromByteOffset: 6, as: UInt16.self)),
      branchPages: word(8),
      leafPages: word(16),
      overflowPages: word(24),
      entries: word(32),
      rootPage: word(40)
    )
  }
}
