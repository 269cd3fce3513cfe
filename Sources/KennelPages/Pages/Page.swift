/// A key of either kind, for as long as one call takes.
///
/// Safe to use: it is made from the arguments of a call and does not outlive it.
@safe struct TreeKey {
  let number: UInt64
  /// Empty for a number.
  let bytes: UnsafeRawBufferPointer
  let kind: Tree.Keys

  init(_ number: UInt64) {
    self.number = number
    unsafe bytes = UnsafeRawBufferPointer(start: nil, count: 0)
    kind = .numbers
  }

  init(_ bytes: UnsafeRawBufferPointer) {
    number = 0
    unsafe self.bytes = bytes
    kind = .bytes
  }

  /// The bytes that the key takes in the heap of a page.
  var heapByteCount: Int { unsafe kind == .numbers ? 0 : bytes.count }
}

/// Reads a page of a tree in the layout of `Format`.
///
/// Safe to use: ``defect(_:)`` has found that every slot of the page refers to its heap, and indices are
/// below `count`.
@safe struct Page {
  static let headerByteCount = 24
  /// The byte count of a value that says that it is in a run.
  static let longValue = 0xFFFF
  /// The bytes that a leaf stores of a value in a run: a pointer, and its byte count.
  static let longValueRoom = PagePointer.byteCount + 8
  static let numberSlot = 12
  static let bytesSlot = 6

  let base: UnsafeRawPointer

  @inline(__always)
  init(_ base: UnsafeRawPointer) { unsafe self.base = base }

  static func slotByteCount(_ keys: Tree.Keys) -> Int {
    keys == .numbers ? numberSlot : bytesSlot
  }

  /// How many bytes an entry takes, slot and all.
  static func room(_ keys: Tree.Keys, keyCount: Int, valueRoom: Int) -> Int {
    slotByteCount(keys) + keyCount + valueRoom
  }

  /// The most that an entry may take in a page.
  static func mostRoom(of size: Int) -> Int { (size - headerByteCount) / 2 }

  // MARK: - The header

  @inline(__always)
  private func half(_ offset: Int) -> Int {
    unsafe Int(UInt16(littleEndian: base.loadUnaligned(fromByteOffset: offset, as: UInt16.self)))
  }

  @inline(__always)
  private func word(_ offset: Int) -> UInt64 {
    unsafe UInt64(littleEndian: base.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }

  @inline(__always)
  private func full(_ offset: Int) -> UInt32 {
    unsafe UInt32(littleEndian: base.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
  }

  var commit: UInt64 { word(0) }
  var number: UInt32 { full(8) }
  @inline(__always) var count: Int { half(12) }
  var level: Int { unsafe Int(base.load(fromByteOffset: 14, as: UInt8.self)) }
  @inline(__always) var keysNumber: UInt8 { unsafe base.load(fromByteOffset: 15, as: UInt8.self) }
  /// Level and keys at once.
  @inline(__always) var kind: Int { half(14) }
  var heapStart: Int { Int(full(16)) }
  var unusedByteCount: Int { Int(full(20)) }

  static func kind(level: Int, keys: Tree.Keys) -> Int { level | Int(keys.rawValue) << 8 }

  // MARK: - Entries

  @inline(__always) var hasNumbers: Bool { keysNumber == Tree.Keys.numbers.rawValue }
  var slotByteCount: Int { hasNumbers ? Self.numberSlot : Self.bytesSlot }

  /// The bytes between the slots and the heap.
  var gap: Int { heapStart - Self.headerByteCount - count * slotByteCount }

  @inline(__always)
  func numberKey(_ index: Int) -> UInt64 {
    word(Self.headerByteCount &+ index &* Self.numberSlot)
  }

  @inline(__always)
  func bytesKey(_ index: Int) -> UnsafeRawBufferPointer {
    let slot = Self.headerByteCount &+ index &* Self.bytesSlot
    return unsafe UnsafeRawBufferPointer(start: base + half(slot), count: half(slot &+ 2))
  }

  /// The key of an entry; it is valid while the page is.
  func key(_ index: Int) -> TreeKey {
    hasNumbers ? TreeKey(numberKey(index)) : unsafe TreeKey(bytesKey(index))
  }

  /// The byte count of a value, or ``longValue``.
  @inline(__always)
  func valueCount(_ index: Int) -> Int {
    hasNumbers
      ? half(Self.headerByteCount &+ index &* Self.numberSlot &+ 10)
      : half(Self.headerByteCount &+ index &* Self.bytesSlot &+ 4)
  }

  func isLong(_ index: Int) -> Bool { valueCount(index) == Self.longValue }

  /// Where the value of an entry lies.
  @inline(__always)
  func valueOffset(_ index: Int) -> Int {
    if hasNumbers { return half(Self.headerByteCount &+ index &* Self.numberSlot &+ 8) }
    let slot = Self.headerByteCount &+ index &* Self.bytesSlot
    return half(slot) &+ half(slot &+ 2)
  }

  /// The bytes that a value takes in the heap.
  @inline(__always)
  func valueRoom(_ index: Int) -> Int {
    let count = valueCount(index)
    return count == Self.longValue ? Self.longValueRoom : count
  }

  /// The bytes that an entry takes in the heap, and where they begin.
  func heapPart(_ index: Int) -> (offset: Int, count: Int) {
    if hasNumbers { return (valueOffset(index), valueRoom(index)) }
    let slot = Self.headerByteCount &+ index &* Self.bytesSlot
    return (half(slot), half(slot &+ 2) &+ valueRoom(index))
  }

  /// A value in the page.
  func value(_ index: Int) -> UnsafeRawBufferPointer {
    unsafe UnsafeRawBufferPointer(start: base + valueOffset(index), count: valueRoom(index))
  }

  /// The pointer that an entry begins with: to a child, or to a run.
  @inline(__always)
  func pointer(_ index: Int) -> PagePointer {
    let offset = valueOffset(index)
    return PagePointer(
      number: full(offset &+ 8),
      commit: word(offset),
      checksum: full(offset &+ 12)
    )
  }

  /// The byte count of a value in a run.
  func longValueCount(_ index: Int) -> Int {
    Int(clamping: word(valueOffset(index) + PagePointer.byteCount))
  }

  // MARK: - Finding

  /// The first entry whose key is not less; may be the count.
  @inline(__always)
  func lowerBound(_ key: TreeKey) -> Int {
    key.kind == .numbers ? lowerBound(number: key.number) : unsafe lowerBound(bytes: key.bytes)
  }

  func lowerBound(number: UInt64) -> Int { first(from: 0) { numberKey($0) >= number } }

  private func lowerBound(bytes: UnsafeRawBufferPointer) -> Int {
    first(from: 0) { unsafe ByteOrder.compare(bytesKey($0), bytes) >= 0 }
  }

  /// The first entry from one on that is past what is looked for, as all behind it are; may be the
  /// count.
  @inline(__always)
  private func first(from start: Int, where isPast: (Int) -> Bool) -> Int {
    var low = start
    var length = count &- start
    while length > 0 {
      let middle = length &>> 1
      if isPast(low &+ middle) {
        length = middle
      } else {
        low = low &+ middle &+ 1
        length = length &- middle &- 1
      }
    }
    return low
  }

  /// The entry of a leaf with a number, or where it would be; it lies between the first and the last.
  ///
  /// Numbers of clusters follow each other, so that a key lies near where it would among keys at equal
  /// distances. Each look at a key may have to wait for memory: two or three in place of five.
  @inline(__always)
  func nearbyIndex(of number: UInt64, last: Int) -> Int {
    let first = numberKey(0)
    let (distance, span) = (number &- first, numberKey(last) &- first)
    // So that nothing overflows: no leaf has more entries than 1 << 14.
    guard span > 0, span < 1 << 50 else { return lowerBound(number: number) }
    var index = Int(truncatingIfNeeded: distance &* UInt64(last) / span)
    var steps = 0
    while numberKey(index) < number, steps < 3 {
      index &+= 1
      steps &+= 1
    }
    while index > 0, numberKey(index &- 1) >= number, steps < 3 {
      index &-= 1
      steps &+= 1
    }
    return steps < 3 ? index : lowerBound(number: number)
  }

  /// The entry of a branch that leads to a key.
  @inline(__always)
  func childIndex(_ key: TreeKey) -> Int {
    let next =
      key.kind == .numbers
      ? first(from: 1) { numberKey($0) > key.number }
      : first(from: 1) { unsafe ByteOrder.compare(bytesKey($0), key.bytes) > 0 }
    return next &- 1
  }

  /// The order of an entry's key and another: negative, zero or positive.
  func order(_ index: Int, _ key: TreeKey) -> Int {
    if key.kind == .numbers {
      let own = numberKey(index)
      return own < key.number ? -1 : own > key.number ? 1 : 0
    }
    return unsafe ByteOrder.compare(bytesKey(index), key.bytes)
  }

  // MARK: - Checking

  /// The reason why the page is unusable; `nil` if it is not.
  ///
  /// Whether entries overlap matters only to a writer, see ``hasOverlaps(_:)``.
  func defect(_ size: Int) -> String? {
    guard let keys = Tree.Keys(rawValue: keysNumber) else { return "its keys have no kind" }
    guard level < Format.mostLevels else { return "its level is too high" }
    let slotByteCount = Self.slotByteCount(keys)
    let slotsEnd = Self.headerByteCount + count * slotByteCount
    guard slotsEnd <= heapStart, heapStart <= size else { return "its heap is elsewhere" }
    let mostRoom = Self.mostRoom(of: size) - slotByteCount
    var used = 0
    for index in 0..<count {
      let (offset, room) = heapPart(index)
      guard room == 0 || offset >= heapStart && offset + room <= size else {
        return "entry \(index) lies outside"
      }
      let keyByteCount = keys == .numbers ? 0 : unsafe bytesKey(index).count
      guard room <= mostRoom, keyByteCount <= Format.maximumKeyByteCount else {
        return "entry \(index) is too long"
      }
      if let defect = pointerDefect(index) { return "entry \(index) \(defect)" }
      // The first key of a branch means nothing.
      guard index <= (level > 0 ? 1 : 0) || isAscending(index) else {
        return "its keys are out of order"
      }
      used += room
    }
    guard used + unusedByteCount == size - heapStart else {
      return "it has another number of unused bytes than it says"
    }
    return count == 0 ? "it has no entries" : nil
  }

  /// Whether the key of an entry is greater than the one before.
  private func isAscending(_ index: Int) -> Bool {
    hasNumbers
      ? numberKey(index - 1) < numberKey(index)
      : unsafe ByteOrder.compare(bytesKey(index - 1), bytesKey(index)) < 0
  }

  /// The fault of the pointer that an entry has.
  ///
  /// Nothing leads to a later commit. So no pointer of a file is taken for one to the memory of a
  /// writer.
  private func pointerDefect(_ index: Int) -> String? {
    if level > 0, valueCount(index) != PagePointer.byteCount { return "is no pointer" }
    guard level > 0 || isLong(index) else { return nil }
    if pointer(index).commit > commit { return "leads to a later commit" }
    if level == 0, longValueCount(index) >= Format.valueByteLimit { return "has too long a value" }
    return nil
  }

  /// Whether two entries share bytes, so that a change of one would change the other.
  func hasOverlaps(_ size: Int) -> Bool {
    unsafe withUnsafeTemporaryAllocation(of: UInt64.self, capacity: (size + 63) / 64) { taken in
      unsafe taken.initialize(repeating: 0)
      for index in 0..<count {
        var (offset, left) = heapPart(index)
        while left > 0 {
          let length = min(left, 64 - offset % 64)
          let bits = (UInt64.max >> UInt64(64 - length)) << UInt64(offset % 64)
          if unsafe taken[offset / 64] & bits != 0 { return true }
          unsafe taken[offset / 64] |= bits
          (offset, left) = (offset + length, left - length)
        }
      }
      return false
    }
  }
}
