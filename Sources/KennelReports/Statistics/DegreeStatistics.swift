/// How many objects have how many links, out of a property or into an object.
package struct DegreeStatistics: Sendable {
  /// A range of degrees, and how many objects have one of them.
  package struct Bin: Sendable {
    package let degrees: ClosedRange<Int>
    package let count: Int
  }

  /// The number of objects by degree.
  package private(set) var counts: [Int: Int] = [:]
  package private(set) var objectCount = 0
  package private(set) var linkCount = 0

  package init() {}

  package mutating func add(_ degree: Int) {
    counts[degree, default: 0] += 1
    objectCount += 1
    linkCount += degree
  }

  package var least: Int { counts.keys.min() ?? 0 }
  package var greatest: Int { counts.keys.max() ?? 0 }

  /// The degree that half of the objects do not exceed.
  package var median: Int {
    var passed = 0
    for (degree, count) in counts.sorted(by: { $0.key < $1.key }) {
      passed += count
      if 2 * passed >= objectCount { return degree }
    }
    return 0
  }

  /// The number of objects without a link.
  package var unlinkedCount: Int { counts[0] ?? 0 }

  /// 0, 1, 2, 3–4, 5–8 and so on; those without objects are left out.
  package var bins: [Bin] {
    var bins: [Bin] = []
    var lower = 0
    while lower <= greatest {
      let upper = lower < 2 ? lower : (lower - 1) * 2
      let count = counts.reduce(0) { sum, entry in
        (lower...upper).contains(entry.key) ? sum + entry.value : sum
      }
      if count > 0 { bins.append(Bin(degrees: lower...upper, count: count)) }
      lower = upper + 1
    }
    return bins
  }
}
