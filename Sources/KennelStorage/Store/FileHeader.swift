/// The header of a file, in LMDB's main tree beside the names of the trees.
///
/// Every commit writes it, and writes a page of the main tree for the roots of the trees that
/// changed: there the header costs no page of its own.
///
/// | bytes | what |
/// |---|---|
/// | 0…7 | `KENNEL` and two zeros |
/// | 8…11 | format version |
/// | 12…27 | the file's id, random, kept by copies |
/// | 28…35 | version of the schema, one more after each change of it |
/// | 36…43 | the next id of a value that lies outside its chunk |
/// | 44…51 | the number of the commit |
/// | 52…55 | CRC-32C of the header's key and the bytes before |
package struct FileHeader: Hashable, Sendable {
  /// What its checksum begins with: its key in the tree `meta`, where the first files have it.
  package static let key: UInt64 = 1
  package static let schemaKey: UInt64 = 2
  private static let magic = Array("KENNEL".utf8) + [0, 0]

  package var formatVersion: UInt32
  package var id: UUIDValue
  package var schemaVersion: UInt64
  package var nextPieceID: UInt64
  package var commitNumber: UInt64
  /// Whether the file has it in `meta` as yet; the next commit moves it.
  package var isInMeta = false

  package init(id: UUIDValue) {
    formatVersion = FileFormat.version
    self.id = id
    schemaVersion = 0
    nextPieceID = 1
    commitNumber = 0
  }

  package var encoded: [UInt8] {
    var writer = ByteWriter()
    writer.append(bytes: Self.magic)
    writer.append(formatVersion)
    writer.append(id.high.byteSwapped)
    writer.append(id.low.byteSwapped)
    writer.append(schemaVersion)
    writer.append(nextPieceID)
    writer.append(commitNumber)
    writer.appendChecksum(for: Self.key)
    return writer.bytes
  }

  package init(decoding bytes: UnsafeRawBufferPointer, path: String) throws(StorageError) {
    guard bytes.count >= 12, unsafe bytes.prefix(8).elementsEqual(Self.magic) else {
      throw .notKennel(path: path)
    }
    // A newer format may have a longer header, so its version is read before anything else.
    let version = unsafe UInt32(
      littleEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt32.self)
    )
    let isNewer = version > FileFormat.version
    let newer = StorageError.newerFormat(
      path: path,
      found: Int(version),
      supported: Int(FileFormat.version)
    )
    if isNewer, bytes.count != 56 { throw newer }
    var reader = try unsafe ByteReader(checked: bytes, for: Self.key, what: "file header")
    if isNewer { throw newer }
    _ = try unsafe reader.readBytes(8)
    formatVersion = try reader.read(UInt32.self)
    let high = try reader.read(UInt64.self).byteSwapped
    let low = try reader.read(UInt64.self).byteSwapped
    id = UUIDValue(high: high, low: low)
    schemaVersion = try reader.read(UInt64.self)
    nextPieceID = try reader.read(UInt64.self)
    commitNumber = try reader.read(UInt64.self)
    guard reader.isAtEnd, nextPieceID >= 1, nextPieceID <= PieceKey.idLimit else {
      throw reader.damage("its parts do not fit together")
    }
  }
}
