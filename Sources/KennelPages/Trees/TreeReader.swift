import Synchronization

/// Looks up keys in a tree of a snapshot, or of a writer.
///
/// Its results are valid as long as its snapshot, and in a writer until the next change. That of
/// a snapshot may be used by many threads at once.
package struct TreeReader: Sendable {
  let source: PageSource
  package let tree: Tree
  let root: TreeRoot
  /// `nil` in a writer, and in a tree of bytes.
  private let recent: RecentLeaf?

  init(
    _ source: PageSource,
    _ tree: Tree,
    _ root: TreeRoot,
    _ recent: RecentLeaf? = nil
  ) throws(PageStoreError) {
    guard root.isEmpty || root.keys == tree.keys.rawValue, root.level < Format.mostLevels else {
      throw PageStoreError(.treeKeys(tree.number), .read, path: source.path)
    }
    self.source = source
    self.tree = tree
    self.root = root
    self.recent = recent
  }

  /// The number of entries.
  package var entryCount: Int { Int(clamping: root.entries) }

  /// The page at the root; the tree must not be empty.
  func rootPage() throws(PageStoreError) -> Page {
    try source.page(root.pointer, level: root.level, keys: tree.keys)
  }

  /// The value of a key; `nil` if there is none.
  ///
  /// - Throws: `PageStoreError` if a page on the way is damaged.
  package func get(_ number: UInt64) throws(PageStoreError) -> UnsafeRawBufferPointer? {
    try source.requireOwnProcess()
    if let page = recent?.page {
      let last = page.count &- 1
      if page.numberKey(0) <= number, number <= page.numberKey(last) {
        let index = page.nearbyIndex(of: number, last: last)
        return page.numberKey(index) == number ? try unsafe source.value(page, index) : nil
      }
    }
    return try unsafe get(TreeKey(number))
  }

  func get(_ key: TreeKey) throws(PageStoreError) -> UnsafeRawBufferPointer? {
    try source.requireOwnProcess()
    guard let page = try leaf(key) else { return nil }
    let index = page.lowerBound(key)
    guard index < page.count, page.order(index, key) == 0 else { return nil }
    return try unsafe source.value(page, index)
  }

  /// The leaf where a key belongs; `nil` in an empty tree.
  private func leaf(_ key: TreeKey) throws(PageStoreError) -> Page? {
    if root.isEmpty { return nil }
    guard key.kind == tree.keys else {
      throw PageStoreError(.treeKeys(tree.number), .read, path: source.path)
    }
    var page = try rootPage()
    var level = root.level
    while level > 0 {
      level &-= 1
      let index = page.childIndex(key)
      page = try source.page(page.pointer(index), level: level, keys: tree.keys)
    }
    recent?.page = page
    return page
  }

  /// The first key that is `bytes` or greater; `nil` if there is none.
  ///
  /// - Throws: `PageStoreError` if a page on the way is damaged.
  package func firstKey(
    atOrAfter bytes: UnsafeRawBufferPointer
  ) throws(PageStoreError) -> UnsafeRawBufferPointer? {
    try source.requireOwnProcess()
    let key = unsafe TreeKey(bytes)
    guard let page = try leaf(key) else { return nil }
    let index = page.lowerBound(key)
    if index < page.count { return unsafe page.bytesKey(index) }
    // All keys of the leaf are less.
    var cursor = cursor()
    guard try unsafe cursor.seek(atOrAfter: bytes) else { return nil }
    return unsafe cursor.bytes
  }

  /// A cursor over the tree, which stands nowhere yet.
  package func cursor() -> Cursor { Cursor(self) }
}

/// The leaf of a tree of numbers in which one was looked for last.
///
/// Who walks a class asks for neighbours, which lie in the same leaf: a descent takes several times
/// as long as a look at the leaf.
///
/// Safe to use: it belongs to the reader of one snapshot, which keeps the map that the page is in.
@safe final class RecentLeaf: Sendable {
  private let address = Atomic<UInt>(0)

  @inline(__always)
  var page: Page? {
    get {
      unsafe UnsafeRawPointer(bitPattern: address.load(ordering: .relaxed)).map { unsafe Page($0) }
    }
    set { address.store(unsafe UInt(bitPattern: newValue?.base), ordering: .relaxed) }
  }
}
