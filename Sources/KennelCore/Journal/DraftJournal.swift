import Glibc
import KennelStorage
import Synchronization

/// Saves the operations of a draft to a file, so that they survive the process.
///
/// The file exists while the draft has operations. What ``keep(_:number:)`` wrote survives the end of
/// the process, however it ends. It is not synced: a power failure loses what the system has not
/// written yet. The file of the database is never touched.
///
/// ```swift
/// let journal = DraftJournal(for: database, in: folder)
/// for kept in journal.findKept() where kept.state == .restorable {
///   try draft.restore(kept.records)
///   journal.adopt(kept)
///   break
/// }
/// ```
///
/// It may be used from several threads; calls are serialized.
public final class DraftJournal: Sendable {
  private struct State {
    var file: JournalFile?
    /// The records in the file.
    var written: [DraftRecord] = []
    /// Whether an entry behind them says that they are being committed.
    var isMarked = false
    var number = 0
  }

  /// The folder of the journals of all databases.
  public let folder: String
  private let fileID: UUIDValue
  private let path: String
  private let database: Database
  private let names: DraftNames?
  private let state = Mutex(State())

  /// Creates the journal of a new draft, without writing anything.
  ///
  /// - Parameters:
  ///   - database: The draft's database.
  ///   - folder: A folder for journals alone. If it is missing, it is created with up to three
  ///     missing folders above it, all readable only by their owner.
  ///   - names: Names for the objects, if the database is made anew each time it is opened; `nil` for
  ///     a file that stays.
  public init(for database: Database, in folder: String, named names: DraftNames? = nil) {
    self.folder = folder
    self.database = database
    self.names = names
    fileID = names?.id ?? database.fileID
    path = names?.path ?? resolved(database.path)
  }

  deinit { close() }

  // MARK: - Autosave

  /// Rewrites the journal to match the draft; deletes it if the draft is empty.
  ///
  /// Operations at the end are appended or truncated. A change before the end rewrites everything
  /// after it.
  ///
  /// - Parameters:
  ///   - records: All operations of the draft.
  ///   - number: An increasing number. A call with a smaller number than before is ignored.
  /// - Throws: `DatabaseError` if the disk is full or the folder is not writable. The operations
  ///   that the journal had are kept, and the next call writes what is missing.
  public func keep(_ records: [DraftRecord], number: Int) throws(DatabaseError) {
    do throws(JournalFault) {
      try state.withLock { (state) throws(JournalFault) in
        guard number >= state.number else { return }
        state.number = number
        try write(records, &state)
      }
    } catch {
      throw DatabaseError(error, "Cannot keep the draft", in: folder)
    }
  }

  /// Marks the operations as being committed and syncs the journal.
  ///
  /// If the process ends before the next ``keep(_:number:)``, the ``RecoveredDraft`` says so.
  ///
  /// - Parameters:
  ///   - number: The number of the newest commit.
  ///   - rest: The operations that stay in the draft, as they are after the commit.
  /// - Throws: `DatabaseError` if the disk is full.
  public func markCommitting(
    onto number: Int,
    leaving rest: [DraftRecord] = []
  ) throws(DatabaseError) {
    do throws(JournalFault) {
      try state.withLock { (state) throws(JournalFault) in
        guard state.file != nil else { return }
        try unmark(&state)
        try state.file?.append(count: 1 + rest.count) { index in
          index == 0
            ? CommitMark(onto: number, leaving: rest.count).encoded
            : rest[index - 1].encoded(names)
        }
        state.isMarked = true
        try state.file?.sync()
      }
    } catch {
      throw DatabaseError(error, "Cannot keep the draft", in: folder)
    }
  }

  /// Releases the journal without deleting it, as the end of the process does.
  public func close() {
    state.withLock { state in
      state.file?.close()
      state = State(number: state.number)
    }
  }

  private func write(_ records: [DraftRecord], _ state: inout State) throws(JournalFault) {
    if let file = state.file, !file.hasName {
      // Somebody removed it: what goes there would be nowhere.
      state.file?.close()
      state = State(number: state.number)
    }
    if records.isEmpty {
      try state.file?.remove()
      state = State(number: state.number)
      return
    }
    guard state.file != nil else {
      state.file = try make(records)
      state.written = records
      return
    }
    try unmark(&state)
    let common = zip(state.written, records).prefix(while: ==).count
    let count = records.count - common
    let body = { [names] (index: Int) in records[common + index].encoded(names) }
    if count == 0 {
      try state.file?.truncate(to: common)
    } else if common == state.written.count {
      try state.file?.append(count: count, body: body)
    } else {
      try state.file?.replace(from: common, count: count, body: body)
    }
    state.written = records
  }

  private func unmark(_ state: inout State) throws(JournalFault) {
    guard state.isMarked else { return }
    try state.file?.truncate(to: state.written.count)
    state.isMarked = false
  }

  private func make(_ records: [DraftRecord]) throws(JournalFault) -> JournalFile {
    try makeFolders(folder)
    let commit = database.commitNumber
    let header = JournalHeader(fileID: fileID, baseCommit: UInt64(commit), path: path)
    let name = prefix + UInt64.random(in: 0...UInt64.max).digits(16, radix: 16) + ".journal"
    return try JournalFile.make("\(folder)/\(name)", header, count: records.count) { [names] in
      records[$0].encoded(names)
    }
  }

  private var prefix: String {
    fileID.high.digits(16, radix: 16) + fileID.low.digits(16, radix: 16) + "-"
  }

  // MARK: - Finding

  /// Returns the saved drafts whose processes have ended, the newest first: those of this database,
  /// and those of other files that were at its path.
  ///
  /// Drafts of a copy of the file are not included while the copy exists.
  ///
  /// - Returns: The drafts. Those that can be restored or discarded are locked until they are
  ///   released.
  public func findKept() -> [RecoveredDraft] {
    JournalFile.removeUnfinished(in: folder)
    return JournalFile.paths(in: folder).compactMap(find).sorted { $0.modified > $1.modified }
  }

  private func find(_ journal: String) -> RecoveredDraft? {
    let isNamed = journal.split(separator: "/").last?.hasPrefix(prefix) == true
    do throws(JournalFault) {
      // Those of other databases are not held for a moment, nor read to the end.
      if !isNamed {
        guard let glance = try JournalFile.glance(at: journal) else { return nil }
        if glance.header.fileID != fileID {
          guard glance.header.path.hasSameBytes(as: path), !glance.isTaken else { return nil }
          return RecoveredDraft(.ofAnotherFile, glance, journal: journal)
        }
      }
      guard let (found, contents) = try JournalFile.open(journal) else { return nil }
      var file = found
      switch contents {
      case .success(let contents) where contents.header.fileID == fileID:
        if isOurs(contents.header) {
          return RecoveredDraft(.restorable, contents, file, path: path, by: names)
        }
      case .failure(.damaged) where isNamed:
        return RecoveredDraft(.unreadable, nil, file, path: path)
      case .failure(.newerFormat(let version)) where isNamed:
        file.close()
        return RecoveredDraft(.newerFormat(version), nil, journal: journal)
      case .success, .failure: break
      }
      file.close()
      return nil
    } catch {
      return isNamed ? RecoveredDraft(.inaccessible(error.reason), nil, journal: journal) : nil
    }
  }

  /// Whether the draft is of this file and not of a copy, which has the same id.
  private func isOurs(_ header: JournalHeader) -> Bool {
    if header.path.hasSameBytes(as: path) { return true }
    var there = stat()
    var here = stat()
    // A file that is not where it was has moved here.
    guard unsafe stat(header.path, &there) == 0, unsafe stat(path, &here) == 0 else { return true }
    if there.st_dev == here.st_dev && there.st_ino == here.st_ino { return true }
    return ListedDraft.file(of: header) == .replaced
  }

  /// Continues with the journal of a draft that was restored.
  ///
  /// - Parameter kept: The restored draft. If this journal already has operations, the restored
  ///   draft is released instead.
  public func adopt(_ kept: RecoveredDraft) {
    state.withLock { state in
      guard state.file == nil, kept.state == .restorable, let file = kept.take() else {
        kept.release()
        return
      }
      state.file = file
      state.written = kept.records
      state.isMarked = kept.committingOnto != nil
    }
  }
}

/// An entry that says that the operations before it are being committed.
internal struct CommitMark {
  private static let kind: UInt8 = 2

  /// The number of the newest commit.
  let commit: Int
  /// How many operations follow, which the commit leaves in the draft.
  let restCount: UInt64

  init(onto commit: Int, leaving restCount: Int) {
    self.commit = commit
    self.restCount = UInt64(restCount)
  }

  var encoded: [UInt8] {
    var writer = JournalBodyWriter()
    writer.append(Self.kind)
    writer.append(UInt64(commit))
    writer.append(restCount)
    return writer.bytes
  }

  /// Reads a mark; `nil` if the entry is none.
  init?(_ body: ArraySlice<UInt8>) throws(JournalFault) {
    guard body.first == Self.kind else { return nil }
    var reader = JournalBodyReader(body.dropFirst())
    let commit: UInt64 = try reader.number()
    self.commit = Int(clamping: commit)
    // The first marks have no such number.
    restCount = reader.isAtEnd ? 0 : try reader.number()
  }
}

// MARK: - The system

/// The path without links, or as it is where it has no other.
private func resolved(_ path: String) -> String {
  guard let resolved = unsafe realpath(path, nil) else { return path }
  defer { unsafe free(resolved) }
  return unsafe String(cString: resolved)
}

/// Creates a folder, and up to three above it, for their owner only; never somebody's home.
private func makeFolders(_ path: String) throws(JournalFault) {
  let names = path.split(separator: "/")
  var folder = ""
  for (index, name) in names.enumerated() {
    folder += "/\(name)"
    guard index >= names.count - 4 else { continue }
    if unsafe mkdir(folder, 0o700) != 0, errno != EEXIST {
      let code = errno
      var status = stat()
      if unsafe stat(folder, &status) != 0 { throw .system(code) }
    }
  }
}

internal func isFull(_ code: Int32) -> Bool { code == ENOSPC || code == EDQUOT || code == EFBIG }

internal func systemReason(_ code: Int32) -> String {
  if code == EFBIG { return "the file size limit is reached (see `ulimit -f`)" }
  return unsafe String(cString: strerror(code))
}
