/// Changes trees in the memory of a writer.
///
/// A page that is to be changed is copied to memory first, and so are the pages above it; from then
/// on their pointers lead to the copies. Numbers, checksums and places in the file come at the end,
/// when it is known how many pages there are.
///
/// An entry goes into the page where its key belongs. A page that gets too full is split in two of
/// about half each, except that behind the last key of a tree a new page begins: so a tree that is
/// filled in order has full pages. A page that gets emptier than a quarter is joined with a
/// neighbour if one page has room for both.
///
/// Safe to use: it changes only pages in memory, at places that they were asked for.
@safe struct TreeEditor {
  let source: PageSource
  let dirty: DirtyPages
  let tree: Tree
  var root: TreeRoot
  /// The pages of earlier commits that are not part of the tree any more.
  var freed: [PageRun] = []
  /// Those that this writer wrote early and has changed again: nobody has ever reached them.
  var superseded: [PageRun] = []
  /// The branches on the way to the last leaf, from the root, with the entry that was taken.
  private var path: [(page: Int, entry: Int)] = []
  /// The leaf of the last change, while the way to it is not needed.
  private var finger: (page: Int, isLast: Bool)?
  private let commit: UInt64
  private let mostRoom: Int

  /// Changes a tree for the commit of a number.
  init(
    _ source: PageSource,
    _ dirty: DirtyPages,
    _ tree: Tree,
    _ root: TreeRoot,
    commit: UInt64
  ) {
    self.commit = commit
    self.source = source
    self.dirty = dirty
    self.tree = tree
    self.root = root
    mostRoom = Page.mostRoom(of: source.layout.room)
  }

  // MARK: - Storing

  /// Makes room for the value of a key, which replaces any other, and returns it.
  ///
  /// - Throws: `PageStoreError` if a page on the way is damaged.
  mutating func store(
    _ key: TreeKey,
    byteCount: Int
  ) throws(PageStoreError) -> UnsafeMutableRawBufferPointer {
    let isLong =
      Page.room(tree.keys, keyCount: key.heapByteCount, valueRoom: byteCount) > mostRoom
    let leaf = try leaf(for: key)
    let page = dirty[leaf]
    let count = page.page.count
    let isBehind = count > 0 && page.page.order(count - 1, key) < 0
    let index = isBehind ? count : page.page.lowerBound(key)
    let isThere = index < count && page.page.order(index, key) == 0
    if isThere {
      if !isLong, page.page.valueCount(index) == byteCount {
        return unsafe UnsafeMutableRawBufferPointer(start: page.value(index), count: byteCount)
      }
      try removeValue(page, index)
    } else {
      root.entries += 1
    }
    let valueCount = isLong ? Page.longValue : byteCount
    let (target, place) = try unsafe insert(key, valueCount, into: leaf, at: index)
    guard isLong else {
      return unsafe UnsafeMutableRawBufferPointer(start: place, count: byteCount)
    }
    let value = dirty.allocateValue(byteCount: byteCount)
    target.page.setPointer(target.entry, PagePointer(dirty: value))
    target.page.setLongValueCount(target.entry, byteCount)
    return unsafe dirty.value(value).part(0..<byteCount).bytes
  }

  /// Removes an entry, and frees the run of its value.
  private mutating func removeValue(
    _ page: MutablePage,
    _ index: Int
  ) throws(PageStoreError) {
    if page.page.isLong(index) {
      let pointer = page.page.pointer(index)
      if pointer.isDirty {
        dirty.releaseValue(pointer.dirtyIndex)
      } else {
        let pages = source.layout.pageCount(ofValue: page.page.longValueCount(index))
        try source.requireInside(pointer.number, count: pages)
        free(pointer, pageCount: pages)
      }
    }
    page.remove(at: index)
  }

  private mutating func free(_ pointer: PagePointer, pageCount: Int) {
    let run = PageRun(first: pointer.number, count: UInt32(clamping: pageCount))
    if pointer.commit == commit { superseded.append(run) } else { freed.append(run) }
  }

  /// Removes a key; false if there is none.
  ///
  /// - Throws: `PageStoreError` if a page on the way is damaged.
  mutating func remove(_ key: TreeKey) throws(PageStoreError) -> Bool {
    if root.isEmpty { return false }
    // A miss changes nothing.
    guard try unsafe TreeReader(source, tree, root).get(key) != nil else { return false }
    finger = nil
    let leaf = try leaf(for: key)
    let page = dirty[leaf]
    try removeValue(page, page.page.lowerBound(key))
    guard root.entries > 0 else { throw damaged("it has more entries than it says") }
    root.entries -= 1
    if page.usedByteCount < source.layout.room / 4 { try shrink(leaf) }
    return true
  }

  // MARK: - The way to a leaf

  /// The leaf in memory where a key belongs.
  private mutating func leaf(for key: TreeKey) throws(PageStoreError) -> Int {
    if root.isEmpty {
      let index = dirty.allocate()
      dirty[index].clear(level: 0, keys: tree.keys)
      root.pointer = PagePointer(dirty: index)
      root.level = 0
      root.keys = tree.keys.rawValue
      path.removeAll(keepingCapacity: true)
      finger = (index, true)
      return index
    }
    if let finger {
      let page = dirty[finger.page].page
      let count = page.count
      if count > 0, page.order(0, key) <= 0, finger.isLast || page.order(count - 1, key) >= 0 {
        return finger.page
      }
    }
    return try descend(to: key)
  }

  /// Follows the branches to a leaf, copies all of them to memory and remembers the way.
  private mutating func descend(to key: TreeKey) throws(PageStoreError) -> Int {
    path.removeAll(keepingCapacity: true)
    var index = try writable(root.pointer, level: root.level)
    root.pointer = PagePointer(dirty: index)
    var isLast = true
    var level = root.level
    while level > 0 {
      let page = dirty[index]
      let entry = page.page.childIndex(key)
      isLast = isLast && entry + 1 == page.page.count
      level -= 1
      let child = try writable(page.page.pointer(entry), level: level)
      page.setPointer(entry, PagePointer(dirty: child))
      path.append((index, entry))
      index = child
    }
    finger = (index, isLast)
    return index
  }

  /// The copy of a page in memory.
  private mutating func writable(
    _ pointer: PagePointer,
    level: Int
  ) throws(PageStoreError) -> Int {
    if pointer.isDirty { return pointer.dirtyIndex }
    let index = dirty.allocate()
    try source.copy(pointer, level: level, keys: tree.keys, to: dirty[index])
    free(pointer, pageCount: 1)
    return index
  }

  // MARK: - Splitting

  /// Inserts an entry into a leaf, which may have to be split.
  private mutating func insert(
    _ key: TreeKey,
    _ valueCount: Int,
    into leaf: Int,
    at index: Int
  ) throws(PageStoreError) -> (
    place: (page: MutablePage, entry: Int), value: UnsafeMutableRawPointer
  ) {
    let page = dirty[leaf]
    let valueRoom = valueCount == Page.longValue ? Page.longValueRoom : valueCount
    let room = Page.room(tree.keys, keyCount: key.heapByteCount, valueRoom: valueRoom)
    if page.freeByteCount >= room {
      let value = unsafe page.insert(at: index, key, valueCount: valueCount)
      return unsafe ((page, index), value)
    }
    let isLast = finger?.isLast ?? false
    // The finger has not remembered the way; it is the same, and all of it is in memory.
    if root.level > 0 { try remember(key, leaf) }
    let (right, entry, isRight) = split(leaf, room, at: index, isLast: isLast)
    let target = isRight ? dirty[right] : page
    let value = unsafe target.insert(at: entry, key, valueCount: valueCount)
    let separator = separator(page.page, dirty[right].page)
    insertBranch(separator, right, above: leaf, level: 1)
    // A key behind the last one of the left page may belong into the right page now.
    finger = isRight ? (right, isLast) : nil
    return unsafe ((target, entry), value)
  }

  /// Sets the path to a leaf that is in memory.
  private mutating func remember(_ key: TreeKey, _ leaf: Int) throws(PageStoreError) {
    path.removeAll(keepingCapacity: true)
    var pointer = root.pointer
    for _ in 0..<root.level where pointer.isDirty {
      let page = dirty[pointer.dirtyIndex].page
      let entry = page.childIndex(key)
      path.append((pointer.dirtyIndex, entry))
      pointer = page.pointer(entry)
    }
    // Keys that are out of order lead elsewhere.
    guard pointer == PagePointer(dirty: leaf) else { throw damaged("its keys are out of order") }
  }

  private func damaged(_ defect: String) -> PageStoreError {
    source.damaged("tree \(tree.number)", defect)
  }

  /// Moves entries of a page to a new one behind it, so that another entry has room.
  ///
  /// Returns the new page, and where the other entry goes.
  private mutating func split(
    _ index: Int,
    _ room: Int,
    at entry: Int,
    isLast: Bool
  ) -> (right: Int, entry: Int, isRight: Bool) {
    let page = dirty[index]
    let right = dirty.allocate()
    let rightPage = dirty[right]
    rightPage.clear(level: page.page.level, keys: tree.keys)
    let count = page.page.count
    if isLast, entry == count { return (right, 0, true) }
    // Of all entries and the new one, those before the middle stay.
    let total = page.usedByteCount + room
    let most = source.layout.room - Page.headerByteCount
    var (used, kept) = (0, 0)
    while kept < count {
      let size = kept == entry ? room : roomOf(page.page, kept - (kept > entry ? 1 : 0))
      if used + size > total / 2, kept > 0, total - used <= most { break }
      used += size
      kept += 1
    }
    let isRight = entry >= kept
    let first = isRight ? kept : kept - 1
    for moved in first..<count { rightPage.append(page.page, moved) }
    page.removeLast(from: first)
    return (right, isRight ? entry - kept : entry, isRight)
  }

  private func roomOf(_ page: Page, _ entry: Int) -> Int {
    page.slotByteCount + page.heapPart(entry).count
  }

  /// The least bytes that are greater than all keys of one leaf, and not greater than those of the
  /// next.
  private func separator(_ left: Page, _ right: Page) -> OwnedKey {
    if tree.keys == .numbers { return OwnedKey(number: right.numberKey(0)) }
    let after = unsafe right.bytesKey(0)
    if right.level > 0 || left.count == 0 { return unsafe OwnedKey(bytes: Array(after)) }
    let before = unsafe left.bytesKey(left.count - 1)
    var common = 0
    while unsafe common < before.count && common < after.count && before[common] == after[common] {
      common += 1
    }
    return unsafe OwnedKey(bytes: Array(after.prefix(common + 1)))
  }

  /// Inserts the pointer to a new page behind that of its left neighbour, which was split.
  private mutating func insertBranch(
    _ key: OwnedKey,
    _ right: Int,
    above left: Int,
    level: Int
  ) {
    var (key, right, left, level) = (key, right, left, level)
    while let (parent, entry) = path.popLast() {
      let page = dirty[parent]
      let room = Page.room(
        tree.keys,
        keyCount: key.bytes.count,
        valueRoom: PagePointer.byteCount
      )
      if page.freeByteCount >= room {
        insert(key, right, into: page, at: entry + 1)
        return
      }
      let isLast = entry + 1 == page.page.count
      let (newRight, place, isRight) = split(parent, room, at: entry + 1, isLast: isLast)
      insert(key, right, into: isRight ? dirty[newRight] : page, at: place)
      // The first key of a branch means nothing to it, and separates it from its left neighbour.
      key = separator(page.page, dirty[newRight].page)
      (right, left, level) = (newRight, parent, level + 1)
    }
    let index = dirty.allocate()
    let page = dirty[index]
    page.clear(level: level, keys: tree.keys)
    insert(OwnedKey(number: 0), left, into: page, at: 0)
    insert(key, right, into: page, at: 1)
    root.pointer = PagePointer(dirty: index)
    root.level = level
  }

  private func insert(_ key: OwnedKey, _ child: Int, into page: MutablePage, at entry: Int) {
    unsafe key.bytes.withUnsafeBytes { bytes in
      let key = tree.keys == .numbers ? TreeKey(key.number) : unsafe TreeKey(bytes)
      _ = unsafe page.insert(at: entry, key, valueCount: PagePointer.byteCount)
    }
    page.setPointer(entry, PagePointer(dirty: child))
  }

  // MARK: - Joining

  /// Removes an empty page, or joins one that has few entries with a neighbour.
  private mutating func shrink(_ leaf: Int) throws(PageStoreError) {
    finger = nil
    var index = leaf
    while let (parent, entry) = path.popLast() {
      let page = dirty[index]
      let above = dirty[parent]
      if page.page.count == 0 {
        dirty.release(index)
        above.remove(at: entry)
      } else {
        guard try joined(index, under: above, entry) else { return }
      }
      guard above.usedByteCount < source.layout.room / 4 || above.page.count < 2 else { return }
      index = parent
    }
    try lowerRoot(index)
  }

  /// Joins a page with a neighbour; false if they do not fit into one page.
  private mutating func joined(
    _ index: Int,
    under above: MutablePage,
    _ entry: Int
  ) throws(PageStoreError) -> Bool {
    let page = dirty[index]
    for (left, right) in [(entry - 1, entry), (entry, entry + 1)] {
      guard left >= 0, right < above.page.count else { continue }
      let other = left == entry ? right : left
      let level = page.page.level
      let neighbour = try source.page(above.page.pointer(other), level: level, keys: tree.keys)
      let used =
        source.layout.room - Page.headerByteCount - neighbour.gap - neighbour.unusedByteCount
      // A branch's first key is replaced by the separator, which may be longer.
      let spare = level > 0 ? Format.maximumKeyByteCount : 0
      guard used + page.usedByteCount + spare <= source.layout.room * 3 / 4 else { continue }
      let copy = try writable(above.page.pointer(other), level: level)
      above.setPointer(other, PagePointer(dirty: copy))
      let (first, second) = left == entry ? (index, copy) : (copy, index)
      append(dirty[second].page, to: dirty[first], separator: above.page.key(right))
      dirty.release(second)
      above.remove(at: right)
      return true
    }
    return false
  }

  /// Copies all entries of a page behind those of its left neighbour.
  private func append(_ right: Page, to left: MutablePage, separator: TreeKey) {
    for entry in 0..<right.count {
      if entry == 0, right.level > 0 {
        let place = left.page.count
        _ = unsafe left.insert(at: place, separator, valueCount: PagePointer.byteCount)
        left.setPointer(place, right.pointer(0))
      } else {
        left.append(right, entry)
      }
    }
  }

  /// Takes away a root without entries, and roots with one child.
  private mutating func lowerRoot(_ index: Int) throws(PageStoreError) {
    var index = index
    while true {
      let page = dirty[index].page
      if page.count == 0 {
        dirty.release(index)
        (root.pointer, root.level) = (.none, 0)
        return
      }
      guard root.level > 0, page.count == 1 else { return }
      let child = page.pointer(0)
      dirty.release(index)
      root.pointer = child
      root.level -= 1
      guard child.isDirty else { return }
      index = child.dirtyIndex
    }
  }

  /// Forgets where the last change was: its page was written.
  mutating func forgetPlace() { finger = nil }
}

/// A separator of its own.
private struct OwnedKey {
  var number: UInt64 = 0
  var bytes: [UInt8] = []

  init(number: UInt64) { self.number = number }
  init(bytes: [UInt8]) { self.bytes = bytes }
}
