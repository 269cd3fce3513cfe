import Glibc
import KennelBrowser
import KennelCore
import KennelSQL
import KennelTerminal

/// A database that is shown: what the browser begins with, and what is kept of it at the end.
struct Visit {
  let database: Database
  /// The original of a private copy; `nil` for a Kennel file.
  let original: OpenedFile.Original?
  /// The name for the title.
  let name: String
  let kept: KeptState
  let recentFiles: [RecentFile]
  /// Whether the recent files are shown first, because no file was named.
  let asksForFile: Bool
  /// Whether the command line asks to open files for reading only.
  let isReadOnly: Bool
  /// A message at the start.
  var greeting: String?
  private let stateFile: StateFile?
  private let base: KeptState
  private let file: StoredState.File

  /// The path to open it by again.
  let path: String
  /// Whether nothing of it may be kept on a disk.
  var isSecret: Bool { secrecy != nil }
  /// Why nothing of it may be kept on a disk; `nil` where it may.
  var secrecy: String? {
    original?.secrecy ?? (database.isEncrypted ? "the file is encrypted" : nil)
  }
  /// How it can be opened for changes.
  var readOnlyAdvice: String {
    PostgresURL.isURL(path)
      ? "start with --rw to change it" : "start without --read-only to change it"
  }

  /// Opens the file that a command line names, or the sample without one.
  init(
    _ path: String?,
    _ reading: ForeignReading,
    isReadOnly: Bool,
    isFresh: Bool,
    accept: (String) throws -> Bool
  ) throws {
    let asksForFile = path == nil
    let path = try path ?? SampleFile.open()
    self = Visit(
      opening: path,
      try OpenedFile.open(path, reading, isReadOnly: isReadOnly, accept: accept),
      name: asksForFile ? "the sample" : path,
      isReadOnly: isReadOnly,
      isFresh: isFresh,
      asksForFile: asksForFile
    )
  }

  /// Opens a file whose name was typed or picked in the browser.
  init(opening path: String, isReadOnly: Bool) throws {
    let home = variable("HOME") ?? ""
    let path = path.hasPrefix("~/") ? home + path.dropFirst() : path
    let isSample = (try? SampleFile.path()) == path
    self = Visit(
      opening: path,
      try OpenedFile.open(path, isReadOnly: isReadOnly),
      name: isSample ? "the sample" : path,
      isReadOnly: isReadOnly,
      isFresh: false,
      asksForFile: false
    )
  }

  private init(
    opening path: String,
    _ opened: OpenedFile,
    name: String,
    isReadOnly: Bool,
    isFresh: Bool,
    asksForFile: Bool
  ) {
    database = opened.database
    CrashHandler.watch(database.path)
    original = opened.original
    if opened.original?.secrecy != nil || opened.database.isEncrypted {
      MemoryCopy.takeTemporaryFiles()
    }
    let path = opened.original?.path ?? path
    self.path = path
    self.name = opened.original?.title ?? name
    self.isReadOnly = isReadOnly
    stateFile = StateFile.standard()
    let file = StoredState.File(
      path: realPath(path),
      // A copy is made anew when its original changes; what was seen of it is kept.
      identity: opened.original == nil ? database.fileID.description : "",
      time: Int64(time(nil))
    )
    let (stored, problem) = stateFile?.read() ?? (StoredState(), nil)
    greeting = problem ?? opened.original?.remark
    base = stored.state(for: file)
    var kept = base
    if isFresh { kept.session.forgetViews() }
    self.kept = kept
    self.file = file
    let others = stored.files.map(\.file).filter { $0.path != file.path }
    recentFiles = others.map { other in
      RecentFile(
        path: other.path,
        time: localTime(Timestamp(seconds: other.time)),
        exists: PostgresURL.isURL(other.path) || exists(other.path)
      )
    }
    self.asksForFile = asksForFile && !others.isEmpty
  }

  /// Keeps what the browser leaves behind; says so where that is not possible.
  func keep(_ state: KeptState) {
    // Standard input has no name.
    if isSecret && !PostgresURL.isURL(path) || path == "-" { return }
    var state = state
    // What was typed to open a database may have a password.
    state.histories = state.histories.mapValues { $0.map(PostgresURL.withoutPassword(in:)) }
    do {
      // Filters quote values: of what is secret, only the name of a database on a server is kept.
      try stateFile?.keep(isSecret ? base : state, since: base, for: file)
    } catch {
      printNote("The view and the columns of \(name) are not kept: \(error)")
    }
  }
}
