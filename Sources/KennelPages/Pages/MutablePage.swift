/// Changes a page of a tree in the memory of a writer.
///
/// Safe to use: the writer made the page or copied a checked one, and asks for room before it stores.
@safe struct MutablePage {
  let base: UnsafeMutableRawPointer
  /// The bytes before the tail.
  let size: Int

  @inline(__always)
  init(_ base: UnsafeMutableRawPointer, size: Int) {
    unsafe self.base = base
    self.size = size
  }

  @inline(__always)
  var page: Page { unsafe Page(UnsafeRawPointer(base)) }

  /// Makes it a page without entries.
  func clear(level: Int, keys: Tree.Keys) {
    unsafe base.initializeMemory(as: UInt8.self, repeating: 0, count: size)
    unsafe base.storeBytes(of: UInt8(level), toByteOffset: 14, as: UInt8.self)
    unsafe base.storeBytes(of: keys.rawValue, toByteOffset: 15, as: UInt8.self)
    setFull(16, UInt32(size))
  }

  func copy(_ other: Page) {
    unsafe base.copyMemory(from: other.base, byteCount: size)
  }

  /// Gives the page its place.
  func place(number: UInt32, commit: UInt64) {
    setWord(0, commit)
    setFull(8, number)
  }

  // MARK: - Numbers

  @inline(__always)
  private func setHalf(_ offset: Int, _ value: Int) {
    let bytes = UInt16(truncatingIfNeeded: value).littleEndian
    unsafe base.storeBytes(of: bytes, toByteOffset: offset, as: UInt16.self)
  }

  @inline(__always)
  private func setFull(_ offset: Int, _ value: UInt32) {
    unsafe base.storeBytes(of: value.littleEndian, toByteOffset: offset, as: UInt32.self)
  }

  @inline(__always)
  private func setWord(_ offset: Int, _ value: UInt64) {
    unsafe base.storeBytes(of: value.littleEndian, toByteOffset: offset, as: UInt64.self)
  }

  private func slot(_ index: Int) -> Int {
    Page.headerByteCount + index * page.slotByteCount
  }

  // MARK: - Entries

  /// The bytes that new entries can have, once the heap is tidied up.
  var freeByteCount: Int { page.gap + page.unusedByteCount }

  /// The bytes that all entries take.
  var usedByteCount: Int { size - Page.headerByteCount - freeByteCount }

  /// Adds an entry before another, and returns where its value goes.
  ///
  /// The count is the byte count of the value, or `Page.longValue`.
  func insert(at index: Int, _ key: TreeKey, valueCount: Int) -> UnsafeMutableRawPointer {
    let valueRoom = valueCount == Page.longValue ? Page.longValueRoom : valueCount
    let heapRoom = key.heapByteCount + valueRoom
    if page.gap < heapRoom + page.slotByteCount { tidy() }
    let count = page.count
    let place = slot(index)
    let slotByteCount = page.slotByteCount
    unsafe (base + place + slotByteCount)
      .copyMemory(from: base + place, byteCount: (count - index) * slotByteCount)
    let offset = page.heapStart - heapRoom
    // An empty part may begin anywhere; 65536 would not fit.
    let storedOffset = heapRoom == 0 ? Page.headerByteCount : offset
    switch key.kind {
    case .numbers:
      setWord(place, key.number)
      setHalf(place + 8, storedOffset)
      setHalf(place + 10, valueCount)
    case .bytes:
      setHalf(place, storedOffset)
      unsafe setHalf(place + 2, key.bytes.count)
      setHalf(place + 4, valueCount)
      if let source = unsafe key.bytes.baseAddress {
        unsafe (base + offset).copyMemory(from: source, byteCount: key.bytes.count)
      }
    }
    setFull(16, UInt32(offset))
    setHalf(12, count + 1)
    return unsafe base + offset + key.heapByteCount
  }

  /// Removes an entry; its bytes stay unused until the page is tidied up.
  func remove(at index: Int) {
    let count = page.count
    let (offset, room) = page.heapPart(index)
    let place = slot(index)
    let slotByteCount = page.slotByteCount
    unsafe (base + place)
      .copyMemory(
        from: base + place + slotByteCount,
        byteCount: (count - index - 1) * slotByteCount
      )
    setHalf(12, count - 1)
    if room > 0, offset == page.heapStart {
      setFull(16, UInt32(offset + room))
    } else {
      setFull(20, UInt32(page.unusedByteCount + room))
    }
  }

  /// Removes all entries from one on.
  func removeLast(from index: Int) {
    var unused = page.unusedByteCount
    for entry in index..<page.count { unused += page.heapPart(entry).count }
    setHalf(12, index)
    setFull(20, UInt32(unused))
    tidy()
  }

  /// Copies an entry of another page behind the last.
  func append(_ other: Page, _ index: Int) {
    let valueCount = other.valueCount(index)
    let target = unsafe insert(at: page.count, other.key(index), valueCount: valueCount)
    let source = unsafe other.value(index)
    if let start = source.baseAddress {
      unsafe target.copyMemory(from: start, byteCount: source.count)
    }
  }

  /// Where the value of an entry lies.
  func value(_ index: Int) -> UnsafeMutableRawPointer { unsafe base + page.valueOffset(index) }

  func setPointer(_ index: Int, _ pointer: PagePointer) {
    let offset = page.valueOffset(index)
    setWord(offset, pointer.commit)
    setFull(offset + 8, pointer.number)
    setFull(offset + 12, pointer.checksum)
  }

  func setLongValueCount(_ index: Int, _ count: Int) {
    setWord(page.valueOffset(index) + PagePointer.byteCount, UInt64(count))
  }

  /// Moves the heap together.
  private func tidy() {
    if page.unusedByteCount == 0 { return }
    unsafe withUnsafeTemporaryAllocation(byteCount: size, alignment: 8) { copy in
      guard let start = copy.baseAddress else { return }
      unsafe start.copyMemory(from: base, byteCount: size)
      let old = unsafe Page(UnsafeRawPointer(start))
      var end = size
      for index in 0..<page.count {
        let (offset, room) = old.heapPart(index)
        if room == 0 { continue }
        end -= room
        unsafe (base + end).copyMemory(from: start + offset, byteCount: room)
        setHalf(slot(index) + (old.hasNumbers ? 8 : 0), end)
      }
      setFull(16, UInt32(end))
      setFull(20, 0)
      // What was removed must not stay in the file.
      let slotsEnd = slot(page.count)
      unsafe (base + slotsEnd)
        .initializeMemory(as: UInt8.self, repeating: 0, count: end - slotsEnd)
    }
  }
}
