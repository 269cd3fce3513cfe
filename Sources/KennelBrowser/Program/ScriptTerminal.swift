/// A terminal that is only a size: it presses the keys of a script, and holds the last screen.
///
/// Jobs run on the spot, one after the other. There is no editor and no shell to go back to; what is
/// copied goes nowhere, and the program is told that the terminal took it.
package struct ScriptTerminal {
  private let open: (Script.Opening) throws -> any TerminalProgram
  private let sizeAtStart: Size?
  private var program: (any TerminalProgram)?
  private var size = Size(columns: 80, rows: 24)
  private var exitCode: Int32?

  /// Makes a terminal without a program.
  ///
  /// - Parameters:
  ///   - size: the size to begin with, whatever a script says.
  ///   - open: makes a program for each `open` of a script.
  package init(
    size: Size? = nil,
    _ open: @escaping (Script.Opening) throws -> any TerminalProgram
  ) {
    self.open = open
    sizeAtStart = size
  }

  /// The screen now; that the program ended, if it did; nil before it begins.
  package var screen: Screen? {
    guard let program else { return nil }
    guard let exitCode else { return program.draw(size) }
    let text = Self.ended(exitCode: exitCode)
    var screen = Screen(size: Size(columns: max(size.columns, text.count), rows: size.rows))
    screen.put(text, row: 0, column: 0)
    return screen
  }

  /// The line that takes the place of the screen when the program has ended.
  package static func ended(exitCode: Int32) -> String { "(ended with exit code \(exitCode))" }

  /// Performs every action of a script, until one of them ends the program.
  ///
  /// A script that does not begin with `open` finds a program that began at 80x24.
  ///
  /// - Throws: ``ScriptError`` where a key is not hinted at that should be, and what `open` throws.
  package mutating func run(_ script: Script) throws {
    if case .open? = script.steps.first?.actions.first {
      // The script says how to begin.
    } else if program == nil {
      try perform(.open(Script.Opening()))
    }
    for step in script.steps {
      for action in step.actions {
        if case .press(let keys, isHinted: true) = action,
          let problem = Script.missingHint(to: keys, in: screen?.text ?? [])
        {
          throw ScriptError(script.path, step.number, problem)
        }
        try perform(action)
      }
    }
  }

  /// Performs one action; does nothing once the program has ended.
  package mutating func perform(_ action: Script.Action) throws {
    switch action {
    case .open(let opening):
      program = try open(opening)
      exitCode = nil
      send(.resize(sizeAtStart ?? opening.size))
    case .press(let keys, _): for key in keys { send(.key(key)) }
    case .paste(let text): send(.key(Key(.paste(text))))
    case .resize(let size): send(.resize(size))
    case .tick: send(.tick)
    }
  }

  private mutating func send(_ event: Event) {
    guard let program, exitCode == nil else { return }
    if case .resize(let new) = event { size = new }
    for effect in JobRunner.send(event, to: program) {
      switch effect {
      case .quit(let code): exitCode = code
      case .copy:
        _ = JobRunner.send(.copied("the clipboard of the terminal, by OSC 52"), to: program)
      case .editExternally(_, let token):
        let answer = Edited.failed("There is no editor, since a script presses the keys")
        _ = JobRunner.send(.edited(token: token, answer), to: program)
      case .openExternally:
        let problem = "There is no other program, since a script presses the keys"
        _ = JobRunner.send(.opened(problem: problem), to: program)
      case .run, .cancel, .suspend, .paint, .redraw, .mouse, .bell, .ask: break
      }
    }
  }
}
