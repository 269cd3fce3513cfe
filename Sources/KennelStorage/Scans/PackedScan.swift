/// Comparing packed numbers without unpacking them to words.
///
/// Most numbers take eight bits or less: their distances from the base become bytes, sixteen of which
/// are compared at once.
extension PackedView {
  /// The places, of the first `count`, whose number is `start` or up to `length` more; both as
  /// numbers that wrap around.
  package func places(from start: UInt64, length: UInt64, count: Int) -> PlaceSet {
    guard unsafe width <= 8 else {
      return PlaceSet(first: count).places { unsafe self[$0] &- start <= length }
    }
    // Distances from `first` on, and those from 0 on that come after the greatest of all numbers.
    let first = unsafe start &- base
    let (end, wraps) = first.addingReportingOverflow(length)
    var places = PlaceSet()
    if unsafe first <= mask {
      places = unsafe self.places(of: first...(wraps ? mask : min(end, mask)), count: count)
    }
    if wraps { places = unsafe places.union(self.places(of: 0...min(end, mask), count: count)) }
    return places
  }

  /// The places whose distance from the base, of eight bits at most, lies in a range.
  private func places(of distances: ClosedRange<UInt64>, count: Int) -> PlaceSet {
    let reached = PlaceSet(first: count)
    if distances.lowerBound == 0, unsafe distances.upperBound == mask { return reached }
    let low = SIMD16(repeating: UInt8(truncatingIfNeeded: distances.lowerBound))
    let length = UInt8(truncatingIfNeeded: distances.upperBound &- distances.lowerBound)
    var places = PlaceSet()
    unsafe withUnsafeTemporaryAllocation(byteCount: 256, alignment: 16) { bytes in
      unsafe bytes.initializeMemory(as: UInt8.self, repeating: 0)
      unsafe unpackDistances(count, into: bytes)
      for group in 0..<(count &+ 15) &>> 4 {
        let sixteen = unsafe bytes.load(fromByteOffset: 16 &* group, as: SIMD16<UInt8>.self)
        let isIn = (sixteen &- low) .<= SIMD16(repeating: length)
        let ones = SIMD16<UInt8>.zero.replacing(with: SIMD16(repeating: 1), where: isIn)
        let halves = unsafe unsafeBitCast(ones, to: SIMD2<UInt64>.self)
        let bits = unsafe Self.gathered(halves[0]) | Self.gathered(halves[1]) &<< 8
        places.words[group &>> 2] |= bits &<< UInt64(16 &* (group & 3))
      }
    }
    return places.intersection(reached)
  }

  private func unpackDistances(_ count: Int, into bytes: UnsafeMutableRawBufferPointer) {
    switch unsafe width {
    case 8:
      unsafe bytes.copyMemory(from: UnsafeRawBufferPointer(start: start, count: count))
    case 4:
      for pair in 0..<(count &+ 1) &>> 1 {
        let both = unsafe start.load(fromByteOffset: pair, as: UInt8.self)
        unsafe bytes[2 &* pair] = both & 15
        unsafe bytes[2 &* pair &+ 1] = both &>> 4
      }
    default:
      for place in 0..<count {
        unsafe bytes[place] = unsafe UInt8(truncatingIfNeeded: self[place] &- base)
      }
    }
  }

  /// The lowest bits of eight bytes, the first byte's lowest.
  @inline(__always)
  private static func gathered(_ bytes: UInt64) -> UInt64 {
    (bytes &* 0x0102_0408_1020_4080) &>> 56
  }
}
