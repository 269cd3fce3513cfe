/// Checks everything that a commit relies on.
///
/// Reading checks the bytes of each page that it uses. This walks all of them, and sees too what no
/// checksum can: keys out of order, wrong counts, and pages that are used twice, or neither used nor
/// free.
package struct PageStoreCheck {
  package struct Report: Equatable, Sendable {
    /// The entries of each tree of the user.
    package var entries: [UInt64]
    package var treePages = 0
    package var valuePages = 0
    package var freePages = 0
  }

  private let snapshot: PageSnapshot
  private var report: Report
  /// A bit for each page that was found.
  private var found: [UInt64]

  private init(_ snapshot: PageSnapshot) {
    self.snapshot = snapshot
    report = Report(entries: snapshot.meta.roots.prefix(Format.treeLimit).map(\.entries))
    found = Array(repeating: 0, count: snapshot.pageCount / 64 + 1)
  }

  /// Checks all pages of a snapshot.
  ///
  /// - Throws: `PageStoreError` with the first damage that is found.
  /// - Complexity: O(*n*), where *n* is the number of pages.
  package static func run(_ snapshot: PageSnapshot) throws(PageStoreError) -> Report {
    var check = PageStoreCheck(snapshot)
    for (number, root) in snapshot.meta.roots.enumerated() {
      let keys = Tree.Keys(rawValue: root.keys)
      if root.isEmpty {
        guard root.entries == 0 else { throw check.damaged("tree \(number)", "it has no root") }
        continue
      }
      guard let keys, root.level < Format.mostLevels else {
        throw check.damaged("tree \(number)", "its root makes no sense")
      }
      let count = try check.walk(root.pointer, root.level, keys, nil, nil)
      guard count == root.entries else {
        throw check.damaged("tree \(number)", "it has \(count) entries, not \(root.entries)")
      }
    }
    try check.addFreePages()
    let first = Int(Format.firstPage(pageSize: snapshot.pageSize))
    let total = check.report.treePages + check.report.valuePages + check.report.freePages
    guard total == snapshot.pageCount - first else {
      throw check.damaged(
        "the file",
        "\(snapshot.pageCount - first - total) pages are neither used nor free"
      )
    }
    return check.report
  }

  private func damaged(_ place: String, _ defect: String) -> PageStoreError {
    PageStoreError(.damaged(in: place, defect), .check, path: snapshot.store.path)
  }

  /// Checks a page and all below it; returns the number of entries.
  private mutating func walk(
    _ pointer: PagePointer,
    _ level: Int,
    _ keys: Tree.Keys,
    _ low: TreeKey?,
    _ high: TreeKey?
  ) throws(PageStoreError) -> UInt64 {
    let page = try snapshot.source.page(pointer, level: level, keys: keys)
    let place = "page \(pointer.number)"
    try add(PageRun(first: pointer.number, count: 1), place)
    report.treePages += 1
    try snapshot.source.requireNoOverlaps(page)
    let first = level > 0 ? 1 : 0
    if first < page.count {
      let isAbove = low.map { page.order(first, $0) >= 0 } ?? true
      let isBelow = high.map { page.order(page.count - 1, $0) < 0 } ?? true
      guard isAbove, isBelow else { throw damaged(place, "its keys are out of order") }
    }
    var entries: UInt64 = 0
    for index in 0..<page.count {
      if level > 0 {
        let above = index == 0 ? low : page.key(index)
        let below = index + 1 < page.count ? page.key(index + 1) : high
        entries += try walk(page.pointer(index), level - 1, keys, above, below)
      } else {
        entries += 1
        guard page.isLong(index) else { continue }
        let byteCount = try unsafe snapshot.source.value(page, index).count
        let count = snapshot.source.layout.pageCount(ofValue: byteCount)
        try add(PageRun(first: page.pointer(index).number, count: UInt32(count)), place)
        report.valuePages += count
      }
    }
    return entries
  }

  private mutating func addFreePages() throws(PageStoreError) {
    var cursor = Cursor(try TreeReader(snapshot.source, .free, snapshot.meta.roots[.free]))
    var isThere = try cursor.first()
    while isThere {
      guard FreeTree.commit(of: cursor.number) <= snapshot.commit else {
        throw damaged("the free tree", "it has pages of a later commit")
      }
      for run in unsafe FreeTree.decode(try cursor.value()) {
        try add(run, "the free tree")
        report.freePages += Int(run.count)
      }
      isThere = try cursor.next()
    }
  }

  private mutating func add(_ run: PageRun, _ place: String) throws(PageStoreError) {
    guard run.isInside(pageCount: snapshot.meta.pageCount, pageSize: snapshot.pageSize) else {
      throw damaged(place, "it has page \(run.first), which does not exist")
    }
    for number in Int(run.first)..<Int(run.end) {
      let bit = UInt64(1) << UInt64(number % 64)
      guard found[number / 64] & bit == 0 else {
        throw damaged(place, "page \(number) is used twice")
      }
      found[number / 64] |= bit
    }
  }
}

extension [TreeRoot] {
  fileprivate subscript(tree: Tree) -> TreeRoot { self[tree.number] }
}
