/// Finds the pages of a damaged file that are whole, also where the pages that lead to them are gone.
///
/// 1. The trees are followed from the newest meta page as far as their pages are sound. What cannot be
///    read leaves a hole: a range of keys.
/// 2. Every other page that says of itself what a page of a tree says is looked at, parents before
///    children. One that leads to others brings them along, so what is found are parts of trees.
///
/// A page that no pointer vouches for is not of the newest commit if the free tree has it, and is if the free
/// tree is whole and does not have it: each page is used once, or free. Without meta page or free tree
/// nobody knows, and the part with the higher commit is the better one. A page to which a pointer leads
/// whose checksum is another is not used.
///
/// Only trees with numbers as keys are looked at. The file is read and nothing else; no lock is
/// taken, so that a file can be read where nothing may be written.
package final class PageSalvage {
  /// How a part relates to the newest commit.
  package enum Age: Int, Comparable, Sendable {
    /// The newest commit has it.
    case newest
    /// It may be older than the newest commit.
    case uncertain
    /// The newest commit does not have it any more.
    case older

    package static func < (left: Age, right: Age) -> Bool { left.rawValue < right.rawValue }
  }

  /// A tree, or a part of one.
  package struct Part: Sendable {
    /// The number of the tree; `nil` if nobody knows which tree it is a part of.
    package let tree: Int?
    package let age: Age
    /// The leaves, by their page numbers, in the order of their keys.
    package fileprivate(set) var leaves: [UInt32] = []
    /// The keys of pages that are damaged.
    package fileprivate(set) var holes: [ClosedRange<UInt64>] = []
    /// The keys from the first to the last; `nil` if there are none.
    package fileprivate(set) var span: ClosedRange<UInt64>?

    fileprivate mutating func cover(_ range: ClosedRange<UInt64>) {
      let known = span ?? range
      span = min(known.lowerBound, range.lowerBound)...max(known.upperBound, range.upperBound)
    }
  }

  private enum State: UInt8 {
    case unused
    case used
    /// The newest commit does not have what the page has.
    case outdated
    /// A pointer shows that its bytes are not what they were.
    case damaged
  }

  private struct Candidate {
    let number: UInt32
    let level: Int
    let commit: UInt64
    /// How many entries it has: of what one commit wrote twice, the later version has more in most cases.
    let count: Int
    var age = Age.uncertain
  }

  /// The number of the newest commit that was found.
  package let newestCommit: UInt64
  /// Whether a sound meta page has the roots of the newest commit.
  package let hasRoots: Bool
  /// The bytes of the user that the newest meta page has; `nil` if it is gone.
  package let note: [UInt8]?
  /// Whether it is known of each page if it is of the newest commit.
  package private(set) var isCertain: Bool
  /// The trees that the meta page leads to, then parts of trees: those of the newest commit, then those
  /// that may be, then older ones, the newest of each first.
  package private(set) var parts: [Part] = []

  private let source: PageSource
  private var states: [State]

  /// Looks at every page of a file.
  ///
  /// - Throws: `PageStoreError` if the file cannot be read, or has no page of Kennel's.
  /// - Complexity: O(*n* log *n*), where *n* is the number of pages.
  package init(path: String, key: (any PageKey)? = nil) throws(PageStoreError) {
    let descriptor = try attempt(.open, path, System.openFile(path, .readOnly))
    // A map stays when its file is closed.
    defer { System.closeFile(descriptor) }
    let cipher = try PageStore.fileCipher(of: descriptor, path, key)?.cipher
    let metas = MetaPages(descriptor, cipher)
    switch metas.problem {
    case .newerVersion, .olderFormat: throw PageStoreError(metas.problem, .open, path: path)
    default: break
    }
    let sizes = metas.all.first.map { [$0.pageSize] } ?? Format.pageSizes
    var best: (source: PageSource, found: [Candidate])?
    for size in sizes {
      let layout = PageLayout(pageSize: size, isEncrypted: cipher != nil)
      guard let source = try attempt(.open, path, Self.source(path, descriptor, layout, cipher))
      else { continue }
      let found = Self.soundPages(source)
      if found.count > best?.found.count ?? 0 { best = (source, found) }
    }
    guard let best else { throw PageStoreError(metas.problem, .open, path: path) }
    source = best.source
    states = Array(repeating: .unused, count: Int(best.source.limit))
    let last = best.found.reduce(0) { max($0, $1.commit) }
    // If one meta page is gone, a page of a later commit shows that it was the newer one.
    let meta = metas.all.first.flatMap { metas.all.count == 2 || $0.commit >= last ? $0 : nil }
    hasRoots = meta != nil
    note = meta?.note
    newestCommit = meta?.commit ?? last
    isCertain = false
    if let meta { walk(meta) }
    addOrphans(best.found, meta)
  }

  private static func source(
    _ path: String,
    _ descriptor: Int32,
    _ layout: PageLayout,
    _ cipher: (any PageCipher)?
  ) throws(SystemError) -> PageSource? {
    let pageSize = layout.pageSize
    let byteCount = try System.byteCount(descriptor) / pageSize * pageSize
    guard byteCount > Int(Format.firstPage(pageSize: pageSize)) * pageSize else { return nil }
    let map = try FileMap(
      descriptor: descriptor,
      byteCount: byteCount,
      layout: layout,
      cipher: cipher
    )
    return PageSource(path: path, map: map, limit: .max)
  }

  /// The pages that may be those of trees.
  private static func soundPages(_ source: PageSource) -> [Candidate] {
    var found: [Candidate] = []
    for number in Format.firstPage(pageSize: source.layout.pageSize)..<source.limit {
      guard let page = source.page(sayingItIs: number), page.hasNumbers else { continue }
      found.append(
        Candidate(number: number, level: page.level, commit: page.commit, count: page.count)
      )
    }
    return found
  }

  // MARK: - Trees with a root

  private func walk(_ meta: MetaPage) {
    for (number, root) in meta.roots.enumerated()
    where root.keys == Tree.Keys.numbers.rawValue || root.isEmpty {
      var part = Part(tree: number, age: .newest)
      part.cover(0...UInt64.max)
      if !root.isEmpty { walk(root.pointer, root.level, 0, .max, &part) }
      if number == Format.treeLimit {
        isCertain = part.holes.isEmpty
        noteFree(part.leaves, pageCount: meta.pageCount)
      } else {
        parts.append(part)
      }
    }
  }

  private func noteFree(_ leaves: [UInt32], pageCount: UInt32) {
    for leaf in leaves {
      for index in 0..<entryCount(of: leaf) {
        guard let value = unsafe value(of: leaf, index) else {
          isCertain = false
          continue
        }
        for run in unsafe FreeTree.decode(value)
        where run.isInside(pageCount: pageCount, pageSize: source.layout.pageSize) {
          for number in known(Int(run.first), Int(run.end)) where states[number] == .unused {
            states[number] = .outdated
          }
        }
      }
    }
  }

  /// Adds a page and all below it to a part; `low` and `high` are the keys that it can have, if they
  /// are known.
  private func walk(
    _ pointer: PagePointer,
    _ level: Int,
    _ low: UInt64?,
    _ high: UInt64?,
    _ part: inout Part
  ) {
    let number = Int(pointer.number)
    guard number < states.count, states[number] != .used,
      let page = try? source.page(pointer, level: level, keys: .numbers),
      !page.hasOverlaps(source.layout.room)
    else {
      if let low, let high, low <= high {
        part.cover(low...high)
        part.holes.append(low...high)
      }
      noteUnsound(pointer, hasRoot: part.tree != nil)
      return
    }
    add(page, low, high, &part)
  }

  /// Notes what is wrong with a page that is not the one that a pointer means.
  private func noteUnsound(_ pointer: PagePointer, hasRoot: Bool) {
    let number = Int(pointer.number)
    guard number < states.count, states[number] != .used,
      let page = source.page(sayingItIs: pointer.number)
    else { return }
    if page.commit == pointer.commit || hasRoot && page.commit > pointer.commit {
      states[number] = .damaged
    } else if hasRoot {
      states[number] = .outdated
    }
  }

  private func add(_ page: Page, _ low: UInt64?, _ high: UInt64?, _ part: inout Part) {
    states[Int(page.number)] = .used
    if page.level == 0 {
      part.leaves.append(page.number)
      part.cover(page.numberKey(0)...page.numberKey(page.count - 1))
      for index in 0..<page.count {
        for number in run(of: page.number, index) { states[number] = .used }
      }
      return
    }
    for index in 0..<page.count {
      let first = index == 0 ? low : page.numberKey(index)
      let next = index + 1 < page.count ? page.numberKey(index + 1) : nil
      // Keys of a branch ascend, so that no key but the first is 0.
      walk(page.pointer(index), page.level - 1, first, next.map { $0 &- 1 } ?? high, &part)
    }
  }

  // MARK: - Parts of trees

  private func addOrphans(_ found: [Candidate], _ meta: MetaPage?) {
    let candidates = found.compactMap { candidate -> Candidate? in
      let state = states[Int(candidate.number)]
      // A page of a later commit was written by one that was never acknowledged.
      guard state != .used, state != .damaged, candidate.commit <= newestCommit else { return nil }
      let isInside = meta.map { candidate.number < $0.pageCount } ?? true
      let age: Age =
        state == .outdated || !isInside ? .older : isCertain ? .newest : .uncertain
      var aged = candidate
      aged.age = age
      return aged
    }
    let sorted = candidates.sorted {
      ($0.age, $1.commit, $1.level, $1.count) < ($1.age, $0.commit, $0.level, $0.count)
    }
    for candidate in sorted
    where states[Int(candidate.number)] != .used && states[Int(candidate.number)] != .damaged {
      guard let page = source.page(sayingItIs: candidate.number) else { continue }
      var part = Part(tree: nil, age: candidate.age)
      add(page, nil, nil, &part)
      if !part.leaves.isEmpty { parts.append(part) }
    }
  }

  // MARK: - Leaves

  /// The number of entries of a leaf that a part has.
  package func entryCount(of leaf: UInt32) -> Int { page(leaf)?.count ?? 0 }

  /// The key of an entry.
  package func key(of leaf: UInt32, _ index: Int) -> UInt64 { page(leaf)?.numberKey(index) ?? 0 }

  /// The value of an entry, valid as long as this; `nil` if it lies in a run that is damaged.
  package func value(of leaf: UInt32, _ index: Int) -> UnsafeRawBufferPointer? {
    guard let page = page(leaf), index < page.count else { return nil }
    return try? unsafe source.value(page, index)
  }

  /// The pages of a value that lies outside its leaf, if they are whole.
  package func run(of leaf: UInt32, _ index: Int) -> Range<Int> {
    guard let page = page(leaf), index < page.count, page.isLong(index),
      let byteCount = unsafe value(of: leaf, index)?.count
    else { return 0..<0 }
    let first = Int(page.pointer(index).number)
    let end = first + source.layout.pageCount(ofValue: byteCount)
    return known(first, end)
  }

  /// The pages of a range that are in the file, which may have been cut off.
  private func known(_ first: Int, _ end: Int) -> Range<Int> {
    min(first, states.count)..<min(max(first, end), states.count)
  }

  /// Whether a value may be one of the free tree.
  package func isListOfRuns(_ value: UnsafeRawBufferPointer) -> Bool {
    guard value.count > 0, value.count % FreeTree.runByteCount == 0 else { return false }
    return unsafe FreeTree.decode(value).allSatisfy {
      $0.isInside(pageCount: UInt32(clamping: states.count), pageSize: source.layout.pageSize)
    }
  }

  /// A page that was found to be sound.
  private func page(_ number: UInt32) -> Page? {
    Int(number) < states.count && states[Int(number)] == .used ? source.soundPage(number) : nil
  }
}
