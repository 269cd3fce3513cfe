/// Looks up keys in a tree of a snapshot, or of a writer.
struct TreeReader {
  let source: PageSource
  let tree: Tree
  let root: TreeRoot

  init(_ source: PageSource, _ tree: Tree, _ root: TreeRoot) throws(PageStoreError) {
    guard root.isEmpty || root.keys == tree.keys.rawValue, root.level < Format.mostLevels else {
      throw PageStoreError(.treeKeys(tree.number), .read, path: source.path)
    }
    self.source = source
    self.tree = tree
    self.root = root
  }

  /// The page at the root; the tree must not be empty.
  func rootPage() throws(PageStoreError) -> Page {
    try source.page(root.pointer, level: root.level, keys: tree.keys)
  }

  /// The value of a key; `nil` if there is none.
  ///
  /// - Throws: `PageStoreError` if a page on the way is damaged.
  func get(_ key: Key) throws(PageStoreError) -> UnsafeRawBufferPointer? {
    try source.requireOwnProcess()
    if root.isEmpty { return nil }
    guard key.kind == tree.keys else {
      throw PageStoreError(.treeKeys(tree.number), .read, path: source.path)
    }
    var page = try rootPage()
    var level = root.level
    while level > 0 {
      level &-= 1
      page = try source.page(page.pointer(page.childIndex(key)), level: level, keys: tree.keys)
    }
    let index = page.lowerBound(key)
    guard index < page.count, page.order(index, key) == 0 else { return nil }
    return try unsafe source.value(page, index)
  }
}
