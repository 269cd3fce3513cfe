import KennelStorage
import Testing

/// Questions about packed numbers, asked of many at once and one by one.
struct PackedScanTests {
  @Test(arguments: [0, 1, 2, 4, 7, 8, 16, 31, 32, 56, 64])
  func `numbers are found in every width as they are one by one`(width: Int) {
    var dice = Dice(UInt64(width) + 1)
    let mask: UInt64 = width == 64 ? .max : (1 << UInt64(width)) - 1
    for count in [0, 1, 7, 8, 9, 63, 64, 65, 200, 255, 256] {
      let bases: [UInt64] = [0, 30, UInt64(bitPattern: -5), UInt64.max - 3, dice.next()]
      for base in bases {
        let numbers: [UInt64] = (0..<count).map { _ in base &+ (dice.next() & mask) }
        let bytes = pack(numbers, base: base, width: width)
        unsafe bytes.withUnsafeBytes { raw in
          guard let address = raw.baseAddress else { return }
          let packed = unsafe PackedView(address, count: count, width: width)
          for start in [0, min(1, count), count / 2] {
            var unpacked = [UInt64](repeating: 0, count: count - start)
            unsafe unpacked.withUnsafeMutableBufferPointer { room in
              guard let target = room.baseAddress else { return }
              unsafe packed.unpack(start..<count, into: target)
            }
            #expect(unpacked == Array(numbers[start...]))
          }
          for question in 0..<12 {
            let number = numbers.randomElement(using: &dice) ?? base
            let start = question % 3 == 0 ? dice.next() : number &- (dice.next() & 3)
            let length: UInt64 =
              switch question % 4 {
              case 0: 0
              case 1: dice.next() & mask
              case 2: dice.next() & 7
              default: dice.next()
              }
            let found = unsafe packed.places(from: start, length: length, count: count)
            for place in 0..<256 {
              let expected = place < count && numbers[place] &- start <= length
              #expect(
                found[place] == expected,
                "\(place) of \(count) from \(start), \(length) more, base \(base)"
              )
            }
          }
        }
      }
    }
  }

  private func pack(_ numbers: [UInt64], base: UInt64, width: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    let frame = PackingFrame(base: base, width: width)
    frame.pack(numbers.span, into: &bytes)
    return bytes
  }
}
