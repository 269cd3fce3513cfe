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
  }

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
  func leaves(root ref: Int64) throws(RealmFileError) -> [Leaf] {
    guard ref != 0 else { return [] }
    var leaves: [Leaf] = []
    var seen: Set<Int64> = []
    try collect(ref, base: 0, level: 0, into: &leaves, &seen)
    return leaves
  }

  private func collect(
    _ ref: Int64,
    base: UInt64,
    level: Int,
    into leaves: inout [Leaf],
    _ seen: inout Set<Int64>
  ) throws(RealmFileError) {
    guard seen.insert(ref).inserted else {
      throw damaged("a cluster that is in its tree twice", at: Int(ref))
    }
    let node = try bytes.node(at: ref)
    guard node.isInner else {
      leaves.append(Leaf(ref: ref, base: base))
      return
    }
    guard level < Self.mostLevels else { throw damaged("a tree that is too deep", at: node.offset) }
    guard node.count >= 3, let depth = try node.tagged(1), (1...Int64(Self.mostLevels)) ~= depth
    else { throw damaged("an inner node of clusters without a depth", at: node.offset) }
    let keys = try node.optionalChild(0, in: bytes)
    for index in 0..<node.count - 3 {
      let offset = try keys?.unsigned(index) ?? UInt64(index) << UInt64(8 * depth)
      let sum = base.addingReportingOverflow(offset)
      guard !sum.overflow, sum.partialValue <= UInt64(Int64.max) else {
        throw damaged("a key beyond all keys", at: node.offset)
      }
      try collect(
        node.reference(index + 3),
        base: sum.partialValue,
        level: level + 1,
        into: &leaves,
        &seen
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
