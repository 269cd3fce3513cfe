import Glibc
import KennelLMDB

/// A key whose value differs between two snapshots.
///
/// The bytes are valid while both snapshots are pinned.
package struct TreeChange {
  package let key: UnsafeRawBufferPointer
  /// The value in the older snapshot; nil if the entry was created.
  package let old: UnsafeRawBufferPointer?
  /// The value in the newer snapshot; nil if the entry was deleted.
  package let new: UnsafeRawBufferPointer?

  /// The key of an integer tree.
  package var integerKey: UInt64 { key.loadUnaligned(as: UInt64.self) }
}

/// What changed in a tree from one snapshot to another.
///
/// Nothing is logged: a commit copies the pages it changes and shares all others, and
/// no page is written over while a snapshot that has it is pinned. So the same page
/// number in both snapshots means the same entries below, and the walk steps over them:
/// its cost is what changed, times the depth.
///
/// Each side stands on an *item*: an entry, or a whole subtree with the least key that
/// it may have. In each step
///
/// | the two items | what happens |
/// |---|---|
/// | the same page | both step over it |
/// | two subtrees | the one that begins at the lesser key is entered; of two that begin together the taller, or both |
/// | a subtree and an entry with a lesser key | the entry has no partner: created or deleted |
/// | a subtree and another entry | the subtree is entered |
/// | two entries | the lesser one has no partner; of equal keys the values are compared |
package enum TreeDifference {
  /// Calls `body` with each difference in the order of the keys, until it returns false.
  ///
  /// Both snapshots are of the same file, and `old` was pinned first.
  ///
  /// - Throws: `StorageError.damaged` if a page on the way is, and what `body` throws.
  package static func forEach(
    from old: TreeReader,
    to new: TreeReader,
    _ body: (TreeChange) throws(StorageError) -> Bool
  ) throws(StorageError) {
    let order = new.order
    var before = DifferenceWalk(old)
    var after = DifferenceWalk(new)
    while !before.isAtEnd || !after.isAtEnd {
      switch try step(&before, &after, order) {
      case .skip:
        break
      case .deleted:
        let change = TreeChange(key: before.key, old: try before.value(), new: nil)
        if try !body(change) { return }
        before.advance()
      case .created:
        let change = TreeChange(key: after.key, old: nil, new: try after.value())
        if try !body(change) { return }
        after.advance()
      case .both:
        if !before.hasSameOverflow(as: after) {
          let change = TreeChange(key: after.key, old: try before.value(), new: try after.value())
          if !change.isSame, try !body(change) { return }
        }
        before.advance()
        after.advance()
      }
    }
  }

  private enum Step {
    case skip
    case deleted
    case created
    case both
  }

  private static func step(
    _ before: inout DifferenceWalk,
    _ after: inout DifferenceWalk,
    _ order: KeyOrder
  ) throws(StorageError) -> Step {
    if after.isAtEnd {
      if before.height == 0 { return .deleted }
      try before.enter()
      return .skip
    }
    if before.isAtEnd {
      if after.height == 0 { return .created }
      try after.enter()
      return .skip
    }
    switch (before.height, after.height) {
    case (0, 0):
      let comparison = order.compare(before.key, after.key)
      return comparison == 0 ? .both : comparison < 0 ? .deleted : .created
    case (0, _):
      if let low = after.low, order.compare(before.key, low) < 0 { return .deleted }
      try after.enter()
    case (_, 0):
      if let low = before.low, order.compare(after.key, low) < 0 { return .created }
      try before.enter()
    default:
      try stepSubtrees(&before, &after, order)
    }
    return .skip
  }

  private static func stepSubtrees(
    _ before: inout DifferenceWalk,
    _ after: inout DifferenceWalk,
    _ order: KeyOrder
  ) throws(StorageError) {
    if before.page == after.page, before.height == after.height {
      before.advance()
      after.advance()
      return
    }
    var comparison = 0
    switch (before.low, after.low) {
    case (nil, nil): comparison = 0
    case (nil, _): comparison = -1
    case (_, nil): comparison = 1
    case (let left?, let right?): comparison = order.compare(left, right)
    }
    if comparison == 0 { comparison = after.height - before.height }
    if comparison <= 0 { try before.enter() }
    if comparison >= 0 { try after.enter() }
  }
}

extension TreeChange {
  fileprivate var isSame: Bool {
    guard let old, let new, old.count == new.count else { return false }
    guard let a = old.baseAddress, let b = new.baseAddress else { return true }
    return memcmp(a, b, old.count) == 0
  }
}

/// One side of the difference: a walk that may step over whole subtrees.
private struct DifferenceWalk: ~Copyable {
  private let reader: TreeReader
  private let frames: UnsafeMutablePointer<TreeFrame>
  private let depth: Int
  /// Frames in use.
  ///
  /// With none the item is the whole tree; with `depth` it is an entry.
  private var used = 0
  private(set) var isAtEnd: Bool

  init(_ reader: TreeReader) {
    self.reader = reader
    depth = reader.root.depth
    isAtEnd = reader.root.isEmpty
    frames = .allocate(capacity: max(1, depth))
  }

  deinit { frames.deallocate() }

  /// Levels of pages below the item; 0 for an entry.
  var height: Int { depth - used }

  private var top: TreeFrame { frames[used - 1] }

  /// The page of a subtree.
  var page: UInt64 { used == 0 ? reader.root.rootPage : top.page.child(top.index) }

  /// The least key that a subtree may have; nil for no bound.
  var low: UnsafeRawBufferPointer? {
    if used == 0 { return nil }
    return top.index > 0 ? top.page.key(top.index) : top.low
  }

  /// The key of an entry.
  var key: UnsafeRawBufferPointer { top.page.key(top.index) }

  func value() throws(StorageError) -> UnsafeRawBufferPointer {
    try reader.source.value(top.page.node(top.index), reader.name)
  }

  /// Whether the values of two entries are the same overflow run.
  func hasSameOverflow(as other: borrowing DifferenceWalk) -> Bool {
    guard let run = overflowRun, let otherRun = other.overflowRun else { return false }
    return run == otherRun
  }

  private var overflowRun: (page: UInt64, byteCount: Int)? {
    let node = top.page.node(top.index)
    if node.word16(4) & Int(PageLayout.isOverflow) == 0 { return nil }
    let data = node + PageLayout.nodeHeaderByteCount + node.word16(6)
    return (data.word64(0), node.word32(0))
  }

  /// Goes from a subtree to its first item.
  mutating func enter() throws(StorageError) {
    let frame =
      used == 0
      ? try reader.rootFrame() : try reader.frame(under: top, isLeaf: used + 1 == depth)
    (frames + used).initialize(to: frame)
    used += 1
  }

  /// Goes to the next item, or up to the next subtree.
  mutating func advance() {
    while used > 0 {
      if top.index + 1 < top.count {
        frames[used - 1].index += 1
        return
      }
      used -= 1
    }
    isAtEnd = true
  }
}
