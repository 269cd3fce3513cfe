import Glibc
import KennelLMDB

/// A key whose value differs between two snapshots.
///
/// The bytes are valid while both snapshots are pinned.
@unsafe package struct TreeChange {
  package let key: UnsafeRawBufferPointer
  /// The value in the older snapshot; nil if the entry was created.
  package let old: UnsafeRawBufferPointer?
  /// The value in the newer snapshot; nil if the entry was deleted.
  package let new: UnsafeRawBufferPointer?

  /// The key of an integer tree.
  package var integerKey: UInt64 { unsafe key.loadUnaligned(as: UInt64.self) }
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
    var before = unsafe DifferenceWalk(old)
    var after = unsafe DifferenceWalk(new)
    while unsafe !before.isAtEnd || !after.isAtEnd {
      switch try unsafe step(&before, &after, order) {
      case .skip:
        break
      case .deleted:
        let change = unsafe TreeChange(key: before.key, old: try before.value(), new: nil)
        if try unsafe !body(change) { return }
        unsafe before.advance()
      case .created:
        let change = unsafe TreeChange(key: after.key, old: nil, new: try after.value())
        if try unsafe !body(change) { return }
        unsafe after.advance()
      case .both:
        if unsafe !before.hasSameOverflow(as: after) {
          let change = unsafe TreeChange(
            key: after.key,
            old: try before.value(),
            new: try after.value()
          )
          if unsafe !change.isSame, try unsafe !body(change) { return }
        }
        unsafe before.advance()
        unsafe after.advance()
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
    if unsafe after.isAtEnd {
      if unsafe before.height == 0 { return .deleted }
      try unsafe before.enter()
      return .skip
    }
    if unsafe before.isAtEnd {
      if unsafe after.height == 0 { return .created }
      try unsafe after.enter()
      return .skip
    }
    switch unsafe (before.height, after.height) {
    case (0, 0):
      let comparison = unsafe order.compare(before.key, after.key)
      return comparison == 0 ? .both : comparison < 0 ? .deleted : .created
    case (0, _):
      if let low = unsafe after.low, unsafe order.compare(before.key, low) < 0 { return .deleted }
      try unsafe after.enter()
    case (_, 0):
      if let low = unsafe before.low, unsafe order.compare(after.key, low) < 0 { return .created }
      try unsafe before.enter()
    default:
      try unsafe stepSubtrees(&before, &after, order)
    }
    return .skip
  }

  private static func stepSubtrees(
    _ before: inout DifferenceWalk,
    _ after: inout DifferenceWalk,
    _ order: KeyOrder
  ) throws(StorageError) {
    if unsafe before.page == after.page, unsafe before.height == after.height {
      unsafe before.advance()
      unsafe after.advance()
      return
    }
    var comparison = 0
    switch unsafe (before.low, after.low) {
    case (nil, nil): comparison = 0
    case (nil, _): comparison = -1
    case (_, nil): comparison = 1
    case (let left?, let right?): comparison = unsafe order.compare(left, right)
    }
    if comparison == 0 { comparison = unsafe after.height - before.height }
    if comparison <= 0 { try unsafe before.enter() }
    if comparison >= 0 { try unsafe after.enter() }
  }
}

extension TreeChange {
  fileprivate var isSame: Bool {
    guard let old = unsafe old, let new = unsafe new, old.count == new.count else { return false }
    guard let a = old.baseAddress, let b = new.baseAddress else { return true }
    return unsafe memcmp(a, b, old.count) == 0
  }
}

/// One side of the difference: a walk that may step over whole subtrees.
@unsafe private struct DifferenceWalk: ~Copyable {
  private let reader: TreeReader
  private let frames: UnsafeMutablePointer<TreeFrame>
  private let depth: Int
  /// Frames in use.
  ///
  /// With none the item is the whole tree; with `depth` it is an entry.
  private var used = 0
  private(set) var isAtEnd: Bool

  init(_ reader: TreeReader) {
    unsafe self.reader = reader
    unsafe depth = reader.root.depth
    unsafe isAtEnd = reader.root.isEmpty
    unsafe frames = .allocate(capacity: max(1, depth))
  }

  deinit { unsafe frames.deallocate() }

  /// Levels of pages below the item; 0 for an entry.
  var height: Int { unsafe depth - used }

  private var top: TreeFrame { unsafe frames[used - 1] }

  /// The page of a subtree.
  var page: UInt64 { unsafe used == 0 ? reader.root.rootPage : top.page.child(top.index) }

  /// The least key that a subtree may have; nil for no bound.
  var low: UnsafeRawBufferPointer? {
    if unsafe used == 0 { return nil }
    return unsafe top.index > 0 ? top.page.key(top.index) : top.low
  }

  /// The key of an entry.
  var key: UnsafeRawBufferPointer { unsafe top.page.key(top.index) }

  func value() throws(StorageError) -> UnsafeRawBufferPointer {
    try unsafe reader.source.value(top.page.node(top.index), reader.name)
  }

  /// Whether the values of two entries are the same overflow run.
  func hasSameOverflow(as other: borrowing DifferenceWalk) -> Bool {
    guard let run = unsafe overflowRun, let otherRun = unsafe other.overflowRun else {
      return false
    }
    return run == otherRun
  }

  private var overflowRun: (page: UInt64, byteCount: Int)? {
    let node = unsafe top.page.node(top.index)
    if unsafe node.word16(4) & Int(PageLayout.isOverflow) == 0 { return nil }
    let data = unsafe node + PageLayout.nodeHeaderByteCount + node.word16(6)
    return unsafe (data.word64(0), node.word32(0))
  }

  /// Goes from a subtree to its first item.
  mutating func enter() throws(StorageError) {
    let frame =
      unsafe used == 0
      ? try reader.rootFrame() : try reader.frame(under: top, isLeaf: used + 1 == depth)
    unsafe (frames + used).initialize(to: frame)
    unsafe used += 1
  }

  /// Goes to the next item, or up to the next subtree.
  mutating func advance() {
    while unsafe used > 0 {
      if unsafe top.index + 1 < top.count {
        unsafe frames[used - 1].index += 1
        return
      }
      unsafe used -= 1
    }
    unsafe isAtEnd = true
  }
}
