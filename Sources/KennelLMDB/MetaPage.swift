import Glibc

/// One of the two meta pages, the root of everything in the file.
///
/// LMDB writes commit *n* to page *n* & 1, so a commit never overwrites the previous one, and reads
/// the page with the greater number. Offsets in the page:
///
/// | offset | bytes | what |
/// |---|---|---|
/// | 0 | 16 | page header; the flags at 10 say 0x08 |
/// | 16 | 4 | 0xBEEFC0DE |
/// | 20 | 4 | version of LMDB's format, 1 |
/// | 24 | 8 | address of a fixed map, not used |
/// | 32 | 8 | map size of the last writer |
/// | 40 | 48 | free tree; its first 4 bytes are the page size |
/// | 88 | 48 | main tree: the named trees |
/// | 136 | 8 | last page in use |
/// | 144 | 8 | number of the commit; written last |
package struct MetaPage: Equatable, Sendable {
  /// The number of bytes in use.
  static let byteCount = 152
  static let transactionIDOffset = 144

  package let magic: UInt32
  package let version: UInt32
  package let isMeta: Bool
  package let pageSize: Int
  package let freeTree: TreeRoot
  package let mainTree: TreeRoot
  package let lastPage: UInt64
  package let transactionID: UInt64

  /// Reads the meta page at `page`, valid or not.
  init(page: UnsafeRawPointer) {
    isMeta = unsafe page.loadUnaligned(fromByteOffset: 10, as: UInt16.self) & 0x08 != 0
    magic = unsafe page.loadUnaligned(fromByteOffset: 16, as: UInt32.self)
    version = unsafe page.loadUnaligned(fromByteOffset: 20, as: UInt32.self)
    pageSize = unsafe Int(page.loadUnaligned(fromByteOffset: 40, as: UInt32.self))
    freeTree = unsafe TreeRoot(record: page + 40)
    mainTree = unsafe TreeRoot(record: page + 88)
    lastPage = unsafe page.loadUnaligned(fromByteOffset: 136, as: UInt64.self)
    transactionID = unsafe page.loadUnaligned(
      fromByteOffset: MetaPage.transactionIDOffset,
      as: UInt64.self
    )
  }

  /// What is wrong with this page by itself, as the end of a sentence.
  var defect: String? {
    if !isMeta { return "its first pages are not meta pages" }
    if magic != 0xBEEF_C0DE { return "its magic number is wrong" }
    if pageSize < 512 || pageSize > 32_768 || pageSize & (pageSize - 1) != 0 {
      return "its page size is \(pageSize)"
    }
    // The upper bits keep the environment's flags; only 0x4000, no subdirectory, is ever set.
    if freeTree.flags & 0x3fff != TreeRoot.integerKeys {
      return "the free tree has the flags \(freeTree.flags)"
    }
    if mainTree.flags & 0x7fff != 0 { return "the main tree has the flags \(mainTree.flags)" }
    if !freeTree.isPlausible { return "the root of the free tree makes no sense" }
    if !mainTree.isPlausible { return "the root of the main tree makes no sense" }
    if lastPage < 1 || lastPage >= UInt64(1) << 46 / UInt64(pageSize) {
      return "its last page is \(lastPage)"
    }
    return nil
  }
}

/// The two meta pages of a file, read and checked before LMDB reads them.
struct MetaPages {
  let newest: MetaPage
  let fileSize: Int

  /// Whether the two pages have the numbers of consecutive commits.
  ///
  /// Otherwise a flipped bit could silently select an older commit.
  static func areNeighbours(even: UInt64, odd: UInt64) -> Bool {
    if even == 0 && odd == 0 { return true }
    return even & 1 == 0 && odd & 1 == 1 && (even &+ 1 == odd || odd &+ 1 == even)
  }

  /// Reads both pages of an open file.
  ///
  /// Pages that look wrong are read again, because another process may be committing.
  ///
  /// - Throws: `LMDBError` if the file is empty, truncated, not an LMDB file, or damaged there.
  static func read(descriptor: Int32, path: String) throws(LMDBError) -> MetaPages {
    var result = once(descriptor: descriptor)
    var attempts = 0
    while case .failure = result, attempts < 8 {
      attempts += 1
      if attempts > 2 { usleep(300) }
      result = once(descriptor: descriptor)
    }
    switch result {
    case .success(let pages): return pages
    case .failure(let problem): throw LMDBError(problem.problem, .open, path: path)
    }
  }

  private struct Failure: Error {
    let problem: LMDBError.Problem
  }

  private static func once(descriptor: Int32) -> Result<MetaPages, Failure> {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else {
      return .failure(Failure(problem: .system(code: errno)))
    }
    let size = Int(status.st_size)
    if size == 0 || UnfinishedFile.isOne(descriptor, byteCount: size) {
      return .failure(Failure(problem: .empty))
    }
    guard let first = page(descriptor, at: 0) else {
      return .failure(Failure(problem: .notADatabase("it is too short")))
    }
    if first.magic == 0xBEEF_C0DE, first.version != 1 {
      return .failure(Failure(problem: .foreignVersion(Int(first.version))))
    }
    if let defect = first.defect {
      let isOurs = first.magic == 0xBEEF_C0DE
      return .failure(Failure(problem: isOurs ? .damagedHeader(defect) : .notADatabase(defect)))
    }
    guard let second = page(descriptor, at: first.pageSize) else {
      return .failure(Failure(problem: .damagedHeader("it ends before its second page")))
    }
    if second.version != 1 || second.pageSize != first.pageSize {
      return .failure(Failure(problem: .damagedHeader("its two meta pages differ")))
    }
    if let defect = second.defect {
      return .failure(Failure(problem: .damagedHeader(defect)))
    }
    guard areNeighbours(even: first.transactionID, odd: second.transactionID) else {
      let what = "its meta pages say commits \(first.transactionID) and \(second.transactionID)"
      return .failure(Failure(problem: .damagedHeader(what)))
    }
    let newest = second.transactionID > first.transactionID ? second : first
    for meta in [first, second] {
      if let defect = FreeTree.defect(of: meta, descriptor: descriptor) {
        return .failure(Failure(problem: .damagedHeader(defect)))
      }
    }
    return .success(MetaPages(newest: newest, fileSize: size))
  }

  private static func page(_ descriptor: Int32, at offset: Int) -> MetaPage? {
    unsafe withUnsafeTemporaryAllocation(byteCount: MetaPage.byteCount, alignment: 8) { buffer in
      guard let base = buffer.baseAddress else { return nil }
      let count = unsafe pread(descriptor, base, MetaPage.byteCount, off_t(offset))
      return unsafe count == MetaPage.byteCount ? MetaPage(page: base) : nil
    }
  }
}
