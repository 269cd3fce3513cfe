/// Keys for a program with a screen, as a text file.
///
/// ```
/// # The selection stops at both ends of the list.
///
/// = open 40x6
/// = press jjj Enter
/// = type Rex
/// ```
///
/// Lines that begin with `#` are comments, those that begin with `=` are actions, and those that
/// begin with `|` are the rows of the screen that the actions before lead to. Actions that follow
/// each other without an empty line make a step. The verbs are:
///
/// * `open [COLUMNSxROWS] [WORD…]` begins; the words are for the one who makes the program.
/// * `press KEYS` presses keys by their names (`jj Enter`, see `KeySequence`).
/// * `hinted KEYS` presses keys; the first, or all as in `gr`, must stand in the last row before.
/// * `type TEXT` types the letters of a text.
/// * `paste TEXT` pastes a text in which `\n` is a new line.
/// * `resize COLUMNSxROWS` changes the size of the terminal.
/// * `tick` lets time pass.
package struct Script: Hashable, Sendable {
  package enum Action: Hashable, Sendable {
    case open(Opening)
    case press([Key], isHinted: Bool)
    case paste(String)
    case resize(Size)
    case tick
  }

  /// How a program begins.
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
    /// The screen after the step, or nil where none is written.
    package var screen: [String]?
  }

  package let path: String
  package private(set) var steps: [Step]
  /// The lines after the last step.
  package let rest: [String]

  /// Reads a script.
  ///
  /// - Parameters:
  ///   - path: The name of the file, for messages.
  ///   - text: What the file says.
  /// - Throws: ``ScriptError`` for the first line that is no part of a script.
  package init(path: String, text: String) throws(ScriptError) {
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

    for (index, line) in Self.lines(of: text).enumerated() {
      if line.hasPrefix("|") {
        guard !actions.isEmpty else {
          throw ScriptError(path, index + 1, "A screen comes after the actions that lead to it")
        }
        screen = (screen ?? []) + [String(line.dropFirst())]
        continue
      }
      let isBlank = line.allSatisfy { $0 == " " }
      if screen != nil || (isBlank && !actions.isEmpty), let step = take() { steps.append(step) }
      if line.hasPrefix("=") {
        if actions.isEmpty { start = index + 1 }
        do throws(Problem) {
          actions.append(try Self.action(String(line.dropFirst())))
        } catch {
          throw ScriptError(path, index + 1, error.description)
        }
      } else if !isBlank, !line.hasPrefix("#") {
        throw ScriptError(path, index + 1, "A line begins with #, = or |: \(line)")
      }
      lines.append(line)
    }
    if let step = take() { steps.append(step) }
    rest = lines
  }

  private static func lines(of text: String) -> [String] {
    var lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
      .map { String($0) }
    if lines.last == "" { lines.removeLast() }
    return lines
  }

  private struct Problem: Error {
    let description: String
  }

  private static func action(_ line: String) throws(Problem) -> Action {
    let words = line.split(separator: " ").map(String.init)
    let verb = words.first ?? ""
    let argument = String(line.drop { $0 == " " }.dropFirst(verb.count).dropFirst())
    switch verb {
    case "open":
      var opening = Opening(words: Array(words.dropFirst()))
      if let size = opening.words.first.flatMap({ Size($0) }) {
        opening.size = size
        opening.words.removeFirst()
      }
      return .open(opening)
    case "press", "hinted":
      guard let sequence = KeySequence(argument) else {
        throw Problem(
          description: "‘\(argument)’ names no keys; write them as in: press jj Enter ^R"
        )
      }
      return .press(sequence.keys, isHinted: verb == "hinted")
    case "type": return .press(argument.map { Key($0) }, isHinted: false)
    case "paste":
      let lines = argument.split(separator: "\\n", omittingEmptySubsequences: false)
      return .paste(lines.joined(separator: "\n"))
    case "resize":
      guard let size = Size(argument) else {
        throw Problem(description: "‘\(argument)’ is no size; write columns and rows as in 80x24")
      }
      return .resize(size)
    case "tick": return .tick
    default:
      throw Problem(
        description:
          "‘\(verb)’ is no action; there are open, press, hinted, type, paste, resize and tick"
      )
    }
  }

  /// The keys that a line of hints names, whatever stands between them.
  private static func hints(in line: String) -> Set<String> {
    let words = line.split(separator: " ")
    var names = Set(words.map(String.init))
    for word in words { names.formUnion(word.split { "/,:·│".contains($0) }.map(String.init)) }
    return names
  }

  /// Why keys are not hinted at in the last row of a screen, where they are not.
  package static func missingHint(to keys: [Key], in screen: [String]) -> String? {
    let hints = screen.last { row in row.contains { $0 != " " } } ?? ""
    let named = Self.hints(in: hints)
    guard let key = keys.first, !named.contains(key.description),
      !named.contains(KeySequence(keys).description)
    else { return nil }
    return "There is no hint to \(key) in: \(hints)"
  }
}

/// A mistake in a line of a script.
package struct ScriptError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file, the line and the problem, as in `keys.txt:3: ‘jump’ is no action`.
  package let description: String

  package init(_ path: String, _ line: Int, _ problem: String) {
    description = "\(path):\(line): \(problem)"
  }
}
