public import KennelStorage
import Synchronization

/// A draft that outlived the process it was made in.
///
/// Whoever finds it holds it: nobody else does, until it is released, discarded, or taken over by a
/// ``DraftJournal``.
public final class KeptDraft: Sendable {
  /// What can be done with it.
  public enum State: Hashable, Sendable {
    /// It can be restored.
    case restorable
    /// It is damaged from its beginning; it can be discarded.
    case unreadable
    /// It was written by a later version, which can restore it.
    case newerFormat(Int)
    /// It belongs to a file that lay where the database lies now.
    case ofAnotherFile
  }

  /// What can be done with it.
  public let state: State
  /// Its operations, without those that are lost.
  public let records: [DraftRecord]
  /// How many bytes behind the last whole operation are damaged or half written, and lost.
  public let lostByteCount: Int
  /// When it was changed last.
  public let modified: Timestamp
  /// The file that it lies in.
  public let journalPath: String
  /// Where the database lay then, if it lies elsewhere now.
  public let formerPath: String?
  /// The number of the commit that it began on.
  public let baseCommit: UInt64
  /// The number of the newest commit when it began to be committed; `nil` if it did not.
  ///
  /// If there is a newer commit it has probably stored these operations.
  public let committingOnto: UInt64?

  private let file: Mutex<JournalFile?>

  internal init(
    _ state: State,
    _ contents: JournalContents?,
    _ file: JournalFile,
    path: String
  ) {
    var file = file
    var records: [DraftRecord] = []
    var mark: UInt64?
    var known = 0
    for body in state == .restorable ? contents?.bodies ?? [] : [] {
      // Nothing stands behind a mark.
      guard mark == nil else { break }
      do throws(JournalFault) {
        mark = try DraftJournal.commit(markedBy: body)
        if mark == nil { records.append(try DraftRecord(body, after: records.last)) }
        known += 1
      } catch {
        break
      }
    }
    let lost = contents.map { $0.lostByteCount(after: known) } ?? 0
    file.forget(after: known)
    self.state = state
    self.records = records
    lostByteCount = lost
    modified = Timestamp(seconds: file.modified)
    journalPath = file.path
    formerPath = contents.flatMap { $0.header.path.hasSameBytes(as: path) ? nil : $0.header.path }
    baseCommit = contents?.header.baseCommit ?? 0
    committingOnto = mark
    self.file = Mutex(file)
  }

  deinit { release() }

  /// Leaves it to whoever looks next.
  public func release() {
    file.withLock { file in
      file?.close()
      file = nil
    }
  }

  /// Removes it.
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

extension DatabaseError {
  /// The reason stands before the path, of which a narrow screen shows a part.
  internal init(_ fault: JournalFault, _ attempt: String, in path: String) {
    let (code, reason): (Code, String) =
      switch fault {
      case .system(let number): (isFull(number) ? .diskFull : .cannotOpen, systemReason(number))
      case .damaged(let what): (.damaged, what)
      case .newerFormat(let version): (.newerFormat, "it has format \(version) of journals")
      }
    self.init(code, "\(attempt): \(reason), in \(path)", path: path)
  }
}
