import Glibc
import KennelBrowser
import KennelCore
import KennelSQL
import KennelTerminal
import Synchronization

/// A look at the first rows of an SQL database, while all of it is read on another thread.
final class FirstLook: Sendable {
  /// Shows the rows until all of the database is read.
  typealias Show = (FirstLook) throws -> Void

  private struct State {
    var progress = 0.0
    var hasRows = false
    var isStopped = false
    /// What came of the reading.
    var result: Result<OpenedFile, any Error>?
  }

  /// What is read sooner is shown at once.
  private static let patience = Duration.milliseconds(100)
  /// How often the threads look at each other.
  private static let pauseMicroseconds: useconds_t = 2_000
  /// How often the screen tells how much is read.
  private static let timeOfReport = Duration.milliseconds(100)
  /// So long the end of the program waits until the reading removes its files.
  private static let mostPausesAtEnd = 500

  /// The path of the database as it was given.
  let path: String
  /// Its name for the title.
  let title: String
  /// The rows that are shown.
  let rows: Database
  private let state = Mutex(State())

  private init(_ source: some ForeignSource, _ rows: Database) {
    (path, title, self.rows) = (source.path, source.title, rows)
  }

  /// Opens the copy of an SQL database; where that takes long, its first rows are shown meanwhile.
  ///
  /// - Parameters:
  ///   - source: The database.
  ///   - show: Shows the rows until all is read; `nil` where a bar of progress does.
  /// - Returns: The copy.
  /// - Throws: `DatabaseError` or `CommandError` if it cannot be opened, and what `show` throws.
  static func open(
    _ source: some SQLSource,
    _ show: FirstLook.Show?
  ) throws -> OpenedFile {
    guard let show else { return try OpenedFile(source) }
    if source.secrecy != nil { MemoryCopy.takeTemporaryFiles() }
    return try source.withScratch { rows in
      let look = FirstLook(source, rows)
      let hasStarted = BackgroundThread.start {
        let result = Result { try OpenedFile(source, look) }
        look.state.withLock { $0.result = result }
      }
      guard hasStarted else { return try OpenedFile(source) }
      defer { look.stop() }
      look.awaitRows()
      if !look.isFinished { try show(look) }
      while true {
        if let result = look.state.withLock({ $0.result }) { return try result.get() }
        usleep(pauseMicroseconds)
      }
    }
  }

  /// Waits until there is something to show, behind a bar.
  private func awaitRows() {
    let end = ContinuousClock.now + Self.patience
    var bar = ProgressBar("Reading \(path)")
    defer { bar.finish() }
    while !isFinished, ContinuousClock.now < end || !state.withLock({ $0.hasRows }) {
      usleep(Self.pauseMicroseconds)
      bar.show(state.withLock { $0.progress })
    }
  }

  /// Ends the reading, where it has not ended.
  private func stop() {
    state.withLock { $0.isStopped = true }
    for _ in 0..<Self.mostPausesAtEnd where !isFinished { usleep(Self.pauseMicroseconds) }
  }

  // MARK: - For who reads

  /// Takes the first rows, unless an earlier attempt to read brought them.
  func take(_ fill: (WriteTransaction) throws -> Void) throws {
    if state.withLock({ $0.hasRows }) { return }
    try rows.write(fill)
    // There may be views alone.
    if try rows.snapshot().schema.classes.isEmpty { return }
    state.withLock { $0.hasRows = true }
  }

  /// Says how much is read; throws where nobody waits for it any more.
  func report(_ part: Double) throws {
    let isStopped = state.withLock { state in
      state.progress = part
      return state.isStopped
    }
    if isStopped { throw CommandError("\(path) was not opened") }
  }
}

extension FirstLook: WholeReading {
  var isFinished: Bool { state.withLock { $0.result != nil } }

  func wait(for job: JobContext) {
    var last = ContinuousClock.now
    while !isFinished, !job.isCancelled {
      if ContinuousClock.now - last >= Self.timeOfReport {
        job.report(progress: state.withLock { $0.progress })
        last = .now
      }
      usleep(Self.pauseMicroseconds)
    }
  }
}
