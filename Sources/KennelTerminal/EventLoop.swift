internal import CTerminalSignals
internal import Glibc
package import KennelBrowser

/// Lives between a terminal and a program: brings it its events, and shows its screens.
///
/// One thread does everything but the jobs, and it never waits for one of those. All keys that are
/// there are handled before the screen is painted once, so that a held key cannot fall behind.
package final class EventLoop {
  /// How a program ended.
  package enum Ending: Hashable, Sendable {
    case quit(exitCode: Int32)

    /// The terminal went away or somebody asked the process to end.
    case signal(Int32)

    /// Ends the process in the same way, so that who started it can tell.
    package func exitProcess() -> Never {
      switch self {
      case .quit(let code): exit(code)
      case .signal(let number):
        terminal_signals_die(number)
        exit(128 + number)
      }
    }
  }

  /// How often the program is told that time passes, while it shows nothing new.
  private static let tick = Duration.milliseconds(250)

  /// How long keys may come before the screen is painted.
  private static let longestTurn = Duration.milliseconds(8)

  /// How often the screen is painted for jobs alone.
  private static let frame = Duration.milliseconds(16)

  private let terminal: Terminal
  private let program: any TerminalProgram
  private let jobs: JobThreads
  private let clock = ContinuousClock()
  private var lastTick: ContinuousClock.Instant
  private var lastPaint: ContinuousClock.Instant
  private var lastPress: (event: MouseEvent, instant: ContinuousClock.Instant)?
  private var size = Size(columns: 0, rows: 0)

  /// Whether the last turn ended before the keys did; curses may hold some that no wait tells of.
  private var hasMoreKeys = false
  private var ending: Ending?

  /// Brings a terminal and a program together.
  package init(terminal: Terminal, program: any TerminalProgram) throws(TerminalError) {
    guard let pipe = WakePipe() else { throw .system(errno) }
    jobs = JobThreads(pipe: pipe)
    self.terminal = terminal
    self.program = program
    lastTick = clock.now
    lastPaint = clock.now
  }

  /// Runs the program until it ends.
  ///
  /// - Parameter keepsTerminal: Whether the terminal stays as it is for another program; else, and after an
  ///   error, it is given back.
  /// - Returns: How it ended.
  /// - Throws: `TerminalError` if the terminal cannot be used.
  package func run(keepsTerminal: Bool = false) throws(TerminalError) -> Ending {
    try terminal.enter()
    var isKept = false
    defer { if !isKept { terminal.leave() } }
    size = terminal.resize()
    try deliver(.resize(size))
    paint()
    while ending == nil { try turn() }
    isKept = keepsTerminal
    if !isKept { terminal.leave() }
    OpenedFiles.remove()
    _ = jobs.stop()
    // What a job did before it stopped is done: a commit above all.
    for event in jobs.takeEvents() { program.receive(event) }
    _ = program.takeEffects()
    return ending ?? .quit(exitCode: 0)
  }

  /// Waits for something to happen, and handles what did.
  private func turn() throws(TerminalError) {
    let readable = wait()
    hasMoreKeys = false
    let start = clock.now
    var isPaintDue = false
    if readable.signals { isPaintDue = try handleSignals() }
    if readable.hangup { return try end(by: SIGHUP) }
    while ending == nil, let event = terminal.nextEvent() {
      isPaintDue = true
      try deliver(withDoublePress(event))
      hasMoreKeys = clock.now - start > Self.longestTurn
      if hasMoreKeys { break }
    }
    if ending == nil, readable.jobs {
      for event in jobs.takeEvents() where ending == nil { try deliver(event) }
      if clock.now - lastPaint >= Self.frame { isPaintDue = true } else { hasUnpainted = true }
    }
    if ending == nil, clock.now - lastTick >= Self.tick {
      lastTick = clock.now
      if let text = terminal.takeStalePaste() {
        try deliver(.key(Key(.paste(text))))
        isPaintDue = true
      }
      try deliver(.tick)
    }
    if hasUnpainted, clock.now - lastPaint >= Self.frame { isPaintDue = true }
    if isPaintDue, ending == nil { paint() }
  }

  /// Whether a job brought news that are not on the screen yet.
  private var hasUnpainted = false

  private func paint() {
    hasUnpainted = false
    terminal.show(program.draw(size))
    lastPaint = clock.now
  }

  private func deliver(_ event: Event) throws(TerminalError) {
    program.receive(event)
    for effect in program.takeEffects() { try perform(effect) }
  }

  // MARK: - Waiting

  private func wait() -> (signals: Bool, jobs: Bool, hangup: Bool) {
    var due = hasMoreKeys ? clock.now : lastTick + Self.tick
    if hasUnpainted { due = min(due, lastPaint + Self.frame) }
    let seconds = (due - clock.now) / .milliseconds(1)
    var descriptors = [
      pollfd(fd: Terminal.input, events: Int16(POLLIN), revents: 0),
      pollfd(fd: terminal.signals.output, events: Int16(POLLIN), revents: 0),
      pollfd(fd: jobs.descriptor, events: Int16(POLLIN), revents: 0),
    ]
    let count = unsafe poll(
      &descriptors,
      nfds_t(descriptors.count),
      Int32(max(0, seconds.rounded(.up)))
    )
    guard count > 0 else { return (false, false, false) }
    // A terminal that went away reports so for ever, and may still hold keys.
    let gone = Int32(descriptors[0].revents) & (POLLHUP | POLLERR | POLLNVAL) != 0
    return (descriptors[1].revents != 0, descriptors[2].revents != 0, gone)
  }

  private func handleSignals() throws(TerminalError) -> Bool {
    let numbers = Set(terminal.signals.take())
    guard !numbers.isEmpty else { return false }
    var isResized = false
    for number in numbers.sorted() where ending == nil {
      switch Int32(number) {
      case SIGTERM, SIGHUP: try end(by: Int32(number))
      case SIGINT: try deliver(.key(Key(.character("c"), isControl: true)))
      case SIGTSTP: try suspend()
      case SIGCONT: terminal.retake()
      default: break
      }
      isResized = true
    }
    if isResized, ending == nil { try resizeIfNeeded() }
    return true
  }

  private func resizeIfNeeded() throws(TerminalError) {
    let new = terminal.resize()
    guard new != size else { return }
    size = new
    try deliver(.resize(size))
  }

  private func suspend() throws(TerminalError) {
    try terminal.suspend()
    try resizeIfNeeded()
  }

  private func end(by signal: Int32) throws(TerminalError) {
    ending = .signal(signal)
    program.receive(.terminate)
    for case .run(let job) in program.takeEffects() where job.isUrgent {
      job.work(JobContext { _ in })
    }
  }

  /// Two presses at one place shortly after each other are a double one.
  private func withDoublePress(_ event: Event) -> Event {
    guard case .mouse(var mouse) = event, mouse.kind == .press else { return event }
    let now = clock.now
    if let last = lastPress, last.event == mouse, now - last.instant < .milliseconds(400) {
      lastPress = nil
      mouse.kind = .doublePress
      return .mouse(mouse)
    }
    lastPress = (mouse, now)
    return event
  }

  // MARK: - Effects

  private func perform(_ effect: Effect) throws(TerminalError) {
    switch effect {
    case .run(let job): jobs.run(job)
    case .cancel(let id): jobs.cancel(id)
    case .suspend: try suspend()
    case .paint: hasUnpainted = true
    case .redraw: terminal.forgetWhatIsShown()
    case .quit(let code): if ending == nil { ending = .quit(exitCode: code) }
    case .mouse(let isOn): terminal.setMouse(isOn)
    case .bell: terminal.ringBell()
    case .ask(let background): terminal.ask(forBackground: background)
    case .openExternally(let bytes, let ending):
      jobs.run { .opened(problem: OpenedFiles.open(bytes, ending: ending)) }
    case .copy(let text):
      let isSent = terminal.copyByEscape(text)
      jobs.run { .copied(Clipboard.copy(text, isSent: isSent)) }
    case .editExternally(let text, let token):
      let edited = try terminal.lend { ExternalEditor.edit(text) }
      program.receive(.edited(token: token, edited))
      for effect in program.takeEffects() { try perform(effect) }
      try resizeIfNeeded()
    }
  }
}
