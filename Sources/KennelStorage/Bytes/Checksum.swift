/// CRC-32C, with which the records of a journal end.
///
/// It finds every change of up to 32 neighbouring bits. With eight tables it is about 2 GB/s fast.
package enum Checksum {
  /// The checksum of bytes, or of bytes that continue those of another checksum.
  package static func crc32c(
    _ bytes: UnsafeRawBufferPointer,
    continuing checksum: UInt32 = 0
  ) -> UInt32 {
    unsafe tables.withUnsafeBufferPointer { tables in
      var crc = ~checksum
      var position = 0
      while position &+ 8 <= bytes.count {
        let loaded = unsafe bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self)
        var word = UInt64(littleEndian: loaded) ^ UInt64(crc)
        crc = 0
        for table in stride(from: 7, through: 0, by: -1) {
          unsafe crc ^= tables[table &* 256 &+ Int(word & 255)]
          word &>>= 8
        }
        position &+= 8
      }
      while position < bytes.count {
        crc = unsafe tables[Int((crc ^ UInt32(bytes[position])) & 255)] ^ crc &>> 8
        position &+= 1
      }
      return ~crc
    }
  }

  /// The checksum of an array of bytes.
  package static func crc32c(_ bytes: [UInt8], continuing checksum: UInt32 = 0) -> UInt32 {
    unsafe bytes.withUnsafeBytes { unsafe crc32c($0, continuing: checksum) }
  }

  /// Table k, entry b: what byte b does to the checksum when k bytes follow it.
  private static let tables: [UInt32] = {
    // The polynomial of CRC-32C with its bits reversed.
    let polynomial: UInt32 = 0x82F6_3B78
    var tables = [UInt32](repeating: 0, count: 8 * 256)
    for byte in 0..<256 {
      var crc = UInt32(byte)
      for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ polynomial : crc >> 1 }
      tables[byte] = crc
    }
    for index in 256..<(8 * 256) {
      let previous = tables[index - 256]
      tables[index] = tables[Int(previous & 255)] ^ previous >> 8
    }
    return tables
  }()
}
