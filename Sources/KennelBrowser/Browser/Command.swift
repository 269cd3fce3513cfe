/// Where a key is pressed: each type of view has one, which its file declares.
package struct Context: Hashable, Sendable {
  package let name: String
  /// The place in a sentence, after ‘in’.
  let place: String

  init(_ name: String, _ place: String) {
    self.name = name
    self.place = place
  }
}

/// Where a command works.
package struct Places: Sendable, ExpressibleByArrayLiteral {
  /// In the order of the manual; none where it works everywhere.
  package let contexts: [Context]

  static let everywhere: Places = []

  package init(arrayLiteral contexts: Context...) { self.contexts = contexts }

  package func contains(_ context: Context) -> Bool {
    contexts.isEmpty || contexts.contains(context)
  }

  func overlaps(_ other: Places) -> Bool {
    contexts.isEmpty || other.contexts.isEmpty || contexts.contains(where: other.contexts.contains)
  }

  /// The names, for the manual.
  package var text: String {
    contexts.isEmpty ? "everywhere" : contexts.map(\.name).joined(separator: ", ")
  }
}

/// What the hint line calls a command.
struct Label: ExpressibleByStringLiteral, Sendable {
  /// A word or two, where the room is short; the name of the command where there are none.
  let short: String?
  /// What the command does now; `nil` where it does nothing.
  let text: @Sendable (Browser) -> String?

  init(_ short: String? = nil, _ text: @escaping @Sendable (Browser) -> String?) {
    self.short = short
    self.text = text
  }

  init(stringLiteral text: String) { self.init(text) { _ in text } }
}

/// What the browser can be asked to do: all of it is said in one row of `CommandTable.swift`.
///
/// A browser has the commands of its ``Bindings``, whose keys a person may have changed.
package struct Command: Sendable {
  /// What follows the key, or the name in the palette.
  package enum Argument: Sendable {
    case none
    /// A letter, as in `ma`.
    case letter
    /// A text, which only the palette takes, as in `:move 3`.
    case text
    /// A number that is typed before the key, as in `5j`, or after the name in the palette.
    case count
  }

  /// What the palette and `:` call it; no other command has this name.
  package let name: String
  /// The keys, the first of which the hint line names.
  package internal(set) var keys: [String]
  /// What it does, for the help and the manual; the keys of other commands are those of the bindings.
  package private(set) var summary: String
  /// The summary with the names of other commands in braces for their keys.
  private let template: String
  /// What the hint line calls it.
  let hint: Label
  package let places: Places
  package let argument: Argument
  /// Why it is not possible now, where it is not.
  private(set) var whyNot: @Sendable (Browser) -> String?
  let action: @Sendable (Browser, String) -> Void

  /// A command with an argument, which is empty where none was given.
  init(
    _ name: String,
    _ keys: [String],
    _ summary: String,
    hint: Label? = nil,
    in places: Places = .everywhere,
    takes argument: Argument,
    unless whyNot: @escaping @Sendable (Browser) -> String? = { _ in nil },
    _ action: @escaping @Sendable (Browser, String) -> Void
  ) {
    self.name = name
    self.keys = keys
    self.summary = summary
    template = summary
    self.hint = hint ?? Label(stringLiteral: name)
    self.places = places
    self.argument = argument
    self.whyNot = whyNot
    self.action = action
  }

  init(
    _ name: String,
    _ keys: [String],
    _ summary: String,
    hint: Label? = nil,
    in places: Places = .everywhere,
    unless whyNot: @escaping @Sendable (Browser) -> String? = { _ in nil },
    _ action: @escaping @Sendable (Browser) -> Void
  ) {
    self.init(
      name,
      keys,
      summary,
      hint: hint,
      in: places,
      takes: .none,
      unless: whyNot
    ) { browser, _ in action(browser) }
  }

  /// A command that is done so often as the number says that is typed before its key.
  init(
    _ name: String,
    _ keys: [String],
    _ summary: String,
    hint: Label? = nil,
    in places: Places = .everywhere,
    times action: @escaping @Sendable (Browser, Int) -> Void
  ) {
    self.init(name, keys, summary, hint: hint, in: places, takes: .count) { browser, text in
      action(browser, Self.number(text) ?? 1)
    }
  }

  /// The command where something may be in its way.
  func unless(_ whyNot: @escaping @Sendable (Browser) -> String?) -> Command {
    var command = self
    command.whyNot = whyNot
    return command
  }

  /// Puts the keys of other commands into the summary.
  mutating func nameKeys(_ key: (String) -> String) {
    let parts = template.split(separator: "{", omittingEmptySubsequences: false).map { part in
      let words = part.split(separator: "}", maxSplits: 1)
      return words.count == 2 ? key(String(words[0])) + words[1] : String(part)
    }
    summary = parts.joined()
  }

  /// How often, or which line; `nil` where nothing was said.
  static func number(_ text: String) -> Int? {
    Int(text).map { min(max($0, 1), Movement.far) }
  }

  /// Where there are values.
  static let values: Places = [.table, .object, .elements]
  /// Where there are objects.
  static let walkable: Places = [.table, .object, .elements, .links]
  /// Where lines scroll that may be many.
  static let scrolled: Places = [.table, .object, .elements, .changes, .summary]
  /// Where an element can be.
  static let ordered: Places = [.object, .elements]
}
