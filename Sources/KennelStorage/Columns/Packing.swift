/// Numbers in a frame of reference: a base and, for each number, its distance from the base in a
/// fixed number of bits.
///
/// | bytes | what |
/// |---|---|
/// | (count × width + 7) / 8 | the distances, lowest bits first |
/// | 8 | the base |
///
/// The base comes last so that 8 bytes can be loaded wherever a distance begins. A width is at
/// most 56 bits, or 64: a distance and the bits before it in its first byte fit 8 bytes.
///
/// Safe to pass around while the bytes are valid: only reading numbers, whose positions are not checked,
/// is unsafe.
@usableFromInline
@safe package struct PackedView {
  @usableFromInline package let start: UnsafeRawPointer
  @usableFromInline package let base: UInt64
  @usableFromInline package let width: Int
  @usableFromInline package let mask: UInt64

  /// Trusts that the bytes are there.
  @inlinable
  package init(_ start: UnsafeRawPointer, count: Int, width: Int) {
    unsafe self.start = start
    self.width = width
    mask = width == 64 ? .max : (1 &<< UInt64(truncatingIfNeeded: width)) &- 1
    let baseOffset = (count &* width &+ 7) &>> 3
    unsafe base = UInt64(
      littleEndian: start.loadUnaligned(fromByteOffset: baseOffset, as: UInt64.self)
    )
  }

  /// Stands where there are no numbers; nothing may be read from it.
  static var none: PackedView { PackedView() }

  private init() {
    unsafe start = UnsafeRawPointer(bitPattern: 8).unsafelyUnwrapped
    base = 0
    width = 0
    mask = 0
  }

  /// The bytes that `count` numbers of `width` bits take.
  @inlinable
  package static func byteCount(_ count: Int, width: Int) -> Int {
    (count &* width &+ 7) &>> 3 &+ 8
  }

  /// Whether a width can be one.
  @inlinable
  package static func isWidth(_ width: Int) -> Bool {
    width >= 0 && width <= 56 || width == 64
  }

  /// A number; the position is not checked.
  @inlinable
  @unsafe package subscript(position: Int) -> UInt64 {
    let bit = position &* width
    let loaded = unsafe start.loadUnaligned(fromByteOffset: bit &>> 3, as: UInt64.self)
    let shift = UInt64(truncatingIfNeeded: bit & 7)
    return (UInt64(littleEndian: loaded) &>> shift) & mask &+ base
  }

  /// A number of those whose width is 8; the position is not checked.
  @inlinable
  @unsafe func byte(_ position: Int) -> UInt64 {
    unsafe UInt64(start.load(fromByteOffset: position, as: UInt8.self)) &+ base
  }

  /// The greatest number that a distance of this width can make, if none wraps around.
  package var bound: UInt64? {
    let (bound, wraps) = base.addingReportingOverflow(mask)
    return wraps ? nil : bound
  }

  /// Whether the first `count` numbers are all below a limit.
  @unsafe package func isBelow(_ limit: UInt64, count: Int) -> Bool {
    if let bound, bound < limit { return true }
    for position in 0..<count where unsafe self[position] >= limit { return false }
    return true
  }

  /// Copies the numbers at `range` to `output`.
  package func unpack(_ range: Range<Int>, into output: UnsafeMutablePointer<UInt64>) {
    switch width {
    case 0: unsafe output.update(repeating: base, count: range.count)
    case 4 where range.lowerBound & 1 == 0: unsafe unpackNibbles(range, into: output)
    case 8: unsafe unpack(range, as: UInt8.self, into: output)
    case 16: unsafe unpack(range, as: UInt16.self, into: output)
    case 32: unsafe unpack(range, as: UInt32.self, into: output)
    case 64: unsafe unpack(range, as: UInt64.self, into: output)
    default:
      for position in range { unsafe output[position &- range.lowerBound] = self[position] }
    }
  }

  private func unpackNibbles(_ range: Range<Int>, into output: UnsafeMutablePointer<UInt64>) {
    let source = unsafe start + range.lowerBound &>> 1
    for position in 0..<range.count &>> 1 {
      let both = unsafe UInt64(source.load(fromByteOffset: position, as: UInt8.self))
      unsafe output[2 &* position] = both & 15 &+ base
      unsafe output[2 &* position &+ 1] = both &>> 4 &+ base
    }
    guard range.count & 1 == 1 else { return }
    unsafe output[range.count &- 1] = self[range.upperBound &- 1]
  }

  @inline(__always)
  private func unpack<Word: FixedWidthInteger & UnsignedInteger & BitwiseCopyable>(
    _ range: Range<Int>,
    as type: Word.Type,
    into output: UnsafeMutablePointer<UInt64>
  ) {
    let size = MemoryLayout<Word>.size
    let source = unsafe start + range.lowerBound &* size
    for position in 0..<range.count {
      let word = unsafe source.loadUnaligned(fromByteOffset: position &* size, as: Word.self)
      unsafe output[position] = UInt64(truncatingIfNeeded: Word(littleEndian: word)) &+ base
    }
  }
}

/// The base and width that numbers can be packed with.
package struct PackingFrame {
  package let base: UInt64
  package let width: Int

  /// Which widths are chosen from.
  package enum Widths {
    /// 0, 1, 2, 4, 8, 16, 32 and 64: what scans unpack fast.
    case powersOfTwo
    /// 0…56 and 64: what is smallest.
    case any
  }

  /// The smallest frame that holds the numbers, read as signed.
  package init(of words: Span<UInt64>, _ widths: Widths) {
    var least = Int64.max
    var greatest = Int64.min
    for index in words.indices {
      let number = Int64(bitPattern: words[index])
      least = min(least, number)
      greatest = max(greatest, number)
    }
    guard least <= greatest else {
      self.init(base: 0, width: 0)
      return
    }
    let spread = UInt64(bitPattern: greatest &- least)
    self.init(base: UInt64(bitPattern: least), width: Self.width(of: spread, widths))
  }

  /// The frame of ascending numbers that begin with 0, such as offsets.
  package init(offsetsUpTo last: Int) {
    self.init(base: 0, width: Self.width(of: UInt64(last), .any))
  }

  /// The frame of ascending numbers that begin with 0, and the slope with which it is smallest: what
  /// each number is more than the one before it, beside what is packed.
  ///
  /// Offsets of parts that are equally long take no room then.
  package static func ofOffsets(_ offsets: Span<UInt64>) -> (frame: PackingFrame, slope: UInt64) {
    let last = offsets.count - 1
    let plain = PackingFrame(offsetsUpTo: Int(offsets[last]))
    guard last > 0 else { return (plain, 0) }
    let slope = offsets[last] / UInt64(last)
    guard slope > 0, slope <= UInt64(UInt32.max) else { return (plain, 0) }
    var least = Int64.max
    var greatest = Int64.min
    var line: UInt64 = 0
    for index in offsets.indices {
      let distance = Int64(bitPattern: offsets[index] &- line)
      least = min(least, distance)
      greatest = max(greatest, distance)
      line &+= slope
    }
    let width = width(of: UInt64(bitPattern: greatest &- least), .any)
    let saved = plain.byteCount(offsets.count) - PackedView.byteCount(offsets.count, width: width)
    guard saved > 4 else { return (plain, 0) }
    return (PackingFrame(base: UInt64(bitPattern: least), width: width), slope)
  }

  package init(base: UInt64, width: Int) {
    self.base = base
    self.width = width
  }

  private static func width(of spread: UInt64, _ widths: Widths) -> Int {
    let bits = 64 - spread.leadingZeroBitCount
    if bits <= 1 || bits > 56 { return bits > 56 ? 64 : bits }
    switch widths {
    case .powersOfTwo: return 1 << (Int.bitWidth - (bits - 1).leadingZeroBitCount)
    case .any: return bits
    }
  }

  package func byteCount(_ count: Int) -> Int { PackedView.byteCount(count, width: width) }

  /// Appends what numbers have beyond a line, and the base.
  package func pack(_ offsets: Span<UInt64>, slope: UInt64, into output: inout [UInt8]) {
    if slope == 0 || width == 0 {
      pack(offsets, into: &output)
      return
    }
    unsafe withUnsafeTemporaryAllocation(of: UInt64.self, capacity: offsets.count) { rest in
      var line: UInt64 = 0
      for position in 0..<offsets.count {
        unsafe rest.initializeElement(at: position, to: offsets[position] &- line)
        line &+= slope
      }
      unsafe pack(rest.span, into: &output)
    }
  }

  /// Appends the numbers and the base.
  package func pack(_ words: Span<UInt64>, into output: inout [UInt8]) {
    let start = output.count
    let size = byteCount(words.count)
    output.append(contentsOf: repeatElement(0, count: size))
    unsafe output.withUnsafeMutableBytes { bytes in
      guard let address = bytes.baseAddress else { return }
      let target = unsafe address + start
      switch width {
      case 0: break
      case 8: unsafe pack(words, as: UInt8.self, to: target)
      case 16: unsafe pack(words, as: UInt16.self, to: target)
      case 32: unsafe pack(words, as: UInt32.self, to: target)
      case 64: unsafe pack(words, as: UInt64.self, to: target)
      default: unsafe packBits(words, to: target)
      }
      unsafe target.storeBytes(of: base.littleEndian, toByteOffset: size - 8, as: UInt64.self)
    }
  }

  @inline(__always)
  private func pack<Word: FixedWidthInteger & UnsignedInteger & BitwiseCopyable>(
    _ words: Span<UInt64>,
    as type: Word.Type,
    to target: UnsafeMutableRawPointer
  ) {
    for position in 0..<words.count {
      let distance = Word(truncatingIfNeeded: words[position] &- base)
      unsafe target.storeBytes(
        of: distance.littleEndian,
        toByteOffset: position &* MemoryLayout<Word>.size,
        as: Word.self
      )
    }
  }

  /// Each store reaches 8 bytes from where its distance begins, at most into the base, which is
  /// written last.
  private func packBits(_ words: Span<UInt64>, to target: UnsafeMutableRawPointer) {
    var bit = 0
    var pending: UInt64 = 0
    for index in words.indices {
      let shift = UInt64(truncatingIfNeeded: bit & 7)
      let combined = pending | (words[index] &- base) &<< shift
      unsafe target.storeBytes(of: combined.littleEndian, toByteOffset: bit &>> 3, as: UInt64.self)
      let next = bit &+ width
      // What the next distance shares with the bytes that are already written.
      pending = combined &>> UInt64(truncatingIfNeeded: (next &>> 3 &- bit &>> 3) &* 8)
      bit = next
    }
  }
}
