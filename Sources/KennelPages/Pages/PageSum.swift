/// The checksum of pages and values.
///
/// Words are multiplied to 128 bits whose halves are combined, in four lanes that do not wait for
/// each other. It is no CRC: stored values may end with a CRC of their own, and a CRC over bytes and
/// their CRC does not depend on the bytes, so that it would accept an old value in a new page.
package enum PageSum {
  /// The checksum of bytes.
  static func of(_ bytes: UnsafeRawBufferPointer, seed: UInt64) -> UInt64 {
    var first = seed ^ 0x2D35_8DCC_AA6C_78A5
    var second = seed &+ 0x8BB8_4B93_962E_ACC9
    var third: UInt64 = 0x4B33_A62E_D433_D4A3
    var fourth: UInt64 = 0x4D5A_2DA5_1DE1_AA47
    guard let base = bytes.baseAddress else { return finished(first, second, third, fourth, 0) }
    @inline(__always)
    func word(_ offset: Int) -> UInt64 {
      unsafe UInt64(littleEndian: base.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }
    var offset = 0
    while offset &+ 64 <= bytes.count {
      first = mixed(word(offset) ^ 0x1F2C_9B3D_55A8_E0C7, word(offset &+ 8) ^ first)
      second = mixed(word(offset &+ 16) ^ 0x6A09_E667_F3BC_C909, word(offset &+ 24) ^ second)
      third = mixed(word(offset &+ 32) ^ 0xBB67_AE85_84CA_A73B, word(offset &+ 40) ^ third)
      fourth = mixed(word(offset &+ 48) ^ 0x3C6E_F372_FE94_F82B, word(offset &+ 56) ^ fourth)
      offset &+= 64
    }
    while offset &+ 8 <= bytes.count {
      first = mixed(word(offset) ^ 0x1F2C_9B3D_55A8_E0C7, first ^ 0xA54F_F53A_5F1D_36F1)
      offset &+= 8
    }
    var rest: UInt64 = 0
    while offset < bytes.count {
      rest = rest &<< 8 | UInt64(unsafe bytes[offset])
      offset &+= 1
    }
    second = mixed(rest ^ 0x6A09_E667_F3BC_C909, second ^ UInt64(bytes.count))
    return finished(first, second, third, fourth, UInt64(bytes.count))
  }

  /// The checksum of bytes.
  package static func of(_ bytes: [UInt8], seed: UInt64) -> UInt64 {
    unsafe bytes.withUnsafeBytes { unsafe of($0, seed: seed) }
  }

  /// The checksum that a pointer holds for the bytes of a page or a run.
  package static func pointer(
    _ bytes: UnsafeRawBufferPointer,
    number: UInt32,
    commit: UInt64
  ) -> UInt32 {
    let seed = commit &* 0xD6E8_FEB8_6659_FD93 ^ UInt64(number)
    let sum = unsafe of(bytes, seed: seed)
    return UInt32(truncatingIfNeeded: sum ^ sum >> 32)
  }

  @inline(__always)
  private static func finished(
    _ first: UInt64,
    _ second: UInt64,
    _ third: UInt64,
    _ fourth: UInt64,
    _ count: UInt64
  ) -> UInt64 {
    mixed(
      mixed(first ^ count, second ^ 0x510E_527F_ADE6_82D1),
      mixed(third, fourth ^ 0x9B05_688C_2B3E_6C1F) ^ 0x1F83_D9AB_FB41_BD6B
    )
  }

  @inline(__always)
  private static func mixed(_ one: UInt64, _ other: UInt64) -> UInt64 {
    let product = one.multipliedFullWidth(by: other)
    return product.high ^ product.low
  }
}
