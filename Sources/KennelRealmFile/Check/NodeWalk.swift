/// Visits every node that a commit refers to, whatever it is for: those of indexes and of the
/// history, too.
struct NodeWalk {
  let bytes: FileBytes
  let limit: Int
  private(set) var findings: [RealmDamage] = []
  private var extents: [Extent] = []
  private var seen: Set<Int64> = []
  /// The references to nodes that were not visited yet.
  ///
  /// No recursion: a chain of nodes may be as long as the file.
  private var open: [Int64]

  /// The bytes that a node takes.
  private struct Extent {
    let start: Int
    let end: Int
  }

  /// A walk that begins at the top node; 0 if there is none.
  init(from top: Int64, bytes: FileBytes, limit: Int) {
    self.bytes = bytes
    self.limit = limit
    open = top == 0 ? [] : [top]
  }

  /// Visits some nodes and finds references to where no node is, and nodes with two references;
  /// returns whether there are more.
  mutating func visit(_ count: Int) throws(RealmFileError) -> Bool {
    for _ in 0..<count {
      guard findings.count < limit, let ref = open.popLast() else { return false }
      guard seen.insert(ref).inserted else {
        findings.append(RealmDamage("a node that two others refer to", at: Int(ref)))
        continue
      }
      do throws(RealmFileError) {
        let node = try bytes.node(at: ref)
        extents.append(Extent(start: node.offset, end: node.offset + 8 + node.byteCount))
        if node.hasRefs { open += try references(of: node) }
      } catch .damaged(let damage) {
        findings.append(damage)
      }
    }
    return true
  }

  private func references(of node: Node) throws(RealmFileError) -> [Int64] {
    // Elements of width 0 are no references, and there may be millions.
    guard node.packing == .bits, node.width > 0 else { return [] }
    return try node.integers().filter { $0 & 1 == 0 && $0 != 0 }
  }

  /// Finds nodes that overlap, after all were visited.
  mutating func findOverlaps() {
    extents.sort { $0.start < $1.start }
    for (first, second) in zip(extents, extents.dropFirst())
    where second.start < first.end && findings.count < limit {
      let what = "a node that begins in the node at offset \(first.start)"
      findings.append(RealmDamage(what, at: second.start))
    }
  }
}
