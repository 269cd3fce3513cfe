/// The contents of a meta page: a commit.
///
/// | bytes | what |
/// |---|---|
/// | 8 | `Format.magic` |
/// | 4 | `Format.version` |
/// | 4 | the page size |
/// | 16 | the id of the file |
/// | 8 | the number of the commit |
/// | 4 | 1 if the file is encrypted, else 0 |
/// | 4 | the number of pages, up to the last in use |
/// | 4 | 1 if the commit's pages were synchronized before the meta page was written, 2 if it was, too |
/// | 9 × 32 | the roots: pointer, entries, level, keys; the free tree is the last |
/// | 4 | the byte count of the note |
/// | 64 | the note |
/// | 48 | in an encrypted file: the tail of what follows the 1 |
/// | 8 | the checksum of all bytes before |
struct MetaPage: Equatable, Sendable {
  /// The bytes in use, fewer than 512; the rest of the page is not written.
  static let byteCount = headByteCount + bodyByteCount + PageLayout.tailByteCount + 8
  /// The bytes that are never encrypted.
  static let headByteCount = 44
  private static let bodyByteCount =
    8 + (Format.treeLimit + 1) * TreeRoot.byteCount + 4 + Format.noteByteLimit

  var pageSize: Int
  var fileID: FileID
  var commit: UInt64
  let isEncrypted: Bool
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

  init(pageSize: Int, fileID: FileID, isEncrypted: Bool) {
    self.pageSize = pageSize
    self.fileID = fileID
    self.isEncrypted = isEncrypted
    commit = 0
    pageCount = Format.firstPage(pageSize: pageSize)
    roots = Array(repeating: .empty, count: Format.treeLimit + 1)
  }

  var layout: PageLayout { PageLayout(pageSize: pageSize, isEncrypted: isEncrypted) }

  /// The bytes that the file of the commit has at least.
  var byteCount: Int { Int(pageCount) * pageSize }

  /// Where the meta page of a commit lies.
  static func offset(ofCommit commit: UInt64) -> Int { Int(commit & 1) * Format.metaByteCount }

  enum Defect: Error, Equatable {
    case zero
    case foreign
    case beforeRelease
    case version(Int)
    case damaged
    /// It is sound, and in the place of the other.
    case misplaced
    /// It is sound, and needs a cipher.
    case locked
    /// It is sound, and nobody with the key has written it.
    case forged
    /// The system could not read it.
    case unreadable(code: Int32)
  }

  /// Reads a meta page; without a cipher only an open one.
  init(decoding bytes: [UInt8], _ cipher: (any PageCipher)?) throws(Defect) {
    guard bytes.count >= Self.byteCount else { throw .foreign }
    var reader = HeadReader(bytes: bytes)
    let magic = reader.word()
    if magic == Format.magicBeforeRelease { throw .beforeRelease }
    guard magic == Format.magic else { throw bytes.allSatisfy { $0 == 0 } ? .zero : .foreign }
    let version = reader.half()
    guard version == Format.version else { throw .version(Int(version)) }
    pageSize = Int(reader.half())
    fileID = FileID(high: reader.word(), low: reader.word())
    commit = reader.word()
    let encryption = reader.half()
    isEncrypted = encryption == 1
    let sum = HeadReader(bytes: bytes, offset: Self.byteCount - 8).peekedWord
    guard sum == PageSum.of(Array(bytes[..<(Self.byteCount - 8)]), seed: Format.magic),
      Format.isPageSize(pageSize), commit < Format.commitLimit, encryption <= 1
    else { throw .damaged }
    // Anybody can make an open one.
    if cipher != nil, !isEncrypted { throw .forged }
    var body = bytes
    if isEncrypted {
      guard let cipher else { throw .locked }
      guard cipher.open(&body, Self.sealedRange, at: UnitPlace(metaPageOf: commit)) else {
        throw .forged
      }
    }
    reader = HeadReader(bytes: body, offset: Self.headByteCount)
    pageCount = reader.half()
    durability = Durability(rawValue: reader.half()) ?? .unknown
    roots = []
    for _ in 0...Format.treeLimit { roots.append(reader.root()) }
    let noteCount = Int(reader.half())
    guard noteCount <= Format.noteByteLimit else { throw .damaged }
    note = Array(body[reader.offset..<reader.offset + noteCount])
    let (commit, pageCount, pageSize) = (commit, pageCount, pageSize)
    guard pageCount >= Format.firstPage(pageSize: pageSize), pageCount < .max,
      roots.allSatisfy({
        $0.isPossible(commit: commit, pageCount: pageCount, pageSize: pageSize)
      })
    else { throw .damaged }
  }

  /// What an encrypted file has encrypted, tail and all.
  private static let sealedRange = headByteCount..<byteCount - 8

  /// The bytes for the disk.
  ///
  /// - Throws: A `CipherFailure` if the cipher fails.
  func encoded(_ cipher: (any PageCipher)?) throws(CipherFailure) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(Self.byteCount)
    bytes.append(word: Format.magic)
    bytes.append(half: Format.version)
    bytes.append(half: UInt32(pageSize))
    bytes.append(word: fileID.high)
    bytes.append(word: fileID.low)
    bytes.append(word: commit)
    bytes.append(half: isEncrypted ? 1 : 0)
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
    bytes.append(contentsOf: repeatElement(0, count: Self.byteCount - 8 - bytes.count))
    try cipher?.seal(&bytes, Self.sealedRange, at: UnitPlace(metaPageOf: commit))
    bytes.append(word: PageSum.of(bytes, seed: Format.magic))
    return bytes
  }
}

extension PageCipher {
  fileprivate func seal(
    _ bytes: inout [UInt8],
    _ range: Range<Int>,
    at place: UnitPlace
  ) throws(CipherFailure) {
    var failure: CipherFailure?
    unsafe bytes.withUnsafeMutableBytes { bytes in
      do throws(CipherFailure) {
        try unsafe seal(UnsafeMutableRawBufferPointer(rebasing: bytes[range]), at: place)
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
  }

  fileprivate func open(_ bytes: inout [UInt8], _ range: Range<Int>, at place: UnitPlace) -> Bool {
    let sealed = Array(bytes[range])
    return unsafe bytes.withUnsafeMutableBytes { bytes in
      unsafe sealed.withUnsafeBytes { sealed in
        unsafe open(
          sealed,
          at: place,
          into: UnsafeMutableRawBufferPointer(rebasing: bytes[range])
        )
      }
    }
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

/// Reads numbers one after the other, from bytes that have them.
struct HeadReader {
  let bytes: [UInt8]
  var offset: Int

  init(bytes: [UInt8], offset: Int = 0) {
    self.bytes = bytes
    self.offset = offset
  }

  /// The next word, which stays the next.
  var peekedWord: UInt64 {
    var copy = self
    return copy.word()
  }

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
