public import KennelStorage
import Synchronization

/// A saved draft whose process has ended.
///
/// ```swift
/// for kept in journal.findKept() {
///   print(kept.state, kept.records.count)
///   kept.release()
/// }
/// ```
///
/// A draft that can be restored or discarded is locked when it is found. It stays locked until it
/// is released, discarded, or adopted by a ``DraftJournal``.
public final class RecoveredDraft: Sendable {
  /// Says whether the draft can be restored.
  ///
  /// ```swift
  /// for kept in journal.findKept() {
  ///   if kept.state == .restorable { try draft.restore(kept.records) }
  ///   kept.release()
  /// }
  /// ```
  public enum State: Hashable, Sendable {
    /// The draft can be restored.
    case restorable
    /// The journal is damaged from its start.
    ///
    /// The draft can only be discarded.
    case unreadable
    /// The journal has this newer format.
    ///
    /// A newer version can restore the draft.
    case newerFormat(Int)
    /// The draft belongs to another file that was at the same path.
    case ofAnotherFile
    /// The journal cannot be read, for this reason.
    case inaccessible(String)
  }

  /// Says whether the draft can be restored.
  public let state: State
  /// The operations that can be read.
  public let records: [DraftRecord]
  /// The number of bytes after the last complete operation that are damaged or incomplete, and
  /// lost.
  public let lostByteCount: Int
  /// When the journal was last modified; 1970 if unknown.
  public let modified: Timestamp
  /// The path of the journal.
  public let journalPath: String
  /// The former path of the database, if it was moved.
  public let formerPath: String?
  /// The number of the commit that the draft began with.
  public let baseCommit: Int
  /// The number of the newest commit when its last operation was made.
  public let lastCommit: Int
  /// The number of the newest commit when committing the draft began; `nil` if it did not begin.
  ///
  /// If the file has a newer commit than this, that commit probably contains the operations that
  /// were being committed; see ``rest``.
  public let committingOnto: Int?
  /// The operations that the interrupted commit would have left in the draft.
  ///
  /// They refer to the objects that it created by their final keys.
  ///
  /// If that commit was stored, restore these instead of ``records``.
  public let rest: [DraftRecord]

  private let file: Mutex<JournalFile?>

  /// A draft that is held.
  internal init(
    _ state: State,
    _ contents: JournalContents?,
    _ file: JournalFile,
    path: String,
    by names: DraftNames? = nil
  ) {
    var file = file
    let operations = KeptOperations(contents, by: names)
    lostByteCount = contents.map { $0.lostByteCount(after: operations.entryCount) } ?? 0
    file.forget(after: operations.entryCount)
    self.state = state
    records = operations.records
    modified = file.modified
    journalPath = file.path
    formerPath = contents.flatMap { $0.header.path.hasSameBytes(as: path) ? nil : $0.header.path }
    baseCommit = Int(clamping: contents?.header.baseCommit ?? 0)
    let last = operations.records.last?.request.commit ?? 0
    lastCommit = last > 0 ? last : baseCommit
    committingOnto = operations.mark?.commit
    rest = operations.rest
    self.file = Mutex(file)
  }

  /// A draft that is only told of.
  internal init(_ state: State, _ glance: JournalGlance?, journal: String) {
    self.state = state
    records = []
    lostByteCount = 0
    modified = glance?.modified ?? Timestamp(seconds: 0)
    journalPath = journal
    formerPath = nil
    baseCommit = Int(clamping: glance?.header.baseCommit ?? 0)
    lastCommit = baseCommit
    committingOnto = nil
    rest = []
    file = Mutex(nil)
  }

  deinit { release() }

  /// Unlocks the draft.
  public func release() {
    file.withLock { file in
      file?.close()
      file = nil
    }
  }

  /// Deletes the draft if it is locked; does nothing otherwise.
  ///
  /// - Throws: `DatabaseError` if the system refuses.
  public func discard() throws(DatabaseError) {
    do throws(JournalFault) {
      try file.withLock { (file) throws(JournalFault) in
        try file?.remove()
        file = nil
      }
    } catch {
      throw DatabaseError(error, "Cannot remove the draft", in: journalPath)
    }
  }

  /// The file, for who goes on with it.
  internal func take() -> JournalFile? {
    file.withLock { file in
      defer { file = nil }
      return file
    }
  }
}

/// The operations that a journal has.
internal struct KeptOperations {
  private(set) var records: [DraftRecord] = []
  /// The mark of their commit.
  private(set) var mark: CommitMark?
  /// The operations that the commit leaves in the draft; all of them or none.
  private(set) var rest: [DraftRecord] = []
  /// How many entries of the journal say something.
  private(set) var entryCount = 0

  init(_ contents: JournalContents?, by names: DraftNames? = nil) {
    var made: Set<ObjectIdentity> = []
    for body in contents?.bodies ?? [] {
      do throws(JournalFault) {
        if let mark {
          guard rest.count < mark.restCount else { break }
          rest.append(try Self.record(body, after: rest.last, by: names, &made))
        } else {
          mark = try CommitMark(body)
          if mark == nil {
            records.append(try Self.record(body, after: records.last, by: names, &made))
          } else {
            made = []
          }
        }
        entryCount += 1
      } catch {
        break
      }
    }
    if let mark, rest.count < mark.restCount { rest = [] }
  }

  private static func record(
    _ body: ArraySlice<UInt8>,
    after last: DraftRecord?,
    by names: DraftNames?,
    _ made: inout Set<ObjectIdentity>
  ) throws(JournalFault) -> DraftRecord {
    let record = try DraftRecord(body, after: last, by: names)
    if let object = record.created, !made.insert(object).inserted {
      throw .damaged("an object is made twice")
    }
    return record
  }
}

extension DatabaseError {
  /// The reason stands before the path, of which a narrow screen shows a part.
  internal init(_ fault: JournalFault, _ attempt: String, in path: String) {
    let code: Code =
      switch fault {
      case .system(let number): isFull(number) ? .diskFull : .cannotOpen
      case .damaged: .damaged
      case .newerFormat: .newerFormat
      }
    self.init(code, "\(attempt): \(fault.reason), in \(path)", path: path)
  }
}

extension JournalFault {
  /// Why, as a part of a sentence.
  internal var reason: String {
    switch self {
    case .system(let number): systemReason(number)
    case .damaged(let what): what
    case .newerFormat(let version): "it has format \(version) of journals"
    }
  }
}
