/// Visits every node that a commit refers to, whatever it is for: those of indexes and of the
/// history, too.
struct NodeWalk {
  let bytes: FileBytes
  let limit: Int
  private(set) var findings: [RealmDamage] = []
  private var extents: [Extent] = []
  private var seen: Set<Int64> = []

  /// The bytes that a node takes.
  private struct Extent {
    let start: Int
    let end: Int
  }

  init(bytes: FileBytes, limit: Int) {
    self.bytes = bytes
    self.limit = limit
  }

  /// Finds references to where no node is, nodes with two references, and nodes that overlap.
  mutating func check(from top: Int64) throws(RealmFileError) {
    guard top != 0 else { return }
    // No recursion: a chain of nodes may be as long as the file.
    var open = [top]
    while let ref = open.popLast(), findings.count < limit {
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
    findOverlaps()
  }

  private func references(of node: Node) throws(RealmFileError) -> [Int64] {
    // Elements of width 0 are no references, and there may be millions.
    guard node.packing == .bits, node.width > 0 else { return [] }
    return try node.integers().filter { $0 & 1 == 0 && $0 != 0 }
  }

  private mutating func findOverlaps() {
    extents.sort { $0.start < $1.start }
    for (first, second) in zip(extents, extents.dropFirst())
    where second.start < first.end && findings.count < limit {
      let what = "a node that begins in the node at offset \(first.start)"
      findings.append(RealmDamage(what, at: second.start))
    }
  }
}
