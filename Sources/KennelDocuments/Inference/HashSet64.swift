/// A set of hashes of 64 bits in one block of memory.
struct HashSet64 {
  private var slots: [UInt64] = []
  private(set) var count = 0

  /// How many hashes there is room for, eight bytes each.
  var capacity: Int { slots.count }
  /// How much more memory the next insertion takes.
  var growth: Int { count * 4 < slots.count * 3 ? 0 : max(slots.count, 16) }

  func contains(_ hash: UInt64) -> Bool {
    slots.isEmpty ? false : slots[position(of: hash)] != 0
  }

  /// Adds a hash that is not zero.
  mutating func insert(_ hash: UInt64) {
    if growth > 0 {
      let old = slots
      slots = Array(repeating: 0, count: old.count + growth)
      for hash in old where hash != 0 { slots[position(of: hash)] = hash }
    }
    let position = position(of: hash)
    if slots[position] == 0 { count += 1 }
    slots[position] = hash
  }

  mutating func formUnion(_ other: HashSet64) {
    for hash in other.slots where hash != 0 { insert(hash) }
  }

  func isSubset(of other: HashSet64) -> Bool {
    count <= other.count && slots.allSatisfy { $0 == 0 || other.contains($0) }
  }

  /// Where a hash is, or where it would be.
  private func position(of hash: UInt64) -> Int {
    var position = Int(truncatingIfNeeded: hash) & (slots.count - 1)
    while slots[position] != 0, slots[position] != hash {
      position = (position + 1) & (slots.count - 1)
    }
    return position
  }
}
