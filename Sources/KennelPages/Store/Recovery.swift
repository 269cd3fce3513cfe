/// The meta pages of a file, as they are read at opening.
struct MetaPages {
  /// How often a page is read that should be sound, before it is called damaged.
  static let mostReads = 100

  /// The sound ones that could be read, the newest first.
  let all: [MetaPage]
  private let results: [Result<MetaPage, MetaPage.Defect>]
  private let byteCount: Int
  /// The bytes of a file that is so short that it may be new.
  private let start: [UInt8]

  init(_ descriptor: Int32, _ cipher: (any PageCipher)? = nil) {
    byteCount = (try? System.byteCount(descriptor)) ?? 0
    results = [0, 1].map { index in
      Result { () throws(MetaPage.Defect) in
        try Self.read(descriptor, index * Format.metaByteCount, cipher)
      }
    }
    all = results.compactMap { try? $0.get() }.sorted { $0.commit > $1.commit }
    let most = Format.pageSizes.last ?? 0
    start = byteCount > most ? [] : (try? System.read(descriptor, at: 0, count: most)) ?? []
  }

  static func read(
    _ descriptor: Int32,
    _ offset: Int,
    _ cipher: (any PageCipher)?
  ) throws(MetaPage.Defect) -> MetaPage {
    let bytes: [UInt8]
    do throws(SystemError) {
      bytes = try System.read(descriptor, at: offset, count: MetaPage.byteCount)
    } catch {
      throw .unreadable(code: error.code)
    }
    if bytes.isEmpty { throw .zero }
    let meta = try MetaPage(decoding: bytes, cipher)
    guard MetaPage.offset(ofCommit: meta.commit) == offset else { throw .misplaced }
    return meta
  }

  /// Whether a meta page is sound, though it may need a cipher.
  var isSomeSound: Bool { !all.isEmpty || needsCipher }

  /// Whether a meta page is sound and says that the file is encrypted.
  var needsCipher: Bool { results.contains(.failure(.locked)) }

  /// Whether the file is empty, or its making was interrupted.
  ///
  /// Any part of the key slots and of the first meta page may be there then, and nothing else; they are
  /// written when the file has its length.
  var isUnfinished: Bool {
    guard !isSomeSound, start.count == byteCount else { return false }
    if byteCount < Format.firstByte { return start.allSatisfy { $0 == 0 } }
    let isEncrypted = start[MetaPage.headByteCount - 4] != 0
    let last = isEncrypted ? MetaPage.byteCount : MetaPage.headByteCount + 8
    let body = begins == Format.magic ? last : 0
    let note = MetaPage.byteCount - 12 - PageLayout.tailByteCount - Format.noteByteLimit
    return start.indices.allSatisfy { index in
      start[index] == 0 || index < body || (note..<MetaPage.byteCount).contains(index)
        || index < Format.firstByte && index % Format.metaByteCount >= Format.slotsOffset
    }
  }

  private var begins: UInt64 { start.prefix(8).reversed().reduce(0) { $0 << 8 | UInt64($1) } }

  /// Whether one meta page is sound and the other neither sound nor zero.
  var isOneDamaged: Bool {
    all.count == 1
      && results.contains { result in
        if case .failure(let defect) = result { defect != .zero } else { false }
      }
  }

  /// Why the file cannot be read.
  var problem: PageStoreError.Problem {
    for result in results {
      // The file may be sound.
      if case .failure(.unreadable(let code)) = result { return System.problem(of: code) }
    }
    if byteCount == 0 || isUnfinished { return .empty }
    for result in results {
      if case .failure(.version(let version)) = result { return .newerVersion(version) }
    }
    if results.contains(.failure(.misplaced)) {
      let defect = "the two meta pages are exchanged, or one was copied over the other"
      return .damaged(in: "the file header", defect)
    }
    if begins == Format.magic, byteCount < Format.firstByte {
      return .damaged(in: "the file", "it has \(byteCount) of \(Format.firstByte) bytes or more")
    }
    if results.contains(.failure(.locked)) { return .keyNeeded }
    if results.contains(.failure(.forged)) { return .forged(in: "the file header") }
    let isForeign = results.allSatisfy { [.failure(.foreign), .failure(.zero)].contains($0) }
    if results.contains(.failure(.beforeRelease)) { return .olderFormat }
    if all.count == 1 { return .damaged(in: "the file header", "a meta page is not sound") }
    return isForeign ? .notAPageFile : .damaged(in: "the file header", "no meta page is sound")
  }
}

/// Finds the newest commit that is complete.
enum Recovery {
  /// The valid contents of a lock file.
  struct Known {
    let newest: UInt64
    let failed: UInt64?
  }

  struct Choice {
    let meta: MetaPage
    /// A newer commit that is not complete.
    let undone: UInt64?
    /// Whether the commit is known to be on the disk.
    let isSettled: Bool
  }

  /// Chooses among the meta pages; writes nothing.
  ///
  /// A commit that a valid lock file calls the newest was synchronized. Another counts if all its
  /// pages are there and its synchronization is not known to have failed. The older one needs no
  /// proof: the newer was begun after it was synchronized.
  static func choose(
    _ path: String,
    _ descriptor: Int32,
    _ cipher: (any PageCipher)?,
    known: Known?
  ) throws(PageStoreError) -> Choice {
    let metas = MetaPages(descriptor, cipher)
    guard let newest = metas.all.first else {
      throw PageStoreError(metas.problem, .open, path: path)
    }
    if metas.isOneDamaged { throw PageStoreError(metas.problem, .open, path: path) }
    let undone = newest.commit
    for meta in metas.all {
      let isLast = meta.commit == metas.all.last?.commit
      if let known, meta.commit == known.newest {
        return Choice(
          meta: meta,
          undone: meta.commit == undone ? nil : undone,
          isSettled: known.failed == nil
        )
      }
      if let known, meta.commit == known.failed, !isLast { continue }
      let isChosen = isLast ? true : try isComplete(meta, path, descriptor, cipher)
      if isChosen {
        return Choice(meta: meta, undone: meta.commit == undone ? nil : undone, isSettled: false)
      }
    }
    throw PageStoreError(metas.problem, .open, path: path)
  }

  /// Whether all pages that a commit wrote are there.
  private static func isComplete(
    _ meta: MetaPage,
    _ path: String,
    _ descriptor: Int32,
    _ cipher: (any PageCipher)?
  ) throws(PageStoreError) -> Bool {
    if meta.durability != .unknown { return true }
    let byteCount = try attempt(.open, path, System.byteCount(descriptor))
    guard byteCount >= meta.byteCount else { return false }
    // A map of its own: what is found out about a commit that is given up must not stay.
    let map = try attempt(
      .open,
      path,
      FileMap(
        descriptor: descriptor,
        byteCount: meta.byteCount,
        layout: meta.layout,
        cipher: cipher
      )
    )
    let source = PageSource(path: path, map: map, limit: meta.pageCount)
    do throws(PageStoreError) {
      try PageWalk(source, onlyCommit: meta.commit).walk(meta.roots) { _ in }
      return true
    } catch {
      return false
    }
  }
}

/// Makes sure that a writer begins on firm ground.
enum Settling {
  /// Removes a meta page of a commit that nobody acknowledged, and synchronizes a commit that is not
  /// known to be on the disk.
  ///
  /// A process may have ended between the two. Its pages are going to be written over, so that its
  /// meta page must not come back; and what the newest commit wrote may be in the system's memory
  /// only, unmarked, if its synchronization failed: so its pages are written again.
  static func settle(
    _ store: PageStore,
    _ meta: MetaPage,
    _ source: PageSource
  ) throws(SystemError) {
    let other = MetaPage.offset(ofCommit: meta.commit + 1)
    let head = try System.read(store.hold.descriptor, at: other, count: 40)
    let isNewer = head.count == 40 && commit(head) > meta.commit
    if !store.lock.isUnsettled, !isNewer { return }
    do throws(SystemError) {
      if store.lock.isUnsettled { try rewrite(store, meta, source) }
      if isNewer {
        try store.file.write([UInt8](repeating: 0, count: MetaPage.byteCount), at: other)
      }
      try store.file.synchronize()
    } catch {
      // The newest commit stays what it is; the one that would have followed it has failed.
      store.lock.failed = meta.commit + 1
      throw error
    }
    store.lock.isUnsettled = false
  }

  private static func commit(_ head: [UInt8]) -> UInt64 {
    head[32..<40].reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// Writes what a commit has written once more, in its place.
  private static func rewrite(
    _ store: PageStore,
    _ meta: MetaPage,
    _ source: PageSource
  ) throws(SystemError) {
    if meta.durability == .unknown {
      var runs: [PageRun] = []
      // A damaged page is left as it is: whoever reads it is told.
      try? PageWalk(source, onlyCommit: meta.commit).walk(meta.roots) { run in
        runs.append(run)
      }
      for run in PageRun.joined(runs) {
        let offset = Int(run.first) * meta.pageSize
        try copyInPlace(store, offset, Int(run.count) * meta.pageSize)
      }
    }
    let offset = MetaPage.offset(ofCommit: meta.commit)
    try copyInPlace(store, offset, MetaPage.byteCount)
  }

  private static func copyInPlace(
    _ store: PageStore,
    _ offset: Int,
    _ count: Int
  ) throws(SystemError) {
    try store.file.write(System.read(store.hold.descriptor, at: offset, count: count), at: offset)
  }
}
