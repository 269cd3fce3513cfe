/// Brings changed pages to the file.
///
/// The free tree is changed last, because the pages that it needs come from it, and the pages that
/// its own change frees go to it. To end this, entries are made with room for more runs than there
/// are; they are filled when every page has its number.
struct CommitOutput {
  private let store: PageStore
  private let base: MetaPage
  private let source: PageSource
  private let commit: UInt64
  /// The pages that can be used.
  private var free: FreePages
  private let freeDirty: DirtyPages
  private var freeTree: TreeEditor
  /// How many pages were written.
  private var writtenPageCount = 0
  /// The newest commit whose freed pages can be used; found when it is needed.
  private var usableCommit: UInt64?

  init(_ store: PageStore, _ base: MetaPage, _ source: PageSource) {
    self.store = store
    self.base = base
    self.source = source
    commit = base.commit + 1
    free = FreePages(end: base.pageCount)
    freeDirty = DirtyPages(base.layout)
    let freeSource = PageSource(
      path: store.path,
      map: source.map,
      limit: source.limit,
      dirty: freeDirty
    )
    freeTree = TreeEditor(
      freeSource,
      freeDirty,
      .free,
      base.roots[Format.treeLimit],
      commit: commit
    )
  }

  // MARK: - Free pages

  /// Takes pages out of the free tree until there are enough, if it has so many.
  mutating func reclaim(_ needed: Int) throws(PageStoreError) {
    // More runs would make the search for one slow; and what is left over is written again.
    let mostRuns = 1024
    if freeTree.root.isEmpty { return }
    let usable = usableCommit ?? findUsableCommit()
    usableCommit = usable
    var keys: [UInt64] = []
    var found: [PageRun] = []
    var count = free.pageCount
    do {
      var cursor = Cursor(try TreeReader(freeTree.source, .free, freeTree.root))
      var isThere = try cursor.first()
      while isThere, count < needed, free.runCount + found.count < mostRuns,
        FreeTree.commit(of: cursor.number) <= usable
      {
        keys.append(cursor.number)
        for run in unsafe FreeTree.decode(try cursor.value()) {
          found.append(run)
          count += Int(run.count)
        }
        isThere = try cursor.next()
      }
    }
    try requireInside(found)
    for key in keys { _ = try freeTree.remove(TreeKey(key)) }
    free.add(found)
  }

  /// The newest commit whose freed pages can be used.
  ///
  /// Pages that commit *n* freed were part of commit *n* - 1. They can be used if no snapshot is
  /// older than *n*, and *n* - 1 is not one of the two newest commits.
  private func findUsableCommit() -> UInt64 {
    guard base.commit >= 1 else { return 0 }
    let limit = base.commit - 1
    return min(limit, store.oldestPinned(below: limit))
  }

  /// Takes back what was written early and changed again.
  private mutating func reuse(_ editors: inout [TreeEditor]) {
    free.add(editors.flatMap(\.superseded))
    for index in editors.indices { editors[index].superseded.removeAll() }
  }

  private func requireInside(_ runs: [PageRun]) throws(PageStoreError) {
    for run in runs {
      guard run.isInside(pageCount: base.pageCount, pageSize: base.pageSize) else {
        throw store.error(
          .damaged(in: "the free tree", "it has page \(run.first), which does not exist"),
          .commit
        )
      }
    }
  }

  /// An entry of the free tree, and how many runs it has room for.
  private struct Room {
    let key: UInt64
    let runCount: Int
  }

  /// Makes entries in the free tree for the pages that the commit frees or has left over.
  private mutating func makeRoom(
    _ editors: [TreeEditor]
  ) throws(PageStoreError) -> (freed: [Room], left: [Room]) {
    let freedByTrees = editors.flatMap(\.freed)
    var (freed, left): ([Room], [Room]) = ([], [])
    var (freedCount, leftCount) = (0, 0)
    while true {
      let runs = PageRun.joined(freedByTrees + freeTree.freed).count
      var isDone = true
      if runs > freedCount {
        let count = min(FreeTree.mostRuns, runs - freedCount + 2)
        freed.append(try makeRoom(commit, count))
        freedCount += count
        isDone = false
      }
      if free.runCount > leftCount {
        let count = min(FreeTree.mostRuns, free.runCount - leftCount)
        left.append(try makeRoom(0, count))
        leftCount += count
        isDone = false
      }
      if isDone { return (freed, left) }
    }
  }

  private mutating func makeRoom(_ commit: UInt64, _ runs: Int) throws(PageStoreError) -> Room {
    var count = 0
    while try unsafe TreeReader(freeTree.source, .free, freeTree.root)
      .get(TreeKey(FreeTree.key(commit: commit, count: count))) != nil
    {
      count += 1
    }
    let key = FreeTree.key(commit: commit, count: count)
    _ = try unsafe freeTree.store(TreeKey(key), byteCount: runs * FreeTree.runByteCount)
    return Room(key: key, runCount: runs)
  }

  private mutating func fill(_ rooms: [Room], _ runs: [PageRun]) throws(PageStoreError) {
    var rest = runs[...]
    for room in rooms {
      let value = try unsafe freeTree.store(
        TreeKey(room.key),
        byteCount: room.runCount * FreeTree.runByteCount
      )
      unsafe FreeTree.encode(rest.prefix(room.runCount), into: value)
      rest = rest.dropFirst(room.runCount)
    }
  }

  // MARK: - Writing

  /// Writes the changed pages of trees early; nobody can reach them.
  mutating func spill(
    _ editors: inout [TreeEditor],
    _ dirty: DirtyPages
  ) throws(PageStoreError) {
    reuse(&editors)
    try reclaim(dirty.pageCount + dirty.valuePageCount)
    try write(&editors, dirty, with: nil)
    source.map.giveBack()
  }

  /// Writes the changed pages of trees, and those of the free tree if there is room in it.
  private mutating func write(
    _ editors: inout [TreeEditor],
    _ dirty: DirtyPages,
    with rooms: (freed: [Room], left: [Room])?
  ) throws(PageStoreError) {
    let count = dirty.pageCount + (rooms == nil ? 0 : freeDirty.pageCount)
    guard let numbers = free.takePages(count) else { throw store.error(.fileTooLarge, .commit) }
    var sealer = Sealer(store, commit, dirty, numbers, free)
    for index in editors.indices { try sealer.seal(&editors[index]) }
    free = sealer.free
    if let rooms {
      try fill(rooms.freed, PageRun.joined(editors.flatMap(\.freed) + freeTree.freed))
      try fill(rooms.left, free.runs)
      sealer.dirty = freeDirty
      try sealer.seal(&freeTree)
    }
    try attempt(.commit, store.path, sealer.writePieces(to: store.file))
    writtenPageCount += sealer.pageCount
    let map = try attempt(.commit, store.path, store.map(holding: free.end))
    source.extend(map, limit: free.end)
    sealer.markWritten(source)
  }

  /// Writes everything, the meta page last, and synchronizes.
  mutating func commit(
    _ editors: inout [TreeEditor],
    _ dirty: DirtyPages,
    note: [UInt8],
    _ mostUnsyncedPages: Int
  ) throws(PageStoreError) -> MetaPage {
    let isTreeChanged = dirty.pageCount > 0 || editors.contains { !$0.freed.isEmpty }
    if isTreeChanged || writtenPageCount > 0 {
      reuse(&editors)
      let depth = freeTree.root.level + 1
      try reclaim(dirty.pageCount + dirty.valuePageCount + 2 * depth + 2)
      let rooms = try makeRoom(editors)
      try write(&editors, dirty, with: rooms)
    }
    var meta = base
    meta.commit = commit
    meta.pageCount = free.end
    meta.roots = editors.map(\.root) + [freeTree.root]
    meta.note = note
    meta.durability = writtenPageCount > mostUnsyncedPages ? .pages : .unknown
    try finish(meta)
    return meta
  }

  /// Writes the meta page and synchronizes the file.
  private func finish(_ meta: MetaPage) throws(PageStoreError) {
    let offset = MetaPage.offset(ofCommit: meta.commit)
    let bytes = try store.encoded(meta, .commit)
    let (path, descriptor) = (store.path, store.hold.descriptor)
    let before = try attempt(.commit, path, System.read(descriptor, at: offset, count: bytes.count))
    var isSynchronizing = false
    do throws(SystemError) {
      if meta.durability == .pages {
        isSynchronizing = true
        try store.file.synchronize()
        isSynchronizing = false
      }
      store.lock.lastWritten = meta.commit
      try store.file.write(bytes, at: offset)
      isSynchronizing = true
      try store.file.synchronize()
    } catch {
      // What the system could not write it may now take for written, so nobody goes on from here.
      if isSynchronizing { store.lock.failed = meta.commit }
      try? store.file.write(before, at: offset)
      throw PageStoreError(code: error.code, .commit, path: store.path)
    }
    store.lock.newest = meta.commit
  }
}

/// Gives changed pages their numbers, places and checksums, children before parents.
private struct Sealer {
  /// Safe to use: the memory lives until the writer forgets its pages.
  @safe private struct Piece {
    let pointer: PagePointer
    let bytes: UnsafeRawBufferPointer
    let isValue: Bool
  }

  private let store: PageStore
  private let commit: UInt64
  var dirty: DirtyPages
  private var numbers: ArraySlice<UInt32>
  var free: FreePages
  private var pieces: [Piece] = []

  init(
    _ store: PageStore,
    _ commit: UInt64,
    _ dirty: DirtyPages,
    _ numbers: [UInt32],
    _ free: FreePages
  ) {
    self.store = store
    self.commit = commit
    self.dirty = dirty
    self.numbers = numbers[...]
    self.free = free
  }

  var pageCount: Int {
    pieces.reduce(0) { unsafe $0 + $1.bytes.count } / store.pageSize
  }

  mutating func seal(_ editor: inout TreeEditor) throws(PageStoreError) {
    editor.forgetPlace()
    guard editor.root.pointer.isDirty else { return }
    editor.root.pointer = try seal(editor.root.pointer, level: editor.root.level)
  }

  private mutating func seal(
    _ pointer: PagePointer,
    level: Int
  ) throws(PageStoreError) -> PagePointer {
    let page = dirty[pointer.dirtyIndex]
    for index in 0..<page.page.count {
      if level > 0 {
        let child = page.page.pointer(index)
        if child.isDirty { page.setPointer(index, try seal(child, level: level - 1)) }
      } else if page.page.isLong(index) {
        let value = page.page.pointer(index)
        if value.isDirty {
          let byteCount = page.page.longValueCount(index)
          page.setPointer(index, try sealValue(value.dirtyIndex, byteCount))
        }
      }
    }
    guard let number = numbers.popFirst() else { throw store.error(.fileTooLarge, .commit) }
    page.place(number: number, commit: commit)
    let bytes = unsafe dirty.memory(pointer.dirtyIndex)
    let pointer = try unsafe sealed(bytes, at: number, checking: bytes.count)
    unsafe pieces.append(
      Piece(pointer: pointer, bytes: UnsafeRawBufferPointer(bytes), isValue: false)
    )
    return pointer
  }

  private mutating func sealValue(
    _ index: Int,
    _ byteCount: Int
  ) throws(PageStoreError) -> PagePointer {
    let memory = unsafe dirty.value(index).bytes
    guard let run = free.takeRun(memory.count / store.pageSize) else {
      throw store.error(.fileTooLarge, .commit)
    }
    let pointer = try unsafe sealed(memory, at: run.first, checking: byteCount)
    unsafe pieces.append(
      Piece(pointer: pointer, bytes: UnsafeRawBufferPointer(memory), isValue: true)
    )
    return pointer
  }

  /// Encrypts bytes where they are, if the file is encrypted, and makes the pointer to them.
  ///
  /// The checksum is that of what lies on the disk: in an open file of the contents only.
  private func sealed(
    _ unit: UnsafeMutableRawBufferPointer,
    at number: UInt32,
    checking byteCount: Int
  ) throws(PageStoreError) -> PagePointer {
    do throws(CipherFailure) {
      try unsafe store.cipher?.cipher.seal(unit, at: UnitPlace(number: number, commit: commit))
    } catch {
      throw store.error(.cipher(error), .commit)
    }
    let count = store.cipher == nil ? byteCount : unit.count
    let checksum = unsafe PageSum.pointer(
      UnsafeRawBufferPointer(rebasing: unit[..<count]),
      number: number,
      commit: commit
    )
    return PagePointer(number: number, commit: commit, checksum: checksum)
  }

  /// Writes all pages in the order of their numbers, neighbours together.
  mutating func writePieces(to file: any DataFile) throws(SystemError) {
    pieces.sort { $0.pointer.number < $1.pointer.number }
    var group: [UnsafeRawBufferPointer] = unsafe []
    var (start, end) = (0, 0)
    for index in pieces.indices {
      let (number, bytes) = unsafe (Int(pieces[index].pointer.number), pieces[index].bytes)
      if number != end, unsafe !group.isEmpty {
        try unsafe file.write(group, at: start * store.pageSize)
        unsafe group.removeAll(keepingCapacity: true)
      }
      if unsafe group.isEmpty { start = number }
      unsafe group.append(bytes)
      end = number + bytes.count / store.pageSize
    }
    if unsafe !group.isEmpty { try unsafe file.write(group, at: start * store.pageSize) }
  }

  /// Has the process know that it need not check what it has written.
  func markWritten(_ source: PageSource) {
    for index in pieces.indices {
      source.markWritten(pieces[index].pointer, isValue: pieces[index].isValue)
    }
  }
}
