import KennelLMDB

/// Walks a tree in the order of its keys, in both directions.
///
/// After a move that returned false the cursor stands nowhere until the next `first`,
/// `last` or `seek`. It must not outlive the pin of its snapshot.
///
/// Safe to use: it owns its frames and retains its tree; only the bytes it returns are unsafe.
@safe package struct TreeCursor: ~Copyable {
  @unsafe private enum Target {
    case first
    case last
    case key(UnsafeRawBufferPointer)
  }

  private let reader: TreeReader
  /// `depth` frames, the root's first; all are set while the cursor stands somewhere.
  private let frames: UnsafeMutablePointer<TreeFrame>
  private let depth: Int
  /// Whether the cursor stands on an entry.
  package private(set) var isValid = false

  init(_ reader: TreeReader) {
    self.reader = reader
    depth = reader.root.depth
    unsafe frames = .allocate(capacity: max(1, depth))
  }

  deinit { unsafe frames.deallocate() }

  // MARK: - The entry

  /// The key of an integer tree.
  ///
  /// The cursor must stand on an entry.
  package var integerKey: UInt64 { unsafe leaf.page.integerKey(leaf.index) }

  /// The bytes of the key.
  ///
  /// The cursor must stand on an entry.
  package var key: UnsafeRawBufferPointer { unsafe leaf.page.key(leaf.index) }

  /// The value.
  ///
  /// The cursor must stand on an entry.
  ///
  /// - Throws: `StorageError.damaged` if the value's own pages are.
  package func value() throws(StorageError) -> UnsafeRawBufferPointer {
    try unsafe reader.source.value(leaf.page.node(leaf.index), reader.name)
  }

  /// What the entry takes in its leaf, with its offset there, and in pages of its own.
  ///
  /// The cursor must stand on an entry.
  var entrySize: (inLeaf: Int, overflow: Int) {
    let node = unsafe leaf.page.node(leaf.index)
    let byteCount = unsafe node.word32(0)
    let isOutside = unsafe node.word16(4) & Int(PageLayout.isOverflow) != 0
    let stored =
      unsafe PageLayout.nodeHeaderByteCount + node.word16(6) + (isOutside ? 8 : byteCount)
    // A node begins at an even address; its offset has two bytes.
    let inLeaf = (stored + 1) & ~1 + 2
    guard isOutside else { return (inLeaf, 0) }
    let pageSize = reader.source.pageSize
    return (inLeaf, PageCheck.overflowPageCount(byteCount, pageSize: pageSize) * pageSize)
  }

  // MARK: - Moving

  /// Moves to the first entry; false if the tree is empty.
  ///
  /// - Throws: `StorageError.damaged` if a page on the way is.
  @discardableResult
  package mutating func first() throws(StorageError) -> Bool { try unsafe start(.first) }

  /// Moves to the last entry; false if the tree is empty.
  ///
  /// - Throws: `StorageError.damaged` if a page on the way is.
  @discardableResult
  package mutating func last() throws(StorageError) -> Bool { try unsafe start(.last) }

  /// Moves to the next entry; false after the last.
  ///
  /// - Throws: `StorageError.damaged` if a page on the way is.
  @discardableResult
  package mutating func next() throws(StorageError) -> Bool {
    guard isValid else { return false }
    let last = depth - 1
    if unsafe frames[last].index + 1 < frames[last].count {
      unsafe frames[last].index += 1
      return true
    }
    isValid = false
    var level = last - 1
    while level >= 0, unsafe frames[level].index + 1 >= frames[level].count { level -= 1 }
    if level < 0 { return false }
    unsafe frames[level].index += 1
    try unsafe descend(from: level, .first)
    isValid = true
    return true
  }

  /// Moves to the entry before; false before the first.
  ///
  /// - Throws: `StorageError.damaged` if a page on the way is.
  @discardableResult
  package mutating func previous() throws(StorageError) -> Bool {
    guard isValid else { return false }
    let last = depth - 1
    if unsafe frames[last].index > 0 {
      unsafe frames[last].index -= 1
      return true
    }
    isValid = false
    var level = last - 1
    while level >= 0, unsafe frames[level].index == 0 { level -= 1 }
    if level < 0 { return false }
    unsafe frames[level].index -= 1
    try unsafe descend(from: level, .last)
    isValid = true
    return true
  }

  /// Moves to the first entry whose key is `key` or greater; false if there is none.
  ///
  /// - Throws: `StorageError.damaged` if a page on the way is.
  @discardableResult
  package mutating func seek(atOrAfter key: UInt64) throws(StorageError) -> Bool {
    if isValid, reader.order == .integer, unsafe key >= leaf.page.integerKey(0),
      unsafe key <= leaf.page.integerKey(leaf.count - 1)
    {
      var key = key
      unsafe frames[depth - 1].index = unsafe withUnsafeBytes(of: &key) {
        unsafe lowerBound(leaf.page, leaf.count, $0)
      }
      return true
    }
    var key = key
    return try unsafe withUnsafeBytes(of: &key) { (bytes) throws(StorageError) in
      try unsafe seek(atOrAfter: bytes)
    }
  }

  /// Moves to the first entry whose key is `key` or greater; false if there is none.
  ///
  /// - Throws: `StorageError.damaged` if a page on the way is.
  @discardableResult
  package mutating func seek(atOrAfter key: UnsafeRawBufferPointer) throws(StorageError) -> Bool {
    guard try unsafe start(.key(key)) else { return false }
    let last = depth - 1
    if unsafe frames[last].index == 0, unsafe frames[last].low != nil,
      unsafe reader.order.compare(self.key, key) != 0
    {
      // An entry with the key could hide at the end of the leaf before, behind a damaged separator.
      try checkLeafBefore()
    }
    if unsafe frames[last].index < frames[last].count { return true }
    unsafe frames[last].index -= 1
    return try next()
  }

  /// Moves to the last entry whose key is `key` or less; false if there is none.
  ///
  /// - Throws: `StorageError.damaged` if a page on the way is.
  @discardableResult
  package mutating func seek(atOrBefore key: UInt64) throws(StorageError) -> Bool {
    var key = key
    return try unsafe withUnsafeBytes(of: &key) { (bytes) throws(StorageError) in
      try unsafe seek(atOrBefore: bytes)
    }
  }

  /// Moves to the last entry whose key is `key` or less; false if there is none.
  ///
  /// - Throws: `StorageError.damaged` if a page on the way is.
  @discardableResult
  package mutating func seek(atOrBefore key: UnsafeRawBufferPointer) throws(StorageError) -> Bool {
    guard try unsafe seek(atOrAfter: key) else { return try last() }
    return unsafe reader.order.compare(self.key, key) == 0 ? true : try previous()
  }

  // MARK: - Descending

  private var leaf: TreeFrame { unsafe frames[depth - 1] }

  private mutating func start(_ target: Target) throws(StorageError) -> Bool {
    isValid = false
    if reader.root.isEmpty { return false }
    if case .key(let key) = unsafe target, reader.order == .integer, key.count != 8 {
      throw .damaged(in: "the tree \(reader.name)", "its keys are of another kind")
    }
    unsafe frames.initialize(to: try reader.rootFrame())
    unsafe place(level: 0, target)
    try unsafe descend(from: 0, target)
    isValid = true
    return true
  }

  /// Fills the frames below `level` along the child that its frame points at.
  private mutating func descend(from level: Int, _ target: Target) throws(StorageError) {
    var level = level
    while level < depth - 1 {
      let child = try unsafe reader.frame(under: frames[level], isLeaf: level + 2 == depth)
      level += 1
      unsafe (frames + level).initialize(to: child)
      unsafe place(level: level, target)
    }
  }

  private func place(level: Int, _ target: Target) {
    let frame = unsafe frames[level]
    switch unsafe target {
    case .first:
      unsafe frames[level].index = 0
    case .last:
      unsafe frames[level].index = frame.count - 1
    case .key(let key):
      unsafe frames[level].index =
        unsafe level == depth - 1
        ? lowerBound(frame.page, frame.count, key) : childIndex(frame.page, frame.count, key)
    }
  }

  /// The first node of a leaf whose key is not less than `key`; may be the count.
  private func lowerBound(
    _ page: UnsafeRawPointer,
    _ count: Int,
    _ key: UnsafeRawBufferPointer
  ) -> Int {
    var index = 0
    var end = count
    while index < end {
      let middle = (index + end) / 2
      if unsafe reader.order.compare(page.key(middle), key) < 0 {
        index = middle + 1
      } else {
        end = middle
      }
    }
    return index
  }

  /// The node of a branch that leads to `key`.
  private func childIndex(
    _ page: UnsafeRawPointer,
    _ count: Int,
    _ key: UnsafeRawBufferPointer
  ) -> Int {
    var next = 1
    var end = count
    while next < end {
      let middle = (next + end) / 2
      if unsafe reader.order.compare(page.key(middle), key) <= 0 {
        next = middle + 1
      } else {
        end = middle
      }
    }
    return next - 1
  }

  /// Looks at the leaf before the one the cursor stands on: its keys must be below the separator.
  private func checkLeafBefore() throws(StorageError) {
    var level = depth - 2
    while level >= 0, unsafe frames[level].index == 0 { level -= 1 }
    if level < 0 { return }
    var parent = unsafe frames[level]
    unsafe parent.index -= 1
    while level < depth - 1 {
      unsafe parent = try unsafe reader.frame(under: parent, isLeaf: level + 2 == depth)
      unsafe parent.index = parent.count - 1
      level += 1
    }
  }
}
