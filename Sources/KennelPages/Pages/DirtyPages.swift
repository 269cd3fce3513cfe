/// Memory of a writer, in whole pages.
///
/// Safe to pass around: only the bytes, and freeing them, are unsafe.
@safe struct WriterMemory {
  let bytes: UnsafeMutableRawBufferPointer

  init(_ bytes: UnsafeMutableRawBufferPointer) { unsafe self.bytes = bytes }

  init(byteCount: Int, pageSize: Int) {
    unsafe bytes = .allocate(byteCount: byteCount, alignment: pageSize)
  }

  /// No memory.
  static var none: WriterMemory {
    unsafe WriterMemory(UnsafeMutableRawBufferPointer(start: nil, count: 0))
  }

  var count: Int { unsafe bytes.count }

  /// A part of it.
  func part(_ range: Range<Int>) -> WriterMemory {
    unsafe WriterMemory(UnsafeMutableRawBufferPointer(rebasing: bytes[range]))
  }
}

/// The pages and long values that a writer has changed and not yet written.
///
/// Safe to use: it owns its memory, and indices come from it. One writer at a time has it, and no call
/// runs during another, so that exclusivity need not be checked.
@safe final class DirtyPages: @unchecked Sendable {
  /// Pages are allocated together, because the allocator takes longer for one than a copy.
  private static let pagesPerBlock = 32
  private static let valueBlockByteCount = 1 << 20

  let layout: PageLayout
  private var pageSize: Int { layout.pageSize }
  @safe @exclusivity(unchecked) private var blocks: [WriterMemory] = []
  private var released: [Int] = []
  /// How many pages were given out, released ones too.
  private var used = 0
  private var values: [WriterMemory?] = []
  private var releasedValues: [Int] = []
  private var releasedRuns: [Int: [WriterMemory]] = [:]
  private var valueBlocks: [WriterMemory] = []
  /// The unused part of the last block.
  private var rest = WriterMemory.none
  /// How many pages are in use.
  private(set) var pageCount = 0
  /// How many pages the long values take.
  private(set) var valuePageCount = 0

  init(_ layout: PageLayout) { self.layout = layout }

  deinit {
    for block in blocks + valueBlocks { unsafe block.bytes.deallocate() }
  }

  var byteCount: Int { (pageCount + valuePageCount) * pageSize }

  @inline(__always)
  subscript(index: Int) -> MutablePage {
    let block = blocks[index / Self.pagesPerBlock]
    let start = unsafe block.bytes.baseAddress.unsafelyUnwrapped
    return unsafe MutablePage(start + index % Self.pagesPerBlock * pageSize, size: layout.room)
  }

  /// The memory of a page, tail and all.
  func memory(_ index: Int) -> UnsafeMutableRawBufferPointer {
    unsafe UnsafeMutableRawBufferPointer(start: self[index].base, count: pageSize)
  }

  /// A page with any bytes.
  func allocate() -> Int {
    pageCount += 1
    if let index = released.popLast() { return index }
    if used == blocks.count * Self.pagesPerBlock {
      blocks.append(WriterMemory(byteCount: Self.pagesPerBlock * pageSize, pageSize: pageSize))
    }
    used += 1
    return used - 1
  }

  func release(_ index: Int) {
    pageCount -= 1
    released.append(index)
  }

  // MARK: - Long values

  func value(_ index: Int) -> WriterMemory { values[index] ?? .none }

  /// Room for a value, in whole pages; the rest of the last one is zero.
  func allocateValue(byteCount: Int) -> Int {
    let pages = layout.pageCount(ofValue: byteCount)
    let memory = takeRun(pages)
    unsafe memory.part(byteCount..<memory.count).bytes
      .initializeMemory(as: UInt8.self, repeating: 0)
    valuePageCount += pages
    if let index = releasedValues.popLast() {
      values[index] = memory
      return index
    }
    values.append(memory)
    return values.count - 1
  }

  /// Memory of some pages: what a value had that was released, or the next of a block.
  private func takeRun(_ pages: Int) -> WriterMemory {
    if let memory = releasedRuns[pages]?.popLast() { return memory }
    let byteCount = pages * pageSize
    if byteCount > rest.count {
      rest = WriterMemory(byteCount: max(byteCount, Self.valueBlockByteCount), pageSize: pageSize)
      valueBlocks.append(rest)
    }
    defer { rest = rest.part(byteCount..<rest.count) }
    return rest.part(0..<byteCount)
  }

  func releaseValue(_ index: Int) {
    guard let memory = values[index] else { return }
    let pages = memory.count / pageSize
    valuePageCount -= pages
    releasedRuns[pages, default: []].append(memory)
    values[index] = nil
    releasedValues.append(index)
  }

  /// Forgets everything, and keeps the memory of a few pages for the next writer.
  func removeAll() {
    values.removeAll()
    releasedValues.removeAll()
    releasedRuns.removeAll()
    for block in valueBlocks { unsafe block.bytes.deallocate() }
    valueBlocks.removeAll()
    rest = .none
    released.removeAll()
    while blocks.count > 8 { unsafe blocks.removeLast().bytes.deallocate() }
    (used, pageCount, valuePageCount) = (0, 0, 0)
  }
}
