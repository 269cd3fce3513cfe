/// The keys of a tree of which nothing is known yet, as ascending ranges.
struct KeyRanges {
  private var ranges: [ClosedRange<UInt64>] = [0...UInt64.max]

  /// The first range that ends at or past a key.
  private func position(of key: UInt64) -> Int {
    ranges.partitioningIndex { $0.upperBound >= key }
  }

  func contains(_ key: UInt64) -> Bool { overlaps(key...key) }

  func overlaps(_ range: ClosedRange<UInt64>) -> Bool {
    let position = position(of: range.lowerBound)
    return position < ranges.count && ranges[position].overlaps(range)
  }

  /// Removes the keys of a range but for holes in it.
  mutating func remove(_ range: ClosedRange<UInt64>, except holes: [ClosedRange<UInt64>]) {
    let first = position(of: range.lowerBound)
    var end = first
    while end < ranges.count, ranges[end].lowerBound <= range.upperBound { end += 1 }
    guard first < end else { return }
    let (before, after) = (ranges[first], ranges[end - 1])
    var kept: [ClosedRange<UInt64>] = []
    if before.lowerBound < range.lowerBound {
      kept.append(before.lowerBound...(range.lowerBound - 1))
    }
    // What pages say of themselves need not be in order.
    for hole in holes.sorted(by: { $0.lowerBound < $1.lowerBound }) where hole.overlaps(range) {
      for old in ranges[first..<end] where old.overlaps(hole) {
        let part = hole.clamped(to: old).clamped(to: range)
        if let last = kept.last, last.upperBound >= part.lowerBound { continue }
        kept.append(part)
      }
    }
    if after.upperBound > range.upperBound {
      kept.append((range.upperBound + 1)...after.upperBound)
    }
    ranges.replaceSubrange(first..<end, with: kept)
  }
}
