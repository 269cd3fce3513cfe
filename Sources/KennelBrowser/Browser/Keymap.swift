/// Which command a sequence of keys means, per context; made from the table of commands.
package struct Keymap: Sendable {
  package enum Answer: Sendable {
    case command(Command, letter: Character?)
    /// More keys are needed.
    case unfinished
    case nothing
  }

  private struct Binding {
    let sequence: KeySequence
    let command: Command
  }

  private let bindings: [Context: [Binding]]

  package static let standard = Keymap(Command.all)

  package init(_ commands: [Command]) {
    var bindings: [Context: [Binding]] = [:]
    for command in commands {
      for keys in command.keys {
        guard let sequence = KeySequence(keys) else { continue }
        for context in command.contexts {
          bindings[context, default: []].append(
            Binding(sequence: sequence, command: command)
          )
        }
      }
    }
    self.bindings = bindings
  }

  package func answer(to sequence: KeySequence, in context: Context) -> Answer {
    var isPrefix = false
    for binding in bindings[context] ?? [] {
      if binding.command.argument == .letter {
        if binding.sequence == sequence { isPrefix = true }
        if sequence.begins(with: binding.sequence),
          sequence.keys.count == binding.sequence.keys.count + 1,
          let letter = sequence.keys.last?.typed
        {
          return .command(binding.command, letter: letter)
        }
        continue
      }
      if binding.sequence == sequence { return .command(binding.command, letter: nil) }
      if binding.sequence.begins(with: sequence) { isPrefix = true }
    }
    return isPrefix ? .unfinished : .nothing
  }

  /// Pairs of commands that share a key in one context; there are none.
  package static func clashes(of commands: [Command]) -> [String] {
    var owners: [String: String] = [:]
    var clashes: [String] = []
    for command in commands {
      for keys in command.keys {
        for context in command.contexts {
          let place = "\(context): \(keys)"
          if let other = owners[place] { clashes.append("\(place): \(other), \(command.name)") }
          owners[place] = command.name
        }
      }
    }
    return clashes
  }
}
