internal import Glibc
package import KennelBrowser

/// A test of the browser as a text file: a script, and the screens that it leads to.
///
/// ```
/// # The selection stops at both ends of the list.
///
/// = open 40x6
/// |People  3
/// |> Ada
///
/// = press jjj
/// |…
/// ```
///
/// `Script` tells the form of the file. The blank rows at the end of a screen and the blanks at the
/// ends of rows are left out. When the program ends, the screen is the line
/// `(ended with exit code 0)`.
///
/// With `UPDATE_WALKS=1` in the environment the screens are written instead of compared.
package struct Walk: Sendable, CustomStringConvertible {
  package let script: Script

  package var path: String { script.path }

  package var description: String {
    String(path[(path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex)...])
  }

  /// Whether screens are to be written instead of compared.
  package static var isUpdating: Bool { unsafe getenv("UPDATE_WALKS") != nil }

  package init(contentsOf path: String) throws {
    try self.init(path: path, text: Self.read(path))
  }

  /// The walks of a folder, by name.
  package static func all(in folder: String) throws -> [Walk] {
    guard let directory = unsafe opendir(folder) else {
      throw TestFailure("There is no folder \(folder)")
    }
    defer { unsafe closedir(directory) }
    var paths: [String] = []
    while let entry = unsafe readdir(directory) {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) {
        unsafe $0.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
      }
      if name.hasSuffix(".walk") { paths.append("\(folder)/\(name)") }
    }
    return try paths.sorted().map { try Walk(contentsOf: $0) }
  }
}

// MARK: - Parsing

extension Walk {
  package init(path: String, text: String) throws {
    script = try Script(path: path, text: text)
    guard case .open? = script.steps.first?.actions.first else {
      throw TestFailure("\(path): A walk begins with = open")
    }
  }
}

// MARK: - Walking

extension Walk {
  /// Walks through a program in this process, running its jobs in place.
  ///
  /// Throws one failure that shows all screens that are not as written, and, where the program
  /// ends before the walk does, where that was. `lines` says how a screen is written.
  package func run(
    mayUpdate: Bool = true,
    lines: (Screen) -> [String] = \.text,
    _ open: @escaping (Script.Opening) throws -> any TerminalProgram
  ) throws {
    var terminal = ScriptTerminal(open)
    try walk(mayUpdate: mayUpdate) { action in
      var problem: String?
      if case .press(let keys, isHinted: true) = action {
        problem = Script.missingHint(to: keys, in: terminal.screen?.text ?? [])
      }
      try terminal.perform(action)
      return problem
    } screen: { _ in
      terminal.screen.map(lines) ?? []
    }
  }

  /// Walks through a program in a terminal; `open` starts it.
  ///
  /// Waits after each step until the screen is as written. Hints are not looked for, but the screen is at
  /// rest before a key that is hinted, as it is where a person has read the hint. The files are not
  /// changed, whatever the environment says.
  package func replay(
    timeout: Duration = .seconds(20),
    _ open: (Script.Opening) throws -> TmuxTerminal
  ) throws {
    var terminal: TmuxTerminal?
    defer { terminal?.kill() }
    try walk(mayUpdate: false) { action in
      switch action {
      case .open(let opening):
        terminal = try open(opening)
        // Before its first screen a program may not have the keys to itself.
        try terminal?.waitForRest()
      case .press(let keys, let isHinted):
        if isHinted { try terminal?.waitForRest() }
        try terminal?.press(keys)
      case .paste(let text): try terminal?.paste(text)
      case .resize(let size): try terminal?.resize(size)
      case .tick: usleep(300_000)
      }
      return nil
    } screen: { expected in
      guard let terminal else { return [] }
      guard let expected else { return try terminal.screen() }
      if expected.count == 1, expected[0].hasPrefix("(ended") {
        return [Self.ended(try terminal.waitForExit(timeout: timeout))]
      }
      let end = ContinuousClock.now + timeout
      while true {
        let lines = try terminal.screen()
        if Self.trimmed(lines) == Self.trimmed(expected) || ContinuousClock.now > end {
          return lines
        }
        usleep(3_000)
      }
    }
  }

  private func walk(
    mayUpdate: Bool = true,
    act: (Script.Action) throws -> String?,
    screen: (_ expected: [String]?) throws -> [String]
  ) throws {
    var failures: [String] = []
    var steps = script.steps
    for (index, step) in script.steps.enumerated() {
      for action in step.actions {
        if let problem = try act(action) { failures.append("\(path):\(step.number): \(problem)") }
      }
      let shown = Self.trimmed(try screen(step.screen))
      if let written = step.screen.map(Self.trimmed), written == shown { continue }
      steps[index].screen = shown
      if !(mayUpdate && Self.isUpdating) { failures.append(difference(at: step, shown: shown)) }
    }
    let new = text(steps)
    if mayUpdate, Self.isUpdating, new != text(script.steps) { try Self.write(new, to: path) }
    if !failures.isEmpty { throw TestFailure(failures.joined(separator: "\n")) }
  }

  private static func ended(_ exit: PseudoTerminal.Exit) -> String {
    switch exit {
    case .code(let code): ScriptTerminal.ended(exitCode: code)
    case .signal(let number): "(ended by signal \(number))"
    }
  }

  private static func trimmed(_ lines: [String]) -> [String] {
    var lines = lines.map { line in
      var line = line[...]
      while line.last == " " { line.removeLast() }
      return String(line)
    }
    while lines.last == "" { lines.removeLast() }
    return lines
  }

  private func difference(at step: Script.Step, shown: [String]) -> String {
    let actions = step.lines.filter { $0.hasPrefix("=") }.joined(separator: "; ")
    var text = "\(path):\(step.number): after \(actions)\n"
    guard let written = step.screen.map(Self.trimmed) else {
      return text + "there is no screen to compare with: write it with UPDATE_WALKS=1\n"
        + shown.map { "+|\($0)\n" }.joined()
    }
    for row in 0..<max(written.count, shown.count) {
      let old = row < written.count ? written[row] : nil
      let new = row < shown.count ? shown[row] : nil
      if old == new {
        text += " |\(new ?? "")\n"
      } else {
        if let old { text += "-|\(old)\n" }
        if let new { text += "+|\(new)\n" }
      }
    }
    return text
  }
}

// MARK: - Files

extension Walk {
  /// The walk as its file says it.
  package var text: String { text(script.steps) }

  private func text(_ steps: [Script.Step]) -> String {
    var lines: [String] = []
    for step in steps {
      lines += step.lines
      lines += (step.screen ?? []).map { "|\($0)" }
    }
    return (lines + script.rest).map { "\($0)\n" }.joined()
  }

  private static func read(_ path: String) throws -> String {
    guard let file = unsafe fopen(path, "r") else { throw TestFailure("Cannot read \(path)") }
    defer { unsafe fclose(file) }
    var bytes: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 65_536)
    while case let count = unsafe fread(&block, 1, block.count, file), count > 0 {
      bytes += block.prefix(count)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func write(_ text: String, to path: String) throws {
    guard let file = unsafe fopen(path, "w") else { throw TestFailure("Cannot write \(path)") }
    defer { unsafe fclose(file) }
    guard unsafe fputs(text, file) >= 0 else { throw TestFailure("Cannot write \(path)") }
  }
}
