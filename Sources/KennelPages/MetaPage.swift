/// The contents of a meta page: a commit.
///
/// | bytes | what |
/// |---|---|
/// | 8 | `Format.magic` |
/// | 4 | `Format.version` |
/// | 4 | the page size |
/// | 16 | the id of the file |
/// | 8 | the number of the commit |
/// | 4 | the number of pages, up to the last in use |
/// | 4 | 1 if the commit's pages were synchronized before the meta page was written, 2 if it was, too |
/// | 9 × 32 | the roots: pointer, entries, level, keys; the free tree is the last |
/// | 4 | the byte count of the note |
/// | 64 | the note |
/// | 8 | the checksum of all bytes before |
struct MetaPage: Equatable, Sendable {
  /// The bytes in use, fewer than 512; the rest of the page is not written.
  static let byteCount =
    48 + (Format.treeLimit + 1) * TreeRoot.byteCount + 4
    + Format.noteByteLimit + 8

  var pageSize: Int
  var fileID: FileID
  var commit: UInt64
  var pageCount: UInt32
  var durability = Durability.unknown
  var roots: [TreeRoot]
  /// Bytes of the user.
  var note: [UInt8] = []

  /// Says which parts of a commit are on the disk for certain if its meta page is.
  enum Durability: UInt32 {
    case unknown
    case pages
    /// The pages and the meta page itself.
    case everything
  }

  init(pageSize: Int, fileID: FileID) {
    self.pageSize = pageSize
    self.fileID = fileID
    commit = 0
    pageCount = Format.firstPage(pageSize: pageSize)
    roots = Array(repeating: .empty, count: Format.treeLimit + 1)
  }

  /// The bytes that the file of the commit has at least.
  var byteCount: Int { Int(pageCount) * pageSize }

  /// Where the meta page of a commit lies.
  static func offset(ofCommit commit: UInt64) -> Int { Int(commit & 1) * Format.metaByteCount }

  enum Defect: Error, Equatable {
    case zero
    case foreign
    case version(Int)
    case damaged
    /// It is sound, and in the place of the other.
    case misplaced
  }

  /// Reads a meta page.
  init(decoding bytes: [UInt8]) throws(Defect) {
    guard bytes.count >= Self.byteCount else { throw .foreign }
    var reader = MetaReader(bytes: bytes)
    let magic = reader.word()
    guard magic == Format.magic else { throw bytes.allSatisfy { $0 == 0 } ? .zero : .foreign }
    let version = reader.half()
    guard version == Format.version else { throw .version(Int(version)) }
    pageSize = Int(reader.half())
    fileID = FileID(high: reader.word(), low: reader.word())
    commit = reader.word()
    pageCount = reader.half()
    durability = Durability(rawValue: reader.half()) ?? .unknown
    roots = []
    for _ in 0...Format.treeLimit { roots.append(reader.root()) }
    let noteCount = Int(reader.half())
    guard Format.isPageSize(pageSize), noteCount <= Format.noteByteLimit else { throw .damaged }
    note = Array(bytes[reader.offset..<reader.offset + noteCount])
    reader.offset += Format.noteByteLimit
    let sum = PageSum.of(Array(bytes[..<reader.offset]), seed: Format.magic)
    let (commit, pageCount, pageSize) = (commit, pageCount, pageSize)
    guard reader.word() == sum, pageCount >= Format.firstPage(pageSize: pageSize),
      pageCount < .max, commit < Format.commitLimit,
      roots.allSatisfy({
        $0.isPossible(commit: commit, pageCount: pageCount, pageSize: pageSize)
      })
    else { throw .damaged }
  }

  var encoded: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(Self.byteCount)
    bytes.append(word: Format.magic)
    bytes.append(half: Format.version)
    bytes.append(half: UInt32(pageSize))
    bytes.append(word: fileID.high)
    bytes.append(word: fileID.low)
    bytes.append(word: commit)
    bytes.append(half: pageCount)
    bytes.append(half: durability.rawValue)
    for root in roots {
      bytes.append(word: root.pointer.commit)
      bytes.append(half: root.pointer.number)
      bytes.append(half: root.pointer.checksum)
      bytes.append(word: root.entries)
      bytes.append(half: UInt32(root.level))
      bytes.append(half: UInt32(root.keys))
    }
    bytes.append(half: UInt32(note.count))
    bytes.append(contentsOf: note)
    bytes.append(contentsOf: repeatElement(0, count: Format.noteByteLimit - note.count))
    bytes.append(word: PageSum.of(bytes, seed: Format.magic))
    return bytes
  }
}

/// The identity that a file keeps for its life, whatever its name.
package struct FileID: Hashable, Sendable {
  package let high: UInt64
  package let low: UInt64

  package init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  static var random: FileID {
    var random = SystemRandomNumberGenerator()
    return FileID(high: random.next(), low: random.next())
  }
}

private struct MetaReader {
  let bytes: [UInt8]
  var offset = 0

  init(bytes: [UInt8]) { self.bytes = bytes }

  mutating func word() -> UInt64 { UInt64(half()) | UInt64(half()) << 32 }

  mutating func half() -> UInt32 {
    defer { offset += 4 }
    return (0..<4).reduce(0) { $0 | UInt32(bytes[offset + $1]) << UInt32(8 * $1) }
  }

  mutating func root() -> TreeRoot {
    let commit = word()
    let number = half()
    let pointer = PagePointer(number: number, commit: commit, checksum: half())
    let entries = word()
    let level = Int(half())
    return TreeRoot(
      pointer: pointer,
      entries: entries,
      level: level,
      keys: UInt8(truncatingIfNeeded: half())
    )
  }
}

extension [UInt8] {
  mutating func append(word: UInt64) {
    append(half: UInt32(truncatingIfNeeded: word))
    append(half: UInt32(truncatingIfNeeded: word >> 32))
  }

  mutating func append(half: UInt32) {
    for shift in stride(from: 0, to: 32, by: 8) as StrideTo<UInt32> {
      append(UInt8(truncatingIfNeeded: half >> shift))
    }
  }
}
