/// The unused space in the pages of a snapshot.
package struct PageUsage: Equatable, Sendable {
  /// Unused bytes in leaves.
  package private(set) var unfilledByteCount = 0
  /// Pages that nothing uses.
  package private(set) var freePages = 0

  /// Looks at the pages of all trees, and at no value.
  ///
  /// - Throws: `PageStoreError` if a page is damaged.
  /// - Complexity: O(*n*), where *n* is the number of pages.
  package init(_ snapshot: PageSnapshot) throws(PageStoreError) {
    for (number, root) in snapshot.meta.roots.enumerated() where !root.isEmpty {
      let keys = Tree.Keys(rawValue: root.keys) ?? .numbers
      let tree = number == Format.treeLimit ? Tree.free : Tree(number, keys: keys)
      let reader = try TreeReader(snapshot.source, tree, root)
      var visited = 0
      try add(root.pointer, reader, &visited)
    }
    freePages = try Self.freePageCount(snapshot)
  }

  private mutating func add(
    _ pointer: PagePointer,
    _ reader: TreeReader,
    _ visited: inout Int,
    below levels: Int = 0
  ) throws(PageStoreError) {
    visited += 1
    try reader.source.requireFewer(visited, in: reader.tree.number)
    let level = reader.root.level - levels
    let page = try reader.source.page(pointer, level: level, keys: reader.tree.keys)
    if level == 0 {
      unfilledByteCount += page.gap + page.unusedByteCount
      return
    }
    for index in 0..<page.count {
      try add(page.pointer(index), reader, &visited, below: levels + 1)
    }
  }

  /// How many pages of a snapshot nothing uses.
  ///
  /// - Throws: `PageStoreError` if a page is damaged.
  /// - Complexity: O(*n*), where *n* is the number of their runs.
  package static func freePageCount(_ snapshot: PageSnapshot) throws(PageStoreError) -> Int {
    var count = 0
    var cursor = Cursor(
      try TreeReader(snapshot.source, .free, snapshot.meta.roots[Format.treeLimit])
    )
    var isThere = try cursor.first()
    while isThere {
      for run in unsafe FreeTree.decode(try cursor.value()) { count += Int(run.count) }
      // Pages that are there twice are a matter for the check.
      count = min(count, snapshot.pageCount)
      isThere = try cursor.next()
    }
    return count
  }
}
