/// The pages that a writer can use, beside those behind the end of the file.
///
/// What is taken comes from the longest runs first, so that a commit goes to few places.
struct FreePages {
  /// Sorted by their first page.
  private(set) var runs: [PageRun] = []
  private(set) var pageCount = 0
  /// The first page behind all in use.
  private(set) var end: UInt32
  private let most: UInt32

  init(end: UInt32) {
    self.end = end
    most = UInt32.max - 1
  }

  /// Adds runs that nobody can reach.
  mutating func add(_ more: [PageRun]) {
    runs = PageRun.joined(runs + more)
    pageCount = runs.reduce(0) { $0 + Int($1.count) }
  }

  /// A run of pages; `nil` if the file would have too many.
  mutating func takeRun(_ count: Int) -> PageRun? {
    // Of the runs that are long enough the shortest, so that long ones stay.
    var best: Int?
    for (index, run) in runs.enumerated() where run.count >= count {
      if run.count < runs[best ?? index].count || best == nil { best = index }
    }
    guard let best else { return takeEnd(count) }
    return take(UInt32(count), from: best)
  }

  /// Pages in as few runs as can be, in the order of their numbers; `nil` if the file would have too
  /// many.
  mutating func takePages(_ count: Int) -> [UInt32]? {
    if count == 0 { return [] }
    if runs.contains(where: { $0.count >= count }), let run = takeRun(count) {
      return Array(run.first..<run.end)
    }
    var taken: [PageRun] = []
    var left = count
    var byLength = runs.indices.sorted { runs[$0].count > runs[$1].count }
    var used: Set<Int> = []
    while left > 0, let next = byLength.first {
      byLength.removeFirst()
      if runs[next].count > left {
        taken.append(take(UInt32(left), from: next))
        left = 0
      } else {
        taken.append(runs[next])
        left -= Int(runs[next].count)
        used.insert(next)
      }
    }
    for index in used { runs[index].count = 0 }
    runs.removeAll { $0.count == 0 }
    pageCount = runs.reduce(0) { $0 + Int($1.count) }
    if left > 0 {
      guard let rest = takeEnd(left) else { return nil }
      taken.append(rest)
    }
    return taken.sorted { $0.first < $1.first }.flatMap { Array($0.first..<$0.end) }
  }

  private mutating func take(_ count: UInt32, from index: Int) -> PageRun {
    let run = PageRun(first: runs[index].first, count: count)
    runs[index].first += count
    runs[index].count -= count
    pageCount -= Int(count)
    if runs[index].count == 0 { runs.remove(at: index) }
    return run
  }

  private mutating func takeEnd(_ count: Int) -> PageRun? {
    guard count <= Int(most - end) else { return nil }
    defer { end += UInt32(count) }
    return PageRun(first: end, count: UInt32(count))
  }
}

/// The keys and values of the free tree.
enum FreeTree {
  private static let countBits: UInt64 = 20
  static let runByteCount = 8
  /// How many runs a value has at most, so that it stays in its leaf and a commit rewrites little.
  static let mostRuns = 128

  static func key(commit: UInt64, count: Int) -> UInt64 {
    commit << countBits | UInt64(count) & (1 << countBits - 1)
  }

  static func commit(of key: UInt64) -> UInt64 { key >> countBits }

  static func decode(_ value: UnsafeRawBufferPointer) -> [PageRun] {
    var runs: [PageRun] = []
    for offset in stride(from: 0, to: value.count - 7, by: runByteCount) {
      let first = unsafe value.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
      let count = unsafe value.loadUnaligned(fromByteOffset: offset + 4, as: UInt32.self)
      if count != 0 {
        runs.append(PageRun(first: UInt32(littleEndian: first), count: UInt32(littleEndian: count)))
      }
    }
    return runs
  }

  /// Fills a value with runs; what is left of it has runs of no pages.
  static func encode(_ runs: ArraySlice<PageRun>, into value: UnsafeMutableRawBufferPointer) {
    var offset = 0
    for run in runs {
      unsafe value.storeBytes(of: run.first.littleEndian, toByteOffset: offset, as: UInt32.self)
      unsafe value.storeBytes(of: run.count.littleEndian, toByteOffset: offset + 4, as: UInt32.self)
      offset += runByteCount
    }
    while offset < value.count {
      unsafe value[offset] = 0
      offset += 1
    }
  }
}
