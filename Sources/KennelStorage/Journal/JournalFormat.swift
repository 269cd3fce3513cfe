// The journal of a draft
//
// What a person has changed and not committed lies in a file of its own, so that it survives the end
// of the program. A journal is read once, from the front, by the next program; so it is a header and
// a chain of entries, little-endian:
//
// | bytes | header |
// |---|---|
// | 0…7 | `KNLDRAFT` |
// | 8…11 | version of the format, 1 |
// | 12…15 | length of the header, its checksum included |
// | 16…31 | id of the database file |
// | 32…39 | number of the commit that the draft began on |
// | 40… | path of the database file, UTF-8 |
// | last 4 | CRC-32C of all before |
//
// | bytes | entry |
// |---|---|
// | 8 | length of the body |
// | length | body |
// | 4 | CRC-32C of length and body, continuing the checksum before |
//
// Invariants:
//
// 1. Whole entries before any damage are the first operations of a draft, in their order: each
//    checksum continues the one before, so an entry counts only where it was written.
// 2. The header keeps its form in every version: a later one is told from damage.
// 3. What changes behind the last entry that stays is written to a file that takes the name of this
//    one when it is complete. A process that dies leaves the one or the other.

/// Why a journal cannot be kept or read.
package enum JournalFault: Error, Hashable, Sendable {
  /// The system refused, with this code.
  case system(Int32)
  /// It is damaged, so that nothing can be read.
  case damaged(String)
  /// It has the format of a later version.
  case newerFormat(Int)
}

/// The draft as a whole, as a journal tells it.
package struct JournalHeader: Hashable, Sendable {
  package static let version = 1
  private static let magic = Array("KNLDRAFT".utf8)
  private static let fixedLength = 40

  /// The id of the database file.
  package var fileID: UUIDValue
  /// The commit that the draft began on.
  package var baseCommit: UInt64
  /// Where the database file lay.
  package var path: String

  package init(fileID: UUIDValue, baseCommit: UInt64, path: String) {
    self.fileID = fileID
    self.baseCommit = baseCommit
    self.path = path
  }

  package var encoded: [UInt8] {
    var bytes = Self.magic
    bytes.append(number: UInt32(Self.version))
    bytes.append(number: UInt32(Self.fixedLength + path.utf8.count + 4))
    bytes.append(number: fileID.high)
    bytes.append(number: fileID.low)
    bytes.append(number: baseCommit)
    bytes.append(contentsOf: path.utf8)
    bytes.append(number: Checksum.crc32c(bytes))
    return bytes
  }

  /// Reads the header at the front of a journal.
  internal init(
    _ bytes: [UInt8]
  ) throws(JournalFault) {
    guard bytes.starts(with: Self.magic), bytes.count >= Self.fixedLength + 4 else {
      throw .damaged("it does not begin as a journal does")
    }
    let length = Int(bytes.number(at: 12, as: UInt32.self))
    guard length >= Self.fixedLength + 4, length <= bytes.count,
      bytes.number(at: length - 4, as: UInt32.self) == bytes.checksum(0..<length - 4)
    else { throw .damaged("its beginning is not what was written") }
    let version = Int(bytes.number(at: 8, as: UInt32.self))
    guard version <= Self.version else { throw .newerFormat(version) }
    fileID = UUIDValue(
      high: bytes.number(at: 16, as: UInt64.self),
      low: bytes.number(at: 24, as: UInt64.self)
    )
    baseCommit = bytes.number(at: 32, as: UInt64.self)
    path = String(decoding: bytes[Self.fixedLength..<length - 4], as: UTF8.self)
    headerLength = length
  }

  /// How long the header is that was read.
  internal private(set) var headerLength = 0

  package static func == (left: Self, right: Self) -> Bool {
    left.fileID == right.fileID && left.baseCommit == right.baseCommit
      && left.path.hasSameBytes(as: right.path)
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(fileID)
    hasher.combine(baseCommit)
  }
}

/// Where an entry of a journal ends, and the checksum up to there.
package struct JournalMark: Hashable, Sendable {
  package var end: Int
  package var checksum: UInt32
}

/// The decoded bytes of a journal.
package struct JournalContents: Sendable {
  package let header: JournalHeader
  /// The bodies of all whole entries before any damage.
  package let bodies: [ArraySlice<UInt8>]
  /// Where the header and each entry end.
  package let marks: [JournalMark]
  /// How many bytes follow that are no whole entry.
  package let lostByteCount: Int

  package init(_ bytes: [UInt8]) throws(JournalFault) {
    header = try JournalHeader(bytes)
    let start = header.headerLength
    var marks = [JournalMark(end: start, checksum: bytes.number(at: start - 4, as: UInt32.self))]
    var bodies: [ArraySlice<UInt8>] = []
    var last = marks[0]
    while let next = Self.entry(in: bytes, after: last) {
      bodies.append(bytes[last.end + 8..<next.end - 4])
      marks.append(next)
      last = next
    }
    self.bodies = bodies
    self.marks = marks
    lostByteCount = bytes.count - last.end
  }

  /// How many bytes follow the first few entries.
  package func lostByteCount(after count: Int) -> Int {
    guard let last = marks.last, marks.indices.contains(count) else { return lostByteCount }
    return last.end + lostByteCount - marks[count].end
  }

  private static func entry(in bytes: [UInt8], after last: JournalMark) -> JournalMark? {
    let room = bytes.count - last.end - 12
    guard room >= 0 else { return nil }
    let length = bytes.number(at: last.end, as: UInt64.self)
    guard length <= UInt64(room) else { return nil }
    let end = last.end + 8 + Int(length)
    let checksum = bytes.checksum(last.end..<end, continuing: last.checksum)
    guard bytes.number(at: end, as: UInt32.self) == checksum else { return nil }
    return JournalMark(end: end + 4, checksum: checksum)
  }

  /// Appends an entry to bytes that follow a mark; returns the mark behind it.
  package static func append(
    _ body: [UInt8],
    to bytes: inout [UInt8],
    after last: JournalMark
  ) -> JournalMark {
    let start = bytes.count
    bytes.append(number: UInt64(body.count))
    bytes.append(contentsOf: body)
    let checksum = bytes.checksum(start..<bytes.count, continuing: last.checksum)
    bytes.append(number: checksum)
    return JournalMark(end: last.end + bytes.count - start, checksum: checksum)
  }
}

extension [UInt8] {
  fileprivate func number<Number: FixedWidthInteger & BitwiseCopyable>(
    at offset: Int,
    as type: Number.Type
  ) -> Number {
    unsafe withUnsafeBytes {
      unsafe Number(littleEndian: $0.loadUnaligned(fromByteOffset: offset, as: Number.self))
    }
  }

  fileprivate func checksum(_ range: Range<Int>, continuing checksum: UInt32 = 0) -> UInt32 {
    unsafe withUnsafeBytes {
      unsafe Checksum.crc32c(UnsafeRawBufferPointer(rebasing: $0[range]), continuing: checksum)
    }
  }
}
