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

  private let bindings: [Binding]

  package static let standard = Keymap(Command.all)

  package init(_ commands: [Command]) {
    bindings = commands.flatMap { command in
      command.keys.compactMap { KeySequence($0) }.map { Binding(sequence: $0, command: command) }
    }
  }

  package func answer(to sequence: KeySequence, in context: Context) -> Answer {
    var isPrefix = false
    for binding in bindings where binding.command.places.contains(context) {
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

  /// The commands that a sequence means, each in other places.
  func commands(of sequence: KeySequence) -> [Command] {
    bindings.filter { $0.sequence == sequence }.map(\.command)
  }

  /// Pairs of commands that share a key in one context; there are none.
  package static func clashes(of commands: [Command]) -> [String] {
    var clashes: [String] = []
    for (index, command) in commands.enumerated() {
      for other in commands[..<index] where command.places.overlaps(other.places) {
        let shared = command.keys.filter(other.keys.contains)
        clashes += shared.map { "\($0): \(other.name), \(command.name)" }
      }
    }
    return clashes
  }
}
