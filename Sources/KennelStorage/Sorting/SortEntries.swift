/// A number to sort by, and whose it is.
///
/// The digit lies in two parts of 32 bits: an entry takes 12 bytes, and not 16.
struct SortEntry {
  private let high: UInt32
  private let low: UInt32
  let index: UInt32

  @inline(__always)
  init(digit: UInt64, index: UInt32) {
    high = UInt32(truncatingIfNeeded: digit &>> 32)
    low = UInt32(truncatingIfNeeded: digit)
    self.index = index
  }

  var digit: UInt64 {
    @inline(__always) get { UInt64(high) &<< 32 | UInt64(low) }
  }
}

/// The memory of a sort, and the sorting of plain numbers in it.
///
/// Many numbers are dealt out by their highest byte that differs until a heap of them fits the
/// processor's cache, and each heap is sorted by one byte after the other, the last first. A
/// million numbers take 25 ms so; byte after byte over all of them 60, by comparing 150.
///
/// Safe to use: it owns its memory; only its pointers are unsafe.
@safe final class SortEntries {
  let entries: UnsafeMutablePointer<SortEntry>
  /// Room for entries that are moved, of which a sort touches as much as its greatest heap takes.
  private let scratch: UnsafeMutableRawPointer
  private let count: Int
  /// How often each value of each of a digit's eight bytes occurs.
  private let counts: UnsafeMutablePointer<Int>

  /// Up to this many are sorted by insertion.
  static let small = 16
  /// Up to this many are sorted by comparing: counting takes longer to set up.
  private static let medium = 128
  /// Up to this many, and as much room again, fit the second level of a cache.
  private static let large = 1 << 15
  /// After about this many it is time to tell how far the sort is.
  private static let pace = 1 << 14

  init(count: Int) {
    self.count = count
    unsafe entries = .allocate(capacity: count)
    let (size, alignment) = (MemoryLayout<SortEntry>.stride, MemoryLayout<UInt64>.alignment)
    unsafe scratch = .allocate(byteCount: max(count, 1) * size, alignment: alignment)
    unsafe counts = .allocate(capacity: 8 * 256)
  }

  deinit {
    unsafe entries.deallocate()
    unsafe scratch.deallocate()
    unsafe counts.deallocate()
  }

  /// Sorts the entries of a range by their digits, which stay in order where alike.
  ///
  /// Where there are many, `goesOn` is told now and then up to which position the range is sorted.
  /// Where it says no, the sort ends, and says no itself.
  func sort(_ range: Range<Int>, goesOn: (Int) -> Bool) -> Bool {
    let count = range.count
    let start = unsafe entries + range.lowerBound
    if count <= Self.small {
      unsafe sortByInsertion(start, count)
      return true
    }
    if count <= Self.medium {
      var group = unsafe UnsafeMutableBufferPointer(start: start, count: count)
      unsafe group.sort {
        $0.digit == $1.digit ? $0.index < $1.index : $0.digit < $1.digit
      }
      return true
    }
    if count <= Self.large {
      unsafe sortByBytes(start, room(count), count)
      return true
    }
    guard goesOn(range.lowerBound) else { return false }
    let moved = unsafe room(count)
    unsafe moved.update(from: start, count: count)
    return deal(range, goesOn: goesOn) { unsafe moved[$0] }
  }

  private func room(_ count: Int) -> UnsafeMutablePointer<SortEntry> {
    unsafe scratch.bindMemory(to: SortEntry.self, capacity: count)
  }

  /// Sorts all positions by numbers that a body writes, which stay in order where alike.
  ///
  /// The body returns nil to leave all as it is. The numbers lie where entries are moved later: there is
  /// no room of their own for them.
  func sortAll<Result>(
    _ fill: (UnsafeMutablePointer<UInt64>) -> Result?,
    goesOn: (Int) -> Bool
  ) -> (result: Result, isSorted: Bool)? {
    let digits = unsafe scratch.bindMemory(to: UInt64.self, capacity: count)
    guard let result = unsafe fill(digits) else { return nil }
    guard goesOn(0) else { return (result, false) }
    let isSorted = deal(0..<count, goesOn: goesOn) {
      unsafe SortEntry(digit: digits[$0], index: UInt32(truncatingIfNeeded: $0))
    }
    return (result, isSorted)
  }

  private func sortByInsertion(_ entries: UnsafeMutablePointer<SortEntry>, _ count: Int) {
    for next in 1..<max(count, 1) {
      let moving = unsafe entries[next]
      var place = next
      // What is alike stays where it was: the entries come in the order of their positions.
      while place > 0, unsafe moving.digit < entries[place &- 1].digit {
        unsafe entries[place] = entries[place &- 1]
        place &-= 1
      }
      unsafe entries[place] = moving
    }
  }

  /// Makes a heap for each value of the highest eight bits that differ, and sorts each.
  @inline(__always)
  private func deal(
    _ range: Range<Int>,
    goesOn: (Int) -> Bool,
    entry: (Int) -> SortEntry
  ) -> Bool {
    let target = unsafe entries + range.lowerBound
    let first = entry(0).digit
    var differing: UInt64 = 0
    for index in 0..<range.count { differing |= entry(index).digit ^ first }
    let shift = UInt64(max(0, 56 - differing.leadingZeroBitCount))
    var heaps = [Int](repeating: 0, count: 257)
    unsafe heaps.withUnsafeMutableBufferPointer { heaps in
      guard let heaps = heaps.baseAddress else { return }
      for index in 0..<range.count {
        unsafe heaps[Int(truncatingIfNeeded: entry(index).digit &>> shift & 255) &+ 1] &+= 1
      }
      for value in 0..<256 { unsafe heaps[value &+ 1] &+= heaps[value] }
      for index in 0..<range.count {
        let entry = entry(index)
        let value = Int(truncatingIfNeeded: entry.digit &>> shift & 255)
        unsafe target[heaps[value]] = entry
        unsafe heaps[value] &+= 1
      }
    }
    if differing == 0 { return true }
    // Each heap's begin has moved to its end.
    var begin = range.lowerBound
    var told = begin
    for value in 0..<256 {
      let end = range.lowerBound + heaps[value]
      if end - begin > 1, !sort(begin..<end, goesOn: goesOn) { return false }
      begin = end
      if end - told >= Self.pace {
        told = end
        if !goesOn(end) { return false }
      }
    }
    return true
  }

  /// Sorts by one byte after the other, the last first, and skips bytes that are all alike.
  private func sortByBytes(
    _ entries: UnsafeMutablePointer<SortEntry>,
    _ scratch: UnsafeMutablePointer<SortEntry>,
    _ count: Int
  ) {
    let first = unsafe entries[0].digit
    var differing: UInt64 = 0
    for index in 0..<count { unsafe differing |= entries[index].digit ^ first }
    var source = unsafe entries
    var target = unsafe scratch
    for byte in 0..<8 where differing &>> UInt64(8 &* byte) & 255 != 0 {
      let shift = UInt64(8 &* byte)
      let starts = unsafe counts + 256 &* (byte & 1)
      unsafe starts.update(repeating: 0, count: 256)
      for index in 0..<count {
        unsafe starts[Int(truncatingIfNeeded: source[index].digit &>> shift & 255)] &+= 1
      }
      var start = 0
      for value in 0..<256 {
        let number = unsafe starts[value]
        unsafe starts[value] = start
        start &+= number
      }
      for index in 0..<count {
        let entry = unsafe source[index]
        let value = Int(truncatingIfNeeded: entry.digit &>> shift & 255)
        unsafe target[starts[value]] = entry
        unsafe starts[value] &+= 1
      }
      unsafe swap(&source, &target)
    }
    if unsafe source != entries { unsafe entries.update(from: source, count: count) }
  }
}
