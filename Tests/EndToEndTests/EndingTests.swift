import Glibc
import KennelBrowser
import KennelTestSupport
import Testing

/// However a program ends or pauses, the terminal is as it was before.
struct `The terminal is given back` {
  private func demo() throws -> PseudoTerminal {
    let terminal = try PseudoTerminal(Executable.path("TerminalDemo"))
    try terminal.waitFor("size")
    #expect(!terminal.modes.isSane, "the demo has not taken the terminal")
    return terminal
  }

  /// The modes are those from before, and the last bytes leave the other screen, show the cursor
  /// and end bracketed paste.
  private func expectGivenBack(_ terminal: PseudoTerminal) {
    #expect(terminal.modes == terminal.modesAtStart)
    #expect(terminal.modes.isSane)
    let text = terminal.text
    let last = { (sequence: String) in text.ranges(of: sequence).last?.lowerBound }
    #expect(last("\u{1b}[?1049l") ?? text.startIndex > last("\u{1b}[?1049h") ?? text.endIndex)
    #expect(last("\u{1b}[?2004l") ?? text.startIndex > last("\u{1b}[?2004h") ?? text.endIndex)
    #expect(last("\u{1b}[?25h") ?? text.startIndex > last("\u{1b}[?25l") ?? text.endIndex)
  }

  @Test func `when the program ends`() throws {
    let terminal = try demo()
    terminal.send("q")
    #expect(try terminal.waitForExit() == .code(3))
    expectGivenBack(terminal)
  }

  @Test(arguments: [SIGTERM, SIGHUP])
  func `when somebody asks the program to end`(number: Int32) throws {
    let terminal = try demo()
    terminal.signal(number)
    #expect(try terminal.waitForExit() == .signal(number))
    expectGivenBack(terminal)
  }

  @Test(arguments: [SIGSEGV, SIGBUS, SIGABRT, SIGILL, SIGTRAP, SIGFPE])
  func `when the program crashes`(number: Int32) throws {
    let terminal = try demo()
    terminal.signal(number)
    #expect(try terminal.waitForExit() == .signal(number))
    expectGivenBack(terminal)
    #expect(terminal.text.contains("kennel: Crashed (SIG"))
  }

  @Test func `when somebody ends the program by SIGQUIT`() throws {
    let terminal = try demo()
    terminal.signal(SIGQUIT)
    #expect(try terminal.waitForExit() == .signal(SIGQUIT))
    expectGivenBack(terminal)
  }

  @Test(arguments: [("T", [SIGILL, SIGTRAP]), ("O", [SIGSEGV, SIGBUS]), ("A", [SIGABRT])])
  func `when the program makes a mistake`(key: String, signals: [Int32]) throws {
    let terminal = try demo()
    terminal.send(key)
    let exit = try terminal.waitForExit()
    #expect(signals.map { PseudoTerminal.Exit.signal($0) }.contains(exit))
    expectGivenBack(terminal)
  }

  @Test func `messages of the time between are shown after`() throws {
    let terminal = try demo()
    terminal.send("w")
    try terminal.waitFor("key w")
    #expect(!terminal.text.contains("a message"))
    terminal.send("q")
    _ = try terminal.waitForExit()
    let after = terminal.text.split(separator: "\u{1b}[?1049l").last ?? ""
    #expect(after.contains("a message on standard error"))
  }

  @Test func `when the window is closed`() throws {
    let terminal = try demo()
    terminal.hangUp()
    #expect(try terminal.waitForExit() == .signal(SIGHUP))
  }

  @Test func `an interrupt from elsewhere is a key`() throws {
    let terminal = try demo()
    terminal.signal(SIGINT)
    try terminal.waitFor("key ^C")
  }

  @Test(arguments: ["^Z", "kill"])
  func `when the program is stopped, and it goes on where it was`(how: String) throws {
    let terminal = try TmuxTerminal(["/bin/sh", "-i"], environment: ["PS1": "shell> "])
    try terminal.waitFor("shell>")
    try terminal.type("stty -g; \(Executable.path("TerminalDemo")); echo it ended with $?")
    try terminal.press("Enter")
    try terminal.waitFor("size 80x24")
    try terminal.press("a")
    if how == "kill" {
      let shell = try terminal.process()
      let children = try Executable.run(
        Executable.system("pgrep"),
        ["-P", "\(shell)"],
        environment: Executable.environment()
      ).output
      kill(try #require(pid_t(children.filter(\.isNumber))), SIGTSTP)
    } else {
      try terminal.press(how)
    }
    try terminal.waitFor("Stopped")
    try terminal.press("Enter")
    try terminal.type(
      "clear; stty -a | tr ' ' '\\n' | grep -c -x -e icanon -e echo -e isig -e opost"
    )
    try terminal.press("Enter")
    try terminal.waitUntil("the modes are sane") { $0.contains("4") }
    try terminal.resize(Size(columns: 70, rows: 20))
    try terminal.type("fg")
    try terminal.press("Enter")
    let screen = try terminal.waitFor("size 70x20")
    #expect(screen.contains("key a"))
    try terminal.press("q")
    try terminal.waitUntil("the shell is back") { $0.last { $0 != "" } == "shell>" }
  }

  @Test func `a program that was stopped by force paints itself again`() throws {
    let terminal = try TmuxTerminal([Executable.path("TerminalDemo")])
    try terminal.waitFor("size 80x24")
    let process = try terminal.process()
    kill(process, SIGSTOP)
    usleep(20_000)
    kill(process, SIGCONT)
    try terminal.press("x")
    let screen = try terminal.waitFor("key x")
    #expect(screen[0].hasPrefix("demo 80x24"))
    try terminal.press("q")
    #expect(try terminal.waitForExit() == .code(3))
  }

  @Test func `nothing of the settings has changed`() throws {
    let command = "stty -g; \(try Executable.path("TerminalDemo")); stty -g; sleep 9"
    let terminal = try TmuxTerminal(["/bin/sh", "-c", command], size: Size(columns: 120, rows: 9))
    try terminal.waitFor("size 120x9")
    try terminal.press("q")
    let screen = try terminal.waitUntil("both are there") { lines in
      lines.filter { $0.contains(":") }.count == 2
    }
    let settings = screen.filter { $0.contains(":") }
    #expect(settings[0] == settings[1])
  }
}
