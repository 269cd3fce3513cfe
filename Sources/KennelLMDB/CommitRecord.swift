import Glibc

/// The record of a commit in its meta page, which lets one sync write the pages and the meta page.
///
/// LMDB syncs the pages of a commit before it writes the meta page, so a meta page on disk proves
/// that the pages are there. Kennel syncs both at once, in any order; the proof is the commit
/// record, which lists the pages and their checksum. If they do not match when the file is opened
/// after a crash, the commit is rolled back: the record also holds the previous meta page, and LMDB
/// reuses no page of the two newest commits.
///
/// The record follows LMDB's part of the meta page within the same 512 bytes, which a disk writes
/// atomically. Offsets in the record:
///
/// | offset | bytes | what |
/// |---|---|---|
/// | 0 | 8 | `KnlSeal` and the version of the record, 1 |
/// | 8 | 8 | number of the commit; a record with another number than its page's is ignored |
/// | 16 | 1 | stage |
/// | 17 | 1 | how many runs of pages are listed |
/// | 18 | 6 | 0 |
/// | 24 | 136 | bytes 16 to 151 of the previous meta page |
/// | 160 | 176 | runs of pages: first page number × 65,536 + count |
/// | 336 | 8 | checksum of those pages (`PageSum`) |
/// | 344 | 8 | checksum of all of that |
///
/// The value is a pointer to those bytes and does not own them. Safe to use: its creator keeps the
/// bytes longer.
@safe struct CommitRecord {
  /// How far the commit is known to have got.
  enum Stage: UInt8 {
    /// The commit is being written; nothing is known of its pages.
    case begun = 1
    /// Its pages are listed.
    case listed = 2
    /// Its pages were synced before this was written.
    case kept = 3
  }

  /// The offset of the record in the meta page.
  static let offset = 160
  static let byteCount = 352
  /// The bytes of a meta page that a disk writes atomically.
  static let sectorByteCount = 512
  /// The bytes of a meta page that LMDB changes.
  static let metaRange = 16..<MetaPage.byteCount
  static let runLimit = 22

  private static let mark = UInt64(littleEndian: 0x016c_6165_536c_6e4b)
  private static let (formerOffset, runsOffset, pagesSumOffset, sumOffset) = (24, 160, 336, 344)

  let bytes: UnsafeMutableRawPointer

  // MARK: - Reading

  /// Whether this is an intact record of the commit.
  func proves(_ number: UInt64) -> Bool {
    word(0) == Self.mark && transactionID == number && stage != nil
      && runCount <= Self.runLimit && word(Self.sumOffset) == ownSum
  }

  var transactionID: UInt64 { word(8) }
  var stage: Stage? { unsafe Stage(rawValue: bytes.load(fromByteOffset: 16, as: UInt8.self)) }
  var pagesSum: UInt64 { word(Self.pagesSumOffset) }

  var runs: [PageRun] {
    (0..<runCount).map { index in
      let run = word(Self.runsOffset + 8 * index)
      return PageRun(first: run >> 16, count: Int(run & 0xffff))
    }
  }

  /// Bytes 16 to 151 of the previous meta page.
  var former: UnsafeRawBufferPointer {
    unsafe UnsafeRawBufferPointer(start: bytes + Self.formerOffset, count: Self.metaRange.count)
  }

  // MARK: - Writing

  /// Makes it that of a commit that has begun.
  func begin(_ number: UInt64, former metaPage: UnsafeRawPointer) {
    unsafe bytes.initializeMemory(as: UInt8.self, repeating: 0, count: Self.byteCount)
    set(0, Self.mark)
    set(8, number)
    let range = Self.metaRange
    unsafe (bytes + Self.formerOffset).copyMemory(
      from: metaPage + range.lowerBound,
      byteCount: range.count
    )
    setStage(.begun)
  }

  /// Lists the pages of the commit.
  func list(_ runs: [PageRun], sum: UInt64) {
    unsafe bytes.storeBytes(
      of: UInt8(truncatingIfNeeded: runs.count),
      toByteOffset: 17,
      as: UInt8.self
    )
    for (index, run) in runs.enumerated() {
      set(Self.runsOffset + 8 * index, run.first << 16 | UInt64(run.count))
    }
    set(Self.pagesSumOffset, sum)
    setStage(.listed)
  }

  func setStage(_ stage: Stage) {
    unsafe bytes.storeBytes(of: stage.rawValue, toByteOffset: 16, as: UInt8.self)
    set(Self.sumOffset, ownSum)
  }

  private var runCount: Int { unsafe Int(bytes.load(fromByteOffset: 17, as: UInt8.self)) }

  private var ownSum: UInt64 {
    unsafe PageSum.of(UnsafeRawBufferPointer(start: bytes, count: Self.sumOffset))
  }

  private func word(_ offset: Int) -> UInt64 {
    unsafe UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }

  private func set(_ offset: Int, _ word: UInt64) {
    unsafe bytes.storeBytes(of: word.littleEndian, toByteOffset: offset, as: UInt64.self)
  }
}

/// Pages with neighbouring numbers.
package struct PageRun: Equatable, Sendable {
  package var first: UInt64
  package var count: Int
}
