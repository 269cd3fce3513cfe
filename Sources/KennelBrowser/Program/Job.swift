internal import Synchronization

package struct JobID: Hashable, Sendable {
  package let number: Int

  package init(_ number: Int) {
    self.number = number
  }
}

/// Work that may take long.
///
/// The result stays with whoever made the job, who takes it when the last event comes.
package struct Job: Sendable {
  package let id: JobID

  /// Names the work on the screen, as in "Sorting Dog by name".
  package let title: String

  /// Whether it waits for no other job, and is done even if the terminal goes away.
  package let isUrgent: Bool

  package let work: @Sendable (JobContext) -> Void

  package init(
    id: JobID,
    title: String,
    isUrgent: Bool = false,
    work: @escaping @Sendable (JobContext) -> Void
  ) {
    self.id = id
    self.title = title
    self.isUrgent = isUrgent
    self.work = work
  }
}

/// The connection of a job's work to the program.
package final class JobContext: Sendable {
  private let cancelled: Atomic<Bool>
  private let send: @Sendable (Double?) -> Void

  package init(isCancelled: Bool = false, send: @escaping @Sendable (Double?) -> Void) {
    cancelled = Atomic(isCancelled)
    self.send = send
  }

  /// Whether the work should end now; cheap enough for an inner loop.
  package var isCancelled: Bool { cancelled.load(ordering: .relaxed) }

  package func cancel() {
    cancelled.store(true, ordering: .relaxed)
  }

  /// Tells the program how far the work is, from 0 to 1 where that is known.
  package func report(progress: Double?) {
    send(progress)
  }
}

/// An event of a job.
///
/// Exactly one event that ends it comes, and comes last.
package enum JobEvent: Sendable {
  /// How far the work is, from 0 to 1 where that is known.
  case progress(JobID, Double?)

  /// The work is done.
  case finished(JobID)

  /// The work ended after it was asked to stop, or never began.
  case cancelled(JobID)

  package var id: JobID {
    switch self {
    case .progress(let id, _), .finished(let id), .cancelled(let id): id
    }
  }
}

/// Runs jobs on the spot, for scripts and tests.
package enum JobRunner {
  /// The events of a job that runs now, in order.
  package static func run(_ job: Job, isCancelled: Bool = false) -> [JobEvent] {
    let events = Mutex<[JobEvent]>([])
    let context = JobContext(isCancelled: isCancelled) { progress in
      events.withLock { $0.append(.progress(job.id, progress)) }
    }
    job.work(context)
    return events.withLock { events in
      events.append(context.isCancelled ? .cancelled(job.id) : .finished(job.id))
      return events
    }
  }

  /// Sends an event, runs the jobs that the program asks for until there are none, and returns
  /// the other effects in order.
  package static func send(_ event: Event, to program: any TerminalProgram) -> [Effect] {
    program.receive(event)
    return runJobs(of: program)
  }

  /// Runs the jobs that the program asks for until there are none, and returns the other effects.
  package static func runJobs(of program: any TerminalProgram) -> [Effect] {
    var others: [Effect] = []
    var effects = program.takeEffects()
    while !effects.isEmpty {
      for effect in effects {
        if case .run(let job) = effect {
          for event in run(job) { program.receive(.job(event)) }
        } else if case .cancel = effect {
          continue
        } else {
          others.append(effect)
        }
      }
      effects = program.takeEffects()
    }
    return others
  }
}
