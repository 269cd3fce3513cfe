/// The tree of a table whose leaves are clusters of objects.
struct ClusterTree {
  /// Realm puts at most 256 objects into a cluster.
  static let mostObjects = 1024
  private static let mostLevels = 8

  let bytes: FileBytes

  /// A leaf of the tree.
  struct Leaf: Sendable {
    let ref: Int64
    /// Added to the keys in the leaf.
    let base: UInt64
    /// The greatest key that the leaf can have.
    let last: UInt64
  }

  /// Takes a damaged part of the tree, and the keys that objects in it can have.
  typealias Skip = (RealmFileError, ClosedRange<UInt64>) throws(RealmFileError) -> Void

  /// The number of objects that the root claims.
  func count(root ref: Int64) throws(RealmFileError) -> Int {
    guard ref != 0 else { return 0 }
    let root = try bytes.node(at: ref)
    guard root.isInner else { return try keyCount(root) }
    guard let count = try root.optionalTagged(2), count >= 0, count < 1 << 56 else {
      throw damaged("a tree of clusters that does not know its size", at: root.offset)
    }
    return Int(count)
  }

  /// The leaves in the order of their keys.
  ///
  /// What is damaged is thrown, or handed to `skip`.
  func leaves(root ref: Int64, skip: Skip? = nil) throws(RealmFileError) -> [Leaf] {
    guard ref != 0 else { return [] }
    var leaves: [Leaf] = []
    var seen: Set<Int64> = []
    try collect(ref, keys: 0...UInt64(Int64.max), level: 0, into: &leaves, &seen, skip)
    return leaves
  }

  private func collect(
    _ ref: Int64,
    keys range: ClosedRange<UInt64>,
    level: Int,
    into leaves: inout [Leaf],
    _ seen: inout Set<Int64>,
    _ skip: Skip?
  ) throws(RealmFileError) {
    do throws(RealmFileError) {
      guard seen.insert(ref).inserted else {
        throw damaged("a cluster that is in its tree twice", at: Int(ref))
      }
      let node = try bytes.node(at: ref)
      if node.isInner {
        try collect(inner: node, keys: range, level: level, into: &leaves, &seen, skip)
      } else {
        leaves.append(Leaf(ref: ref, base: range.lowerBound, last: range.upperBound))
      }
    } catch {
      guard let skip, error.isDamage else { throw error }
      try skip(error, range)
    }
  }

  private func collect(
    inner node: Node,
    keys range: ClosedRange<UInt64>,
    level: Int,
    into leaves: inout [Leaf],
    _ seen: inout Set<Int64>,
    _ skip: Skip?
  ) throws(RealmFileError) {
    guard level < Self.mostLevels else { throw damaged("a tree that is too deep", at: node.offset) }
    guard node.count >= 3, let depth = try node.tagged(1), (1...Int64(Self.mostLevels)) ~= depth
    else { throw damaged("an inner node of clusters without a depth", at: node.offset) }
    let keys = try node.optionalChild(0, in: bytes)
    let count = node.count - 3
    /// The first key that the child can have.
    func start(_ index: Int) throws(RealmFileError) -> UInt64 {
      let offset = try keys?.unsigned(index) ?? UInt64(index) << UInt64(8 * depth)
      let (sum, isOver) = range.lowerBound.addingReportingOverflow(offset)
      guard !isOver, range.contains(sum) else {
        throw damaged("a key beyond all keys", at: node.offset)
      }
      return sum
    }
    for index in 0..<count {
      let first = try start(index)
      let last = index + 1 < count ? max(try start(index + 1), first + 1) - 1 : range.upperBound
      try collect(
        node.reference(index + 3),
        keys: first...last,
        level: level + 1,
        into: &leaves,
        &seen,
        skip
      )
    }
  }

  /// The number of objects of a leaf.
  func keyCount(_ leaf: Node) throws(RealmFileError) -> Int {
    let count =
      if let count = try leaf.tagged(0) { count } else {
        Int64(try leaf.child(0, in: bytes).count)
      }
    guard (0...Int64(Self.mostObjects)) ~= count else {
      throw damaged("a cluster of \(count) objects", at: leaf.offset)
    }
    return Int(count)
  }

  /// The keys of a leaf's objects, which ascend.
  func keys(_ leaf: Node, base: UInt64) throws(RealmFileError) -> [Int64] {
    let count = try keyCount(leaf)
    let offsets =
      try leaf.tagged(0) != nil
      ? Array(0..<UInt64(count)) : leaf.child(0, in: bytes).unsignedIntegers()
    var keys: [Int64] = []
    keys.reserveCapacity(count)
    for offset in offsets {
      let (key, overflow) = base.addingReportingOverflow(offset)
      guard !overflow, key <= UInt64(Int64.max), keys.last.map({ $0 < Int64(key) }) ?? true else {
        throw damaged("keys of objects that do not ascend", at: leaf.offset)
      }
      keys.append(Int64(key))
    }
    return keys
  }
}
