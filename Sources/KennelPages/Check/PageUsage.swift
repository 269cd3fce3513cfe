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
    var unfilled = 0
    try PageWalk(snapshot.source).walk(snapshot.meta.roots) { run in
      let page = snapshot.source.soundPage(run.first)
      if page.level == 0 { unfilled += page.gap + page.unusedByteCount }
    }
    unfilledByteCount = unfilled
    freePages = try Self.freePageCount(snapshot)
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
