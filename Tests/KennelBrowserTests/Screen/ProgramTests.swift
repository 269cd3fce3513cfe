import KennelBrowser
import Synchronization
import Testing

/// What a job has found.
private final class Found: Sendable {
  let number = Mutex(0)
}

/// Counts to the number of its key presses in a job for each of them.
private final class Counter: TerminalProgram {
  var total = 0
  private let found = Found()
  var log: [String] = []
  var effects: [Effect] = []

  func receive(_ event: Event) {
    switch event {
    case .key:
      effects.append(.bell)
      effects.append(
        .run(
          Job(id: JobID(total), title: "Counting") { [total, found] context in
            context.report(progress: 0.5)
            found.number.withLock { $0 = total + 1 }
          }
        )
      )
    case .job(.progress(let id, let progress)):
      log.append("\(id.number) at \(progress ?? 0)")
    case .job(.finished):
      total = found.number.withLock { $0 }
      log.append("total \(total)")
      if total == 1 { receive(.key(Key("x"))) }
    default: break
    }
  }

  func draw(_ size: Size) -> Screen { Screen(size: size) }

  func takeEffects() -> [Effect] {
    defer { effects = [] }
    return effects
  }
}

struct `Job runner` {
  @Test func `jobs run in place until there are none`() {
    let program = Counter()
    let others = JobRunner.send(.key(Key("x")), to: program)
    #expect(program.log == ["0 at 0.5", "total 1", "1 at 0.5", "total 2"])
    #expect(others.count == 2)
  }

  @Test func `a cancelled job says so`() {
    let job = Job(id: JobID(7), title: "Waiting") { _ in }
    guard case .cancelled(let id) = JobRunner.run(job, isCancelled: true).last else {
      Issue.record("the job is not cancelled")
      return
    }
    #expect(id == JobID(7))
  }
}
