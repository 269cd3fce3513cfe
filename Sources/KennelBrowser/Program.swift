// How a program with a screen and the terminal that it runs in talk to each other
//
// A program is a value machine: events go in, pictures and effects come out. It never waits, never
// reads a clock and never touches a file on its own; what takes time is a job, a value that it
// returns as an effect and that runs elsewhere, on a thread of the terminal's event loop or, in a
// test, on the spot. The results come back as events, as keys do.

internal import Synchronization

/// What happens to a program.
package enum Event: Sendable {
  case key(Key)
  case resize(Size)
  case mouse(MouseEvent)
  case job(JobEvent)

  /// Time has passed: another process may have committed.
  case tick

  /// The text comes back from the person's editor; nil when nothing was saved.
  case edited(token: Int, text: String?)

  /// A text was copied; says where to, as in "the clipboard of the terminal, by OSC 52".
  case copied(String)

  /// The terminal is going away: only urgent jobs are still run; nothing is shown any more.
  case terminate
}

package struct MouseEvent: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    case press
    case doublePress
    case release
    case wheelUp
    case wheelDown
  }

  package var kind: Kind
  package var row: Int
  package var column: Int

  /// 1 is the left button, 2 the middle one, 3 the right one; 0 for the wheel.
  package var button: Int

  package init(_ kind: Kind, row: Int, column: Int, button: Int = 1) {
    self.kind = kind
    self.row = row
    self.column = column
    self.button = button
  }
}

/// What a program asks of the terminal that it runs in.
package enum Effect: Sendable {
  /// Runs a job beside the screen.
  case run(Job)

  /// Asks a job to stop; its last event still comes.
  case cancel(JobID)

  /// Stops the process as Ctrl-Z does, until its shell continues it.
  case suspend

  /// Paints every cell anew.
  case redraw

  /// Ends the program.
  case quit(exitCode: Int32)

  /// Copies a text to the person's clipboard.
  case copy(String)

  /// Begins or ends reporting the mouse to the program.
  case mouse(Bool)

  /// Opens a text in the person's editor and comes back with `Event.edited`.
  case editExternally(text: String, token: Int)

  case bell
}

/// A program with a screen.
///
/// All calls come from one thread. After each event, or a few of them at once, the caller performs
/// the effects, then draws.
package protocol TerminalProgram: AnyObject {
  func receive(_ event: Event)

  /// The picture of the program's state at a size.
  func draw(_ size: Size) -> Screen

  /// The effects that were asked for since the last call, in order.
  func takeEffects() -> [Effect]
}

// MARK: - Jobs

package struct JobID: Hashable, Sendable {
  package let number: Int

  package init(_ number: Int) {
    self.number = number
  }
}

/// Work that may take long.
package struct Job: Sendable {
  package let id: JobID

  /// What it does, for the screen, as in "Sorting Dog by name".
  package let title: String

  /// Whether it waits for no other job, and is done even if the terminal goes away.
  package let isUrgent: Bool

  package let work: @Sendable (JobContext) -> (any Sendable)?

  package init(
    id: JobID,
    title: String,
    isUrgent: Bool = false,
    work: @escaping @Sendable (JobContext) -> (any Sendable)?
  ) {
    self.id = id
    self.title = title
    self.isUrgent = isUrgent
    self.work = work
  }
}

/// What a job's work sees of the model that it runs in.
package final class JobContext: Sendable {
  private let cancelled: Atomic<Bool>
  private let send: @Sendable (JobProgress) -> Void

  package init(isCancelled: Bool = false, send: @escaping @Sendable (JobProgress) -> Void) {
    cancelled = Atomic(isCancelled)
    self.send = send
  }

  /// Whether the work should end now; cheap enough for an inner loop.
  package var isCancelled: Bool { cancelled.load(ordering: .relaxed) }

  package func cancel() {
    cancelled.store(true, ordering: .relaxed)
  }

  /// Tells the program how far the work is, from 0 to 1 where that is known, and what there is
  /// of its result.
  package func report(progress: Double?, partial: (any Sendable)? = nil) {
    send(JobProgress(fraction: progress, partial: partial))
  }
}

package struct JobProgress: Sendable {
  package let fraction: Double?
  package let partial: (any Sendable)?

  package init(fraction: Double?, partial: (any Sendable)? = nil) {
    self.fraction = fraction
    self.partial = partial
  }
}

/// What happens to a job.
///
/// Exactly one event that ends it comes, and comes last.
package enum JobEvent: Sendable {
  case progress(JobID, JobProgress)

  /// The work is done; the value is what it returned.
  case finished(JobID, (any Sendable)?)

  /// The work ended after it was asked to stop; what it returned is dropped.
  case cancelled(JobID)

  package var id: JobID {
    switch self {
    case .progress(let id, _): id
    case .finished(let id, _): id
    case .cancelled(let id): id
    }
  }
}

/// Runs jobs on the spot, for tests.
package enum JobRunner {
  /// The events of a job that runs now, in order.
  package static func run(_ job: Job, isCancelled: Bool = false) -> [JobEvent] {
    let events = Mutex<[JobEvent]>([])
    let context = JobContext(isCancelled: isCancelled) { progress in
      events.withLock { $0.append(.progress(job.id, progress)) }
    }
    let result = job.work(context)
    return events.withLock { events in
      events.append(context.isCancelled ? .cancelled(job.id) : .finished(job.id, result))
      return events
    }
  }

  /// Sends an event, runs the jobs that the program asks for until there are none, and returns
  /// the other effects in order.
  package static func send(_ event: Event, to program: any TerminalProgram) -> [Effect] {
    program.receive(event)
    return settle(program)
  }

  /// Runs the jobs that the program asks for until there are none, and returns the other effects.
  package static func settle(_ program: any TerminalProgram) -> [Effect] {
    var others: [Effect] = []
    var effects = program.takeEffects()
    while !effects.isEmpty {
      for effect in effects {
        switch effect {
        case .run(let job):
          for event in run(job) { program.receive(.job(event)) }
        case .cancel:
          break
        default:
          others.append(effect)
        }
      }
      effects = program.takeEffects()
    }
    return others
  }
}
