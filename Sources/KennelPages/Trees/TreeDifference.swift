/// A key whose value differs between two snapshots.
///
/// Safe to pass around: only reading the bytes is unsafe, which are valid while both snapshots are there.
@safe package struct TreeChange {
  /// The key of a tree of numbers.
  package let number: UInt64
  /// The key of a tree of bytes.
  package let bytes: UnsafeRawBufferPointer
  /// The value in the older snapshot; `nil` if the entry was created.
  package let old: UnsafeRawBufferPointer?
  /// The value in the newer snapshot; `nil` if the entry was deleted.
  package let new: UnsafeRawBufferPointer?
}

/// The changes of a tree from one snapshot to another, in the order of the keys.
///
/// Nothing is logged: a commit copies the pages that it changes and shares all others. The same
/// pointer in both snapshots means the same entries below, so the walk steps over them. Its cost is
/// what changed, times the depth.
///
/// Each side stands on an *item*: an entry, or a whole subtree with the least key that it may have.
///
/// | the two items | what happens |
/// |---|---|
/// | the same pointer | both step over it |
/// | two subtrees | the one that begins at the lesser key is entered; if both begin there, the taller, or both |
/// | a subtree and an entry with a lesser key | the entry was created or deleted |
/// | a subtree and another entry | the subtree is entered |
/// | two entries | the lesser one was created or deleted; of equal keys the values are compared |
package struct TreeDifference {
  private var before: Walk
  private var after: Walk

  /// Begins before the first difference; both snapshots are of the same file.
  ///
  /// - Throws: `PageStoreError` if the tree has keys of another kind.
  package init(_ tree: Tree, from old: PageSnapshot, to new: PageSnapshot) throws(PageStoreError) {
    before = Walk(try old.reader(tree))
    after = Walk(try new.reader(tree))
  }

  /// The next difference; `nil` after the last.
  ///
  /// - Throws: `PageStoreError` if a page on the way is damaged.
  package mutating func next() throws(PageStoreError) -> TreeChange? {
    while !before.isAtEnd || !after.isAtEnd {
      if after.isAtEnd || before.isEntry(before: after) {
        if try before.enters() { continue }
        let change = unsafe TreeChange(before.key, old: try before.value, new: nil)
        before.advance()
        return change
      }
      if before.isAtEnd || after.isEntry(before: before) {
        if try after.enters() { continue }
        let change = unsafe TreeChange(after.key, old: nil, new: try after.value)
        after.advance()
        return change
      }
      if before.height == 0, after.height == 0 {
        // Equal keys: neither was less.
        let (old, new) = unsafe (try before.value, try after.value)
        let isSame = unsafe before.hasSameRun(as: after) || ByteOrder.compare(old, new) == 0
        let change = unsafe TreeChange(after.key, old: old, new: new)
        before.advance()
        after.advance()
        if !isSame { return change }
      } else {
        try step()
      }
    }
    return nil
  }

  /// Steps over a subtree that both have, or enters one.
  private mutating func step() throws(PageStoreError) {
    if before.height == 0 || after.height == 0 {
      _ = before.height == 0 ? try after.enters() : try before.enters()
    } else if before.pointer == after.pointer, before.height == after.height {
      before.advance()
      after.advance()
    } else {
      var order = Walk.order(before.low, after.low)
      if order == 0 { order = after.height - before.height }
      if order <= 0 { _ = try before.enters() }
      if order >= 0 { _ = try after.enters() }
    }
  }
}

extension TreeChange {
  fileprivate init(_ key: TreeKey, old: UnsafeRawBufferPointer?, new: UnsafeRawBufferPointer?) {
    unsafe self.init(number: key.number, bytes: key.bytes, old: old, new: new)
  }
}

/// One side of the difference: a walk that may step over whole subtrees.
private struct Walk {
  private struct Frame {
    let page: Page
    let count: Int
    /// The least key that the page may have; `nil` for no bound.
    let low: TreeKey?
    var index = 0
  }

  private let reader: TreeReader
  /// With none the item is the whole tree; with one for each level it is an entry.
  private var frames: [Frame] = []
  private(set) var isAtEnd: Bool
  /// How many pages were entered.
  private var entered = 0

  init(_ reader: TreeReader) {
    self.reader = reader
    isAtEnd = reader.root.isEmpty
  }

  /// Levels of pages below the item; 0 for an entry.
  var height: Int { reader.root.level + 1 - frames.count }

  private var top: Frame { frames[frames.count - 1] }

  var pointer: PagePointer {
    frames.isEmpty ? reader.root.pointer : top.page.pointer(top.index)
  }

  var key: TreeKey { top.page.key(top.index) }

  var value: UnsafeRawBufferPointer {
    get throws(PageStoreError) { try unsafe reader.source.value(top.page, top.index) }
  }

  /// The least key that the item may have; `nil` for no bound.
  var low: TreeKey? {
    guard let last = frames.last else { return nil }
    return height == 0 || last.index > 0 ? last.page.key(last.index) : last.low
  }

  /// Whether the item is an entry whose key is less than all of another's item.
  func isEntry(before other: Walk) -> Bool {
    guard !isAtEnd, height == 0, let low = other.low else { return false }
    return Walk.order(key, low) < 0
  }

  func hasSameRun(as other: Walk) -> Bool {
    top.page.isLong(top.index) && other.top.page.isLong(other.top.index)
      && pointer == other.pointer
  }

  static func order(_ one: TreeKey?, _ other: TreeKey?) -> Int {
    guard let one else { return other == nil ? 0 : -1 }
    guard let other else { return 1 }
    if one.kind == .numbers {
      return one.number < other.number ? -1 : one.number > other.number ? 1 : 0
    }
    return unsafe ByteOrder.compare(one.bytes, other.bytes)
  }

  /// Goes from a subtree to its first item; false if the item is an entry.
  mutating func enters() throws(PageStoreError) -> Bool {
    if height == 0 { return false }
    try reader.source.requireOwnProcess()
    entered += 1
    try reader.source.requireFewer(entered, in: reader.tree.number)
    let (below, low) = (height - 1, low)
    let page = try reader.source.page(pointer, level: below, keys: reader.tree.keys)
    frames.append(Frame(page: page, count: page.count, low: low))
    return true
  }

  /// Goes to the next item, or up to the next subtree.
  mutating func advance() {
    while let last = frames.last {
      if last.index + 1 < last.count {
        frames[frames.count - 1].index += 1
        return
      }
      frames.removeLast()
    }
    isAtEnd = true
  }
}
