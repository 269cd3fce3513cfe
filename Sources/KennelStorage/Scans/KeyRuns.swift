/// Neighbours among the keys that are gathered: their positions, and the cluster they share.
struct KeyRun {
  var range: Range<Int>
  var cluster: UInt64
  /// False for a key of 0, which no object has.
  var isThere: Bool
}

/// The runs of neighbours among keys.
struct KeyRuns {
  private let keys: [ObjectKey]
  private var position = 0
  private var pace: GatheringPace

  init(_ keys: [ObjectKey], _ report: ((Double) -> Void)?) {
    self.keys = keys
    pace = GatheringPace(keys.count, report)
  }

  mutating func next() -> KeyRun? {
    guard position < keys.count else { return nil }
    pace.reach(position)
    let start = position
    let first = keys[start]
    position += 1
    if first.rawValue == 0 { return KeyRun(range: start..<position, cluster: 0, isThere: false) }
    while position < keys.count, keys[position].cluster == first.cluster,
      keys[position].rawValue != 0
    {
      position += 1
    }
    return KeyRun(range: start..<position, cluster: first.cluster, isThere: true)
  }
}

/// Reports now and then how many of the keys are gathered.
package struct GatheringPace {
  private static let step = 1 << 14

  private let count: Int
  private let report: ((Double) -> Void)?
  private var next: Int

  package init(_ count: Int, _ report: ((Double) -> Void)?) {
    self.count = count
    self.report = report
    next = report == nil ? .max : Self.step
  }

  @inline(__always)
  package mutating func reach(_ position: Int) {
    if position >= next { report(at: position) }
  }

  private mutating func report(at position: Int) {
    next = position + Self.step
    report?(Double(position) / Double(count))
  }
}
