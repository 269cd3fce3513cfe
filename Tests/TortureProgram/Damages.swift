/// SplitMix64.
struct Dice: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}

/// What may happen to the bytes of a file.
enum Damages: String, CaseIterable {
  case bit
  case byte
  case sixteenBytes
  case manyBytes
  case zeroedPage
  case randomPage
  case anotherPage
  case swappedPages
  case pageHeader
  case metaPage
  case truncation
  case zeroedEnd

  static func damage(_ sound: [UInt8], _ dice: inout Dice) -> ([UInt8], Damages) {
    let kind = allCases.randomElement(using: &dice) ?? .bit
    var bytes = sound
    let pageSize = 4096
    let pages = bytes.count / pageSize
    let page = Int.random(in: 2..<pages, using: &dice) * pageSize
    let other = Int.random(in: 2..<pages, using: &dice) * pageSize
    let place = Int.random(in: 0..<bytes.count, using: &dice)
    func scramble(_ range: Range<Int>, _ dice: inout Dice) {
      for index in range where index < bytes.count {
        bytes[index] = UInt8.random(in: 0...255, using: &dice)
      }
    }
    switch kind {
    case .bit: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &dice)
    case .byte: scramble(place..<place + 1, &dice)
    case .sixteenBytes: scramble(place..<place + 16, &dice)
    case .manyBytes: scramble(place..<place + 256, &dice)
    case .zeroedPage: for index in page..<page + pageSize { bytes[index] = 0 }
    case .randomPage: scramble(page..<page + pageSize, &dice)
    case .anotherPage:
      bytes.replaceSubrange(page..<page + pageSize, with: sound[other..<other + pageSize])
    case .swappedPages:
      bytes.replaceSubrange(page..<page + pageSize, with: sound[other..<other + pageSize])
      bytes.replaceSubrange(other..<other + pageSize, with: sound[page..<page + pageSize])
    case .pageHeader:
      scramble(page + Int.random(in: 0..<24, using: &dice)..<page + 25, &dice)
    case .metaPage:
      let start = Int.random(in: 0..<2, using: &dice) * pageSize
      let offset = start + Int.random(in: 0..<152, using: &dice)
      bytes[offset] ^= 1 << UInt8.random(in: 0..<8, using: &dice)
    case .truncation: bytes.removeLast(Int.random(in: 1..<bytes.count, using: &dice))
    case .zeroedEnd: for index in place..<bytes.count { bytes[index] = 0 }
    }
    return (bytes, kind)
  }
}
