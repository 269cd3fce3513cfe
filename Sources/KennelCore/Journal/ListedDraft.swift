import Glibc
import KennelStorage

/// A saved draft of any database, as listed from a folder of journals.
///
/// ```swift
/// for listed in try DraftJournal.list(in: folder) where !listed.isInUse {
///   print(listed.id, listed.changeCount)
/// }
/// ```
///
/// Listing takes no lock: the process that owns the draft continues, and any process that opens the
/// database of the draft may restore it at any time.
public struct ListedDraft: Sendable, Identifiable {
  /// The state of the file that a draft changes.
  ///
  /// ```swift
  /// for listed in try DraftJournal.list(in: folder) where listed.file == .gone {
  ///   print("\(listed.databasePath ?? "") was moved or deleted")
  /// }
  /// ```
  public enum File: Hashable, Sendable {
    /// The file is at its path.
    case there
    /// There is no file at the path.
    ///
    /// If it was moved, the draft is found again when the file is opened at its new path.
    case gone
    /// Another file is at the path.
    case replaced
    /// The state is unknown, for this reason.
    case unreadable(String)
  }

  /// Whether a journal can be read.
  ///
  /// ```swift
  /// let readable = try DraftJournal.list(in: folder).filter { $0.condition == .readable }
  /// print(readable.map(\.changeCount))
  /// ```
  public enum Condition: Hashable, Sendable {
    /// The operations can be read, except perhaps the last one.
    case readable
    /// Nothing can be read, for this reason.
    case unreadable(String)
    /// The journal has this newer format.
    case newerFormat(Int)
  }

  /// The part of the journal's name that identifies the draft.
  public let id: String
  /// The path of the journal.
  public let journalPath: String
  /// Whether the journal can be read.
  public let condition: Condition
  /// The path of the database when the draft began; `nil` if it cannot be read.
  public let databasePath: String?
  /// The state of the file at that path; `nil` if the path cannot be read.
  public let file: File?
  /// The number of changes, as ``Draft/changeCount``.
  public let changeCount: Int
  /// The number of damaged or incomplete bytes after the last operation, which are lost.
  public let lostByteCount: Int
  /// When the journal was last modified; `nil` if unknown.
  public let modified: Timestamp?
  /// Whether a running process has the draft open.
  public let isInUse: Bool

  /// Looks at a journal; `nil` if it went away.
  internal init?(_ path: String) {
    guard let look = JournalFile.look(at: path) else { return nil }
    journalPath = path
    id = Self.id(path)
    modified = look.modified
    isInUse = look.isTaken
    switch look.contents {
    case .success(let contents):
      let operations = KeptOperations(contents)
      condition = .readable
      databasePath = contents.header.path
      file = Self.file(of: contents.header)
      changeCount = operations.records.changeCount
      lostByteCount = look.isTaken ? 0 : contents.lostByteCount(after: operations.entryCount)
    case .failure(let fault):
      condition =
        if case .newerFormat(let version) = fault { .newerFormat(version) } else {
          .unreadable(fault.reason)
        }
      databasePath = nil
      file = nil
      changeCount = 0
      lostByteCount = 0
    }
  }

  /// Deletes the draft, unless a running process has it.
  ///
  /// - Returns: Whether it was deleted; false if a running process has it.
  /// - Throws: `DatabaseError` if the file cannot be deleted.
  public func remove() throws(DatabaseError) -> Bool {
    do throws(JournalFault) {
      return try JournalFile.remove(journalPath)
    } catch {
      throw DatabaseError(error, "Cannot remove the draft", in: journalPath)
    }
  }

  private static func id(_ path: String) -> String {
    let name = path.split(separator: "/").last.map { String($0) } ?? path
    let stem = name.prefix(upTo: name.lastIndex(of: ".") ?? name.endIndex)
    return stem.split(separator: "-").last.map { String($0) } ?? String(stem)
  }

  /// Looks at the file that lies at the path of the database now.
  internal static func file(of header: JournalHeader) -> File {
    var status = stat()
    guard unsafe stat(header.path, &status) == 0 else {
      let isGone = errno == ENOENT || errno == ENOTDIR
      return isGone ? .gone : .unreadable(systemReason(errno))
    }
    guard status.st_mode & S_IFMT == S_IFREG else { return .replaced }
    do throws(DatabaseError) {
      let configuration = Database.Configuration(access: .readOnly, createsIfMissing: false)
      let database = try Database.open(header.path, configuration: configuration)
      return database.fileID == header.fileID ? .there : .replaced
    } catch {
      return error.code == .notADatabase ? .replaced : .unreadable(error.message)
    }
  }
}

extension DraftJournal {
  /// Returns the saved drafts in a folder, the newest first.
  ///
  /// This reads every draft and opens every database that exists.
  ///
  /// - Parameter folder: The folder, which need not exist.
  /// - Returns: The drafts.
  /// - Throws: `DatabaseError` if the folder cannot be read.
  public static func list(in folder: String) throws(DatabaseError) -> [ListedDraft] {
    var status = stat()
    var fault: Int32 = 0
    if unsafe stat(folder, &status) != 0 {
      fault = errno
    } else if status.st_mode & S_IFMT != S_IFDIR {
      fault = ENOTDIR
    } else if unsafe access(folder, R_OK | X_OK) != 0 {
      fault = errno
    }
    if fault == ENOENT { return [] }
    if fault != 0 { throw DatabaseError(.system(fault), "Cannot list the drafts", in: folder) }
    let drafts = JournalFile.paths(in: folder).compactMap { ListedDraft($0) }
    let never = Timestamp(seconds: .min)
    return drafts.sorted { ($0.modified ?? never) > ($1.modified ?? never) }
  }
}
