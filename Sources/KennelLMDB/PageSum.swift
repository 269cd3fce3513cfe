/// The checksum of the pages of a commit.
///
/// It must not be a CRC-32C: stored values end with their own CRC-32C, and a CRC over bytes and
/// their CRC does not depend on the bytes. Such a checksum once accepted an old page. This one
/// multiplies words, two at a time, to 128 bits and combines the halves, in four independent lanes.
package struct PageSum {
  private var lanes: SIMD4<UInt64> = [
    0x9E37_79B9_7F4A_7C15, 0xD1B5_4A32_D192_ED03, 0x8CB9_2BA7_2F3D_8DD7, 0xABC9_8388_FB8F_AC03,
  ]

  package init() {}

  /// The checksum of bytes whose count is a multiple of eight.
  package static func of(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    var sum = PageSum()
    unsafe sum.add(bytes)
    return sum.value
  }

  /// Adds bytes whose count is a multiple of eight.
  package mutating func add(_ bytes: UnsafeRawBufferPointer) {
    guard let base = bytes.baseAddress else { return }
    @inline(__always)
    func word(_ offset: Int) -> UInt64 {
      unsafe UInt64(littleEndian: base.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }
    var (first, second, third, fourth) = (lanes[0], lanes[1], lanes[2], lanes[3])
    var offset = 0
    while offset &+ 64 <= bytes.count {
      first = Self.mixed(word(offset) ^ 0xE703_7ED1_A0B4_28DB, word(offset &+ 8) ^ first)
      second = Self.mixed(word(offset &+ 16) ^ 0xA076_1D64_78BD_642F, word(offset &+ 24) ^ second)
      third = Self.mixed(word(offset &+ 32) ^ 0x5899_65CC_7537_4CC3, word(offset &+ 40) ^ third)
      fourth = Self.mixed(word(offset &+ 48) ^ 0x1D8E_4E27_C47D_124F, word(offset &+ 56) ^ fourth)
      offset &+= 64
    }
    while offset &+ 8 <= bytes.count {
      first = Self.mixed(word(offset) ^ 0xE703_7ED1_A0B4_28DB, first)
      offset &+= 8
    }
    lanes = [first, second, third, fourth]
  }

  package var value: UInt64 {
    Self.mixed(
      Self.mixed(lanes[0], lanes[1] ^ 0x9FB2_1C65_1E98_DF25),
      Self.mixed(lanes[2], lanes[3] ^ 0xC2B2_AE3D_27D4_EB4F) ^ 0x1656_67B1_9E37_79F9
    )
  }

  @inline(__always)
  private static func mixed(_ one: UInt64, _ other: UInt64) -> UInt64 {
    let product = one.multipliedFullWidth(by: other)
    return product.high ^ product.low
  }
}
