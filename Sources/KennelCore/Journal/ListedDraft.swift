import Glibc
import KennelStorage

/// A saved draft in a folder of journals, of any database, as a list shows it.
///
/// Listing takes no lock: the process that owns the draft continues, and one that opens its database
/// may restore it at any time.
public struct ListedDraft: Sendable, Identifiable {
  /// What can be said of the file that a draft changes.
  public enum File: Hashable, Sendable {
    /// It is where it was.
    case there
    /// Nothing lies where it was. Where it was moved to, its draft is offered.
    case gone
    /// Another database, or something else, lies where it was.
    case replaced
    /// It is not known, for this reason.
    case unreadable(String)
  }

  /// What can be read of a journal.
  public enum Condition: Hashable, Sendable {
    /// Its operations, perhaps without the last.
    case readable
    /// Nothing, for this reason.
    case unreadable(String)
    /// Nothing: it has this format, of a later version.
    case newerFormat(Int)
  }

  /// The name of the journal without what all journals of one database have in common.
  public let id: String
  /// The file that it lies in.
  public let journalPath: String
  /// What of it can be read.
  public let condition: Condition
  /// Where the database lay when the draft began; `nil` where it cannot be read.
  public let databasePath: String?
  /// What lies there now; `nil` where the path cannot be read.
  public let file: File?
  /// How many changes the review of its operations lists.
  public let changeCount: Int
  /// How many bytes behind the last whole operation are damaged or half written, and lost.
  public let lostByteCount: Int
  /// When it was changed last; `nil` where not even that is known.
  public let modified: Timestamp?
  /// Whether a process that lives has it.
  public let isInUse: Bool

  /// Looks at a journal; `nil` where it went away.
  internal init?(_ path: String) {
    let look: JournalLook
    do throws(JournalFault) {
      guard let there = try JournalFile.look(at: path) else { return nil }
      look = there
    } catch {
      look = JournalLook(contents: .failure(error), modified: nil, isTaken: false)
    }
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

  /// Removes the draft with its changes, unless a process that lives has it.
  ///
  /// - Returns: Whether it is gone; false where somebody has it.
  /// - Throws: `DatabaseError` if the system refuses.
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

  /// What lies where the database lay.
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
  /// The drafts of all databases in a folder, the newest first.
  ///
  /// It costs reading them, and opening each database that is where it was.
  ///
  /// - Parameter folder: The folder; it need not be there.
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
