@_spi(Faces) internal import KennelCore

/// The keys that a configuration file binds, in the order of its lines.
struct KeyChanges {
  private struct Change {
    let sequence: KeySequence
    let commands: [String]
    let line: Int
  }

  private var changes: [Change] = []
  private let own: [OwnCommand]

  /// - Parameter own: The commands of a person's own.
  init(_ own: [OwnCommand]) {
    self.own = own
    changes = own.compactMap { command in
      command.key.map { Change(sequence: $0, commands: [command.name], line: command.line) }
    }
  }

  /// Takes an entry of `[keys]`.
  ///
  /// - Parameters:
  ///   - entry: The entry.
  ///   - values: Those of its list, if it is one.
  /// - Returns: What is wrong with it, if so.
  mutating func add(
    _ entry: Configuration.Entry,
    _ values: [Configuration.Entry]
  ) -> String? {
    if entry.path.count == 1, entry.value == .table { return nil }
    if entry.path.count == 1, case .text(let name) = entry.value {
      return "keys is a table of single keys; write keymap = \"\(name)\" for a set of them"
    }
    guard entry.path.count == 2 else { return "write the keys in quotes, as in \"g d\" = \"open\"" }
    let sequence: KeySequence
    do throws(ValidationError) {
      sequence = try KeyName.read(entry.path[1])
    } catch {
      return error.message
    }
    var commands: [String] = []
    for value in entry.value == .list ? values.map(\.value) : [entry.value] {
      guard case .text(let name) = value else {
        return "‘\(entry.path[1])’: write the name of a command in quotes, or \"\" for nothing"
      }
      if name.isEmpty, entry.value != .list { continue }
      let names = KeyBindings.standard.all.map(\.name) + own.map(\.name)
      guard names.contains(name) else {
        let meant = NearestName.of(name, among: names)
        return "there is no command ‘\(name)’; "
          + (meant.map { "did you mean ‘\($0)’?" } ?? "‘kennel config’ lists them")
      }
      commands.append(name)
    }
    if let first = changes.first(where: { $0.sequence == sequence }) {
      return "‘\(sequence)’ is bound in line \(first.line) already; a list in brackets binds it to "
        + "several commands"
    }
    changes.append(Change(sequence: sequence, commands: commands, line: entry.line))
    return nil
  }

  /// Makes the changes to the keys of a preset; those that cannot be are told.
  func apply(to preset: KeyBindings) -> (KeyBindings, [Configuration.Mistake]) {
    var bindings = preset
    bindings.add(own.map(\.command))
    var mistakes: [Configuration.Mistake] = []
    func apply(_ change: Change) {
      if let problem = bindings.bind(change.sequence, to: change.commands) {
        mistakes.append(Configuration.Mistake(line: change.line, text: problem))
      }
    }
    // What is unbound makes room, wherever in the file that stands.
    for change in changes where change.commands.isEmpty { apply(change) }
    for change in changes where !change.commands.isEmpty { apply(change) }
    let isOfPalette = { (change: Change) in
      preset.commands(of: change.sequence).contains { $0.name == Self.palette }
    }
    if bindings.command(Self.palette)?.keys.isEmpty == true,
      let last = changes.last(where: isOfPalette)
    {
      mistakes.append(
        Configuration.Mistake(
          line: last.line,
          text: "no key is left for ‘\(Self.palette)’, which runs what has no key; bind another"
        )
      )
      _ = bindings.bind(last.sequence, to: [Self.palette])
    }
    return (bindings, mistakes)
  }

  /// The command that runs the others by their names.
  private static let palette = "palette"
}
