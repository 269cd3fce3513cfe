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
  /// What the browser of its first rows left behind; `nil` where that was nothing.
  var left: KeptState?
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

  /// Opens a file that a command line names or that was typed or picked in the browser, or the sample.
  ///
  /// - Parameters:
  ///   - named: The path; the sample without one.
  ///   - reading: How the file or the database of another program is read.
  ///   - isReadOnly: Whether it is opened for reading only.
  ///   - isFresh: Whether it begins at the first class, not where it was left.
  ///   - isTyped: Whether the browser asked for the path, which can begin with `~/`, and can be the sample's.
  ///   - show: Shows the first rows of an SQL database until all of it is read; `nil` where a bar does.
  ///   - accept: Shown the classes that documents suggest; whether to go on with them.
  /// - Throws: `DatabaseError` or `CommandError` if the file cannot be opened.
  init(
    _ named: String?,
    _ reading: ForeignReading = ForeignReading(),
    isReadOnly: Bool,
    isFresh: Bool = false,
    isTyped: Bool = false,
    show: FirstLook.Show? = nil,
    accept: (String) throws -> Bool = { _ in true }
  ) throws {
    var path = try named ?? SampleFile.open()
    if isTyped, path.hasPrefix("~/") { path = (variable("HOME") ?? "") + path.dropFirst() }
    let isSample = named == nil || isTyped && (try? SampleFile.path()) == path
    let opened = try OpenedFile.open(
      path,
      reading,
      isReadOnly: isReadOnly,
      show: show,
      accept: accept
    )
    database = opened.database
    CrashHandler.watch(database.path)
    original = opened.original
    if opened.original?.secrecy != nil || opened.database.isEncrypted {
      MemoryCopy.takeTemporaryFiles()
    }
    name = opened.original?.title ?? (isSample ? "the sample" : path)
    path = opened.original?.path ?? path
    self.path = path
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
    asksForFile = named == nil && !others.isEmpty
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
