/// A list of object keys that is too long for its chunk: a directory and pieces of up to 2,048
/// keys, each a value of its own in the tree of pieces.
///
/// An insertion or removal anywhere rewrites one piece and the directory (16 bytes per 1,024
/// keys), never the list. Backlinks are such lists whose keys ascend, so that one of a million
/// is found by two binary searches.
///
/// Directory, under piece number 0 of the list's id: per piece its number (u32), its count (u32)
/// and its first key (u64). Pieces are chunks of one place
/// (``KeyPiece``).
package final class LongKeyList {
  package struct Entry: Hashable {
    package var piece: UInt32
    package var count: Int
    package var first: UInt64
    /// The keys, once they were read.
    package var keys: [UInt64]?
    package var isChanged = false
  }

  /// Names the pieces in the tree; 0 until the list is stored.
  package private(set) var id: UInt64
  package private(set) var entries: [Entry]
  package private(set) var count: Int
  package private(set) var isChanged = false
  /// Numbers of stored pieces that are no longer part of the list.
  package private(set) var dropped: [UInt32] = []
  private var nextPiece: UInt32

  /// A piece is split when it gets longer than this.
  private static let longestPiece = 2048
  private static let freshPiece = 1024

  /// A list that is not stored yet.
  package init(_ keys: [UInt64], id: UInt64) {
    self.id = id
    entries = []
    count = keys.count
    nextPiece = 1
    var start = 0
    while start < keys.count {
      let end = min(start + Self.freshPiece, keys.count)
      let piece = Array(keys[start..<end])
      entries.append(
        Entry(piece: nextPiece, count: piece.count, first: piece[0], keys: piece, isChanged: true)
      )
      nextPiece += 1
      start = end
    }
    isChanged = true
  }

  package init(copying other: LongKeyList) {
    id = other.id
    entries = other.entries
    count = other.count
    isChanged = other.isChanged
    dropped = other.dropped
    nextPiece = other.nextPiece
  }

  /// Opens a stored list by its directory.
  package init(id: UInt64, directory bytes: StoredBytes) throws(StorageError) {
    self.id = id
    entries = []
    count = 0
    nextPiece = 1
    var reader = ByteReader(bytes, key: PieceKey.of(id, 0), what: "directory of a long list")
    while !reader.isAtEnd {
      let piece = try reader.read(UInt32.self)
      let pieceCount = Int(try reader.read(UInt32.self))
      let first = try reader.read(UInt64.self)
      guard piece > 0, piece < PieceKey.limit, pieceCount > 0 else {
        throw reader.damage("it names a piece that cannot be")
      }
      entries.append(Entry(piece: piece, count: pieceCount, first: first))
      count += pieceCount
      nextPiece = max(nextPiece, piece + 1)
    }
  }

  /// The directory as it is stored.
  package var encodedDirectory: [UInt8] {
    var bytes: [UInt8] = []
    for entry in entries {
      bytes.append(number: entry.piece)
      bytes.append(number: UInt32(entry.count))
      bytes.append(number: entry.first)
    }
    return bytes
  }

  /// Marks everything as stored, after its changed pieces were.
  package func markStored() {
    isChanged = false
    dropped = []
    for index in entries.indices { entries[index].isChanged = false }
  }

  /// The keys of a piece, read with `load` where they are not known yet.
  package func keys(
    ofEntry index: Int,
    _ load: (UInt32) throws(StorageError) -> [UInt64]
  ) throws(StorageError) -> [UInt64] {
    if let keys = entries[index].keys { return keys }
    let keys = try load(entries[index].piece)
    guard keys.count == entries[index].count, keys.first == entries[index].first else {
      throw .damaged(
        in: "piece \(entries[index].piece) of long list \(id)",
        "it does not hold what the directory says"
      )
    }
    entries[index].keys = keys
    return keys
  }

  /// The entry that holds a position, and the position within it.
  package func locate(_ position: Int) -> (entry: Int, offset: Int) {
    var rest = position
    for (index, entry) in entries.enumerated() {
      if rest < entry.count { return (index, rest) }
      rest -= entry.count
    }
    return (max(entries.count - 1, 0), entries.last?.count ?? 0)
  }

  /// Changes the keys of one entry, which must have been read.
  private func edit(_ index: Int, _ change: (inout [UInt64]) -> Void) {
    var keys = entries[index].keys ?? []
    entries[index].keys = nil
    count -= keys.count
    change(&keys)
    count += keys.count
    isChanged = true
    if keys.isEmpty {
      dropped.append(entries[index].piece)
      entries.remove(at: index)
    } else if keys.count > Self.longestPiece {
      let tail = Array(keys[Self.freshPiece...])
      keys.removeSubrange(Self.freshPiece...)
      let piece = takePiece()
      entries.insert(
        Entry(piece: piece, count: tail.count, first: tail[0], keys: tail, isChanged: true),
        at: index + 1
      )
      store(keys, at: index)
    } else {
      store(keys, at: index)
    }
  }

  /// A number that no piece of the list has.
  ///
  /// A list that is used like a queue runs out of numbers at its end one day and finds them at its
  /// beginning.
  private func takePiece() -> UInt32 {
    guard nextPiece >= PieceKey.limit else {
      defer { nextPiece += 1 }
      return nextPiece
    }
    let used = Set(entries.map(\.piece))
    var piece: UInt32 = 1
    while used.contains(piece) { piece += 1 }
    return piece
  }

  private func store(_ keys: [UInt64], at index: Int) {
    entries[index].first = keys[0]
    entries[index].count = keys.count
    entries[index].keys = keys
    entries[index].isChanged = true
  }

  package func insert(
    _ key: UInt64,
    at position: Int,
    _ load: (UInt32) throws(StorageError) -> [UInt64]
  ) throws(StorageError) {
    if entries.isEmpty {
      entries = [Entry(piece: takePiece(), count: 1, first: key, keys: [key], isChanged: true)]
      count = 1
      isChanged = true
      return
    }
    let (index, offset) = locate(position)
    _ = try keys(ofEntry: index, load)
    edit(index) { $0.insert(key, at: offset) }
  }

  package func remove(
    at position: Int,
    _ load: (UInt32) throws(StorageError) -> [UInt64]
  ) throws(StorageError) -> UInt64 {
    let (index, offset) = locate(position)
    let removed = try keys(ofEntry: index, load)[offset]
    edit(index) { $0.remove(at: offset) }
    return removed
  }

  /// Where a key stands, or would stand, in a list whose keys ascend.
  package func lowerBound(
    _ key: UInt64,
    _ load: (UInt32) throws(StorageError) -> [UInt64]
  ) throws(StorageError) -> (position: Int, isFound: Bool) {
    // The last entry whose first key is below the key can hold it; so can the start of the next.
    var index = entries.partitioningIndex { $0.first >= key }
    if index > 0 { index -= 1 }
    var before = entries[..<index].reduce(0) { $0 + $1.count }
    while index < entries.count {
      let keys = try keys(ofEntry: index, load)
      let offset = keys.partitioningIndex { $0 >= key }
      if offset < keys.count { return (before + offset, keys[offset] == key) }
      before += keys.count
      index += 1
    }
    return (before, false)
  }
}
