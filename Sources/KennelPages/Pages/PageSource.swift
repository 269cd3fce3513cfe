/// Where a snapshot, or a writer, has its pages from: the map of the file, and the memory of the
/// writer.
///
/// A page of the file is checked against the pointer that leads to it when it is first used in this
/// process. What is returned is valid while the source is, and in a writer until the next change.
///
/// A snapshot's source may be used by many threads at once.
///
/// Safe to use: it retains the map, reads only below `limit`, and returns only checked pages.
@safe final class PageSource: @unchecked Sendable {
  let path: String
  let layout: PageLayout
  private let shift: Int
  // Without checks for exclusive access, which take as long as finding a page. Safe to use: only a
  // writer changes them, and no access contains another.

  /// Changes only in a writer.
  @safe @exclusivity(unchecked) private(set) var map: FileMap
  /// Page numbers below this can be read without a signal.
  @safe @exclusivity(unchecked) private(set) var limit: UInt32
  /// `nil` for a snapshot.
  let dirty: DirtyPages?
  private let forkCount = Forks.current

  init(path: String, map: FileMap, limit: UInt32, dirty: DirtyPages? = nil) {
    self.path = path
    layout = map.layout
    shift = map.layout.pageSize.trailingZeroBitCount
    self.map = map
    self.limit = min(limit, UInt32(clamping: map.pageCount))
    self.dirty = dirty
  }

  /// Has a writer read pages that it has written.
  func extend(_ map: FileMap, limit: UInt32) {
    self.map = map
    self.limit = min(limit, UInt32(clamping: map.pageCount))
  }

  /// A child of a fork has no lock on the pages that it would read.
  @inline(__always)
  func requireOwnProcess() throws(PageStoreError) {
    if Forks.current != forkCount { throw PageStoreError(.forkedChild, .read, path: path) }
  }

  /// A page of the file, which has so many.
  @inline(__always)
  private func mapped(_ number: UInt32) -> Page { unsafe Page(map.base + Int(number) &<< shift) }

  /// A page of a tree.
  @inline(__always)
  func page(
    _ pointer: PagePointer,
    level: Int,
    keys: Tree.Keys
  ) throws(PageStoreError) -> Page {
    if pointer.number < limit, map.mark(of: pointer.number) == pointer.tag {
      let page = mapped(pointer.number)
      if page.kind == Page.kind(level: level, keys: keys) { return page }
    }
    return try uncheckedPage(pointer, level: level, keys: keys)
  }

  @inline(never)
  private func uncheckedPage(
    _ pointer: PagePointer,
    level: Int,
    keys: Tree.Keys
  ) throws(PageStoreError) -> Page {
    if pointer.isDirty, let dirty { return dirty[pointer.dirtyIndex].page }
    let number = pointer.number
    try requireInside(number, count: 1)
    let page = mapped(number)
    try map.checking { () throws(PageStoreError) in
      try requireBytes(pointer, byteCount: layout.pageSize, pages: 1, mark: pointer.tag)
      try require(page, pointer, level: level, keys: keys)
      map.mark(number, pointer.tag)
    }
    return page
  }

  /// A page that no pointer vouches for; `nil` if it does not say that it is one, or what it says of
  /// itself is impossible.
  func page(sayingItIs number: UInt32) -> Page? {
    guard number < limit else { return nil }
    let page = mapped(number)
    if map.cipher != nil {
      let stored = unsafe map.stored(number, count: 1)
      let commit = unsafe stored.loadUnaligned(fromByteOffset: layout.room, as: UInt64.self)
      guard map.decrypt(number, count: 1, commit: UInt64(littleEndian: commit), unlessMarked: nil)
      else { return nil }
    }
    guard page.number == number, page.defect(layout.room) == nil, !page.hasOverlaps(layout.room)
    else { return nil }
    return page
  }

  /// A page below ``limit`` that was found to be sound before.
  func soundPage(_ number: UInt32) -> Page { mapped(min(number, limit &- 1)) }

  /// Copies a page of the file to the memory of a writer, and checks the copy.
  ///
  /// A writer relies on more than a reader does, and on bytes that no other program can change.
  func copy(
    _ pointer: PagePointer,
    level: Int,
    keys: Tree.Keys,
    to target: MutablePage
  ) throws(PageStoreError) {
    if map.cipher != nil {
      target.copy(try page(pointer, level: level, keys: keys))
    } else {
      try requireInside(pointer.number, count: 1)
      target.copy(mapped(pointer.number))
      let bytes = unsafe UnsafeRawBufferPointer(start: target.page.base, count: layout.pageSize)
      try unsafe requireSum(bytes, pointer)
      try require(target.page, pointer, level: level, keys: keys)
    }
    try requireNoOverlaps(target.page)
  }

  func requireNoOverlaps(_ page: Page) throws(PageStoreError) {
    if page.hasOverlaps(layout.room) { throw damaged(page.number, "its entries overlap") }
  }

  /// Makes sure that what a page says of itself is possible, and what its pointer means.
  private func require(
    _ page: Page,
    _ pointer: PagePointer,
    level: Int,
    keys: Tree.Keys
  ) throws(PageStoreError) {
    let number = pointer.number
    guard page.number == number, page.commit == pointer.commit else {
      throw damaged(number, "it says that it is page \(page.number) of commit \(page.commit)")
    }
    if let defect = page.defect(layout.room) { throw damaged(number, defect) }
    guard page.kind == Page.kind(level: level, keys: keys) else {
      throw damaged(number, "it belongs elsewhere in its tree")
    }
  }

  /// The value of an entry, in its page or in a run.
  @inline(__always)
  func value(_ page: Page, _ index: Int) throws(PageStoreError) -> UnsafeRawBufferPointer {
    page.isLong(index) ? try unsafe longValue(page, index) : unsafe page.value(index)
  }

  @inline(never)
  private func longValue(
    _ page: Page,
    _ index: Int
  ) throws(PageStoreError) -> UnsafeRawBufferPointer {
    let pointer = page.pointer(index)
    let byteCount = page.longValueCount(index)
    if pointer.isDirty, let dirty {
      return unsafe UnsafeRawBufferPointer(
        dirty.value(pointer.dirtyIndex).part(0..<byteCount).bytes
      )
    }
    let pages = layout.pageCount(ofValue: byteCount)
    try requireInside(pointer.number, count: pages)
    let bytes = unsafe UnsafeRawBufferPointer(start: mapped(pointer.number).base, count: byteCount)
    // Another tag than that of a page, which would promise a checked layout.
    let tag = pointer.tag ^ 1
    if map.mark(of: pointer.number) != tag || byteCount == 0 {
      try map.checking { () throws(PageStoreError) in
        try requireBytes(pointer, byteCount: byteCount, pages: pages, mark: tag)
        map.mark(pointer.number, tag)
      }
    }
    return unsafe bytes
  }

  /// Marks what the writer itself has written; what it has encrypted it decrypts like others.
  func markWritten(_ pointer: PagePointer, isValue: Bool) {
    if pointer.number < limit, map.cipher == nil {
      map.mark(pointer.number, isValue ? pointer.tag ^ 1 : pointer.tag)
    }
  }

  /// Makes sure that bytes of the file are those that a pointer means, and decrypts them.
  private func requireBytes(
    _ pointer: PagePointer,
    byteCount: Int,
    pages: Int,
    mark tag: UInt64
  ) throws(PageStoreError) {
    let number = pointer.number
    guard map.cipher != nil else {
      let bytes = unsafe UnsafeRawBufferPointer(start: mapped(number).base, count: byteCount)
      return try unsafe requireSum(bytes, pointer)
    }
    try unsafe requireSum(map.stored(number, count: pages), pointer)
    guard map.decrypt(number, count: pages, commit: pointer.commit, unlessMarked: tag) else {
      throw PageStoreError(.forged(in: "page \(number)"), .read, path: path)
    }
  }

  private func requireSum(
    _ bytes: UnsafeRawBufferPointer,
    _ pointer: PagePointer
  ) throws(PageStoreError) {
    let sum = unsafe PageSum.pointer(bytes, number: pointer.number, commit: pointer.commit)
    guard sum == pointer.checksum else {
      throw damaged(pointer.number, "its bytes are not those of commit \(pointer.commit)")
    }
  }

  func requireInside(_ number: UInt32, count: Int) throws(PageStoreError) {
    guard number >= Format.firstPage(pageSize: layout.pageSize) else {
      throw damaged(number, "it is no page of a tree")
    }
    guard number < limit, count <= Int(limit - number) else {
      throw damaged(number, "it lies behind the end of the file")
    }
  }

  private func damaged(_ number: UInt32, _ defect: String) -> PageStoreError {
    damaged("page \(number)", defect)
  }

  func damaged(_ place: String, _ defect: String) -> PageStoreError {
    PageStoreError(.damaged(in: place, defect), .read, path: path)
  }

  /// Ends a walk that has met more pages than there are: some of them lead to the same page.
  func requireFewer(_ visited: Int, in tree: Int) throws(PageStoreError) {
    guard visited <= Int(limit) else { throw damaged("tree \(tree)", "a page is used twice") }
  }
}
