import KennelLMDB

/// One page on the way from the root, a place in it, and the bounds that its keys keep.
@unsafe struct TreeFrame {
  var page: UnsafeRawPointer
  var index: Int
  var count: Int
  /// No key of the page is less; nil for no bound.
  var low: UnsafeRawBufferPointer?
  /// Every key of the page is less; nil for no bound.
  var high: UnsafeRawBufferPointer?
}

extension TreeReader {
  /// The root page of a tree that is not empty, at its first node.
  func rootFrame() throws(StorageError) -> TreeFrame {
    let kind = root.depth == 1 ? leafKind : branchKind
    let page = try unsafe source.page(root.rootPage, kind, name)
    return unsafe TreeFrame(page: page, index: 0, count: page.nodeCount)
  }

  /// The page that `parent` points at, its keys checked against the separators, at its first node.
  func frame(under parent: TreeFrame, isLeaf: Bool) throws(StorageError) -> TreeFrame {
    let index = unsafe parent.index
    let number = unsafe parent.page.child(index)
    let page = try unsafe source.page(number, isLeaf ? leafKind : branchKind, name)
    let count = unsafe page.nodeCount
    let low = unsafe index > 0 ? parent.page.key(index) : parent.low
    let high = unsafe index + 1 < parent.count ? parent.page.key(index + 1) : parent.high
    // The first key of a branch means nothing.
    if let low = unsafe low, unsafe order.compare(page.key(isLeaf ? 0 : 1), low) < 0 {
      throw outOfBounds(number)
    }
    if let high = unsafe high, unsafe order.compare(page.key(count - 1), high) >= 0 {
      throw outOfBounds(number)
    }
    return unsafe TreeFrame(page: page, index: 0, count: count, low: low, high: high)
  }
}
