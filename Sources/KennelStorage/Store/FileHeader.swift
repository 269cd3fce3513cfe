import KennelPages

/// Each commit says this of its file, in the bytes that a meta page has for its user: so it costs no
/// page, and has the meta page's checksum.
///
/// | bytes | what |
/// |---|---|
/// | 0…7 | `KENNEL` and two zeros |
/// | 8…11 | format version |
/// | 12…19 | version of the schema, one more after each change of it |
/// | 20…27 | the next id of a value that lies outside its chunk |
package struct FileHeader: Hashable, Sendable {
  /// The key of the schema in the tree `meta`.
  package static let schemaKey: UInt64 = 2
  private static let magic = Array("KENNEL".utf8) + [0, 0]
  private static let byteCount = 28

  /// The oldest format that has everything in the file.
  package var formatVersion = FileFormat.version
  package var schemaVersion: UInt64 = 0
  package var nextPieceID: UInt64 = 1

  package init() {}

  package var encoded: [UInt8] {
    var bytes = Self.magic
    bytes.append(number: formatVersion)
    bytes.append(number: schemaVersion)
    bytes.append(number: nextPieceID)
    return bytes
  }

  package init(decoding bytes: [UInt8], path: String) throws(StorageError) {
    guard bytes.count >= 12, bytes.starts(with: Self.magic) else { throw .notKennel(path: path) }
    self = try bytes.withRawBytes { (bytes) throws(StorageError) in
      try FileHeader(bytes, path)
    }
  }

  private init(_ bytes: StoredBytes, _ path: String) throws(StorageError) {
    var reader = ByteReader(bytes, what: "file header")
    _ = try reader.readBytes(8)
    formatVersion = try reader.read(UInt32.self)
    // A newer format may have a longer header.
    guard formatVersion <= FileFormat.version else {
      throw .newerFormat(
        path: path,
        found: Int(formatVersion),
        supported: Int(FileFormat.version)
      )
    }
    schemaVersion = try reader.read(UInt64.self)
    nextPieceID = try reader.read(UInt64.self)
    guard reader.isAtEnd, nextPieceID >= 1, nextPieceID <= PieceKey.idLimit else {
      throw reader.damage("its parts do not fit together")
    }
  }
}
