import Glibc

/// The distinct cells of a run, where that makes the chunk smaller.
struct CellDictionary {
  /// The distinct cells in the order of their first appearance.
  private(set) var cells = CellRun()
  /// The distinct cell of each place.
  private(set) var codes: [UInt64] = []

  /// 0, 1, 2, 4 or 8, and more only for long runs of elements.
  var codeWidth: Int {
    let bits = 64 - UInt64(max(cells.count - 1, 0)).leadingZeroBitCount
    if bits <= 2 { return bits }
    return bits <= 4 ? 4 : bits <= 8 ? 8 : bits
  }

  /// Fails where a dictionary would not save at least an eighth.
  ///
  /// Runs whose cells are mostly distinct are given up on early: after 32 without a repetition,
  /// which 256 of 100 different cells hardly ever begin with.
  init?(_ run: CellRun) {
    guard run.count >= 4, run.count <= 1 << 16 else { return nil }
    let tableSize = 1 << (Int.bitWidth - (run.count * 2 - 1).leadingZeroBitCount)
    let isWorthwhile = unsafe withUnsafeTemporaryAllocation(of: Int32.self, capacity: tableSize) {
      table in
      unsafe table.initialize(repeating: -1)
      return unsafe run.bytes.withUnsafeBytes { bytes in
        unsafe run.offsets.withUnsafeBufferPointer { unsafe fill(table, $0, bytes) }
      }
    }
    guard isWorthwhile else { return nil }
    let offsets = PackingFrame.ofOffsets(run.offsets.span)
    let plain = offsets.frame.byteCount(run.count + 1) + run.bytes.count
    let coded =
      PackedView.byteCount(run.count, width: codeWidth) + 4
      + PackingFrame(offsetsUpTo: cells.bytes.count).byteCount(cells.count + 1)
      + cells.bytes.count
    guard coded < plain - plain / 8 else { return nil }
  }

  private mutating func fill(
    _ table: UnsafeMutableBufferPointer<Int32>,
    _ offsets: UnsafeBufferPointer<UInt64>,
    _ bytes: UnsafeRawBufferPointer
  ) -> Bool {
    let count = offsets.count - 1
    let mask = table.count - 1
    // The place at which each distinct cell appeared first, and its fingerprint.
    var places: [(place: Int, print: UInt64)] = []
    var codes = [UInt64](repeating: 0, count: count)
    for place in 0..<count {
      let cell = unsafe Self.cell(place, offsets)
      let print = unsafe Self.fingerprint(cell, bytes)
      var position = Int(truncatingIfNeeded: print &>> 20) & mask
      while true {
        let code = unsafe Int(table[position])
        if code < 0 {
          if place == 32, places.count == 32 { return false }
          if places.count * 2 > count { return false }
          unsafe table[position] = Int32(places.count)
          codes[place] = UInt64(places.count)
          places.append((place, print))
          unsafe cells.bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: bytes[cell]))
          cells.endPlace()
          break
        }
        if places[code].print == print,
          unsafe Self.isEqual(Self.cell(places[code].place, offsets), cell, bytes)
        {
          codes[place] = UInt64(code)
          break
        }
        position = (position + 1) & mask
      }
    }
    self.codes = codes
    return true
  }

  @inline(__always)
  private static func cell(_ place: Int, _ offsets: UnsafeBufferPointer<UInt64>) -> Range<Int> {
    unsafe Int(offsets[place])..<Int(offsets[place + 1])
  }

  /// Whether two cells with the same fingerprint are the same.
  @inline(__always)
  private static func isEqual(
    _ left: Range<Int>,
    _ right: Range<Int>,
    _ bytes: UnsafeRawBufferPointer
  ) -> Bool {
    guard left.count == right.count else { return false }
    // All that eight bytes hold went into the fingerprint, which tells them apart.
    guard left.count > 8, let start = bytes.baseAddress else { return true }
    return unsafe memcmp(start + left.lowerBound, start + right.lowerBound, left.count) == 0
  }

  /// Eight bytes at a time, multiplied and folded; good enough for a table of one chunk.
  ///
  /// Of up to eight bytes each step can be undone, so that no two cells of a length have the same.
  @inline(__always)
  private static func fingerprint(_ cell: Range<Int>, _ bytes: UnsafeRawBufferPointer) -> UInt64 {
    var print = UInt64(truncatingIfNeeded: cell.count) &* 0x9E37_79B9_7F4A_7C15
    var position = cell.lowerBound
    while position &+ 8 <= cell.upperBound {
      unsafe mix(&print, word(bytes, position))
      position &+= 8
    }
    let restCount = cell.upperBound &- position
    var rest: UInt64 = 0
    if position &+ 8 <= bytes.count {
      // With those of the next cell, which are cut off: a loop over so few costs more.
      let bits = UInt64(truncatingIfNeeded: 8 &* restCount)
      rest = unsafe word(bytes, position) & ((1 &<< bits) &- 1)
    } else {
      for offset in 0..<restCount {
        unsafe rest |= UInt64(bytes[position &+ offset]) &<< UInt64(truncatingIfNeeded: 8 &* offset)
      }
    }
    mix(&print, rest)
    return print
  }

  @inline(__always)
  private static func word(_ bytes: UnsafeRawBufferPointer, _ position: Int) -> UInt64 {
    unsafe UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self))
  }

  @inline(__always)
  private static func mix(_ print: inout UInt64, _ word: UInt64) {
    print = (print ^ word) &* 0x9E37_79B9_7F4A_7C15
    print ^= print &>> 29
  }
}
