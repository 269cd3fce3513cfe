/// Visits the pages of trees, parents before children.
struct PageWalk {
  private let source: PageSource
  private let onlyCommit: UInt64?

  /// Follows all pointers to pages, or those to pages and long values that carry a commit.
  init(_ source: PageSource, onlyCommit: UInt64? = nil) {
    self.source = source
    self.onlyCommit = onlyCommit
  }

  /// Visits all pages of trees.
  ///
  /// - Throws: `PageStoreError` if a page is damaged, and what `visit` throws.
  func walk(
    _ roots: [TreeRoot],
    _ visit: (PageRun) throws(PageStoreError) -> Void
  ) throws(PageStoreError) {
    var visited = 0
    for (number, root) in roots.enumerated() where !root.isEmpty {
      guard let keys = Tree.Keys(rawValue: root.keys), root.level < Format.mostLevels else {
        throw PageStoreError(
          .damaged(in: "tree \(number)", "its root makes no sense"),
          .read,
          path: source.path
        )
      }
      try walk(root.pointer, root.level, keys) { (run) throws(PageStoreError) in
        visited += 1
        try source.requireFewer(visited, in: number)
        try visit(run)
      }
    }
  }

  private func walk(
    _ pointer: PagePointer,
    _ level: Int,
    _ keys: Tree.Keys,
    _ visit: (PageRun) throws(PageStoreError) -> Void
  ) throws(PageStoreError) {
    if let onlyCommit, pointer.commit != onlyCommit { return }
    let page = try source.page(pointer, level: level, keys: keys)
    try visit(PageRun(first: pointer.number, count: 1))
    for index in 0..<page.count {
      if level > 0 {
        try walk(page.pointer(index), level - 1, keys, visit)
      } else if let onlyCommit, page.isLong(index) {
        let run = page.pointer(index)
        if run.commit != onlyCommit { continue }
        let byteCount = try unsafe source.value(page, index).count
        let pages = source.layout.pageCount(ofValue: byteCount)
        try visit(PageRun(first: run.number, count: UInt32(pages)))
      }
    }
  }
}
