import Glibc
import KennelBrowser
import KennelCore
import KennelSQL
import KennelTerminal
import Synchronization

/// Keeps the copy of an SQL database what the database is, and writes to it what is committed to the copy.
final class OriginalFollower: OriginalDatabase {
  private struct State {
    var contents: CopyContents
    /// When the copy was read.
    var time: Timestamp
    /// The state of the file that the copy was brought to, or that could not be read.
    var seen: String
    var problem: String?
    /// Whether it is to be read whatever its state; also while it is being read.
    var isWanted = false
    var isStopped = false
  }

  /// How often the file is looked at.
  private static let pauseMicroseconds: useconds_t = 200_000

  private let source: any SQLSource
  /// Where the copy lies; `nil` for one in memory.
  private let copies: PrivateCopies?
  private let database: Database
  private let state: Mutex<State>

  /// - Parameters:
  ///   - source: The database.
  ///   - copies: Where the copy lies; `nil` for one in memory.
  ///   - contents: The facts about the copy.
  ///   - time: When it was read.
  ///   - seen: The state of the database then.
  ///   - database: The copy.
  init(
    _ source: any SQLSource,
    _ copies: PrivateCopies?,
    _ contents: CopyContents,
    _ time: Timestamp,
    seen: String,
    _ database: Database
  ) {
    self.source = source
    self.copies = copies
    self.database = database
    state = Mutex(State(contents: contents, time: time, seen: seen))
  }

  var canWrite: Bool { source.canWrite }

  var problem: String? { state.withLock { $0.problem } }

  /// When the copy was read, where it is in memory; one on the disk follows the file by itself.
  var time: Timestamp? { copies == nil ? state.withLock { $0.time } : nil }

  // MARK: - Following

  /// Looks at the file until ``stop()``, on a thread of its own.
  func start() {
    let hasStarted = BackgroundThread.start { [self] in
      while !state.withLock({ $0.isStopped }) {
        // A server that cannot be reached is not asked all the time.
        usleep(Self.pauseMicroseconds * (follow() ? 1 : 25))
      }
    }
    if !hasStarted { note(nil, "What other programs commit to \(source.path) is not seen") }
  }

  func stop() {
    state.withLock { $0.isStopped = true }
  }

  /// Has the database read again, whatever its state.
  func readAgain() {
    state.withLock { $0.isWanted = true }
  }

  /// Brings the copy up to date if the database is another now.
  ///
  /// - Returns: Whether it could be read.
  @discardableResult
  func follow() -> Bool {
    do {
      let newest = try source.state()
      let isRead = state.withLock { state in
        defer { state.isWanted = false }
        return !state.isWanted && state.seen == newest.state
      }
      if isRead { return true }
      let time = currentTime()
      if let copies {
        guard let copy = copies.findOlder(newest) else {
          note(newest.state, "The copy of \(source.path) was removed; open it again")
          return true
        }
        let updated = try copies.update(copy, to: newest) { database, contents in
          // Another process may have put another copy in its place.
          database.fileID == self.database.fileID ? try source.update(database, contents, nil) : nil
        }
        take(updated?.contents, newest.state, time)
      } else {
        let contents = try source.update(database, state.withLock { $0.contents }, nil)
        take(contents, newest.state, time)
      }
      return true
    } catch {
      // Whatever is there the next time is read.
      note("", sentence(of: error) ?? "\(error)")
      return false
    }
  }

  private func take(_ contents: CopyContents?, _ seen: String, _ time: Timestamp) {
    guard let contents else {
      return note(
        seen,
        "The tables of \(source.path) are others now, and what is shown is what was; open it again"
      )
    }
    state.withLock { state in
      state.contents = contents
      state.time = time
    }
    note(seen, nil)
  }

  private func note(_ seen: String?, _ problem: String?) {
    state.withLock { state in
      if let seen { state.seen = seen }
      state.problem = problem
    }
  }

  // MARK: - Writing

  /// Forgets the last commit, when no draft waits to know what became of it.
  func forgetCommit() {
    if copies == nil, let notePath { unlink(notePath) }
  }

  /// The names by which a draft finds its objects again in another copy in memory; `nil` for one on the
  /// disk.
  func draftNames() throws -> DraftNames? {
    guard copies == nil else { return nil }
    let mapping = try source.mapping(state.withLock { $0.contents })
    let schema = try database.snapshot().schema.classes.map { schema in
      "\(schema.name): " + schema.properties.map { "\($0.name) \($0.type)" }.joined(separator: ", ")
    }
    let id = UUIDValue(
      high: fingerprintNumber(source.path),
      low: fingerprintNumber(schema.joined(separator: "\n"))
    )
    let rows = try RowNames(mapping, database)
    return DraftNames(path: source.path, id: id) {
      rows.name(of: $0)
    } find: {
      rows.object(named: $0)
    }
  }

  private var notePath: String? { source.notePath(of: database.path) }

  func store(_ commit: DraftCommit) throws(DatabaseError) {
    // What triggers made of it is read, and after a refusal what others did; a file's state says so itself.
    defer { if copies == nil { readAgain() } }
    try told {
      try source.store(commit, state.withLock { $0.contents }) { trace in
        guard let notePath else { return }
        try CommitNote(number: commit.before.commitNumber, trace).write(to: notePath)
      }
    }
  }

  func statements(_ commit: DraftCommit) throws(DatabaseError) -> [String] {
    try told { try source.statements(commit, state.withLock { $0.contents }) }
  }

  /// Asks the database whether a text is a value.
  func accepts(_ text: String, _ property: PropertyKey, _ classKey: ClassKey) -> OriginalAnswer {
    do {
      guard let found = try database.snapshot().schema[classKey], let name = found[property]?.name
      else { return .accepted }
      try source.requireValue(text, name, of: found.name, state.withLock { $0.contents })
      return .accepted
    } catch let error as SQLError {
      return error.kind == .refused ? .refused(error.message) : .none(error.message)
    } catch {
      return .none(sentence(of: error) ?? "\(error)")
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
    } catch let error as SQLError where error.kind == .outcomeUnknown {
      throw DatabaseError(
        .conflict,
        "\(error.message); read it again to see whether it has, and commit what it has not"
      )
    } catch {
      let reason = (error as? SQLError)?.message ?? sentence(of: error) ?? "\(error)"
      throw DatabaseError(.conflict, "Nothing was committed: \(reason)")
    }
  }

  func isStored(_ number: Int) -> Bool? {
    // Without a note, it was never asked to store it.
    guard let notePath, exists(notePath) else { return false }
    guard let note = CommitNote(at: notePath) else { return nil }
    guard note.number == number else { return false }
    return try? source.isStored(note.trace)
  }
}
