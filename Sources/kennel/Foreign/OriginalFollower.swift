import Glibc
import KennelBrowser
import KennelCore
import KennelSQL
import KennelTerminal
import Synchronization

/// Keeps the copy of an SQLite file what the file is, and writes to the file what is committed to the copy.
final class SQLiteFollower: Sendable {
  private struct State {
    var forms: [TableForms]
    /// The state of the file that the copy was brought to, or that could not be read.
    var seen: String
    var problem: String?
    var isStopped = false
  }

  /// How often the file is looked at.
  private static let pauseMicroseconds: useconds_t = 200_000

  private let source: SQLiteSource
  private let copies: PrivateCopies
  private let copyPath: String
  /// Tells the copy that is shown from one that another process has put in its place.
  private let fileID: UUIDValue
  private let state: Mutex<State>

  init(
    _ source: SQLiteSource,
    _ copies: PrivateCopies,
    _ copy: PrivateCopies.Entry,
    _ database: Database
  ) {
    self.source = source
    self.copies = copies
    fileID = database.fileID
    copyPath = copy.path
    let forms = copy.contents.forms.compactMap(TableForms.init)
    state = Mutex(State(forms: forms, seen: copy.original.state))
  }

  /// Whether the file can be changed: SQLite writes a journal beside it.
  var canWrite: Bool {
    let path = realPath(source.path)
    return unsafe access(path, W_OK) == 0 && access(folder(of: path), W_OK) == 0
  }

  private func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// The browser's access to the file.
  var original: OriginalDatabase {
    OriginalDatabase(
      store: { (commit) throws(DatabaseError) in try self.store(commit) },
      statements: { (commit) throws(DatabaseError) in try self.statements(commit) },
      isStored: { self.isStored($0) },
      problem: { self.state.withLock { $0.problem } }
    )
  }

  // MARK: - Following

  /// Looks at the file until ``stop()``, on a thread of its own.
  func start() {
    let hasStarted = BackgroundThread.start { [self] in
      while !state.withLock({ $0.isStopped }) {
        follow()
        usleep(Self.pauseMicroseconds)
      }
    }
    if !hasStarted { note(nil, "What other programs commit to \(source.path) is not seen") }
  }

  func stop() {
    state.withLock { $0.isStopped = true }
  }

  /// Brings the copy up to date if the file is another now.
  func follow() {
    do {
      let newest = try PrivateCopies.Original(
        source.readPath,
        version: source.version,
        identity: source.identity
      )
      guard state.withLock({ $0.seen != newest.state }) else { return }
      guard let copy = copies.findOlder(newest) else {
        return note(newest.state, "The copy of \(source.path) was removed; open it again")
      }
      let updated = try copies.update(copy, to: newest) { database, contents in
        database.fileID == fileID ? try source.update(database, contents) : nil
      }
      guard let updated else {
        return note(
          newest.state,
          "The tables of \(source.path) are others now, and what is shown is what was; open it again"
        )
      }
      note(newest.state, nil, updated.contents.forms.compactMap(TableForms.init))
    } catch {
      // Whatever is there the next time is read.
      note("", sentence(of: error) ?? "\(error)")
    }
  }

  private func note(_ seen: String?, _ problem: String?, _ forms: [TableForms]? = nil) {
    state.withLock { state in
      if let seen { state.seen = seen }
      if let forms { state.forms = forms }
      state.problem = problem
    }
  }

  // MARK: - Writing

  private func store(_ commit: DraftCommit) throws(DatabaseError) {
    try told {
      var writer = try SQLiteWriter(realPath(source.path))
      let mapping = try writer.mapping(
        addedKeys: source.addedKeys,
        state.withLock { $0.forms }
      )
      let changes = try RowChanges(commit, mapping)
      try writer.run(changes)
      let note = CommitNote(number: commit.before.commitNumber, CommitTrace(changes))
      try note.write(of: copyPath)
      try writer.commit()
    }
  }

  private func statements(_ commit: DraftCommit) throws(DatabaseError) -> [String] {
    try told {
      try source.statements(commit, state.withLock { $0.forms })
    }
  }

  /// Says of errors that nothing was committed.
  private func told<Result>(_ body: () throws -> Result) throws(DatabaseError) -> Result {
    do {
      return try body()
    } catch let error as DatabaseError {
      throw error
    } catch let error as SQLError where error.kind == .changed {
      throw DatabaseError(
        .conflict,
        "Nothing was committed: \(error.message), which is read now"
      )
    } catch {
      let reason = (error as? SQLError)?.message ?? sentence(of: error) ?? "\(error)"
      throw DatabaseError(.conflict, "Nothing was committed: \(reason)")
    }
  }

  private func isStored(_ number: Int) -> Bool? {
    guard let note = CommitNote(of: copyPath), note.number == number else { return nil }
    return try? source.reading { connection, _ in try note.trace.isStored(connection) }
  }
}

extension SQLiteSource {
  /// The statements that a commit is.
  func statements(_ commit: DraftCommit, _ forms: [TableForms]) throws -> [String] {
    try RowChanges(commit, mapping(forms)).text
  }
}
