import Glibc

/// Finds the pages that a commit wrote: the pages of its trees that the previous commit's trees do
/// not have.
///
/// LMDB never changes a page of an older commit, so a page that both commits have is the same, with
/// everything below it. The two versions of a tree are walked together, level by level, only below
/// pages that differ. A small commit costs a few pages per changed tree.
///
/// If a commit record cannot hold the pages, or anything looks wrong, it lists nothing, and the
/// commit is synced twice.
///
/// Safe to use: it checks every page, and reads none outside of the given map.
@safe struct CommitPages {
  private var base: UnsafeRawPointer?
  private var pageSize = 0
  private var pageCount = 0
  private var found: [PageRun] = []
  private var foundPages = 0
  /// The pages of one level that the two versions of a tree may not share.
  private var (news, olds): ([UInt64], [UInt64]) = ([], [])
  /// Room for the next level.
  private var spare: [UInt64] = []

  /// More bytes than these take longer to sum than a second sync does.
  private static let mostBytes = 256 << 10

  /// The pages of commit `new` that the previous commit `old` does not have, in file order, or
  /// `nil` if a commit record cannot list them.
  mutating func written(
    by new: MetaPage,
    after old: MetaPage,
    base: UnsafeRawPointer,
    pageCount: Int
  ) -> [PageRun]? {
    unsafe (self.base, pageSize, self.pageCount) = unsafe (base, new.pageSize, pageCount)
    foundPages = 0
    found.removeAll(keepingCapacity: true)
    guard compare(new.mainTree, old.mainTree), compare(new.freeTree, old.freeTree),
      compareNamedTrees(new.mainTree, old.mainTree)
    else { return nil }
    found.sort { $0.first < $1.first }
    var runs: [PageRun] = []
    runs.reserveCapacity(found.count)
    for run in found {
      if let last = runs.last, last.first + UInt64(last.count) == run.first {
        runs[runs.count - 1].count += run.count
      } else {
        runs.append(run)
      }
    }
    return runs.count <= CommitRecord.runLimit ? runs : nil
  }

  /// The sum of pages that were just found.
  func sum(of runs: [PageRun]) -> UInt64 {
    var sum = PageSum()
    for run in runs {
      guard let base = unsafe base else { continue }
      let start = unsafe base + Int(run.first) * pageSize
      unsafe sum.add(UnsafeRawBufferPointer(start: start, count: run.count * pageSize))
    }
    return sum.value
  }

  // MARK: - Trees

  /// Notes what one version of a tree has and the other does not; false where it gives up.
  private mutating func compare(_ new: TreeRoot, _ old: TreeRoot) -> Bool {
    if new.rootPage == old.rootPage || new.isEmpty { return true }
    news.removeAll(keepingCapacity: true)
    olds.removeAll(keepingCapacity: true)
    news.append(new.rootPage)
    if !old.isEmpty { olds.append(old.rootPage) }
    // Levels are counted from the leaves: there a page that both have lies equally high.
    var (level, oldLevel) = (new.depth, old.depth)
    while oldLevel > level {
      guard descendOlds(isLeaf: false) else { return false }
      oldLevel -= 1
    }
    while level > 0 {
      if oldLevel == level { removeCommon() }
      if news.isEmpty { return true }
      for number in news where !note(number, count: 1) { return false }
      if oldLevel == level, level > 1, news.count == 1, olds.count == 1 {
        guard let new = unsafe page(news[0]), let old = unsafe page(olds[0]), unsafe isBranch(new),
          unsafe isBranch(old),
          unsafe descendBoth(new, old)
        else { return false }
        oldLevel -= 1
      } else {
        if oldLevel == level {
          guard descendOlds(isLeaf: level == 1) else { return false }
          oldLevel -= 1
        }
        guard let below = below(news, isLeaf: level == 1) else { return false }
        (spare, news) = (news, below)
      }
      level -= 1
    }
    return noteOverflow()
  }

  /// Notes the pages of large values.
  private mutating func noteOverflow() -> Bool {
    removeCommon()
    for number in news {
      guard let page = unsafe page(number), unsafe half(page, 10) == Self.overflowFlag else {
        return false
      }
      let count = unsafe page.loadUnaligned(fromByteOffset: 12, as: UInt32.self)
      if !note(number, count: Int(count)) { return false }
    }
    return true
  }

  /// Notes the pages of the named trees, whose roots lie in the leaf of the main tree.
  private mutating func compareNamedTrees(_ new: TreeRoot, _ old: TreeRoot) -> Bool {
    if new.isEmpty || new.rootPage == old.rootPage { return true }
    guard new.depth == 1, old.depth <= 1, let leaf = unsafe page(new.rootPage) else { return false }
    let oldLeaf = unsafe old.isEmpty ? nil : page(old.rootPage)
    for index in unsafe 0..<nodeCount(leaf) {
      guard let node = unsafe node(leaf, index) else { return false }
      if unsafe half(node, 4) & Self.treeFlag == 0 { continue }
      guard let record = unsafe record(leaf, index) else { return false }
      let before =
        unsafe oldLeaf.flatMap { unsafe oldRoot(named: record.name, $0, near: index) }
        ?? TreeRoot.empty(flags: record.root.flags)
      guard unsafe record.root.isPlausible, before.isPlausible, unsafe compare(record.root, before)
      else {
        return false
      }
    }
    return true
  }

  /// The root of a named tree in the main tree's leaf of the commit before, where it is mostly
  /// found in the same place.
  private func oldRoot(
    named name: UnsafeRawBufferPointer,
    _ leaf: UnsafeRawPointer,
    near index: Int
  ) -> TreeRoot? {
    let count = unsafe nodeCount(leaf)
    for step in 0..<count {
      guard let other = unsafe record(leaf, (index + step) % count) else { continue }
      if unsafe other.name.count == name.count, let one = unsafe other.name.baseAddress,
        let another = name.baseAddress, unsafe memcmp(one, another, name.count) == 0
      {
        return unsafe other.root
      }
    }
    return nil
  }

  /// Takes away what both lists have.
  private mutating func removeCommon() {
    if news.isEmpty || olds.isEmpty { return }
    if news.count * olds.count <= 64 {
      // Few, as mostly: nothing is allocated for them.
      var kept = 0
      for number in news {
        if let position = olds.firstIndex(of: number) {
          olds.remove(at: position)
        } else {
          news[kept] = number
          kept += 1
        }
      }
      news.removeLast(news.count - kept)
      return
    }
    let (newSet, oldSet) = (Set(news), Set(olds))
    news.removeAll { oldSet.contains($0) }
    olds.removeAll { newSet.contains($0) }
  }

  /// Goes from one page of each version to the children that only one of them has: where a commit
  /// changed little, most of them are the same from the front and from the back.
  private mutating func descendBoth(
    _ new: UnsafeRawPointer,
    _ old: UnsafeRawPointer
  ) -> Bool {
    var (end, oldEnd) = unsafe (nodeCount(new), nodeCount(old))
    var start = 0
    while start < end, start < oldEnd, let one = unsafe child(new, start),
      unsafe one == child(old, start)
    {
      start += 1
    }
    while end > start, oldEnd > start, let one = unsafe child(new, end - 1),
      unsafe one == child(old, oldEnd - 1)
    {
      end -= 1
      oldEnd -= 1
    }
    news.removeAll(keepingCapacity: true)
    olds.removeAll(keepingCapacity: true)
    for index in start..<end {
      guard let number = unsafe child(new, index) else { return false }
      news.append(number)
    }
    for index in start..<oldEnd {
      guard let number = unsafe child(old, index) else { return false }
      olds.append(number)
    }
    return true
  }

  /// Notes pages; false where they are too many.
  private mutating func note(_ number: UInt64, count: Int) -> Bool {
    foundPages += count
    guard count > 0, foundPages * pageSize <= Self.mostBytes,
      number >= 2, number <= UInt64(pageCount), Int(number) + count <= pageCount
    else { return false }
    found.append(PageRun(first: number, count: count))
    return true
  }

  private mutating func descendOlds(isLeaf: Bool) -> Bool {
    guard let below = below(olds, isLeaf: isLeaf) else { return false }
    (spare, olds) = (olds, below)
    return true
  }

  /// The pages right below others: children of branches, or what leaves keep outside.
  private mutating func below(_ pages: [UInt64], isLeaf: Bool) -> [UInt64]? {
    var below = spare
    spare = []
    below.removeAll(keepingCapacity: true)
    for number in pages {
      guard let page = unsafe page(number),
        unsafe half(page, 10) == (isLeaf ? Self.leafFlag : Self.branchFlag)
      else { return nil }
      let count = unsafe nodeCount(page)
      for index in 0..<count {
        guard let node = unsafe node(page, index) else { return nil }
        if !isLeaf {
          unsafe below.append(node.loadUnaligned(as: UInt64.self) & 0xffff_ffff_ffff)
        } else if unsafe half(node, 4) & Self.outsideFlag != 0 {
          guard let data = unsafe data(page, node, count: 8) else { return nil }
          unsafe below.append(data.loadUnaligned(as: UInt64.self))
        } else if unsafe half(node, 4) & Self.duplicatesFlag != 0 {
          return nil
        }
      }
    }
    return below
  }

  // MARK: - Pages, as LMDB lays them out

  private static let (branchFlag, leafFlag, overflowFlag) = (1, 2, 4)
  private static let (outsideFlag, treeFlag, duplicatesFlag) = (1, 2, 4)

  /// A page whose header has its number.
  private func page(_ number: UInt64) -> UnsafeRawPointer? {
    guard let base = unsafe base, number >= 2, number < UInt64(pageCount) else { return nil }
    let page = unsafe base + Int(number) * pageSize
    return unsafe page.loadUnaligned(as: UInt64.self) == number ? page : nil
  }

  private func half(_ bytes: UnsafeRawPointer, _ offset: Int) -> Int {
    unsafe Int(bytes.loadUnaligned(fromByteOffset: offset, as: UInt16.self))
  }

  private func isBranch(_ page: UnsafeRawPointer) -> Bool {
    unsafe half(page, 10) == Self.branchFlag
  }

  /// The page below a node of a branch.
  @inline(__always)
  private func child(_ page: UnsafeRawPointer, _ index: Int) -> UInt64? {
    unsafe node(page, index).map { unsafe $0.loadUnaligned(as: UInt64.self) & 0xffff_ffff_ffff }
  }

  private func nodeCount(_ page: UnsafeRawPointer) -> Int {
    unsafe max(0, min(half(page, 12), pageSize) - 16) / 2
  }

  /// The header of a node and what follows it: at least 8 bytes lie in the page.
  private func node(_ page: UnsafeRawPointer, _ index: Int) -> UnsafeRawPointer? {
    let offset = unsafe half(page, 16 + 2 * index)
    return unsafe offset >= 16 && offset + 8 <= pageSize ? page + offset : nil
  }

  /// The data of a leaf's node, which begin behind its key, where they lie in the page.
  private func data(
    _ page: UnsafeRawPointer,
    _ node: UnsafeRawPointer,
    count: Int
  ) -> UnsafeRawPointer? {
    let start = unsafe node - page + 8 + half(node, 6)
    return unsafe start + count <= pageSize ? page + start : nil
  }

  /// A named tree in the leaf of the main tree.
  private func record(
    _ leaf: UnsafeRawPointer,
    _ index: Int
  ) -> (name: UnsafeRawBufferPointer, root: TreeRoot)? {
    guard let node = unsafe node(leaf, index), unsafe half(node, 4) & Self.treeFlag != 0,
      let record = unsafe data(leaf, node, count: TreeRoot.byteCount)
    else { return nil }
    let name = unsafe UnsafeRawBufferPointer(start: node + 8, count: half(node, 6))
    return unsafe (name, TreeRoot(record: record))
  }
}
