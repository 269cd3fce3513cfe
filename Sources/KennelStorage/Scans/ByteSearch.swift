/// Finds bytes in bytes, 64 positions at a time.
///
/// Three bytes of what is wanted, the first, the second and the last, are compared at each
/// position before all of it is: of names that end in numbers, one in ten would pass a look at the
/// first alone.
package struct ByteSearch: Sendable {
  package let wanted: [UInt8]
  private let first: SIMD16<UInt8>
  private let second: SIMD16<UInt8>
  private let last: SIMD16<UInt8>

  /// Fails where nothing is wanted, which is found everywhere.
  package init?(_ wanted: [UInt8]) {
    guard let first = wanted.first, let last = wanted.last else { return nil }
    self.wanted = wanted
    self.first = SIMD16(repeating: first)
    second = SIMD16(repeating: wanted.count > 1 ? wanted[1] : first)
    self.last = SIMD16(repeating: last)
  }

  /// Calls a body with each position at which the bytes are found, ascending; the body says from
  /// where on the next one is looked for.
  @inline(__always)
  package func forEachMatch(in bytes: StoredBytes, _ body: (Int) -> Int) {
    guard let start = unsafe bytes.start, bytes.count >= wanted.count else { return }
    let end = bytes.count &- wanted.count &+ 1
    var position = 0
    var next = 0
    while position &+ 64 <= end {
      var candidates = unsafe candidates(start + position)
      while candidates != 0 {
        let found = position &+ candidates.trailingZeroBitCount
        candidates &= candidates &- 1
        if found >= next, unsafe matches(start + found) { next = body(found) }
      }
      position = max(position &+ 64, next)
    }
    position = max(position, next)
    while position < end {
      position =
        unsafe matches(start + position) ? max(body(position), position &+ 1) : position &+ 1
    }
  }

  @inline(__always)
  private func matches(_ bytes: UnsafeRawPointer) -> Bool {
    for offset in 0..<wanted.count
    where unsafe bytes.load(fromByteOffset: offset, as: UInt8.self) != wanted[offset] {
      return false
    }
    return true
  }

  /// A bit for each of 64 positions that may be one.
  @inline(__always)
  private func candidates(_ bytes: UnsafeRawPointer) -> UInt64 {
    let a = unsafe ones(bytes)
    let b = unsafe ones(bytes + 16)
    let c = unsafe ones(bytes + 32)
    let d = unsafe ones(bytes + 48)
    let any = unsafe unsafeBitCast(a | b | c | d, to: SIMD2<UInt64>.self)
    if any[0] | any[1] == 0 { return 0 }
    return gathered(a) | gathered(b) &<< 16 | gathered(c) &<< 32 | gathered(d) &<< 48
  }

  @inline(__always)
  private func ones(_ bytes: UnsafeRawPointer) -> SIMD16<UInt8> {
    let step = wanted.count > 1 ? 1 : 0
    let a = unsafe bytes.loadUnaligned(as: SIMD16<UInt8>.self)
    let b = unsafe bytes.loadUnaligned(fromByteOffset: step, as: SIMD16<UInt8>.self)
    let c = unsafe bytes.loadUnaligned(fromByteOffset: wanted.count &- 1, as: SIMD16<UInt8>.self)
    let differs = (a ^ first) | (b ^ second) | (c ^ last)
    return SIMD16<UInt8>.zero.replacing(with: SIMD16(repeating: 1), where: differs .== .zero)
  }

  @inline(__always)
  private func gathered(_ ones: SIMD16<UInt8>) -> UInt64 {
    let halves = unsafe unsafeBitCast(ones, to: SIMD2<UInt64>.self)
    let low = (halves[0] &* 0x0102_0408_1020_4080) &>> 56
    let high = (halves[1] &* 0x0102_0408_1020_4080) &>> 56
    return low | high &<< 8
  }
}
