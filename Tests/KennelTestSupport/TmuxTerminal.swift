import Glibc
package import KennelBrowser

/// A program in tmux: a terminal that is not ours tells what a person would see.
///
/// Each has a server of its own, with a socket in a folder of its own, no configuration, and a
/// fixed kind, locale, time zone and size. Where tmux is missing a test fails; it is never skipped.
package final class TmuxTerminal {
  private let tmux: String
  private let folder: String
  package private(set) var size: Size

  /// Starts a program; the first word of the command is its path.
  ///
  /// The window stays when the program ends, so that its last screen and its status can be seen.
  package init(
    _ command: [String],
    size: Size = Size(columns: 80, rows: 24),
    kind: String = "tmux-256color",
    environment: [String: String] = [:]
  ) throws {
    tmux = try Executable.system("tmux")
    var name = Array("/tmp/kennel-tmux-XXXXXX".utf8CString)
    guard unsafe mkdtemp(&name) != nil else { throw TestFailure("mkdtemp: \(errno)") }
    folder = String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    self.size = size

    let variables = Executable.environment(adding: environment, home: folder)
    let words =
      ["env", "-i"]
      + variables.map { "\($0)=\($1)" }.sorted()
      + ["TERM=\(kind)"] + command
    try tell([
      "-f", "/dev/null", "start-server", ";",
      "set-option", "-g", "remain-on-exit", "on", ";",
      "set-option", "-g", "status", "off", ";",
      "set-option", "-g", "default-terminal", kind, ";",
      "set-option", "-s", "escape-time", "0", ";",
      "set-option", "-s", "set-clipboard", "on", ";",
      "set-option", "-g", "default-size", "\(size.columns)x\(size.rows)", ";",
      "new-session", "-d", "-x", "\(size.columns)", "-y", "\(size.rows)",
      "exec " + words.map(Self.quoted).joined(separator: " "),
    ])
  }

  deinit {
    kill()
  }

  /// Ends the server and with it the program.
  package func kill() {
    _ = try? tell(["kill-server"])
    _ = try? Executable.run("/bin/rm", ["-rf", folder], environment: [:])
  }

  /// Runs commands of tmux, told apart by `;`, and returns what they print.
  @discardableResult
  package func tell(_ words: [String]) throws -> String {
    let result = try Executable.run(
      tmux,
      ["-u", "-S", "\(folder)/socket"] + words,
      environment: Executable.environment(home: folder)
    )
    guard result.status == 0 else { throw TestFailure("tmux: \(result.output)") }
    return result.output
  }

  private static func quoted(_ word: String) -> String {
    "'" + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''")
      + "'"
  }

  // MARK: - Keys

  /// Presses keys that have the names of `KeySequence`, as in `jj Enter`.
  package func press(_ keys: String) throws {
    guard let sequence = KeySequence(keys) else {
      throw TestFailure("\(keys.debugDescription) are no keys")
    }
    try press(sequence.keys)
  }

  package func press(_ keys: [Key]) throws {
    var commands: [String] = []
    for key in keys {
      if !commands.isEmpty { commands.append(";") }
      commands += Self.command(for: key)
      if key.code == .escape {
        // What follows Esc at once is a key with Alt.
        try tell(commands)
        commands = []
        usleep(60_000)
      }
    }
    if !commands.isEmpty { try tell(commands) }
  }

  /// Types a text, letter by letter.
  package func type(_ text: String) throws {
    try press(text.map { Key($0) })
  }

  /// Pastes a text, in brackets where the program asked for them.
  package func paste(_ text: String) throws {
    try tell(["set-buffer", "-b", "paste", "--", text, ";", "paste-buffer", "-p", "-b", "paste"])
  }

  private static func command(for key: Key) -> [String] {
    let name: String
    switch key.code {
    case .character(let character) where !key.isControl && !key.isAlternate:
      return ["send-keys", "-l", "--", character == ";" ? "\\;" : String(character)]
    case .paste(let text):
      return ["set-buffer", "-b", "paste", "--", text, ";", "paste-buffer", "-p", "-b", "paste"]
    case .character(" "): name = "Space"
    case .character(let character): name = String(character)
    case .enter: name = "Enter"
    case .escape: name = "Escape"
    case .tab: name = "Tab"
    case .backTab: name = "BTab"
    case .backspace: name = "BSpace"
    case .delete: name = "DC"
    case .insert: name = "IC"
    case .up: name = "Up"
    case .down: name = "Down"
    case .left: name = "Left"
    case .right: name = "Right"
    case .home: name = "Home"
    case .end: name = "End"
    case .pageUp: name = "PPage"
    case .pageDown: name = "NPage"
    case .function(let number): name = "F\(number)"
    }
    return ["send-keys", (key.isControl ? "C-" : "") + (key.isAlternate ? "M-" : "") + name]
  }

  package func resize(_ size: Size) throws {
    self.size = size
    try tell(["resize-window", "-x", "\(size.columns)", "-y", "\(size.rows)"])
  }

  // MARK: - The screen

  /// Waits until the program has drawn something and a job that it began can have ended, five seconds at
  /// most.
  package func waitForRest() throws {
    let end = ContinuousClock.now + .seconds(5)
    var last: [String] = []
    while ContinuousClock.now < end {
      let lines = try screen()
      if lines == last, lines.contains(where: { !$0.isEmpty }) { return }
      last = lines
      usleep(40_000)
    }
  }

  /// The rows of the screen without the blanks at their ends.
  package func screen() throws -> [String] {
    let text = try tell(["capture-pane", "-p"])
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      var line = line
      while line.last == " " { line.removeLast() }
      return String(line)
    }
    if lines.last == "" { lines.removeLast() }
    return lines
  }

  /// The screen with the escape sequences that style it.
  package func styledScreen() throws -> String {
    try tell(["capture-pane", "-p", "-e"])
  }

  /// Waits until the screen fulfills a condition, and returns it.
  @discardableResult
  package func waitUntil(
    _ what: String,
    timeout: Duration = .seconds(20),
    _ condition: ([String]) -> Bool
  ) throws -> [String] {
    let end = ContinuousClock.now + timeout
    while true {
      let lines = try screen()
      if condition(lines) { return lines }
      guard ContinuousClock.now < end else {
        throw TestFailure(
          "Waited in vain until \(what):\n" + lines.map { "|\($0)\n" }.joined()
        )
      }
      usleep(3_000)
    }
  }

  /// Waits until the screen shows a text somewhere, and returns the screen.
  @discardableResult
  package func waitFor(_ text: String, timeout: Duration = .seconds(20)) throws -> [String] {
    try waitUntil("the screen shows \(text.debugDescription)", timeout: timeout) { lines in
      lines.contains { $0.contains(text) }
    }
  }

  // MARK: - The program

  /// The process that was started.
  package func process() throws -> Int32 {
    let text = try tell(["display-message", "-p", "#{pane_pid}"])
    return Int32(text.filter(\.isNumber)) ?? -1
  }

  /// Waits until the program ends.
  package func waitForExit(timeout: Duration = .seconds(20)) throws -> PseudoTerminal.Exit {
    let end = ContinuousClock.now + timeout
    while ContinuousClock.now < end {
      let format = "#{pid} #{pane_dead} #{pane_dead_status} #{pane_dead_signal}"
      let text = try tell(["display-message", "-p", format])
      let words = text.dropLast().split(separator: " ", omittingEmptySubsequences: false)
      if words.count == 4, words[1] == "1" {
        if let number = Int32(words[3]) { return .signal(number) }
        if let code = Int32(words[2]) { return .code(code) }
        // tmux sometimes misses that its child ended; this makes it look.
        if let server = pid_t(words[0]) { Glibc.kill(server, SIGCHLD) }
      }
      usleep(5_000)
    }
    throw TestFailure("The program does not end:\n\(try screen().joined(separator: "\n"))")
  }
}
