internal import Glibc
package import KennelBrowser

/// A test of the browser as a text file: keys, and the screens that they lead to.
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
/// Lines that begin with `#` are comments. A step is one or more lines that begin with `=`, and
/// the screen after them, row by row behind a margin `|`; the blank rows at the end of the screen
/// and the blanks at the ends of rows are left out. The verbs are:
///
/// * `open [COLUMNSxROWS] [WORD…]` begins; the words are for the one who makes the program.
/// * `press KEYS` presses keys by their names (`jj Enter`, see `KeySequence`).
/// * `hinted KEYS` presses keys; the first, or all as in `gr`, must stand in the last row before.
/// * `type TEXT` types the letters of a text.
/// * `paste TEXT` pastes a text in which `\n` is a new line.
/// * `resize COLUMNSxROWS` changes the size of the terminal.
/// * `tick` lets time pass.
///
/// When the program ends, the screen is the line `(ended with exit code 0)`.
///
/// With `UPDATE_WALKS=1` in the environment the screens are written instead of compared.
package struct Walk: Sendable, CustomStringConvertible {
  package enum Action: Hashable, Sendable {
    case open(Opening)
    case press([Key], isHinted: Bool)
    case paste(String)
    case resize(Size)
    case tick
  }

  /// How a walk begins.
  package struct Opening: Hashable, Sendable {
    package var size: Size
    package var words: [String]

    package init(size: Size = Size(columns: 80, rows: 24), words: [String] = []) {
      self.size = size
      self.words = words
    }
  }

  package struct Step: Hashable, Sendable {
    /// The lines of the file up to the screen, comments included.
    package var lines: [String]

    /// The line of the file that the step begins with, from 1.
    package var number: Int
    package var actions: [Action]

    /// The screen after the step, or nil where none is written yet.
    package var screen: [String]?
  }

  package let path: String
  package private(set) var steps: [Step]

  /// The lines after the last step.
  private let rest: [String]

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
    self.path = path
    steps = []
    var lines: [String] = []
    var actions: [Action] = []
    var screen: [String]?
    var start = 1

    func take() -> Step? {
      guard !actions.isEmpty else { return nil }
      defer {
        lines = []
        actions = []
        screen = nil
      }
      return Step(lines: lines, number: start, actions: actions, screen: screen)
    }

    var input = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    if input.last == "" { input.removeLast() }
    for (index, line) in input.enumerated() {
      if line.hasPrefix("|") {
        guard !actions.isEmpty else {
          throw TestFailure("\(path):\(index + 1): A screen comes after what leads to it")
        }
        screen = (screen ?? []) + [String(line.dropFirst())]
        continue
      }
      let isBlank = line.allSatisfy { $0 == " " }
      if screen != nil || (isBlank && !actions.isEmpty), let step = take() { steps.append(step) }
      if line.hasPrefix("=") {
        if actions.isEmpty { start = index + 1 }
        do {
          actions.append(try Self.action(String(line.dropFirst())))
        } catch {
          throw TestFailure("\(path):\(index + 1): \(error)")
        }
      } else if !isBlank, !line.hasPrefix("#") {
        throw TestFailure("\(path):\(index + 1): A line begins with #, = or |: \(line)")
      }
      lines.append(line)
    }
    if let step = take() { steps.append(step) }
    rest = lines
    guard case .open? = steps.first?.actions.first else {
      throw TestFailure("\(path): A walk begins with = open")
    }
  }

  private static func action(_ line: String) throws -> Action {
    let words = line.split(separator: " ").map(String.init)
    let verb = words.first ?? ""
    let argument = String(line.drop { $0 == " " }.dropFirst(verb.count).dropFirst())
    switch verb {
    case "open":
      var opening = Opening(words: Array(words.dropFirst()))
      if let size = opening.words.first.flatMap(size) {
        opening.size = size
        opening.words.removeFirst()
      }
      return .open(opening)
    case "press", "hinted":
      guard let sequence = KeySequence(argument) else {
        throw TestFailure("\(argument.debugDescription) are no keys")
      }
      return .press(sequence.keys, isHinted: verb == "hinted")
    case "type": return .press(argument.map { Key($0) }, isHinted: false)
    case "paste":
      let lines = argument.split(separator: "\\n", omittingEmptySubsequences: false)
      return .paste(lines.joined(separator: "\n"))
    case "resize":
      guard let size = size(argument) else { throw TestFailure("\(argument) is no size") }
      return .resize(size)
    case "tick": return .tick
    default: throw TestFailure("\(verb.debugDescription) is no verb of walks")
    }
  }

  private static func size(_ text: String) -> Size? {
    let numbers = text.split(separator: "x").map { Int($0) }
    guard numbers.count == 2, let columns = numbers[0], let rows = numbers[1] else { return nil }
    return Size(columns: columns, rows: rows)
  }
}

// MARK: - Walking

extension Walk {
  /// Walks through a program in this process, running its jobs in place.
  ///
  /// Throws one failure that shows all screens that are not as written, and, where the program
  /// ends before the walk does, where that was.
  package func run(
    mayUpdate: Bool = true,
    _ open: (Opening) throws -> any TerminalProgram
  ) throws {
    var program: (any TerminalProgram)?
    var size = Size(columns: 80, rows: 24)
    var exitCode: Int32?
    try walk(mayUpdate: mayUpdate) { action in
      if case .open(let opening) = action {
        program = try open(opening)
        size = opening.size
        exitCode = nil
      }
      guard let program else { return }
      for event in Self.events(of: action) where exitCode == nil {
        if case .resize(let new) = event { size = new }
        for effect in JobRunner.send(event, to: program) {
          if case .quit(let code) = effect { exitCode = code }
          // The answer of the terminal that walks are replayed in.
          if case .copy = effect {
            _ = JobRunner.send(.copied("the clipboard of the terminal, by OSC 52"), to: program)
          }
        }
      }
    } screen: { _ in
      if let exitCode { return [Self.ended(.code(exitCode))] }
      return program?.draw(size).text ?? []
    }
  }

  /// Walks through a program in a terminal; `open` starts it.
  ///
  /// Waits after each step until the screen is as written. The files are not changed, whatever
  /// the environment says.
  package func replay(
    timeout: Duration = .seconds(20),
    _ open: (Opening) throws -> TmuxTerminal
  ) throws {
    var terminal: TmuxTerminal?
    defer { terminal?.kill() }
    try walk(mayUpdate: false) { action in
      switch action {
      case .open(let opening): terminal = try open(opening)
      case .press(let keys, _): try terminal?.press(keys)
      case .paste(let text): try terminal?.paste(text)
      case .resize(let size): try terminal?.resize(size)
      case .tick: usleep(300_000)
      }
    } screen: { expected in
      guard let terminal else { return [] }
      if let expected, expected.count == 1, expected[0].hasPrefix("(ended") {
        return [Self.ended(try terminal.waitForExit(timeout: timeout))]
      }
      let end = ContinuousClock.now + timeout
      while true {
        let lines = try terminal.screen()
        if Self.trimmed(lines) == Self.trimmed(expected ?? []) || ContinuousClock.now > end {
          return lines
        }
        usleep(3_000)
      }
    }
  }

  private func walk(
    mayUpdate: Bool = true,
    act: (Action) throws -> Void,
    screen: (_ expected: [String]?) throws -> [String]
  ) throws {
    var failures: [String] = []
    var updated = self
    var before: [String] = []
    for (index, step) in steps.enumerated() {
      for (position, action) in step.actions.enumerated() {
        if case .press(let keys, true) = action, let key = keys.first {
          if position > 0 { before = try screen(nil) }
          let hints = before.last { !$0.isEmpty } ?? ""
          let named = Self.hints(in: hints)
          let whole = KeySequence(keys).description
          if !named.contains(key.description), !named.contains(whole) {
            failures.append("\(path):\(step.number): There is no hint to \(key) in: \(hints)")
          }
        }
        try act(action)
      }
      let shown = Self.trimmed(try screen(step.screen))
      before = shown
      if let written = step.screen.map(Self.trimmed), written == shown { continue }
      updated.steps[index].screen = shown
      if !(mayUpdate && Self.isUpdating) { failures.append(difference(at: step, shown: shown)) }
    }
    if mayUpdate, Self.isUpdating, updated.text != text { try Self.write(updated.text, to: path) }
    if !failures.isEmpty { throw TestFailure(failures.joined(separator: "\n")) }
  }

  private static func ended(_ exit: PseudoTerminal.Exit) -> String {
    switch exit {
    case .code(let code): "(ended with exit code \(code))"
    case .signal(let number): "(ended by signal \(number))"
    }
  }

  private static func events(of action: Action) -> [Event] {
    switch action {
    case .open(let opening): [.resize(opening.size)]
    case .press(let keys, _): keys.map { .key($0) }
    case .paste(let text): [.key(Key(.paste(text)))]
    case .resize(let size): [.resize(size)]
    case .tick: [.tick]
    }
  }

  /// The names of keys in a line of hints, whatever stands between them.
  private static func hints(in line: String) -> Set<String> {
    let words = line.split(separator: " ")
    var names = Set(words.map(String.init))
    for word in words { names.formUnion(word.split { "/,:·│".contains($0) }.map(String.init)) }
    return names
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

  private func difference(at step: Step, shown: [String]) -> String {
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
  package var text: String {
    var lines: [String] = []
    for step in steps {
      lines += step.lines
      lines += (step.screen ?? []).map { "|\($0)" }
    }
    return (lines + rest).map { "\($0)\n" }.joined()
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
