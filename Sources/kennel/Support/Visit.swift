import Glibc
import KennelBrowser
import KennelCore

/// A database that is shown: what the browser begins with, and what is kept of it at the end.
struct Visit {
  let database: Database
  /// The name for the title.
  let name: String
  let kept: KeptState
  let recentFiles: [RecentFile]
  /// Whether the recent files are shown first, because no file was named.
  let asksForFile: Bool
  /// Whether the command line asks to open files for reading only.
  let isReadOnly: Bool
  /// What to say at the start.
  var greeting: String?
  private let stateFile: StateFile?
  private let base: KeptState
  private let file: StoredState.File

  var path: String { database.path }

  /// Opens the file that a command line names, or the sample without one.
  init(_ path: String?, isReadOnly: Bool, isFresh: Bool) throws {
    let sample = path == nil ? try SampleFile.open() : ""
    self = try Visit(
      opening: path ?? sample,
      name: path ?? "the sample",
      isReadOnly: isReadOnly,
      isFresh: isFresh,
      asksForFile: path == nil
    )
  }

  /// Opens a file whose name was typed or picked in the browser.
  init(opening path: String, isReadOnly: Bool) throws(DatabaseError) {
    let home = variable("HOME") ?? ""
    let path = path.hasPrefix("~/") ? home + path.dropFirst() : path
    let isSample = (try? SampleFile.path()) == path
    self = try Visit(
      opening: path,
      name: isSample ? "the sample" : path,
      isReadOnly: isReadOnly,
      isFresh: false,
      asksForFile: false
    )
  }

  private init(
    opening path: String,
    name: String,
    isReadOnly: Bool,
    isFresh: Bool,
    asksForFile: Bool
  ) throws(DatabaseError) {
    database = try Database.open(
      path,
      configuration: Database.Configuration(
        access: isReadOnly ? .readOnly : .readWrite,
        createsIfMissing: false
      )
    )
    self.name = name
    self.isReadOnly = isReadOnly
    stateFile = StateFile.standard()
    let file = StoredState.File(
      path: realPath(path),
      identity: database.fileID.description,
      time: Int64(time(nil))
    )
    let (stored, problem) = stateFile?.read() ?? (StoredState(), nil)
    greeting = problem
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
        exists: exists(other.path)
      )
    }
    self.asksForFile = asksForFile && !others.isEmpty
  }

  /// Keeps what the browser leaves behind; says so where that is not possible.
  func keep(_ state: KeptState) {
    do {
      try stateFile?.keep(state, since: base, for: file)
    } catch {
      printNote("The view and the columns of \(name) are not kept: \(error)")
    }
  }
}
