internal import CTerminalSignals
internal import Glibc
internal import KennelBrowser
internal import Synchronization

/// Threads that run jobs, and the events that come from them.
///
/// A thread is made when there is work for it and ends when there is none. All state is behind one
/// lock; `events` wakes the loop by a descriptor that it can wait for together with the keys.
final class JobThreads: Sendable {
  private struct State {
    var waiting: [(job: Job, context: JobContext)] = []
    var running: [JobID: JobContext] = [:]
    var threads = 0
    var events: [Event] = []
  }

  /// More jobs than this wait for their turn, but for urgent ones.
  private static let mostThreads = 8

  private let state = Mutex(State())

  private let pipe: WakePipe

  init(pipe: WakePipe) {
    self.pipe = pipe
  }

  /// Readable while there are events.
  var descriptor: Int32 { pipe.output }

  /// Runs a job as soon as there is a thread for it.
  func run(_ job: Job) {
    let context = JobContext { [weak self] progress in
      self?.post(.job(.progress(job.id, progress)))
    }
    let needsThread = state.withLock { state in
      if job.isUrgent {
        state.waiting.insert((job, context), at: 0)
      } else {
        state.waiting.append((job, context))
        guard state.threads < Self.mostThreads else { return false }
      }
      state.threads += 1
      return true
    }
    if needsThread { startThread() }
  }

  /// Asks a job to stop; one that waits for its turn never begins.
  func cancel(_ id: JobID) {
    let neverRan = state.withLock { state in
      state.running[id]?.cancel()
      guard let index = state.waiting.firstIndex(where: { $0.job.id == id }) else { return false }
      state.waiting.remove(at: index)
      return true
    }
    if neverRan { post(.job(.cancelled(id))) }
  }

  /// Runs something short, such as a program that copies, whose result is an event.
  func run(_ work: @escaping @Sendable () -> Event) {
    BackgroundThread.run { [self] in post(work()) }
  }

  /// Stops all jobs; false where some are still at work after two seconds.
  func stop() -> Bool {
    state.withLock { state in
      state.waiting = []
      for context in state.running.values { context.cancel() }
    }
    for _ in 0..<2_000 {
      if state.withLock({ $0.threads }) == 0 { return true }
      usleep(1_000)
    }
    return false
  }

  /// The events so far, in order.
  func takeEvents() -> [Event] {
    _ = pipe.take()
    return state.withLock { state in
      defer { state.events = [] }
      return state.events
    }
  }

  /// Adds an event; progress takes the place of the one before.
  private func post(_ event: Event) {
    let isFirst = state.withLock { state in
      if case .job(.progress(let id, _)) = event, case .job(.progress(id, _))? = state.events.last {
        state.events.removeLast()
      }
      state.events.append(event)
      return state.events.count == 1
    }
    if isFirst { pipe.wake() }
  }

  // MARK: - Threads

  private func startThread() {
    BackgroundThread.run { [self] in
      let stack = unsafe terminal_signals_use_stack()
      while let (job, context) = nextJob() {
        job.work(context)
        state.withLock { $0.running[job.id] = nil }
        post(.job(context.isCancelled ? .cancelled(job.id) : .finished(job.id)))
      }
      unsafe terminal_signals_drop_stack(stack)
    }
  }

  private func nextJob() -> (job: Job, context: JobContext)? {
    state.withLock { state in
      guard !state.waiting.isEmpty else {
        state.threads -= 1
        return nil
      }
      let next = state.waiting.removeFirst()
      state.running[next.job.id] = next.context
      return next
    }
  }
}
