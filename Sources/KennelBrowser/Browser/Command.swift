/// Where a key is pressed.
package enum Context: String, CaseIterable, Sendable {
  case collections, table, object, elements, links, changes
  /// Groups, or what takes space.
  case summary
  /// The diagram of the schema.
  case diagram

  /// The place in a sentence, after ‘in’.
  var place: String {
    switch self {
    case .collections: "the collections"
    case .table: "a table"
    case .object: "an object"
    case .elements: "a list"
    case .links: "the links"
    case .changes: "the changes"
    case .summary: "groups"
    case .diagram: "the diagram"
    }
  }
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
  /// What it does, for the help and the manual.
  package let summary: String
  /// What it does in a word or two, for the hint line.
  package let hint: String
  /// The contexts in which it does something.
  package let contexts: Set<Context>
  package let argument: Argument
  /// Why it is not possible now, where it is not.
  let whyNot: @Sendable (Browser) -> String?
  let action: @Sendable (Browser, String) -> Void

  /// A command with an argument, which is empty where none was given.
  init(
    _ name: String,
    _ keys: [String],
    _ summary: String,
    hint: String? = nil,
    in contexts: Set<Context> = everywhere,
    takes argument: Argument,
    unless whyNot: @escaping @Sendable (Browser) -> String? = { _ in nil },
    _ action: @escaping @Sendable (Browser, String) -> Void
  ) {
    self.name = name
    self.keys = keys
    self.summary = summary
    self.hint = hint ?? name
    self.contexts = contexts
    self.argument = argument
    self.whyNot = whyNot
    self.action = action
  }

  init(
    _ name: String,
    _ keys: [String],
    _ summary: String,
    hint: String? = nil,
    in contexts: Set<Context> = everywhere,
    unless whyNot: @escaping @Sendable (Browser) -> String? = { _ in nil },
    _ action: @escaping @Sendable (Browser) -> Void
  ) {
    self.init(
      name,
      keys,
      summary,
      hint: hint,
      in: contexts,
      takes: .none,
      unless: whyNot
    ) { browser, _ in action(browser) }
  }

  /// A command that is done so often as the number says that is typed before its key.
  init(
    _ name: String,
    _ keys: [String],
    _ summary: String,
    in contexts: Set<Context> = everywhere,
    times action: @escaping @Sendable (Browser, Int) -> Void
  ) {
    self.init(name, keys, summary, in: contexts, takes: .count) { browser, text in
      action(browser, Self.number(text) ?? 1)
    }
  }

  /// How often, or which line; `nil` where nothing was said.
  static func number(_ text: String) -> Int? {
    Int(text).map { min(max($0, 1), Navigation.far) }
  }

  static let everywhere = Set(Context.allCases)
  /// Where there are values.
  static let values: Set<Context> = [.table, .object, .elements]
  /// Where there are objects.
  static let walkable: Set<Context> = [.table, .object, .elements, .links]
  /// Where lines scroll that may be many.
  static let scrolled: Set<Context> = [.table, .object, .elements, .summary, .changes]
  /// Where an element can be.
  static let ordered: Set<Context> = [.object, .elements]
}
