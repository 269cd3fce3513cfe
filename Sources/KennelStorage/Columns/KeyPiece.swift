/// A piece of a long list of keys: a chunk with one place.
package enum KeyPiece {
  package static func encode(_ keys: [UInt64]) -> [UInt8] {
    var writer = ChunkWriter()
    writer.appendKeys(keys, offsets: [0, UInt64(keys.count)])
    return writer.bytes
  }

  /// The keys of a piece; errors name its key in the tree of pieces.
  package static func decode(_ bytes: StoredBytes, key: UInt64) throws(StorageError) -> [UInt64] {
    let type = ColumnType(.link, .list)
    let view = try ChunkView(bytes, type: type, key: ChunkKey(rawValue: key))
    guard case .inline(let keys) = view.keys(0) else {
      throw .damaged(in: "piece \(key)", "it lies in pieces of its own")
    }
    return keys.unpack()
  }
}
