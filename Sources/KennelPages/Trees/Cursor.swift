/// Walks a tree in the order of its keys, in both directions.
///
/// After a move that returned false the cursor stands nowhere until the next `first`, `last` or
/// `seek`. What it returns is valid as long as its snapshot, and in a writer until the next change;
/// after a change the cursor has to be placed anew.
///
/// Safe to use: it owns its frames, which are set while it stands on an entry, and checks each page.
@safe package struct Cursor: ~Copyable {
  struct Frame {
    let page: Page
    var index: Int
    let count: Int
  }

  private enum Target {
    case first
    case last
    case key(TreeKey)
  }

  private let reader: TreeReader
  private let frames: UnsafeMutablePointer<Frame>
  private let depth: Int
  /// Whether the cursor stands on an entry.
  package private(set) var isValid = false
  private let writer: Writer?
  /// The number of changes that the writer had made when the cursor was made.
  private let changes: Int

  init(_ reader: TreeReader, of writer: Writer? = nil) {
    self.reader = reader
    self.writer = writer
    changes = writer?.changeCount ?? 0
    depth = reader.root.level + 1
    unsafe frames = .allocate(capacity: depth)
  }

  deinit { unsafe frames.deallocate() }

  // MARK: - The entry

  private var leaf: Frame { unsafe frames[depth - 1] }

  /// The key of a tree of numbers.
  ///
  /// The cursor must stand on an entry.
  package var number: UInt64 { leaf.page.numberKey(leaf.index) }

  /// The key of a tree of bytes.
  ///
  /// The cursor must stand on an entry.
  package var bytes: UnsafeRawBufferPointer { unsafe leaf.page.bytesKey(leaf.index) }

  /// The value.
  ///
  /// The cursor must stand on an entry.
  ///
  /// - Throws: `PageStoreError` if the pages of the value are damaged.
  package func value() throws(PageStoreError) -> UnsafeRawBufferPointer {
    try unsafe reader.source.value(leaf.page, leaf.index)
  }

  /// The bytes that the entry takes in its leaf, and in pages of its own.
  ///
  /// The cursor must stand on an entry.
  package var byteCount: (inLeaf: Int, outside: Int) {
    let page = leaf.page
    let inLeaf = page.slotByteCount + page.heapPart(leaf.index).count
    guard page.isLong(leaf.index) else { return (inLeaf, 0) }
    let layout = reader.source.layout
    let pages = layout.pageCount(ofValue: page.longValueCount(leaf.index))
    return (inLeaf, pages * layout.pageSize)
  }

  // MARK: - Moving

  /// Moves to the first entry; false if the tree is empty.
  ///
  /// - Throws: `PageStoreError` if a page on the way is damaged, or the writer has gone on.
  @discardableResult
  package mutating func first() throws(PageStoreError) -> Bool { try start(.first) }

  /// Moves to the last entry; false if the tree is empty.
  ///
  /// - Throws: `PageStoreError` if a page on the way is damaged, or the writer has gone on.
  @discardableResult
  package mutating func last() throws(PageStoreError) -> Bool { try start(.last) }

  /// Moves to the first entry whose key is `number` or greater; false if there is none.
  ///
  /// - Throws: `PageStoreError` if a page on the way is damaged, or the writer has gone on.
  @discardableResult
  package mutating func seek(atOrAfter number: UInt64) throws(PageStoreError) -> Bool {
    try seek(TreeKey(number))
  }

  /// Moves to the first entry whose key is `bytes` or greater; false if there is none.
  ///
  /// - Throws: `PageStoreError` if a page on the way is damaged, or the writer has gone on.
  @discardableResult
  package mutating func seek(
    atOrAfter bytes: UnsafeRawBufferPointer
  ) throws(PageStoreError) -> Bool {
    try unsafe seek(TreeKey(bytes))
  }

  /// Moves to the last entry whose key is `number` or less; false if there is none.
  ///
  /// - Throws: `PageStoreError` if a page on the way is damaged, or the writer has gone on.
  @discardableResult
  package mutating func seek(atOrBefore number: UInt64) throws(PageStoreError) -> Bool {
    guard try seek(TreeKey(number)) else { return try last() }
    if self.number == number { return true }
    guard try previous() else { return false }
    guard self.number < number else { throw outOfOrder }
    return true
  }

  /// Moves to the last entry whose key is `bytes` or less; false if there is none.
  ///
  /// - Throws: `PageStoreError` if a page on the way is damaged, or the writer has gone on.
  @discardableResult
  package mutating func seek(
    atOrBefore bytes: UnsafeRawBufferPointer
  ) throws(PageStoreError) -> Bool {
    let key = unsafe TreeKey(bytes)
    guard try seek(key) else { return try last() }
    if leaf.page.order(leaf.index, key) == 0 { return true }
    guard try previous() else { return false }
    guard leaf.page.order(leaf.index, key) < 0 else { throw outOfOrder }
    return true
  }

  /// Moves to the next entry; false after the last.
  ///
  /// - Throws: `PageStoreError` if a page on the way is damaged, or the writer has gone on.
  @discardableResult
  package mutating func next() throws(PageStoreError) -> Bool {
    guard isValid else { return false }
    if writer != nil { try requireUpToDate() }
    if unsafe frames[depth &- 1].index &+ 1 < frames[depth &- 1].count {
      unsafe frames[depth &- 1].index &+= 1
      return true
    }
    return try move(.first)
  }

  /// Moves to the entry before; false before the first.
  ///
  /// - Throws: `PageStoreError` if a page on the way is damaged, or the writer has gone on.
  @discardableResult
  package mutating func previous() throws(PageStoreError) -> Bool {
    guard isValid else { return false }
    if writer != nil { try requireUpToDate() }
    if unsafe frames[depth &- 1].index > 0 {
      unsafe frames[depth &- 1].index &-= 1
      return true
    }
    return try move(.last)
  }

  /// Goes to the neighbour of the leaf, and there to its first or last entry.
  ///
  /// Keys ascend from leaf to leaf as they do in each: a walk meets no leaf twice, and ends.
  private mutating func move(_ target: Target) throws(PageStoreError) -> Bool {
    isValid = false
    var forward = false
    if case .first = target { forward = true }
    var level = depth - 2
    while level >= 0 {
      let frame = unsafe frames[level]
      if forward ? frame.index + 1 < frame.count : frame.index > 0 { break }
      level -= 1
    }
    if level < 0 { return false }
    unsafe frames[level].index += forward ? 1 : -1
    let last = leaf.page.key(forward ? leaf.count - 1 : 0)
    try descend(from: level, target)
    let order = leaf.page.order(leaf.index, last)
    guard forward ? order > 0 : order < 0 else { throw outOfOrder }
    isValid = true
    return true
  }

  private var outOfOrder: PageStoreError {
    reader.source.damaged("tree \(reader.tree.number)", "its keys are out of order")
  }

  // MARK: - Descending

  private func requireUpToDate() throws(PageStoreError) {
    guard let writer else { return }
    try writer.requireAlive(.read)
    if writer.changeCount != changes {
      throw PageStoreError(.cursorOutdated, .read, path: reader.source.path)
    }
  }

  private mutating func seek(_ key: TreeKey) throws(PageStoreError) -> Bool {
    guard key.kind == reader.tree.keys else {
      throw PageStoreError(.treeKeys(reader.tree.number), .read, path: reader.source.path)
    }
    if isValid, leaf.page.order(0, key) <= 0, leaf.page.order(leaf.count - 1, key) >= 0 {
      try requireUpToDate()
      unsafe frames[depth - 1].index = leaf.page.lowerBound(key)
      return true
    }
    guard try start(.key(key)) else { return false }
    if leaf.index < leaf.count { return true }
    // All keys of the leaf are less.
    guard try move(.first) else { return false }
    guard leaf.page.order(leaf.index, key) >= 0 else { throw outOfOrder }
    return true
  }

  private mutating func start(_ target: Target) throws(PageStoreError) -> Bool {
    isValid = false
    try reader.source.requireOwnProcess()
    try requireUpToDate()
    if reader.root.isEmpty { return false }
    unsafe frames.initialize(to: frame(try reader.rootPage(), target, isLeaf: depth == 1))
    try descend(from: 0, target)
    isValid = true
    return true
  }

  private func frame(_ page: Page, _ target: Target, isLeaf: Bool) -> Frame {
    let count = page.count
    let index =
      switch target {
      case .first: 0
      case .last: count - 1
      case .key(let key): isLeaf ? page.lowerBound(key) : page.childIndex(key)
      }
    return Frame(page: page, index: index, count: count)
  }

  /// Sets the frames below a level along the child that its frame stands on.
  private func descend(from level: Int, _ target: Target) throws(PageStoreError) {
    var level = level
    while level < depth - 1 {
      let above = unsafe frames[level]
      let below = reader.root.level - level - 1
      let page = try reader.source.page(
        above.page.pointer(above.index),
        level: below,
        keys: reader.tree.keys
      )
      level += 1
      unsafe (frames + level).initialize(to: frame(page, target, isLeaf: below == 0))
    }
  }
}
