package import KennelLMDB

/// The structure of a whole file, checked page by page.
///
/// LMDB trusts its file when it writes: a damaged free list or branch makes it hand out
/// pages that are in use, or follow pointers out of the file. So before the first write
/// of a process everything that LMDB will follow is looked at. What must hold:
///
/// 1. Every page of every tree passes `PageCheck`, and its keys lie between the separators
///    above it.
/// 2. All leaves of a tree are at its depth; its counts of pages and entries are right.
/// 3. No page is used twice, or both used and free; none lies behind the end of the file.
/// 4. All trees are there.
/// 5. The free list holds pages of the file, of commits up to this one, in LMDB's order.
///
/// The snapshot is pinned before, so that writers of other processes change none of the
/// pages that are looked at. Pages are read with `pread`: a cut file or a failing disk
/// is an error and not a signal.
///
/// Safe to use: it owns its buffers and retains the pin.
@safe package struct WholeFileCheck: ~Copyable {
  /// What the file is made of.
  package struct Report: Equatable, Sendable {
    package var branchPages = 0
    package var leafPages = 0
    package var overflowPages = 0
    package var freePages = 0
    /// Pages that are neither used nor free: harmless, but lost until the file is compacted.
    package var lostPages = 0
    package var entries = 0
    /// The names of the trees.
    package var trees: [String] = []
  }

  /// Where a page number was met.
  private static let isUsed: UInt8 = 1
  private static let isFree: UInt8 = 2

  private let pin: ReadPin
  private let pageSize: Int
  private let pageCount: UInt64
  private let readable: UInt64
  /// A page buffer per level of the main tree, the named trees, or the free tree.
  private let buffers: UnsafeMutableRawBufferPointer
  private var marks: [UInt8]
  private var report = Report()

  private init(_ pin: ReadPin) {
    self.pin = pin
    pageSize = pin.pageSize
    pageCount = UInt64(pin.pageCount)
    readable = UInt64(pin.readablePageCount)
    marks = [UInt8](repeating: 0, count: pin.pageCount)
    unsafe buffers = .allocate(byteCount: 2 * TreeRoot.maximumDepth * pin.pageSize, alignment: 16)
  }

  deinit { unsafe buffers.deallocate() }

  /// Checks the snapshot of a pin.
  ///
  /// - Throws: `StorageError.damaged` with the first thing found.
  @discardableResult
  package static func run(_ pin: ReadPin) throws(StorageError) -> Report {
    try requirePlausible(pin)
    var check = WholeFileCheck(pin)
    return try check.run()
  }

  /// How many pages of a snapshot are free.
  ///
  /// Looks at the free list only.
  ///
  /// - Throws: `StorageError.damaged` with the first thing found.
  package static func countFreePages(_ pin: ReadPin) throws(StorageError) -> Int {
    try requirePlausible(pin)
    var check = WholeFileCheck(pin)
    try check.walk(Walk(root: pin.freeTree, kind: .free, name: "the free tree"))
    return check.report.freePages
  }

  /// A page number in the meta page that the file is far too short for would cost memory.
  private static func requirePlausible(_ pin: ReadPin) throws(StorageError) {
    let slack = 1 << 20
    guard pin.pageCount <= 2 * pin.readablePageCount + slack else {
      throw .damaged(in: "the meta page", "it counts \(pin.pageCount) pages, the file is shorter")
    }
  }

  private mutating func run() throws(StorageError) -> Report {
    for page in 0..<min(2, marks.count) { marks[page] = WholeFileCheck.isUsed }
    try walk(Walk(root: pin.mainTree, kind: .names, name: "the main tree"))
    if !pin.mainTree.isEmpty, let tree = Tree.allCases.first(where: { !has($0) }) {
      throw .missing(tree, among: report.trees, path: pin.environment.path)
    }
    try walk(Walk(root: pin.freeTree, kind: .free, name: "the free tree"))
    report.lostPages = marks.reduce(0) { $0 + ($1 == 0 ? 1 : 0) }
    return report
  }

  private func has(_ tree: Tree) -> Bool { report.trees.contains(tree.name) }

  // MARK: - Trees

  private enum Kind {
    case names
    case free
    case integers
    case bytes

    var leaf: PageKind {
      switch self {
      case .names: .namesLeaf
      case .free, .integers: .integerLeaf
      case .bytes: .bytesLeaf
      }
    }

    var branch: PageKind { leaf.hasIntegerKeys ? .integerBranch : .bytesBranch }
    var order: KeyOrder { leaf.hasIntegerKeys ? .integer : .bytes }
  }

  /// One tree being walked, and what was counted of it.
  private struct Walk {
    let root: TreeRoot
    let kind: Kind
    let name: String
    var branchPages: UInt64 = 0
    var leafPages: UInt64 = 0
    var overflowPages: UInt64 = 0
    var entries: UInt64 = 0

    init(root: TreeRoot, kind: Kind, name: String) {
      self.root = root
      self.kind = kind
      self.name = name
    }
  }

  private mutating func walk(_ tree: Walk) throws(StorageError) {
    var tree = tree
    guard tree.root.isPlausible else {
      throw .damaged(in: tree.name, "its root makes no sense")
    }
    if tree.root.isEmpty { return }
    try unsafe walk(page: tree.root.rootPage, level: 1, low: nil, high: nil, &tree)
    let root = tree.root
    guard tree.entries == root.entries, tree.leafPages == root.leafPages,
      tree.branchPages == root.branchPages, tree.overflowPages == root.overflowPages
    else { throw .damaged(in: tree.name, "its counts of pages and entries are wrong") }
    report.branchPages += Int(tree.branchPages)
    report.leafPages += Int(tree.leafPages)
    report.overflowPages += Int(tree.overflowPages)
    if tree.kind == .integers || tree.kind == .bytes { report.entries += Int(tree.entries) }
  }

  /// Checks a page and all below it.
  ///
  /// The depth of the recursion is that of the tree, 31 at most.
  private mutating func walk(
    page number: UInt64,
    level: Int,
    low: UnsafeRawBufferPointer?,
    high: UnsafeRawBufferPointer?,
    _ tree: inout Walk
  ) throws(StorageError) {
    try mark(number, count: 1, as: WholeFileCheck.isUsed, tree.name)
    let isLeaf = level == tree.root.depth
    let page = try unsafe load(number, level: level, tree)
    let kind = isLeaf ? tree.kind.leaf : tree.kind.branch
    if unsafe !PageCheck.isSound(page, number: number, size: pageSize, kind: kind),
      let defect = unsafe PageCheck.defect(page, number: number, size: pageSize, kind: kind)
    {
      throw .damaged(in: "page \(number) of \(tree.name)", defect)
    }
    let count = unsafe page.nodeCount
    let order = tree.kind.order
    if let low = unsafe low, unsafe order.compare(page.key(isLeaf ? 0 : 1), low) < 0 {
      throw .damaged(in: "page \(number) of \(tree.name)", "its keys belong elsewhere")
    }
    if let high = unsafe high, unsafe order.compare(page.key(count - 1), high) >= 0 {
      throw .damaged(in: "page \(number) of \(tree.name)", "its keys belong elsewhere")
    }
    if isLeaf {
      tree.leafPages += 1
      tree.entries += UInt64(count)
      for index in 0..<count { try unsafe checkEntry(page, index, level: level, &tree) }
      return
    }
    tree.branchPages += 1
    for index in 0..<count {
      try unsafe walk(
        page: page.child(index),
        level: level + 1,
        low: index > 0 ? page.key(index) : low,
        high: index + 1 < count ? page.key(index + 1) : high,
        &tree
      )
    }
  }

  /// Reads a page into the buffer of its level; named trees are walked while the main tree's
  /// buffers are in use.
  private func load(
    _ number: UInt64,
    level: Int,
    _ tree: Walk
  ) throws(StorageError)
    -> UnsafeRawPointer
  {
    let first = tree.kind == .names ? 0 : TreeRoot.maximumDepth
    let start = (first + level - 1) * pageSize
    let buffer = unsafe UnsafeMutableRawBufferPointer(rebasing: buffers[start..<start + pageSize])
    let count = unsafe pin.environment.read(at: Int(number) * pageSize, into: buffer)
    guard count == pageSize, let base = buffer.baseAddress else {
      throw .damaged(in: "page \(number) of \(tree.name)", "it cannot be read")
    }
    return UnsafeRawPointer(base)
  }

  private mutating func mark(
    _ number: UInt64,
    count: UInt64,
    as mark: UInt8,
    _ name: String
  ) throws(StorageError) {
    // A free page at the end may never have been written.
    let limit = mark == WholeFileCheck.isFree ? pageCount : readable
    guard number >= PageLayout.firstPage, number < limit, count <= limit - number else {
      let isBehind = number >= limit && number < pageCount
      let what = isBehind ? "it lies behind the end of the file" : "the snapshot has no such page"
      throw .damaged(in: "page \(number) of \(name)", what)
    }
    for page in Int(number)..<Int(number + count) {
      if marks[page] != 0 {
        let isBoth = marks[page] != mark
        throw .damaged(
          in: "page \(page) of \(name)",
          isBoth ? "it is both used and free" : "it is used twice"
        )
      }
      marks[page] = mark
    }
  }

  // MARK: - Entries

  private mutating func checkEntry(
    _ page: UnsafeRawPointer,
    _ index: Int,
    level: Int,
    _ tree: inout Walk
  ) throws(StorageError) {
    let node = unsafe page.node(index)
    let byteCount = unsafe node.word32(0)
    let data = unsafe node + PageLayout.nodeHeaderByteCount + node.word16(6)
    if tree.kind == .names {
      // What the header says is checked by whoever reads it.
      if unsafe page.key(index).elementsEqual(Tree.headerKey) { return }
      try unsafe checkNamedTree(page.key(index), TreeRoot(record: data))
      return
    }
    if unsafe node.word16(4) & Int(PageLayout.isOverflow) != 0 {
      try unsafe checkOverflow(data.word64(0), byteCount, key: page.integerKeyOrZero(index), &tree)
    } else if tree.kind == .free {
      let list = unsafe UnsafeRawBufferPointer(start: data, count: byteCount)
      try unsafe checkFreeList(list, commit: page.integerKey(index))
    }
  }

  private mutating func checkNamedTree(
    _ key: UnsafeRawBufferPointer,
    _ root: TreeRoot
  ) throws(StorageError) {
    let name = unsafe String(decoding: key, as: UTF8.self)
    let known = Tree.allCases.first { $0.name == name }
    let flags = root.flags
    let isExpected =
      known.map { flags == ($0.hasIntegerKeys ? TreeRoot.integerKeys : 0) }
      ?? (flags == 0 || flags == TreeRoot.integerKeys)
    guard isExpected else {
      throw .damaged(in: "the tree \(name)", "it has the flags \(flags)")
    }
    report.trees.append(name)
    try walk(Walk(root: root, kind: root.hasIntegerKeys ? .integers : .bytes, name: name))
  }

  private mutating func checkOverflow(
    _ number: UInt64,
    _ byteCount: Int,
    key: UInt64,
    _ tree: inout Walk
  ) throws(StorageError) {
    guard number >= PageLayout.firstPage, number < readable else {
      throw .damaged(in: "page \(number) of \(tree.name)", "the file has no such page")
    }
    let environment = pin.environment
    let start = Int(number) * pageSize
    let headerByteCount = PageLayout.headerByteCount
    let pageSize = pageSize
    var runLength: UInt64 = 0
    let defect = unsafe withUnsafeTemporaryAllocation(byteCount: headerByteCount, alignment: 8) {
      (header) -> String? in
      guard unsafe environment.read(at: start, into: header) == headerByteCount,
        let page = UnsafeRawPointer(header.baseAddress)
      else { return "it cannot be read" }
      runLength = unsafe UInt64(page.word32(12))
      return unsafe PageCheck.overflowDefect(
        page,
        number: number,
        byteCount: byteCount,
        pageSize: pageSize
      )
    }
    if let defect { throw .damaged(in: "page \(number) of \(tree.name)", defect) }
    try mark(number, count: runLength, as: WholeFileCheck.isUsed, tree.name)
    tree.overflowPages += runLength
    if tree.kind == .free {
      let list = UnsafeMutableRawBufferPointer.allocate(byteCount: byteCount, alignment: 8)
      defer { unsafe list.deallocate() }
      guard unsafe environment.read(at: start + headerByteCount, into: list) == byteCount else {
        throw .damaged(in: "page \(number) of \(tree.name)", "it cannot be read")
      }
      try unsafe checkFreeList(UnsafeRawBufferPointer(list), commit: key)
    }
  }

  /// A list of free pages: their count, then their numbers, descending.
  ///
  /// There may be room behind.
  private mutating func checkFreeList(
    _ list: UnsafeRawBufferPointer,
    commit: UInt64
  ) throws(StorageError) {
    let place = "the free list of commit \(commit)"
    guard commit <= pin.transactionID else {
      throw .damaged(in: place, "there is no such commit yet")
    }
    guard list.count >= 8, list.count & 7 == 0 else {
      throw .damaged(in: place, "it has \(list.count) bytes")
    }
    let count = unsafe list.loadUnaligned(as: UInt64.self)
    guard count <= UInt64(list.count / 8 - 1) else {
      throw .damaged(in: place, "it says that it has \(count) pages")
    }
    var last = UInt64.max
    for index in 0..<Int(count) {
      let number = unsafe list.loadUnaligned(fromByteOffset: 8 + index * 8, as: UInt64.self)
      guard number < last else { throw .damaged(in: place, "its pages are out of order") }
      last = number
      try mark(number, count: 1, as: WholeFileCheck.isFree, place)
    }
    report.freePages += Int(count)
  }
}

extension UnsafeRawPointer {
  /// The integer key of a node, or 0 where the keys are bytes.
  fileprivate func integerKeyOrZero(_ index: Int) -> UInt64 {
    unsafe node(index).word16(6) == 8 ? integerKey(index) : 0
  }
}

extension Environment {
  /// Begins the write transaction; before the first one of a process the whole file is checked.
  ///
  /// - Throws: `StorageError.damaged` if the check finds something, and what `beginWrite` throws.
  package func beginCheckedWrite(
    timeoutInMilliseconds: Int? = nil,
    endsOnThisThread: Bool = false
  ) throws(StorageError) -> WriteTransaction {
    if canWrite && !isChecked {
      let pin = try pinned()
      defer { pin.release() }
      try WholeFileCheck.run(pin)
      markChecked()
    }
    do throws(LMDBError) {
      return try beginWrite(
        timeoutInMilliseconds: timeoutInMilliseconds,
        endsOnThisThread: endsOnThisThread
      )
    } catch {
      throw .lmdb(error)
    }
  }

  private func pinned() throws(StorageError) -> ReadPin {
    do throws(LMDBError) {
      return try beginRead()
    } catch {
      throw .lmdb(error)
    }
  }
}
