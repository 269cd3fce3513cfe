/// The commands with the keys that they have in a browser: those of the table, until others are
/// bound.
package struct KeyBindings: Sendable {
  package private(set) var groups: [(title: String, commands: [Command])]
  /// The sequences of keys with the command of each; made from the groups.
  private var sequences: [(keys: KeySequence, command: Command)] = []
  /// The commands by their names, which each hint asks for at each key; made from the groups.
  private var named: [String: Command] = [:]

  /// The keys of the table.
  package static let standard = KeyBindings(Command.groups)

  private init(_ groups: [(title: String, commands: [Command])]) {
    self.groups = groups
    update { _ in }
  }

  package var all: [Command] { groups.flatMap(\.commands) }

  package func command(_ name: String) -> Command? { named[name] }

  /// How a command is called by the keys, for a sentence: its first key, or its name after a colon.
  package func key(of name: String) -> String { named[name]?.keyOrName ?? ":\(name)" }

  // MARK: - What keys mean

  /// The meaning of the keys that were pressed so far.
  package enum Answer: Sendable {
    case command(Command, letter: Character?)
    /// More keys are needed.
    case unfinished
    case nothing
  }

  /// The command that a sequence of keys means where they are pressed.
  package func answer(to sequence: KeySequence, in context: Context) -> Answer {
    var isPrefix = false
    for (keys, command) in sequences where command.places.contains(context) {
      if command.argument == .letter {
        if keys == sequence { isPrefix = true }
        if sequence.begins(with: keys), sequence.keys.count == keys.keys.count + 1,
          let letter = sequence.keys.last?.typed
        {
          return .command(command, letter: letter)
        }
        continue
      }
      if keys == sequence { return .command(command, letter: nil) }
      if keys.begins(with: sequence) { isPrefix = true }
    }
    return isPrefix ? .unfinished : .nothing
  }

  /// The commands that a sequence of keys means, each in other places.
  func commands(of sequence: KeySequence) -> [Command] {
    sequences.filter { $0.keys == sequence }.map(\.command)
  }

  /// Pairs of commands that share a key in one context; there are none.
  package static func clashes(of commands: [Command]) -> [String] {
    overlapping(commands).flatMap { other, command in
      command.keys.filter(other.keys.contains).map { "\($0): \(other.name), \(command.name)" }
    }
  }

  /// Pairs of commands that work in one context.
  private static func overlapping(_ commands: [Command]) -> [(Command, Command)] {
    commands.enumerated().flatMap { index, command in
      commands[..<index].filter { command.places.overlaps($0.places) }.map { ($0, command) }
    }
  }

  // MARK: - Changes

  /// Adds a person's own commands.
  mutating func add(_ commands: [Command]) {
    guard !commands.isEmpty else { return }
    groups.append(("Your own commands", commands))
    update { _ in }
  }

  /// Binds keys to commands, in the places where these work; the commands that had them in any of
  /// those places lose them.
  ///
  /// - Parameters:
  ///   - sequence: The keys.
  ///   - names: The names of the commands, of which no two work in one place; none to unbind the
  ///     keys.
  /// - Returns: Why this cannot be, if so; then nothing changes.
  mutating func bind(_ sequence: KeySequence, to names: [String]) -> String? {
    var changed = self
    let bound = names.compactMap(command)
    changed.update { command in
      let isNamed = names.contains(command.name)
      let losesKey = names.isEmpty || bound.contains { $0.places.overlaps(command.places) }
      if losesKey, !isNamed { command.keys.removeAll { KeySequence($0) == sequence } }
      if isNamed {
        command.keys.removeAll { KeySequence($0) == sequence }
        command.keys.insert(sequence.description, at: 0)
      }
    }
    if let problem = Self.overlap(of: bound) ?? changed.hiding(of: sequence, by: bound) {
      return problem
    }
    self = changed
    return nil
  }

  /// Two commands that work in one place cannot have the same key.
  private static func overlap(of commands: [Command]) -> String? {
    overlapping(commands).first.map { other, command in
      "‘\(other.name)’ and ‘\(command.name)’ work in the same place, so that a key can be "
        + "one of them alone"
    }
  }

  /// A key that a longer sequence begins with would leave that one without effect.
  private func hiding(of sequence: KeySequence, by bound: [Command]) -> String? {
    var longer: [String] = []
    for command in bound {
      for other in all where command.places.overlaps(other.places) {
        for keys in other.keys.compactMap({ KeySequence($0) }) {
          if sequence.begins(with: keys) {
            return "‘\(sequence)’ begins with ‘\(keys)’, which is ‘\(other.name)’; "
              + "unbind that by \"\(keys)\" = \"\""
          }
          if keys.begins(with: sequence), !longer.contains(keys.description) {
            longer.append(keys.description)
          }
        }
      }
    }
    guard !longer.isEmpty else { return nil }
    let list = longer.prefix(6).joined(separator: ", ") + (longer.count > 6 ? "…" : "")
    return "‘\(sequence)’ would hide \(list), which begin with it; take another key, or unbind "
      + "those"
  }

  private mutating func update(_ change: (inout Command) -> Void) {
    for group in groups.indices {
      for index in groups[group].commands.indices { change(&groups[group].commands[index]) }
    }
    let keys = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0.keyOrName) })
    for group in groups.indices {
      for index in groups[group].commands.indices {
        groups[group].commands[index].nameKeys { keys[$0] ?? $0 }
      }
    }
    named = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })
    sequences = all.flatMap { command in
      command.keys.compactMap { KeySequence($0) }.map { ($0, command) }
    }
  }
}

extension Command {
  fileprivate var keyOrName: String { keys.first ?? ":\(name)" }
}
