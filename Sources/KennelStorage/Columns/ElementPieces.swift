/// Runs of elements as chunks of their own: the pieces of long collections.
///
/// A piece is a chunk with one place; the key, for messages, is that in the tree of pieces.
package enum ElementPieces {
  private static let keysType = ColumnType(.link, .list)

  /// A piece of object keys.
  package static func encode(keys: [UInt64]) -> [UInt8] {
    var writer = ChunkWriter()
    writer.appendKeys(keys, offsets: [0, UInt64(keys.count)])
    return writer.bytes
  }

  /// The object keys of a piece, read in place.
  package static func viewKeys(
    _ bytes: UnsafeRawBufferPointer,
    key: UInt64
  ) throws(StorageError) -> PackedKeys {
    let view = try unsafe ChunkView(bytes, type: keysType, key: ChunkKey(rawValue: key))
    guard case .inline(let keys) = unsafe view.keys(0) else { throw nesting(key) }
    return keys
  }

  /// The object keys of a piece.
  package static func decodeKeys(
    _ bytes: UnsafeRawBufferPointer,
    key: UInt64
  ) throws(StorageError) -> [UInt64] {
    try unsafe viewKeys(bytes, key: key).unpack()
  }

  /// A piece of a list or a set, but not of links, whose pieces hold keys.
  package static func encode(values: [Value], kind: ValueKind) -> [UInt8] {
    var run = ElementRun(ColumnType(kind, .list))
    for value in values { run.append(element: value) }
    return encode(run)
  }

  /// The elements of a piece, read in place.
  package static func viewValues(
    _ bytes: UnsafeRawBufferPointer,
    kind: ValueKind,
    key: UInt64
  ) throws(StorageError) -> ElementRange {
    try unsafe view(bytes, ColumnType(kind, .list), key)
  }

  /// The elements of a piece.
  package static func decodeValues(
    _ bytes: UnsafeRawBufferPointer,
    kind: ValueKind,
    key: UInt64
  ) throws(StorageError) -> [Value] {
    try unsafe viewValues(bytes, kind: kind, key: key).values()
  }

  /// A piece of a map.
  package static func encode(entries: [MapEntry], kind: ValueKind) -> [UInt8] {
    var run = ElementRun(ColumnType(kind, .map))
    for entry in entries { run.append(entry) }
    return encode(run)
  }

  /// The entries of a piece, read in place.
  package static func viewEntries(
    _ bytes: UnsafeRawBufferPointer,
    kind: ValueKind,
    key: UInt64
  ) throws(StorageError) -> ElementRange {
    try unsafe view(bytes, ColumnType(kind, .map), key)
  }

  /// The entries of a piece.
  package static func decodeEntries(
    _ bytes: UnsafeRawBufferPointer,
    kind: ValueKind,
    key: UInt64
  ) throws(StorageError) -> [MapEntry] {
    try unsafe viewEntries(bytes, kind: kind, key: key).entries()
  }

  private static func encode(_ run: ElementRun) -> [UInt8] {
    var run = run
    run.endPlace()
    var writer = ChunkWriter()
    writer.appendElements(run)
    return writer.bytes
  }

  private static func view(
    _ bytes: UnsafeRawBufferPointer,
    _ type: ColumnType,
    _ key: UInt64
  ) throws(StorageError) -> ElementRange {
    let view = try unsafe ChunkView(bytes, type: type, key: ChunkKey(rawValue: key))
    guard case .inline(let elements) = unsafe view.elements(0) else { throw nesting(key) }
    return elements
  }

  private static func nesting(_ key: UInt64) -> StorageError {
    .damaged(in: "piece \(key)", "it lies in pieces of its own")
  }
}
