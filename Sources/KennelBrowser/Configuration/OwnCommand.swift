/// A command of a person's own: a line of the shell, which gets what the cursor is on.
package struct OwnCommand: Hashable, Sendable {
  /// What becomes of the output.
  package enum Output: String, CaseIterable, Sendable {
    /// It is shown.
    case show
    /// It becomes the value under the cursor, in the draft.
    case value
    /// It is forgotten, and the file is looked at again.
    case refresh
  }

  package let name: String
  /// The line of the file where it begins.
  let line: Int
  package internal(set) var script = ""
  package internal(set) var output = Output.show
  var summary: String?
  var key: KeySequence?

  /// The command as the browser has it.
  var command: Command {
    Command(name, [], summary ?? "run ‘\(script)’").runs { OwnCommands($0).run(self) }
  }
}

/// Reads the table of a person's own commands, entry by entry.
struct OwnCommandReader {
  private(set) var commands: [OwnCommand] = []

  /// Takes an entry of `[commands.NAME]`; what is wrong with it, if so.
  mutating func add(_ entry: Configuration.Entry) -> String? {
    guard entry.path.count > 1 else {
      return entry.value == .table
        ? nil : "commands is a table: write [commands.NAME], and run = \"…\" below it"
    }
    let name = entry.path[1]
    guard !name.isEmpty, name.allSatisfy({ "a"..."z" ~= $0 || "0"..."9" ~= $0 || $0 == "-" }) else {
      return "‘\(name)’: a command is named by small letters, digits and hyphens"
    }
    if KeyBindings.standard.command(name) != nil {
      return "there is a command ‘\(name)’ already; choose another name"
    }
    if !commands.contains(where: { $0.name == name }) {
      commands.append(OwnCommand(name: name, line: entry.line))
    }
    guard entry.path.count > 2, let index = commands.firstIndex(where: { $0.name == name }) else {
      return entry.value == .table ? nil : "\(name): write [commands.\(name)], and run below it"
    }
    let field = entry.path.dropFirst(2).joined(separator: ".")
    let problem: String? =
      if case .text(let text) = entry.value {
        Self.set(field, to: text, in: &commands[index])
      } else {
        "write a text in quotes"
      }
    return problem.map { "\(name).\(field): \($0)" }
  }

  private static func set(_ field: String, to text: String, in command: inout OwnCommand) -> String?
  {
    switch field {
    case "run": command.script = text
    case "summary": command.summary = text
    case "key":
      do throws(ValidationError) {
        command.key = try KeyName.read(text)
      } catch {
        return error.message
      }
    case "output":
      guard let output = OwnCommand.Output(rawValue: text) else {
        let names = OwnCommand.Output.allCases.map { "\"\($0.rawValue)\"" }
        return "write one of \(names.joined(separator: ", "))"
      }
      command.output = output
    case _: return "a command has run, key, output and summary"
    }
    return nil
  }

  /// The commands that say what to run, and the mistakes of the others.
  func finish() -> ([OwnCommand], [Configuration.Mistake]) {
    let mistakes = commands.filter(\.script.isEmpty).map {
      let text = "\($0.name): write run = \"…\", a line of the shell"
      return Configuration.Mistake(line: $0.line, text: text)
    }
    return (commands.filter { !$0.script.isEmpty }, mistakes)
  }
}
