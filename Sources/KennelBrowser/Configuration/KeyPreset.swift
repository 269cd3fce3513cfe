/// Keys that are bound together, as a person may know them from elsewhere.
package enum KeyPreset: String, CaseIterable, Sendable {
  /// The keys of the table of commands.
  case standard = "default"
  case vim
  case arrows

  /// A sequence of keys with its commands; none where it is unbound.
  package struct Row: Sendable {
    package let keys: String
    package let commands: [String]

    fileprivate init(_ keys: String, _ commands: String...) {
      self.keys = keys
      self.commands = commands
    }
  }

  package var purpose: String {
    switch self {
    case .standard: "the keys that this page lists"
    case .vim: "in addition, keys of vim that mean something else by default, or nothing"
    case .arrows: "no letter moves: arrows, Enter and function keys do"
    }
  }

  /// The differences from the keys of the table; unbound keys stand first.
  package var rows: [Row] {
    switch self {
    case .standard: []
    case .vim: Self.vimRows
    case .arrows: Self.arrowRows
    }
  }

  /// The keys of the preset.
  package var bindings: KeyBindings {
    var bindings = KeyBindings.standard
    for row in rows {
      if let sequence = KeySequence(row.keys) { _ = bindings.bind(sequence, to: row.commands) }
    }
    return bindings
  }

  // Of the keys of a command, that of the last row is the first, which the hint line names.

  private static let vimRows = [
    Row("1"), Row("2"), Row("3"), Row("4"), Row("c"), Row("d"), Row("y"), Row("Z"),
    Row("^F", "page-down"), Row("^B", "page-up"),
    Row("0", "first-column"), Row("$", "last-column"), Row("^T", "back"), Row("^O", "back"),
    Row("^]", "open"), Row("Enter", "open"), Row("`", "jump"), Row("'", "jump"),
    Row("dd", "delete"), Row("yy", "copy"), Row("cc", "edit"), Row("cw", "edit"), Row("a", "edit"),
    Row("i", "edit"), Row("gi", "schema"), Row("V", "mark", "leave-out"),
    Row("^W w", "next-pane"), Row("^W W", "previous-pane"), Row("^W o", "zoom"), Row("ZZ", "w"),
    Row("ZQ", "quit"),
  ]

  private static let arrowRows = [
    Row("j"), Row("k"), Row("h"), Row("l"), Row("gg"), Row("G"), Row("H"), Row("L"),
    Row("F1", "help"), Row("F2", "palette"), Row("F3", "peek"), Row("F4", "edit"),
    Row("F5", "copy"), Row("F6", "filter"), Row("F7", "create"), Row("F8", "delete"),
    Row("F9", "review"), Row("F10", "q"), Row("Ins", "mark", "leave-out"),
    Row("Del", "unlink", "drop"),
    Row("^Left", "first-column"), Row("^Right", "last-column"),
    Row("^Up", "half-page-up"), Row("^Down", "half-page-down"),
  ]
}
