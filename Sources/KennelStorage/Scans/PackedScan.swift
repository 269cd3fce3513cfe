/// Comparing packed numbers without unpacking them.
///
/// A question about numbers becomes one about their distances from the base, asked of sixteen at
/// once: 256 numbers of 8 bits take 20 ns, where unpacking and comparing took 240. A chunk none or
/// all of whose numbers can be meant is not looked at.
extension PackedView {
  /// The places, of the first `count`, whose number is `start` or up to `length` more; both as
  /// numbers that wrap around.
  @unsafe package func places(from start: UInt64, length: UInt64, count: Int) -> PlaceSet {
    // Distances from `first` on, and those from 0 on that come after the greatest of all numbers.
    let first = start &- base
    let (end, wraps) = first.addingReportingOverflow(length)
    var places = PlaceSet()
    if first <= mask {
      places = unsafe self.places(of: first...(wraps ? mask : min(end, mask)), count: count)
    }
    if wraps { places = unsafe places.union(self.places(of: 0...min(end, mask), count: count)) }
    return places
  }

  /// The places, of the first `count`, whose distance from the base lies in a range that ends at
  /// the greatest distance at most.
  @unsafe package func places(of distances: ClosedRange<UInt64>, count: Int) -> PlaceSet {
    if distances.lowerBound == 0, distances.upperBound == mask {
      return PlaceSet(first: count)
    }
    var places = PlaceSet()
    switch width {
    case 1: fill(&places, count) { $0.bits(of: distances, $1) }
    case 2: fill(&places, count) { $0.pairs(of: distances, $1) }
    case 4: fill(&places, count) { $0.nibbles(of: distances, $1) }
    case 8: fill(&places, count) { $0.bytes(of: distances, $1) }
    case 16: fill(&places, count) { $0.halves(of: distances, $1) }
    case 32: fill(&places, count) { $0.quarters(of: distances, $1) }
    case 64: fill(&places, count) { $0.wholes(of: distances, $1) }
    default: places = placesOneByOne(of: distances, count: count)
    }
    return count & 255 == 0 ? places : places.intersection(PlaceSet(first: count))
  }

  private func placesOneByOne(of distances: ClosedRange<UInt64>, count: Int) -> PlaceSet {
    var places = PlaceSet()
    let length = distances.upperBound &- distances.lowerBound
    let low = base &+ distances.lowerBound
    for place in 0..<count where unsafe self[place] &- low <= length { places[place] = true }
    return places
  }

  /// Asks for sixteen answers at a time; the last few numbers are copied to where sixteen can be
  /// read.
  @inline(__always)
  private func fill(
    _ places: inout PlaceSet,
    _ count: Int,
    _ answers: (PackedView, Int) -> UInt64
  ) {
    let whole = count &>> 4
    var group = 0
    while group < whole {
      let end = min(group &+ 4, whole)
      var bits: UInt64 = 0
      var shift: UInt64 = 0
      let word = group &>> 2
      while group < end {
        bits |= answers(self, group) &<< shift
        shift &+= 16
        group &+= 1
      }
      places.words[word] = bits
    }
    let rest = count & 15
    if rest == 0 { return }
    var room: [16 of UInt64] = .init(repeating: 0)
    unsafe withUnsafeMutableBytes(of: &room) { room in
      let byteCount = (width &* rest &+ 7) &>> 3
      let source = unsafe UnsafeRawBufferPointer(
        start: start + 2 &* whole &* width,
        count: byteCount
      )
      unsafe room.copyMemory(from: source)
      guard let address = room.baseAddress else { return }
      let few = unsafe PackedView(start: UnsafeRawPointer(address), like: self)
      places.words[whole &>> 2] |= answers(few, 0) &<< UInt64(16 &* (whole & 3))
    }
  }

  private init(start: UnsafeRawPointer, like other: PackedView) {
    unsafe self.start = start
    base = other.base
    width = other.width
    mask = other.mask
  }

  // MARK: - Sixteen at a time

  @inline(__always)
  private func bits(of distances: ClosedRange<UInt64>, _ group: Int) -> UInt64 {
    let bits = unsafe start.loadUnaligned(fromByteOffset: 2 &* group, as: UInt16.self)
    return UInt64(distances.lowerBound == 1 ? bits : ~bits)
  }

  @inline(__always)
  private func pairs(of distances: ClosedRange<UInt64>, _ group: Int) -> UInt64 {
    let word = unsafe start.loadUnaligned(fromByteOffset: 4 &* group, as: UInt32.self)
    return pairs(of: distances, UInt64(word & 0xFFFF))
      | pairs(of: distances, UInt64(word &>> 16)) &<< 8
  }

  @inline(__always)
  private func pairs(of distances: ClosedRange<UInt64>, _ eight: UInt64) -> UInt64 {
    var word = (eight | eight &<< 24) & 0x0000_00FF_0000_00FF
    word = (word | word &<< 12) & 0x000F_000F_000F_000F
    word = (word | word &<< 6) & 0x0303_0303_0303_0303
    return Self.gathered(Self.small(word, distances))
  }

  @inline(__always)
  private func nibbles(of distances: ClosedRange<UInt64>, _ group: Int) -> UInt64 {
    let word = unsafe start.loadUnaligned(fromByteOffset: 8 &* group, as: UInt64.self)
    let even = Self.small(word & 0x0F0F_0F0F_0F0F_0F0F, distances)
    let odd = Self.small(word &>> 4 & 0x0F0F_0F0F_0F0F_0F0F, distances)
    // Eight bytes of two answers each: four of them are moved together by one multiplication.
    let both = even | odd &<< 1
    let factor: UInt64 = 1 << 24 | 1 << 18 | 1 << 12 | 1 << 6
    let low = ((both & 0xFFFF_FFFF) &* factor) &>> 24 & 0xFF
    let high = ((both &>> 32) &* factor) &>> 24 & 0xFF
    return low | high &<< 8
  }

  /// Which of eight bytes, all below 16, lie in a range, as ones: adding carries into a byte's
  /// highest bit where it is large enough.
  @inline(__always)
  private static func small(_ bytes: UInt64, _ distances: ClosedRange<UInt64>) -> UInt64 {
    let all: UInt64 = 0x0101_0101_0101_0101
    let isLarge = bytes &+ (128 &- distances.lowerBound) &* all
    let isTooLarge = bytes &+ (127 &- distances.upperBound) &* all
    return (isLarge & ~isTooLarge) &>> 7 & all
  }

  /// The lowest bits of eight bytes, the first byte's lowest.
  @inline(__always)
  private static func gathered(_ bytes: UInt64) -> UInt64 {
    (bytes &* 0x0102_0408_1020_4080) &>> 56
  }

  // The vectors have types of their own each: of a generic one the compiler makes no vector.

  @inline(__always)
  private func bytes(of distances: ClosedRange<UInt64>, _ group: Int) -> UInt64 {
    let words = unsafe start.loadUnaligned(fromByteOffset: 16 &* group, as: SIMD16<UInt8>.self)
    let low = SIMD16(repeating: UInt8(truncatingIfNeeded: distances.lowerBound))
    let length = UInt8(truncatingIfNeeded: distances.upperBound &- distances.lowerBound)
    let isIn: SIMDMask<SIMD16<Int8>> = (words &- low) .<= SIMD16<UInt8>(repeating: length)
    let ones = SIMD16<UInt8>(repeating: 0)
      .replacing(with: SIMD16<UInt8>(repeating: 1), where: isIn)
    let parts = unsafe unsafeBitCast(ones, to: SIMD2<UInt64>.self)
    return Self.gathered(parts[0]) | Self.gathered(parts[1]) &<< 8
  }

  @inline(__always)
  private func halves(of distances: ClosedRange<UInt64>, _ group: Int) -> UInt64 {
    let low = SIMD8(repeating: UInt16(truncatingIfNeeded: distances.lowerBound))
    let length = UInt16(truncatingIfNeeded: distances.upperBound &- distances.lowerBound)
    let factor: UInt64 = 1 << 48 | 1 << 33 | 1 << 18 | 1 << 3
    var answers: UInt64 = 0
    for half in 0..<2 {
      let offset = 32 &* group &+ 16 &* half
      let words = unsafe start.loadUnaligned(fromByteOffset: offset, as: SIMD8<UInt16>.self)
      let isIn: SIMDMask<SIMD8<Int16>> = (words &- low) .<= SIMD8<UInt16>(repeating: length)
      let ones = SIMD8<UInt16>(repeating: 0)
        .replacing(with: SIMD8<UInt16>(repeating: 1), where: isIn)
      let parts = unsafe unsafeBitCast(ones, to: SIMD2<UInt64>.self)
      let lower = (parts[0] &* factor) &>> 48 & 15
      let upper = (parts[1] &* factor) &>> 48 & 15
      answers |= (lower | upper &<< 4) &<< UInt64(8 &* half)
    }
    return answers
  }

  @inline(__always)
  private func quarters(of distances: ClosedRange<UInt64>, _ group: Int) -> UInt64 {
    let low = SIMD4(repeating: UInt32(truncatingIfNeeded: distances.lowerBound))
    let length = UInt32(truncatingIfNeeded: distances.upperBound &- distances.lowerBound)
    var answers: UInt64 = 0
    for quarter in 0..<4 {
      let offset = 64 &* group &+ 16 &* quarter
      let words = unsafe start.loadUnaligned(fromByteOffset: offset, as: SIMD4<UInt32>.self)
      let isIn: SIMDMask<SIMD4<Int32>> = (words &- low) .<= SIMD4<UInt32>(repeating: length)
      let ones = SIMD4<UInt32>(repeating: 0)
        .replacing(with: SIMD4<UInt32>(repeating: 1), where: isIn)
      let parts = unsafe unsafeBitCast(ones, to: SIMD2<UInt64>.self)
      let four = (parts[0] | parts[0] &>> 31) & 3 | ((parts[1] | parts[1] &>> 31) & 3) &<< 2
      answers |= four &<< UInt64(4 &* quarter)
    }
    return answers
  }

  @inline(__always)
  private func wholes(of distances: ClosedRange<UInt64>, _ group: Int) -> UInt64 {
    let length = distances.upperBound &- distances.lowerBound
    var answers: UInt64 = 0
    for lane in 0..<16 {
      let offset = 128 &* group &+ 8 &* lane
      let word = unsafe start.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      answers |= (word &- distances.lowerBound <= length ? 1 : 0) &<< UInt64(lane)
    }
    return answers
  }
}
