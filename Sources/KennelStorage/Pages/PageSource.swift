package import KennelLMDB
import Synchronization

/// The pages of one pinned snapshot, each checked when it is first touched.
///
/// May be used by many threads at once.
///
/// Safe to use: it retains the pin, and reads only pages that it has checked.
@safe package final class PageSource: @unchecked Sendable {
  /// The snapshot; it lives for as long as its pages are read.
  package let pin: ReadPin
  let base: UnsafeRawPointer
  let pageSize: Int
  let pageShift: UInt64
  /// Page numbers below this can be read.
  let limit: UInt64
  /// What was found out before, and is found out now.
  let knowledge: VerifiedPageCache
  let checks: PageMarks

  package init(_ pin: ReadPin, knowing knowledge: VerifiedPageCache? = nil) {
    let knowledge = knowledge ?? VerifiedPageCache(pin)
    self.pin = pin
    self.knowledge = knowledge
    checks = knowledge.checks
    unsafe base = pin.base
    pageSize = pin.pageSize
    pageShift = UInt64(pin.pageSize.trailingZeroBitCount)
    limit = UInt64(pin.readablePageCount)
  }

  /// How many pages were touched, overflow runs apart.
  package var touchedPageCount: Int { checks.markedCount }

  /// A page, checked for being of this kind.
  @inline(__always)
  func page(
    _ number: UInt64,
    _ kind: PageKind,
    _ name: StaticString
  ) throws(StorageError) -> UnsafeRawPointer {
    if number < limit, checks.isMarked(number, kind.rawValue) {
      return unsafe base + Int(number &<< pageShift)
    }
    return try unsafe checkedPage(number, kind, name)
  }

  @inline(never)
  private func checkedPage(
    _ number: UInt64,
    _ kind: PageKind,
    _ name: StaticString
  ) throws(StorageError) -> UnsafeRawPointer {
    guard number >= PageLayout.firstPage, number < limit else {
      throw outside(number, name)
    }
    let page = unsafe base + Int(number << pageShift)
    if unsafe !PageCheck.isSound(page, number: number, size: pageSize, kind: kind),
      let defect = unsafe PageCheck.defect(page, number: number, size: pageSize, kind: kind)
    {
      throw .damaged(in: "page \(number) of \(name)", defect)
    }
    let isLong = unsafe !kind.hasIntegerKeys && page.hasLongKeys(isLeaf: kind.isLeaf)
    checks.mark(number, kind.rawValue | (isLong ? PageMarks.longKeys : 0))
    return unsafe page
  }

  /// A page of a tree of bytes, and whether all its keys have 16 bytes at least.
  @inline(__always)
  func bytesPage(
    _ number: UInt64,
    _ kind: PageKind,
    _ name: StaticString
  ) throws(StorageError) -> (page: UnsafeRawPointer, hasLongKeys: Bool) {
    let mark = number < limit ? checks.mark(of: number) : 0
    if mark & PageMarks.kinds == kind.rawValue {
      return unsafe (base + Int(number &<< pageShift), mark & PageMarks.longKeys != 0)
    }
    let page = try unsafe checkedPage(number, kind, name)
    return unsafe (page, checks.mark(of: number) & PageMarks.longKeys != 0)
  }

  func outside(_ number: UInt64, _ name: StaticString) -> StorageError {
    let what =
      number >= limit && number < UInt64(pin.pageCount)
      ? "it lies behind the end of the file" : "the snapshot has no such page"
    return .damaged(in: "page \(number) of \(name)", what)
  }

  /// The value of a leaf's node, in the page or in an overflow run.
  @inline(__always)
  func value(
    _ node: UnsafeRawPointer,
    _ name: StaticString
  ) throws(StorageError) -> UnsafeRawBufferPointer {
    let data = unsafe node + PageLayout.nodeHeaderByteCount + node.word16(6)
    if unsafe node.word16(4) & Int(PageLayout.isOverflow) == 0 {
      return unsafe UnsafeRawBufferPointer(start: data, count: node.word32(0))
    }
    return try unsafe overflowValue(data.word64(0), byteCount: node.word32(0), name)
  }

  @inline(never)
  private func overflowValue(
    _ number: UInt64,
    byteCount: Int,
    _ name: StaticString
  ) throws(StorageError) -> UnsafeRawBufferPointer {
    let needed = UInt64(PageCheck.overflowPageCount(byteCount, pageSize: pageSize))
    guard number >= PageLayout.firstPage, number < limit, needed <= limit - number else {
      throw outside(number, name)
    }
    let page = unsafe base + Int(number << pageShift)
    let defect = unsafe PageCheck.overflowDefect(
      page,
      number: number,
      byteCount: byteCount,
      pageSize: pageSize
    )
    if let defect { throw .damaged(in: "page \(number) of \(name)", defect) }
    return unsafe UnsafeRawBufferPointer(start: page + PageLayout.headerByteCount, count: byteCount)
  }
}

/// For which kind each page was checked: a byte per page, made when first needed.
///
/// A byte is a kind's raw value, and ``longKeys`` where every key can be compared by its first 16
/// bytes without looking how long it is.
///
/// Bytes are loaded and stored atomically, so that threads may share them; two that
/// check the same page at once only do the same work twice.
///
/// Safe to use: it owns its memory, and ``PageSource`` checks the numbers of pages.
@safe final class PageMarks: @unchecked Sendable {
  static let longKeys: UInt8 = 0x80
  static let kinds: UInt8 = 0x7F

  private static let blockShift: UInt64 = 10
  private static let blockByteCount = 1 << 10

  private let directory: UnsafeMutablePointer<Atomic<UInt>>
  private let count: Int
  /// How many pages there is room for: some more than there are, for the next commits.
  let pageCount: Int

  init(pageCount: Int) {
    count = (pageCount + pageCount / 8) >> Int(PageMarks.blockShift) + 2
    self.pageCount = count << Int(PageMarks.blockShift)
    unsafe directory = .allocate(capacity: count)
    for index in 0..<count { unsafe (directory + index).initialize(to: Atomic(0)) }
  }

  deinit {
    for index in 0..<count {
      unsafe block(directory[index].load(ordering: .relaxed))?.deallocate()
    }
    unsafe directory.deinitialize(count: count)
    unsafe directory.deallocate()
  }

  @inline(__always)
  private func block(_ address: UInt) -> UnsafeMutablePointer<Atomic<UInt8>>? {
    unsafe UnsafeMutablePointer(bitPattern: address)
  }

  /// What a page is marked as; 0 where it was not checked.
  @inline(__always)
  func mark(of number: UInt64) -> UInt8 {
    let address = unsafe directory[Int(number &>> PageMarks.blockShift)].load(ordering: .acquiring)
    guard let block = unsafe block(address) else { return 0 }
    return unsafe block[Int(number & 0x3ff)].load(ordering: .relaxed)
  }

  @inline(__always)
  func isMarked(_ number: UInt64, _ kind: UInt8) -> Bool {
    mark(of: number) & PageMarks.kinds == kind
  }

  var markedCount: Int {
    var total = 0
    for index in 0..<count {
      guard let block = unsafe block(directory[index].load(ordering: .acquiring)) else { continue }
      for page in 0..<PageMarks.blockByteCount
      where unsafe block[page].load(ordering: .relaxed) != 0 {
        total += 1
      }
    }
    return total
  }

  /// Takes back what was found out about the keys of a page that has been written anew.
  func forgetKeys(of number: UInt64) {
    guard number < UInt64(pageCount), mark(of: number) & PageMarks.longKeys != 0 else { return }
    mark(number, 0)
  }

  func mark(_ number: UInt64, _ mark: UInt8) {
    let index = Int(number >> PageMarks.blockShift)
    var address = unsafe directory[index].load(ordering: .acquiring)
    if address == 0 {
      let made = UnsafeMutablePointer<Atomic<UInt8>>.allocate(capacity: PageMarks.blockByteCount)
      unsafe UnsafeMutableRawPointer(made)
        .initializeMemory(as: UInt8.self, repeating: 0, count: PageMarks.blockByteCount)
      let (isMine, other) = unsafe directory[index].compareExchange(
        expected: 0,
        desired: UInt(bitPattern: made),
        ordering: .acquiringAndReleasing
      )
      address = isMine ? UInt(bitPattern: made) : other
      if !isMine { unsafe made.deallocate() }
    }
    unsafe block(address)?[Int(number & 0x3ff)].store(mark, ordering: .relaxed)
  }
}
