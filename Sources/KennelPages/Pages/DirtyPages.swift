/// The pages and long values that a writer has changed and not yet written.
///
/// Safe to use: it owns its memory, and indices come from it. One writer at a time has it, and no call
/// runs during another, so that exclusivity need not be checked.
@safe final class DirtyPages: @unchecked Sendable {
  /// Pages are allocated together, because the allocator takes longer for one than a copy.
  private static let pagesPerBlock = 32

  let pageSize: Int
  @exclusivity(unchecked) private var blocks: [UnsafeMutableRawPointer] = unsafe []
  @exclusivity(unchecked) private var released: [Int] = []
  /// How many pages were given out, released ones too.
  @exclusivity(unchecked) private var used = 0
  private var values: [UnsafeMutableRawBufferPointer?] = unsafe []
  private var releasedValues: [Int] = []
  /// How many pages are in use.
  @exclusivity(unchecked) private(set) var pageCount = 0
  /// How many pages the long values take.
  @exclusivity(unchecked) private(set) var valuePageCount = 0

  init(pageSize: Int) { self.pageSize = pageSize }

  deinit {
    for index in unsafe blocks.indices { unsafe blocks[index].deallocate() }
    for index in unsafe values.indices { unsafe values[index]?.deallocate() }
  }

  var byteCount: Int { unsafe (pageCount + valuePageCount) * pageSize }

  @inline(__always)
  subscript(index: Int) -> MutablePage {
    let block = unsafe blocks[index / Self.pagesPerBlock]
    return unsafe MutablePage(block + index % Self.pagesPerBlock * pageSize, size: pageSize)
  }

  /// A page with any bytes.
  func allocate() -> Int {
    unsafe pageCount += 1
    if let index = unsafe released.popLast() { return index }
    if unsafe used == blocks.count * Self.pagesPerBlock {
      unsafe blocks.append(
        .allocate(byteCount: Self.pagesPerBlock * pageSize, alignment: pageSize)
      )
    }
    unsafe used += 1
    return unsafe used - 1
  }

  func release(_ index: Int) {
    unsafe pageCount -= 1
    unsafe released.append(index)
  }

  // MARK: - Long values

  func value(_ index: Int) -> UnsafeMutableRawBufferPointer {
    unsafe values[index] ?? UnsafeMutableRawBufferPointer(start: nil, count: 0)
  }

  /// Room for a value, in whole pages; the rest of the last one is zero.
  func allocateValue(byteCount: Int) -> Int {
    let pages = pageCount(ofValue: byteCount)
    let memory = UnsafeMutableRawBufferPointer.allocate(
      byteCount: pages * pageSize,
      alignment: pageSize
    )
    for offset in byteCount..<pages * pageSize { unsafe memory[offset] = 0 }
    unsafe valuePageCount += pages
    if let index = releasedValues.popLast() {
      unsafe values[index] = memory
      return index
    }
    unsafe values.append(memory)
    return unsafe values.count - 1
  }

  func releaseValue(_ index: Int) {
    guard let memory = unsafe values[index] else { return }
    unsafe valuePageCount -= memory.count / pageSize
    unsafe memory.deallocate()
    unsafe values[index] = nil
    releasedValues.append(index)
  }

  func pageCount(ofValue byteCount: Int) -> Int { (byteCount + pageSize - 1) / pageSize }

  /// Forgets everything, and keeps the memory of a few pages for the next writer.
  func removeAll() {
    for index in unsafe values.indices { unsafe values[index]?.deallocate() }
    unsafe values.removeAll()
    releasedValues.removeAll()
    unsafe released.removeAll()
    while unsafe blocks.count > 8 { unsafe blocks.removeLast().deallocate() }
    unsafe (used, pageCount, valuePageCount) = (0, 0, 0)
  }
}
