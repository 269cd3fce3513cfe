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

/// A command's label in the hint line.
struct Label: ExpressibleByStringLiteral, Sendable {
  /// A word or two, where the room is short; the name of the command where there are none.
  let short: String?
  /// Says what the command does now; `nil` where it does nothing.
  let text: @Sendable (Browser) -> String?

  init(_ short: String? = nil, _ text: @escaping @Sendable (Browser) -> String?) {
    self.short = short
    self.text = text
  }

  init(stringLiteral text: String) { self.init(text) { _ in text } }
}

/// A command of the browser: a row of `CommandTable.swift` says all of it.
///
/// A browser has the commands of its ``KeyBindings``, whose keys a person may have changed.
package struct Command: Sendable {
  /// The argument behind the key, or behind the name in the palette.
  package enum Argument: Sendable {
    case none
    /// A letter, as in `ma`.
    case letter
    /// A text, which only the palette takes, as in `:move 3`.
    case text
    /// A number that is typed before the key, as in `5j`, or after the name in the palette.
    case count
  }

  /// The first name in the palette; no other command has any of its names.
  package let name: String
  /// More names, which people know from elsewhere.
  private var aliases: [String] = []
  /// All names in the palette.
  package var names: [String] { [name] + aliases }
  /// The keys, the first of which the hint line names.
  package internal(set) var keys: [String]
  /// Says what it does, for the help and the manual; the keys of other commands are those of the bindings.
  package private(set) var summary: String
  /// The summary with the names of other commands in braces for their keys.
  private var template: String
  private(set) var hint: Label
  package private(set) var places = Places.everywhere
  package private(set) var argument = Argument.none
  /// Why it is not possible now, where it is not.
  private(set) var whyNot: @Sendable (Browser) -> String? = { _ in nil }
  /// What its name does in other places; `nil` where that says only where it works.
  private(set) var elsewhere: (@Sendable (Browser) -> Void)?
  /// Does it, with an argument that is empty where none was given.
  private(set) var action: @Sendable (Browser, String) -> Void = { _, _ in }

  init(_ name: String, _ keys: [String], _ summary: String = "") {
    self.name = name
    self.keys = keys
    self.summary = summary
    template = summary
    hint = Label(stringLiteral: name)
  }

  /// Puts the keys of other commands into the summary.
  mutating func nameKeys(_ key: (String) -> String) {
    let parts = template.split(separator: "{", omittingEmptySubsequences: false).map { part in
      let words = part.split(separator: "}", maxSplits: 1)
      return words.count == 2 ? key(String(words[0])) + words[1] : String(part)
    }
    summary = parts.joined()
  }

  private func with(_ change: (inout Command) -> Void) -> Command {
    var command = self
    change(&command)
    return command
  }

  /// The command with a summary that does not fit beside its keys.
  func saying(_ summary: String) -> Command {
    with {
      $0.summary = summary
      $0.template = summary
    }
  }

  /// The command with more names.
  func also(_ aliases: String...) -> Command { with { $0.aliases = aliases } }

  func works(in places: Places) -> Command { with { $0.places = places } }

  /// The command whose name does something in other places, too.
  func elsewhere(_ action: @escaping @Sendable (Browser) -> Void) -> Command {
    with { $0.elsewhere = action }
  }

  func hint(_ label: Label) -> Command { with { $0.hint = label } }

  /// The command where something may be in its way.
  func unless(_ whyNot: @escaping @Sendable (Browser) -> String?) -> Command {
    with { $0.whyNot = whyNot }
  }

  func runs(_ action: @escaping @Sendable (Browser) -> Void) -> Command {
    takes(.none) { browser, _ in action(browser) }
  }

  func takes(
    _ argument: Argument,
    _ action: @escaping @Sendable (Browser, String) -> Void
  ) -> Command {
    with {
      $0.argument = argument
      $0.action = action
    }
  }

  /// The command that is done so often as the number says that is typed before its key.
  func times(_ action: @escaping @Sendable (Browser, Int) -> Void) -> Command {
    takes(.count) { browser, text in action(browser, Self.number(text) ?? 1) }
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
