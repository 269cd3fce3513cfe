/// The pages and long values that a writer has changed and not yet written.
///
/// Safe to use: it owns its memory, and indices come from it. One writer at a time has it, and no call
/// runs during another, so that exclusivity need not be checked.
@safe final class DirtyPages: @unchecked Sendable {
  /// Pages are allocated together, because the allocator takes longer for one than a copy.
  private static let pagesPerBlock = 32
  private static let valueBlockByteCount = 1 << 20

  let pageSize: Int
  @exclusivity(unchecked) private var blocks: [UnsafeMutableRawPointer] = unsafe []
  private var released: [Int] = []
  /// How many pages were given out, released ones too.
  private var used = 0
  private var values: [UnsafeMutableRawBufferPointer?] = unsafe []
  private var releasedValues: [Int] = []
  private var releasedRuns: [Int: [UnsafeMutableRawBufferPointer]] = unsafe [:]
  private var valueBlocks: [UnsafeMutableRawBufferPointer] = unsafe []
  /// The unused part of the last block.
  private var rest = unsafe UnsafeMutableRawBufferPointer(start: nil, count: 0)
  /// How many pages are in use.
  private(set) var pageCount = 0
  /// How many pages the long values take.
  private(set) var valuePageCount = 0

  init(pageSize: Int) { self.pageSize = pageSize }

  deinit {
    for index in unsafe blocks.indices { unsafe blocks[index].deallocate() }
    for index in unsafe valueBlocks.indices { unsafe valueBlocks[index].deallocate() }
  }

  var byteCount: Int { (pageCount + valuePageCount) * pageSize }

  @inline(__always)
  subscript(index: Int) -> MutablePage {
    let block = unsafe blocks[index / Self.pagesPerBlock]
    return unsafe MutablePage(block + index % Self.pagesPerBlock * pageSize, size: pageSize)
  }

  /// A page with any bytes.
  func allocate() -> Int {
    pageCount += 1
    if let index = released.popLast() { return index }
    if unsafe used == blocks.count * Self.pagesPerBlock {
      unsafe blocks.append(
        .allocate(byteCount: Self.pagesPerBlock * pageSize, alignment: pageSize)
      )
    }
    used += 1
    return used - 1
  }

  func release(_ index: Int) {
    pageCount -= 1
    released.append(index)
  }

  // MARK: - Long values

  func value(_ index: Int) -> UnsafeMutableRawBufferPointer {
    unsafe values[index] ?? UnsafeMutableRawBufferPointer(start: nil, count: 0)
  }

  /// Room for a value, in whole pages; the rest of the last one is zero.
  func allocateValue(byteCount: Int) -> Int {
    let pages = pageCount(ofValue: byteCount)
    let memory = unsafe takeRun(pages)
    unsafe UnsafeMutableRawBufferPointer(rebasing: memory[byteCount...])
      .initializeMemory(as: UInt8.self, repeating: 0)
    valuePageCount += pages
    if let index = releasedValues.popLast() {
      unsafe values[index] = memory
      return index
    }
    unsafe values.append(memory)
    return unsafe values.count - 1
  }

  /// Memory of some pages: what a value had that was released, or the next of a block.
  private func takeRun(_ pages: Int) -> UnsafeMutableRawBufferPointer {
    if let memory = unsafe releasedRuns[pages]?.popLast() { return unsafe memory }
    let byteCount = pages * pageSize
    if unsafe byteCount > rest.count {
      let block = UnsafeMutableRawBufferPointer.allocate(
        byteCount: max(byteCount, Self.valueBlockByteCount),
        alignment: pageSize
      )
      unsafe valueBlocks.append(block)
      unsafe rest = block
    }
    let memory = unsafe UnsafeMutableRawBufferPointer(rebasing: rest[..<byteCount])
    unsafe rest = UnsafeMutableRawBufferPointer(rebasing: rest[byteCount...])
    return unsafe memory
  }

  func releaseValue(_ index: Int) {
    guard let memory = unsafe values[index] else { return }
    let pages = memory.count / pageSize
    valuePageCount -= pages
    unsafe releasedRuns[pages, default: []].append(memory)
    unsafe values[index] = nil
    releasedValues.append(index)
  }

  func pageCount(ofValue byteCount: Int) -> Int { (byteCount + pageSize - 1) / pageSize }

  /// Forgets everything, and keeps the memory of a few pages for the next writer.
  func removeAll() {
    unsafe values.removeAll()
    releasedValues.removeAll()
    unsafe releasedRuns.removeAll()
    for index in unsafe valueBlocks.indices { unsafe valueBlocks[index].deallocate() }
    unsafe valueBlocks.removeAll()
    unsafe rest = UnsafeMutableRawBufferPointer(start: nil, count: 0)
    released.removeAll()
    while unsafe blocks.count > 8 { unsafe blocks.removeLast().deallocate() }
    (used, pageCount, valuePageCount) = (0, 0, 0)
  }
}
