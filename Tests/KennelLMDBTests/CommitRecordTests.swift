import Glibc
import KennelLMDB
import KennelTestSupport
import Testing

/// One sync for a commit: whatever part of it the disk has when the power fails, the file is as it was
/// before the commit or after it.
@Suite struct CommitRecordTests {
  let folder = TestFolder()

  /// A commit, by what it does to a file of 400 entries.
  enum Change: CaseIterable {
    case replaceOne, appendOne, insertOne, deleteOne, storeLarge, deleteLarge, splitBranches
    case emptyTree, fillOtherTree

    var keyCount: UInt64 { self == .splitBranches ? 13_000 : 400 }

    func make(_ transaction: WriteTransaction) throws {
      switch self {
      case .replaceOne: try transaction.put(.chunks, 200, "another")
      case .appendOne: try transaction.put(.chunks, 1_000_001, "appended")
      case .insertOne: try transaction.put(.chunks, 201, String(repeating: "i", count: 900))
      case .deleteOne: try transaction.delete(.chunks, 300)
      case .storeLarge: try transaction.put(.chunks, 2, String(repeating: "l", count: 50_000))
      case .deleteLarge: try transaction.delete(.chunks, 4)
      case .splitBranches:
        for key in stride(from: 1, to: UInt64(2_000), by: 200) {
          try transaction.put(.chunks, key * 2 + 1, String(repeating: "s", count: 1_500))
        }
      case .emptyTree: for key in [3, 5, 7] as [UInt64] { try transaction.delete(.pieces, key) }
      case .fillOtherTree: try transaction.put(.backlinks, 1, "first of its tree")
      }
    }
  }

  /// A file, before and after a commit that is not synced as yet.
  private func commit(_ change: Change) throws -> (before: [UInt8], after: [UInt8]) {
    let environment = try Environment.open(path: folder.file, create: true)
    environment.markChecked()
    defer { environment.close() }
    let first = try environment.beginWrite()
    for key in 0..<change.keyCount {
      try first.put(.chunks, key * 2, String(repeating: "v", count: key == 2 ? 9_000 : 60))
    }
    for key in [3, 5, 7] as [UInt64] { try first.put(.pieces, key, "piece \(key)") }
    try first.commit()
    for round in 0..<4 { try environment.store(800, "round \(round)") }
    let before = folder.read()
    let transaction = try environment.beginWrite()
    try change.make(transaction)
    try transaction.commit()
    return (before, folder.read())
  }

  /// The checksum of everything that the newest commit of a file has, per tree.
  private func contents(
    of bytes: [UInt8]
  ) throws -> (commit: UInt64, undone: UInt64?, trees: [Int]) {
    folder.write(bytes)
    let environment = try Environment.open(path: folder.file)
    environment.markChecked()
    defer { environment.close() }
    let transaction = try environment.beginWrite()
    defer { transaction.abort() }
    let trees = try [Tree.chunks, .pieces, .backlinks].map { tree in
      var hasher = Hasher()
      let cursor = try transaction.iterate(tree)
      var entry = try unsafe cursor.first()
      while let (key, value) = unsafe entry {
        unsafe hasher.combine(bytes: key)
        unsafe hasher.combine(bytes: value)
        unsafe entry = try cursor.next()
      }
      return hasher.finalize()
    }
    return (environment.latestTransactionID(), environment.undoneCommit, trees)
  }

  @Test(arguments: Change.allCases)
  func `whatever pages of a commit the disk has, all of it is there or nothing`(
    change: Change
  ) throws {
    let (before, after) = try commit(change)
    let loss = PowerLoss(before: before, after: after)
    let (old, new) = (try contents(of: before), try contents(of: after))
    #expect(new.commit == old.commit + 1 && new.undone == nil && old.trees != new.trees)
    let count = loss.parts.count
    #expect(count >= 4)
    var masks = Array(0..<(1 << min(count, 6)))
    // Where there are too many subsets: some, and those in which just one page is missing.
    if count > 6 {
      masks = masks.map { $0 &* 0x9E37_79B9 } + (0..<count).map { ~(1 << $0) }
    }
    if count > 6 { masks.append(-1) }
    var whole = 0
    for mask in masks {
      let isThere = { (part: Int) in mask >> (part % 48) & 1 == 1 }
      let found = try contents(of: loss.image(has: isThere, isLong: mask & 2 == 0))
      let isWhole = loss.parts.indices.allSatisfy(isThere)
      // A page that the commit took and left may be missing.
      let isNew = found.commit == new.commit
      #expect(isNew || found.commit == old.commit && !isWhole, "pages \(mask)")
      #expect(found.trees == (isNew ? new.trees : old.trees), "pages \(mask)")
      whole += isNew ? 1 : 0
    }
    #expect(whole > 0 && whole <= masks.count / 2)
  }

  @Test(arguments: [Change.replaceOne, .storeLarge, .splitBranches])
  func `torn pages are no pages`(change: Change) throws {
    let (before, after) = try commit(change)
    let loss = PowerLoss(before: before, after: after, partByteCount: 512)
    let (old, new) = (try contents(of: before), try contents(of: after))
    var random = SystemRandomNumberGenerator()
    for _ in 0..<100 {
      let missing = Set(
        (0..<Int.random(in: 1...3)).compactMap { _ in
          loss.parts.indices.randomElement(using: &random)
        }
      )
      let found = try contents(of: loss.image(has: { !missing.contains($0) }))
      // A sector may lack nothing but bytes behind the entries.
      #expect([old.commit, new.commit].contains(found.commit), "without sectors \(missing)")
      #expect(found.trees == (found.commit == old.commit ? old.trees : new.trees))
    }
  }

  @Test func `a commit that is too large to be listed is synced first`() throws {
    let environment = try Environment.open(path: folder.file, create: true)
    environment.markChecked()
    try environment.store(1, "small")
    let before = folder.read()
    let transaction = try environment.beginWrite()
    for key in 2..<UInt64(800) {
      try transaction.put(.chunks, key, String(repeating: "large", count: 200))
    }
    try transaction.commit()
    var after = folder.read()
    environment.close()
    #expect(CommitRecordBytes.stage(of: 2, in: after) == 3)
    // While it was being synced the record said no more than that it had begun.
    CommitRecordBytes.begin(2, in: &after)
    let loss = PowerLoss(before: before, after: after)
    let old = try contents(of: before)
    for round in 0..<40 {
      let found = try contents(of: loss.image(has: { ($0 &* 7 &+ round) % 5 != 0 || round == 39 }))
      #expect(found.trees == old.trees && found.commit == 1)
    }
  }

  @Test func `an undone commit leaves the file byte for byte as it was`() throws {
    let (before, after) = try commit(.replaceOne)
    let loss = PowerLoss(before: before, after: after)
    let meta = Int(try contents(of: after).commit & 1)
    // The meta page is there, and no other.
    folder.write(loss.image(has: { loss.parts[$0].lowerBound == meta * 4096 }))
    let environment = try Environment.open(path: folder.file)
    #expect(environment.undoneCommit == 6)
    environment.close()
    // All but the record of the commit before last, which proved what has been kept for long.
    var (found, expected) = (folder.read(), before)
    for index in meta * 4096 + 160..<meta * 4096 + 512 { (found[index], expected[index]) = (0, 0) }
    #expect(found.elementsEqual(expected))
  }

  @Test func `a commit whose writer was killed before its pages were listed is undone`() throws {
    let (before, committed) = try commit(.replaceOne)
    var after = committed
    CommitRecordBytes.begin(6, in: &after)
    let (old, found) = (try contents(of: before), try contents(of: after))
    #expect(found.undone == 6 && found.commit == 5)
    #expect(found.trees == old.trees)
    // The number is used again.
    let environment = try Environment.open(path: folder.file)
    defer { environment.close() }
    #expect(environment.undoneCommit == nil)
    try environment.store(9, "nine")
    #expect(environment.latestTransactionID() == 6)
  }

  @Test func `who opens a file for reading only is told that a commit has to be undone`() throws {
    var (_, after) = try commit(.replaceOne)
    CommitRecordBytes.begin(6, in: &after)
    folder.write(after)
    #expect(throws: LMDBError(.interruptedCommit, .open, path: folder.file)) {
      try Environment.open(path: folder.file, access: .readOnly)
    }
    #expect(folder.read() == after)
    try Environment.open(path: folder.file).close()
    let environment = try Environment.open(path: folder.file, access: .readOnly)
    #expect(environment.latestTransactionID() == 5)
    environment.close()
  }

  @Test func `a page that goes bad after the file was closed is damage and no crash`() throws {
    let environment = try Environment.open(path: folder.file, create: true)
    try environment.store(1, "one")
    try environment.store(1, "two")
    environment.close()
    var bytes = folder.read()
    #expect(CommitRecordBytes.stage(of: 2, in: bytes) == 3)
    let run = Int(bytes[160 + 160 + 2]) | Int(bytes[160 + 160 + 3]) << 8
    bytes[run * 4096 + 40] ^= 1
    folder.write(bytes)
    let again = try Environment.open(path: folder.file)
    defer { again.close() }
    #expect(again.undoneCommit == nil)
    #expect(again.latestTransactionID() == 2)
  }

  @Test func `a commit of a file that is open elsewhere is kept by the next writer`() async throws {
    let environment = try Environment.open(path: folder.file, create: true)
    try environment.store(1, "one")
    try environment.store(2, "two")
    var bytes = folder.read()
    CommitRecordBytes.begin(2, in: &bytes)
    let descriptor = unsafe open(folder.file, O_WRONLY)
    unsafe #expect(
      bytes.withUnsafeBytes { unsafe pwrite(descriptor, $0.baseAddress, 4096, 0) } == 4096
    )
    close(descriptor)
    await #expect(processExitsWith: .success) { [path = folder.file as String] in
      let other = try Environment.open(path: path)
      #expect(other.undoneCommit == nil)
      #expect(try other.text(2) == "two")
      try other.store(3, "three")
    }
    #expect(CommitRecordBytes.stage(of: 2, in: folder.read()) == 3)
    #expect(try environment.text(3) == "three")
    environment.close()
  }

  @Test func `nothing but a meta page is put in the place of one`() throws {
    let (_, after) = try commit(.replaceOne)
    // Magic number, version, page size, flags of two trees, a tree's depth, the number of the commit.
    for offset in [0, 4, 24, 28, 76, 78, 128] {
      var bytes = after
      CommitRecordBytes.begin(6, in: &bytes)
      bytes[CommitRecordBytes.page(of: 6) + 160 + 24 + offset] ^= 0xff
      CommitRecordBytes.sum(6, in: &bytes)
      folder.write(bytes)
      let environment = try Environment.open(path: folder.file)
      #expect(environment.undoneCommit == nil && environment.latestTransactionID() == 6)
      environment.close()
      #expect(folder.read().elementsEqual(bytes), "byte \(offset)")
    }
  }

  @Test func `a record that is damaged proves nothing against a commit`() throws {
    let (_, after) = try commit(.replaceOne)
    for offset in [0, 8, 16, 17, 30, 200, 350] {
      var bytes = after
      bytes[CommitRecordBytes.page(of: 6) + 160 + offset] ^= 0x10
      #expect(try contents(of: bytes).commit == 6)
    }
  }

  @Test func `a page is told from its former self whatever checksums it holds`() {
    // Ten entries that end with the CRC-32C of what comes before.
    func page(_ seed: UInt8) -> [UInt8] {
      (0..<10).flatMap { index in
        let value = (0..<28).map { seed &+ UInt8($0 * index) }
        return value + crc32c(value)
      } + [UInt8](repeating: 0, count: 4096 - 320)
    }
    let sums = (0..<50).map { seed in unsafe page(seed).withUnsafeBytes { unsafe PageSum.of($0) } }
    #expect(Set(sums).count == 50)
    var bytes = page(1)
    for position in stride(from: 0, to: bytes.count, by: 3) {
      bytes[position] ^= 0x80
      unsafe #expect(bytes.withUnsafeBytes { unsafe PageSum.of($0) } != sums[1])
      bytes[position] ^= 0x80
    }
  }

  private func crc32c(_ bytes: [UInt8]) -> [UInt8] {
    var sum: UInt32 = .max
    for byte in bytes {
      sum ^= UInt32(byte)
      for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0x82F6_3B78 : sum >> 1 }
    }
    return unsafe withUnsafeBytes(of: (~sum).littleEndian) { unsafe Array($0) }
  }
}
