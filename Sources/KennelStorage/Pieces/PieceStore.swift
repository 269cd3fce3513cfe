package import KennelPages

/// Values that lie outside their chunk: bytes in pieces, and long lists of keys.
///
/// A slice of a long value can be read without the rest.
package enum ExternalBytes {
  /// A piece fills 16 pages exactly.
  package static let pieceByteCount = 16 * 4096
  /// Longer cells lie outside their chunk.
  package static let longestInlineCell = 100
  /// Longer lists of keys lie outside their chunk.
  package static let longestInlineKeyList = 512
  /// Larger other collections lie outside their chunk.
  package static let largestInlineCollection = 512
}

/// The values of a view that lie outside their chunks, each found by its ``ExternalLocation``.
///
/// Bytes are read from the tree of pieces and never change: a new value has a new id. Long lists of
/// keys are opened once and changed in memory (``LongKeyList``).
package final class PieceStore {
  /// Where stored pieces are read.
  ///
  /// Safe to use without checks for exclusive access, as in ``ClusterStore``.
  @safe @exclusivity(unchecked) internal var source: TreeSource
  /// The id of the next value.
  package private(set) var nextID: UInt64
  private let pages: PageStore
  /// Long lists that were opened, by their id.
  private var lists: [UInt64: LongKeyList] = [:]
  /// Values that no object has any more.
  private var dropped: [ExternalLocation] = []

  package init(_ pages: PageStore, _ source: TreeSource, nextID: UInt64) {
    self.pages = pages
    self.source = source
    self.nextID = nextID
  }

  /// A store of the same snapshot with its own copy of the changed lists.
  internal init(copying other: PieceStore) {
    pages = other.pages
    source = other.source
    nextID = other.nextID
    lists = other.lists.filter(\.value.isChanged).mapValues(LongKeyList.init(copying:))
  }

  /// Whether the file ever had a value outside its chunk.
  internal var wasUsed: Bool { nextID > 1 }

  // MARK: - Bytes

  /// All bytes of a value.
  package func bytes(of location: ExternalLocation) throws(StorageError) -> [UInt8] {
    try bytes(of: location, in: 0..<Int(clamping: location.count))
  }

  /// A slice of the bytes of a value; only its pieces are read.
  package func bytes(
    of location: ExternalLocation,
    in range: Range<Int>
  ) throws(StorageError) -> [UInt8] {
    let total = Int(clamping: location.count)
    let range = range.clamped(to: 0..<total)
    let size = ExternalBytes.pieceByteCount
    var result: [UInt8] = []
    // What a damaged file claims is not believed any further than the file has bytes.
    // Asking for its size takes longer than reading a text of a few lines.
    let isLong = range.count > 1 << 20
    let expected = isLong ? min(range.count, pages.fileByteCount) : range.count
    result.reserveCapacity(expected)
    var piece = range.lowerBound / size
    while piece * size < range.upperBound {
      let bytes = try self.piece(location, piece, min(size, total - piece * size))
      let start = max(range.lowerBound - piece * size, 0)
      let end = min(range.upperBound - piece * size, bytes.count)
      result.append(contentsOf: bytes.slice(start..<end))
      piece += 1
    }
    return result
  }

  private func piece(
    _ location: ExternalLocation,
    _ number: Int,
    _ count: Int
  ) throws(StorageError) -> StoredBytes {
    let key = PieceKey.of(location.id, UInt32(clamping: number))
    let name = "piece \(number) of long value \(location.id)"
    guard let stored = try source.get(.pieces, key) else {
      throw .damaged(in: name, "it is missing")
    }
    guard stored.count == count else { throw .damaged(in: name, "it has a wrong length") }
    return stored
  }

  // MARK: - Long lists

  /// Opens a long list, or gives the one that is open.
  internal func list(_ location: ExternalLocation) throws(StorageError) -> LongKeyList {
    if let open = lists[location.id] { return open }
    let key = PieceKey.of(location.id, 0)
    guard let bytes = try source.get(.pieces, key) else {
      throw .damaged(in: "long list \(location.id)", "its directory is missing")
    }
    let list = try LongKeyList(id: location.id, directory: bytes)
    guard list.count == Int(location.count) else {
      throw .damaged(
        in: "long list \(location.id)",
        "it has \(list.count) elements, not \(location.count)"
      )
    }
    lists[location.id] = list
    return list
  }

  /// All keys of a long list.
  internal func keys(_ location: ExternalLocation) throws(StorageError) -> [UInt64] {
    let list = try list(location)
    return try keys(of: list, in: 0..<list.count)
  }

  /// A window of a long list; the range must lie in `0..<count`.
  internal func keys(
    of list: LongKeyList,
    in range: Range<Int>
  ) throws(StorageError) -> [UInt64] {
    guard !range.isEmpty else { return [] }
    var result: [UInt64] = []
    result.reserveCapacity(range.count)
    var (entry, offset) = list.locate(range.lowerBound)
    while result.count < range.count, entry < list.entries.count {
      let keys = try list.keys(ofEntry: entry) { (piece) throws(StorageError) in
        try loadPiece(list.id, piece)
      }
      let end = min(keys.count, offset + range.count - result.count)
      result.append(contentsOf: keys[offset..<end])
      entry += 1
      offset = 0
    }
    return result
  }

  package func loadPiece(_ id: UInt64, _ piece: UInt32) throws(StorageError) -> [UInt64] {
    let key = PieceKey.of(id, piece)
    guard let bytes = try source.get(.pieces, key) else {
      throw .damaged(in: "piece \(piece) of long list \(id)", "it is missing")
    }
    return try KeyPiece.decode(bytes, key: key)
  }

  // MARK: - Storing

  /// Notes that no object has a value any more.
  internal func drop(_ location: ExternalLocation) { dropped.append(location) }

  /// Puts bytes among the pieces that are stored next.
  internal func add(_ bytes: [UInt8], _ pending: inout PendingPieces) -> ExternalLocation {
    let id = takeID()
    var piece: UInt32 = 0
    var start = 0
    repeat {
      let end = min(start + ExternalBytes.pieceByteCount, bytes.count)
      pending.append(PieceKey.of(id, piece), Array(bytes[start..<end]))
      start = end
      piece += 1
    } while start < bytes.count
    return ExternalLocation(id: id, count: UInt64(bytes.count), revision: 0)
  }

  /// Makes a long list, which ``storeLists(into:)`` stores.
  internal func add(keys: [UInt64]) -> ExternalLocation {
    let list = LongKeyList(keys, id: takeID())
    lists[list.id] = list
    return ExternalLocation(id: list.id, count: UInt64(keys.count), revision: 0)
  }

  /// Drops a long list that changes made short, and returns its keys; `nil` where it stays.
  internal func takeShortList(_ location: ExternalLocation) throws(StorageError) -> [UInt64]? {
    guard let list = lists[location.id], list.isChanged, list.count <= 64 else { return nil }
    let keys = try keys(of: list, in: 0..<list.count)
    drop(location)
    return keys
  }

  private func takeID() -> UInt64 {
    defer { nextID += 1 }
    return nextID
  }

  /// Removes the pieces of dropped values and stores the changed lists.
  internal func storeLists(into transaction: Writer) throws(PageStoreError) {
    for location in dropped {
      let first = PieceKey.of(location.id, 0)
      try transaction.deleteRange(.pieces, first...PieceKey.of(location.id, PieceKey.limit - 1))
      lists[location.id] = nil
    }
    dropped = []
    for (id, list) in lists.sorted(by: { $0.key < $1.key }) where list.isChanged {
      for piece in list.dropped { try transaction.delete(.pieces, PieceKey.of(id, piece)) }
      try transaction.put(.pieces, PieceKey.of(id, 0), list.encodedDirectory)
      for entry in list.entries where entry.isChanged {
        let bytes = KeyPiece.encode(entry.keys ?? [])
        try transaction.put(.pieces, PieceKey.of(id, entry.piece), bytes)
      }
      list.markStored()
    }
  }

  /// Forgets the lists that were opened, after they were stored.
  internal func closeLists() { lists = [:] }
}

/// Pieces on their way into their tree, handed over in the order of their keys.
internal struct PendingPieces {
  private let transaction: Writer
  private var pieces: [(key: UInt64, bytes: [UInt8])] = []
  private var byteCount = 0

  init(_ transaction: Writer) {
    self.transaction = transaction
  }

  fileprivate mutating func append(_ key: UInt64, _ bytes: [UInt8]) {
    pieces.append((key, bytes))
    byteCount += bytes.count
  }

  /// Not all need wait: clusters come in order already.
  mutating func flushIfLarge() throws(PageStoreError) {
    if byteCount > 4 << 20 { try flush() }
  }

  mutating func flush() throws(PageStoreError) {
    pieces.sort { $0.key < $1.key }
    for (key, bytes) in pieces { try transaction.put(.pieces, key, bytes) }
    pieces.removeAll(keepingCapacity: true)
    byteCount = 0
  }
}
