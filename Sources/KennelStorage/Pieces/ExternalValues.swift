import KennelLMDB

/// Values that lie outside their chunk: bytes in pieces, and long lists of keys.
///
/// A piece of bytes is followed by the CRC-32C of its key and itself, so that a slice of a long
/// value can be read and trusted without the rest.
package enum ExternalBytes {
  /// With the checksum and LMDB's page header a piece fills 16 pages exactly.
  package static let pieceByteCount = 16 * 4096 - 16 - 4
  /// Longer cells lie outside their chunk.
  package static let longestInlineCell = 100
  /// Longer lists of keys lie outside their chunk.
  package static let longestInlineKeyList = 512
  /// Larger other collections lie outside their chunk.
  package static let largestInlineCollection = 512
}

extension StoreView {
  /// All bytes of a value that lies outside its chunk.
  package func externalBytes(_ location: ExternalLocation) throws(StorageError) -> [UInt8] {
    try externalBytes(location, 0..<Int(clamping: location.count))
  }

  /// A slice of the bytes of a value that lies outside its chunk; only its pieces are read.
  package func externalBytes(
    _ location: ExternalLocation,
    _ range: Range<Int>
  ) throws(StorageError) -> [UInt8] {
    let total = Int(clamping: location.count)
    let range = range.clamped(to: 0..<total)
    let size = ExternalBytes.pieceByteCount
    var result: [UInt8] = []
    // What a damaged file claims is not believed any further than the file has bytes.
    // Asking for its size takes longer than reading a text of a few lines.
    let isLong = range.count > 1 << 20
    let expected = isLong ? min(range.count, store.environment.fileSizeInBytes) : range.count
    result.reserveCapacity(expected)
    result.withUnsafeMutableBytes { bytes in
      guard let start = bytes.baseAddress else { return }
      Memory.useHugePages(start, byteCount: expected)
    }
    var piece = range.lowerBound / size
    while piece * size < range.upperBound {
      let bytes = try self.piece(location, piece, min(size, total - piece * size))
      let start = max(range.lowerBound - piece * size, 0)
      let end = min(range.upperBound - piece * size, bytes.count)
      result.append(contentsOf: bytes[start..<end])
      piece += 1
    }
    return result
  }

  private func piece(
    _ location: ExternalLocation,
    _ number: Int,
    _ count: Int
  ) throws(StorageError) -> UnsafeRawBufferPointer {
    let key = PieceKey.of(location.id, UInt32(clamping: number))
    let place = "piece \(number) of long value \(location.id)"
    guard let stored = try source.get(.pieces, key) else {
      throw .damaged(in: place, "it is missing")
    }
    var reader = try ByteReader(checked: stored, for: key, what: place)
    let bytes = try reader.readBytes(count)
    guard reader.isAtEnd else { throw reader.damage("it has a wrong length") }
    return bytes
  }
}
