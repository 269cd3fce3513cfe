/// The header of a cluster: which of its places hold a live object, and which chunks
/// it has.
///
/// | bytes | what |
/// |---|---|
/// | 0…1 | places in use, live or dead, 1…256 |
/// | 2…3 | number of property columns that have a chunk |
/// | 4…5 | number of backlink columns that have a chunk |
/// | 6…7 | zero |
/// | 8…39 | a bit per place, set where an object lives |
/// | 40…47 | the number of the cluster before this one, all ones where there is none |
/// | 48… | the property columns, then the backlink columns, two bytes each, ascending |
///
/// The list of chunks makes a missing chunk certain: a chunk that the header names and the tree
/// does not have is damage, not null. The chain of predecessors does the same for headers.
package struct ClusterHeader: Hashable, Sendable {
  /// Places in use, live or dead.
  package var count = 0
  /// A bit per place, set where an object lives.
  package var live = PlaceSet()
  /// The cluster of the class before this one.
  package var previous: UInt64?
  /// The property columns that have a chunk, ascending.
  package var columns: [UInt16] = []
  /// The backlink columns that have a chunk, ascending.
  package var backlinkColumns: [UInt16] = []

  package init(previous: UInt64?) {
    self.previous = previous
  }

  package var encoded: [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(number: UInt16(count))
    bytes.append(number: UInt16(columns.count))
    bytes.append(number: UInt16(backlinkColumns.count))
    bytes.append(number: UInt16(0))
    for index in 0..<4 { bytes.append(number: live.words[index]) }
    bytes.append(number: previous ?? .max)
    for column in columns + backlinkColumns { bytes.append(number: column) }
    return bytes
  }

  package init(decoding bytes: StoredBytes, for key: ChunkKey) throws(StorageError) {
    var reader = ByteReader(bytes, key: key.rawValue, what: "cluster header")
    count = Int(try reader.read(UInt16.self))
    let columnCount = Int(try reader.read(UInt16.self))
    let backlinkColumnCount = Int(try reader.read(UInt16.self))
    _ = try reader.read(UInt16.self)
    for index in 0..<4 { live.words[index] = try reader.read(UInt64.self) }
    let before = try reader.read(UInt64.self)
    previous = before == .max ? nil : before
    columns = try Self.readColumns(&reader, columnCount)
    backlinkColumns = try Self.readColumns(&reader, backlinkColumnCount)
    let isSound =
      (1...256).contains(count) && live.isEmpty(from: count) && reader.isAtEnd
      && (previous.map { $0 < key.cluster } ?? true)
    guard isSound else { throw reader.damage("its parts do not fit together") }
  }

  private static func readColumns(
    _ reader: inout ByteReader,
    _ count: Int
  ) throws(StorageError) -> [UInt16] {
    var columns: [UInt16] = []
    columns.reserveCapacity(count)
    for _ in 0..<count {
      let column = try reader.read(UInt16.self)
      guard column < 4095, columns.last.map({ $0 < column }) ?? true else {
        throw reader.damage("its list of chunks is not ascending")
      }
      columns.append(column)
    }
    return columns
  }
}

extension Cluster {
  /// The cluster of a stored header, for a class with so many columns.
  ///
  /// Checks what ``ClusterHeader/init(decoding:for:)`` checks, without making arrays.
  static func load(
    _ bytes: StoredBytes,
    _ key: ChunkKey,
    properties: Int,
    backlinks: Int
  ) throws(StorageError) -> Cluster {
    var reader = ByteReader(bytes, key: key.rawValue, what: "cluster header")
    let count = Int(try reader.read(UInt16.self))
    let columnCount = Int(try reader.read(UInt16.self))
    let backlinkColumnCount = Int(try reader.read(UInt16.self))
    _ = try reader.read(UInt16.self)
    var live = PlaceSet()
    for index in 0..<4 { live.words[index] = try reader.read(UInt64.self) }
    let before = try reader.read(UInt64.self)
    let previous = before == .max ? nil : before
    var rest = reader
    let lastColumn = try rest.lastColumn(of: columnCount)
    let lastBacklinkColumn = try rest.lastColumn(of: backlinkColumnCount)
    let isSound =
      (1...256).contains(count) && live.isEmpty(from: count) && rest.isAtEnd
      && (previous.map { $0 < key.cluster } ?? true)
    guard isSound else { throw reader.damage("its parts do not fit together") }
    let cluster = Cluster.make(
      key.classKey,
      key.cluster,
      ClusterFacts(count: count, live: live, previous: previous),
      properties: max(properties, lastColumn + 1),
      backlinks: max(backlinks, lastBacklinkColumn + 1)
    )
    let chunks = cluster.body.chunks
    for _ in 0..<columnCount {
      chunks[Int(try reader.read(UInt16.self))] = ChunkEntry(isStored: true)
    }
    for _ in 0..<backlinkColumnCount {
      let column = Int(try reader.read(UInt16.self))
      chunks[cluster.body.pointee.propertyCount + column] = ChunkEntry(isStored: true)
    }
    return cluster
  }
}

extension ByteReader {
  /// Reads ascending columns; the last one, or −1 without any.
  fileprivate mutating func lastColumn(of count: Int) throws(StorageError) -> Int {
    var last = -1
    for _ in 0..<count {
      let column = Int(try read(UInt16.self))
      guard column < 4095, column > last else {
        throw damage("its list of chunks is not ascending")
      }
      last = column
    }
    return last
  }
}
