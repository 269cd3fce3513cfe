/// The pages that a writer can use, beside those behind the end of the file.
///
/// A transaction that writes early has as many runs as it has rewritten pages, so runs are found by
/// their length, without a look at the others. Pages come from the longest runs first, so that a
/// commit goes to few places.
struct FreePages {
  /// The first pages of the runs of each length, descending: the lowest is taken first.
  private var starts: [UInt32: [UInt32]] = [:]
  private(set) var runCount = 0
  private(set) var pageCount = 0
  /// The first page behind all in use.
  private(set) var end: UInt32

  init(end: UInt32) { self.end = end }

  /// Sorted by their first page.
  ///
  /// - Complexity: O(*n* log *n*) in the number of runs.
  var runs: [PageRun] {
    PageRun.joined(
      starts.flatMap { count, firsts in firsts.map { PageRun(first: $0, count: count) } }
    )
  }

  /// Adds runs that nobody can reach.
  mutating func add(_ more: [PageRun]) {
    guard !more.isEmpty else { return }
    let all = PageRun.joined(runs + more)
    starts = Dictionary(grouping: all.reversed(), by: \.count).mapValues { $0.map(\.first) }
    runCount = all.count
    pageCount = all.reduce(0) { $0 + Int($1.count) }
  }

  /// A run of pages; `nil` if the file would have too many.
  mutating func takeRun(_ count: Int) -> PageRun? {
    guard let run = takeRun(ofLength: shortest(of: UInt32(clamping: count))) else {
      return takeEnd(count)
    }
    return cut(run, UInt32(clamping: count))
  }

  /// Of the lengths that are enough the shortest, so that long runs stay.
  private func shortest(of count: UInt32) -> UInt32 {
    if starts[count] != nil { return count }
    var shortest = UInt32.max
    for length in starts.keys where length > count && length < shortest { shortest = length }
    return shortest
  }

  /// Pages in as few runs as can be, in the order of their numbers; `nil` if the file would have too
  /// many.
  mutating func takePages(_ count: Int) -> [UInt32]? {
    if count == 0 { return [] }
    if starts.keys.contains(where: { $0 >= count }), let run = takeRun(count) {
      return Array(run.first..<run.end)
    }
    var taken: [PageRun] = []
    var left = count
    while left > 0, let longest = starts.keys.max(), let run = takeRun(ofLength: longest) {
      taken.append(cut(run, UInt32(clamping: left)))
      left -= Int(taken[taken.count - 1].count)
    }
    if left > 0 {
      guard let rest = takeEnd(left) else { return nil }
      taken.append(rest)
    }
    return taken.sorted { $0.first < $1.first }.flatMap { Array($0.first..<$0.end) }
  }

  private mutating func takeRun(ofLength length: UInt32) -> PageRun? {
    guard let first = starts[length]?.popLast() else { return nil }
    if starts[length]?.isEmpty == true { starts[length] = nil }
    runCount -= 1
    pageCount -= Int(length)
    return PageRun(first: first, count: length)
  }

  /// The first pages of a run, at most `count`; the others can be used still.
  private mutating func cut(_ run: PageRun, _ count: UInt32) -> PageRun {
    guard count < run.count else { return run }
    let rest = run.count - count
    starts[rest, default: []].append(run.first + count)
    runCount += 1
    pageCount += Int(rest)
    return PageRun(first: run.first, count: count)
  }

  private mutating func takeEnd(_ count: Int) -> PageRun? {
    guard count <= Int(UInt32.max - 1 - end) else { return nil }
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
