import CChecksum
package import KennelLMDB
import Synchronization

/// One tree of one snapshot, read in place.
///
/// What it returns points into the map and is valid while the snapshot is pinned. A
/// *miss* is certain: every leaf's keys must lie between the separators that led to
/// it, and where the key would be at the edge of a leaf its neighbour is looked at
/// too, so that a damaged separator cannot hide an entry.
///
/// May be used by many threads at once.
///
/// Safe to use: it retains the pages; only the bytes that it returns are unsafe.
@safe package final class TreeReader: @unchecked Sendable {
  package let source: PageSource
  package let root: TreeRoot
  /// The name of the tree, for errors.
  package let name: StaticString
  let order: KeyOrder
  let leafKind: PageKind
  let branchKind: PageKind
  /// Levels of pages; 0 for an empty tree.
  let depth: Int
  let rootPage: UInt64
  /// The leaf that an integer key was found in last, 0 before: who walks a class asks for
  /// neighbours, which lie in the same leaf (a descent takes 60 ns, a look at the leaf 10).
  private let recentLeaf = Atomic<UInt64>(0)
  /// What look-ups of numbers have left; valid as long as the source.
  let numbers: UnsafeMutablePointer<NumberKnowledge>

  init(_ source: PageSource, _ root: TreeRoot, name: StaticString, leafKind: PageKind) {
    self.source = source
    unsafe numbers = source.knowledge.numbers
    self.root = root
    self.name = name
    self.leafKind = leafKind
    order = leafKind.hasIntegerKeys ? .integer : .bytes
    branchKind = leafKind.hasIntegerKeys ? .integerBranch : .bytesBranch
    depth = root.isEmpty ? 0 : root.depth
    rootPage = root.rootPage
  }

  package var isEmpty: Bool { root.isEmpty }
  /// How many entries the tree says it has.
  package var entryCount: Int { Int(truncatingIfNeeded: root.entries) }

  /// The value of an integer key; nil if there is none.
  ///
  /// - Throws: `StorageError.damaged` if a page on the way is.
  package func get(_ key: UInt64) throws(StorageError) -> UnsafeRawBufferPointer? {
    if depth == 0 { return nil }
    if order != .integer { throw wrongKeys() }
    let recent = recentLeaf.load(ordering: .relaxed)
    if recent != 0 {
      // Between the first and the last key of a leaf a miss is certain.
      let page = unsafe source.base + Int(recent &<< source.pageShift)
      let count = unsafe page.nodeCount
      if unsafe key >= page.integerKey(0), unsafe key <= page.integerKey(count &- 1) {
        let index = unsafe page.nearbyIndex(of: key, count: count)
        return unsafe page.integerKey(index) == key ? try source.value(page.node(index), name) : nil
      }
    }
    return try unsafe descend(to: key, from: recent)
  }

  private func descend(
    to key: UInt64,
    from recent: UInt64
  ) throws(StorageError) -> UnsafeRawBufferPointer? {
    let source = source
    var number = rootPage
    var low: UInt64 = 0
    var high = UInt64.max
    var level = depth
    while level > 1 {
      let page = try unsafe source.page(number, .integerBranch, name)
      let count = unsafe page.nodeCount
      // The first key of a branch means nothing: no key is less.
      let index = unsafe page.lastIndex(of: key, from: 0, count: count)
      if index > 0 {
        let separator = unsafe page.integerKey(index)
        if separator < low { throw outOfBounds(number) }
        low = separator
      }
      if index &+ 1 < count {
        // Greater than `key`, hence not 0.
        let separator = unsafe page.integerKey(index &+ 1) &- 1
        if separator > high { throw outOfBounds(number) }
        high = separator
      }
      number = unsafe page.child(index)
      level &-= 1
      if level == 1, index > 0, index &+ 1 < count, unsafe page.child(index &- 1) == recent {
        // Whoever comes from the leaf before this one goes on to the next.
        unsafe prefetch(page.child(index &+ 1))
      }
    }
    let page = try unsafe source.page(number, .integerLeaf, name)
    let count = unsafe page.nodeCount
    let (first, last) = unsafe (page.integerKey(0), page.integerKey(count &- 1))
    if first < low || last > high { throw outOfBounds(number) }
    recentLeaf.store(number, ordering: .relaxed)
    let index =
      unsafe key < first ? 0 : key >= last ? count &- 1 : page.nearbyIndex(of: key, count: count)
    if unsafe page.integerKey(index) == key {
      return try unsafe source.value(page.node(index), name)
    }
    if key < first ? low > 0 : index &+ 1 == count && high < .max { try confirmMiss(key) }
    return nil
  }

  /// Has the ends of a page fetched from memory, if there is one of that number.
  ///
  /// It is read from there to the middle, in an order that the processor foresees.
  private func prefetch(_ number: UInt64) {
    guard number < source.limit else { return }
    let page = unsafe source.base + Int(number &<< source.pageShift)
    unsafe kennel_prefetch(page)
    for line in 1...4 { unsafe kennel_prefetch(page + source.pageSize - 64 * line) }
  }

  /// The value of a key; nil if there is none.
  ///
  /// - Throws: `StorageError.damaged` if a page on the way is.
  package func get(
    bytes key: UnsafeRawBufferPointer
  ) throws(StorageError) -> UnsafeRawBufferPointer? {
    if depth == 0 { return nil }
    if order == .integer { throw wrongKeys() }
    var cursor = TreeCursor(self)
    guard try unsafe cursor.seek(atOrAfter: key), unsafe order.compare(cursor.key, key) == 0 else {
      return nil
    }
    return try unsafe cursor.value()
  }

  /// A cursor over the tree, before its first entry.
  package func cursor() -> TreeCursor { TreeCursor(self) }

  /// Calls `body` with each entry from `key` upward, until it returns false.
  ///
  /// - Throws: `StorageError.damaged` if a page on the way is, and what `body` throws.
  package func forEach(
    from key: UInt64 = 0,
    _ body: (UInt64, UnsafeRawBufferPointer) throws(StorageError) -> Bool
  ) throws(StorageError) {
    var cursor = TreeCursor(self)
    var isFound = try cursor.seek(atOrAfter: key)
    while isFound {
      if try unsafe !body(cursor.integerKey, cursor.value()) { return }
      isFound = try cursor.next()
    }
  }

  /// Calls `body` with each entry from `key` upward, until it returns false.
  ///
  /// - Throws: `StorageError.damaged` if a page on the way is, and what `body` throws.
  package func forEach(
    fromBytes key: UnsafeRawBufferPointer,
    _ body: (UnsafeRawBufferPointer, UnsafeRawBufferPointer) throws(StorageError) -> Bool
  ) throws(StorageError) {
    var cursor = TreeCursor(self)
    var isFound = try unsafe cursor.seek(atOrAfter: key)
    while isFound {
      if try unsafe !body(cursor.key, cursor.value()) { return }
      isFound = try cursor.next()
    }
  }

  @inline(never)
  private func confirmMiss(_ key: UInt64) throws(StorageError) {
    var cursor = TreeCursor(self)
    _ = try cursor.seek(atOrAfter: key)
  }

  @inline(never)
  func outOfBounds(_ number: UInt64) -> StorageError {
    .damaged(in: "page \(number) of \(name)", "its keys belong elsewhere")
  }

  private func wrongKeys() -> StorageError {
    .damaged(in: "the tree \(name)", "its keys are of another kind")
  }
}

extension PageSource {
  /// A tree of the snapshot, looked up in the main tree; empty in a file without a commit.
  ///
  /// The first commit makes all trees, so that a missing one is damage: a flipped bit in
  /// a name must not make a tree look empty.
  ///
  /// - Throws: `StorageError.damaged` if the main tree is, `notKennel` if it has other trees only.
  package func tree(_ tree: Tree) throws(StorageError) -> TreeReader {
    let name = tree.staticName
    let main = TreeReader(self, pin.mainTree, name: "the main tree", leafKind: .namesLeaf)
    let key = unsafe UnsafeRawBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
    let record = try unsafe main.get(bytes: key)
    guard let start = unsafe record?.baseAddress else {
      guard pin.mainTree.isEmpty else { throw try missingTree(tree) }
      return try reader(tree, .empty(flags: tree.rootFlags))
    }
    return try unsafe reader(tree, TreeRoot(record: start))
  }

  /// All trees of the snapshot, in the order of ``Tree``.
  ///
  /// Every snapshot begins with this: they are taken from the one page that they share.
  ///
  /// - Throws: `StorageError.damaged` if the main tree is, `notKennel` if it has other trees only.
  package func trees() throws(StorageError) -> [TreeReader] {
    var readers: [TreeReader] = []
    readers.reserveCapacity(Tree.allCases.count)
    guard pin.mainTree.depth == 1, !pin.mainTree.isEmpty else {
      for tree in Tree.allCases { readers.append(try self.tree(tree)) }
      return readers
    }
    let page = try unsafe page(pin.mainTree.rootPage, .namesLeaf, "the main tree")
    for tree in Tree.allCases {
      let name = tree.staticName
      let key = unsafe UnsafeRawBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
      let index = unsafe (0..<page.nodeCount).first {
        unsafe KeyOrder.compareBytes(page.key($0), key) == 0
      }
      guard let index else { throw try missingTree(tree) }
      let record = unsafe page.node(index) + PageLayout.nodeHeaderByteCount + key.count
      unsafe readers.append(try reader(tree, TreeRoot(record: record)))
    }
    return readers
  }

  /// The header that lies beside the trees' names; `nil` where there is none.
  ///
  /// - Throws: `StorageError.damaged` if the main tree is.
  func header() throws(StorageError) -> UnsafeRawBufferPointer? {
    guard !pin.mainTree.isEmpty else { return nil }
    let main = TreeReader(self, pin.mainTree, name: "the main tree", leafKind: .namesLeaf)
    return try unsafe main.get(bytes: Tree.headerKey)
  }

  private func reader(_ tree: Tree, _ root: TreeRoot) throws(StorageError) -> TreeReader {
    let name = tree.staticName
    guard root.flags == tree.rootFlags, root.isPlausible, fits(root) else {
      throw .damaged(in: "the tree \(name)", "its root makes no sense")
    }
    let leafKind: PageKind = tree.hasIntegerKeys ? .integerLeaf : .bytesLeaf
    return TreeReader(self, root, name: name, leafKind: leafKind)
  }

  /// Whether the snapshot has room for what a root counts, so that its counts can be relied on.
  private func fits(_ root: TreeRoot) -> Bool {
    let pages = UInt64(pin.pageCount)
    guard root.leafPages <= pages, root.branchPages <= pages, root.overflowPages <= pages else {
      return false
    }
    return root.entries <= root.leafPages * UInt64(pageSize / PageLayout.nodeHeaderByteCount)
  }

  private func missingTree(_ tree: Tree) throws(StorageError) -> StorageError {
    .missing(tree, among: try treeNames(), path: pin.environment.path)
  }

  /// The names of all trees in the file, also of those that Kennel does not know.
  ///
  /// - Throws: `StorageError.damaged` if the main tree is.
  package func treeNames() throws(StorageError) -> [String] {
    var names: [String] = []
    let main = TreeReader(self, pin.mainTree, name: "the main tree", leafKind: .namesLeaf)
    var cursor = main.cursor()
    var isFound = try cursor.first()
    while isFound {
      if unsafe !cursor.key.elementsEqual(Tree.headerKey) {
        unsafe names.append(String(decoding: cursor.key, as: UTF8.self))
      }
      isFound = try cursor.next()
    }
    return names
  }
}

extension StorageError {
  /// What it means that a file with a commit has no `tree`.
  static func missing(_ tree: Tree, among names: [String], path: String) -> StorageError {
    let isKennel = Tree.allCases.contains { names.contains($0.name) }
    if !isKennel { return .notKennel(path: path) }
    return .damaged(in: "the main tree", "the tree \(tree.name) is missing")
  }
}

extension Tree {
  /// The flags that the root of the tree has.
  fileprivate var rootFlags: UInt16 { hasIntegerKeys ? TreeRoot.integerKeys : 0 }

  var staticName: StaticString {
    switch self {
    case .meta: "meta"
    case .clusters: "clusters"
    case .chunks: "chunks"
    case .backlinks: "backlinks"
    case .pieces: "pieces"
    case .indexes: "indexes"
    }
  }
}
