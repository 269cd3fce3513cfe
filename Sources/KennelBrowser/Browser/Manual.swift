/// The text of Documentation/Keys.md, made from the table of commands.
package enum Manual {
  package static var markdown: String {
    var lines = [
      "# The keys of the browser",
      "",
      "This file is made from `Sources/KennelBrowser/Browser/CommandTable.swift`; a test fails when it is stale.",
      "A name in the last column works from the palette: `:` and the name.",
      "",
    ]
    lines += commandTable
    for dialog in dialogs {
      lines += ["", "## \(dialog.title)", "", "| key | what it does |", "|---|---|"]
      for hint in dialog.keys { lines.append("| `\(hint.key)` | \(hint.label) |") }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// Every kind of dialog; a test compares this list with the files in `Dialogs/`.
  private static var dialogs: [any Dialog.Type] {
    [
      EditorDialog.self, PromptDialog.self, MenuDialog.self, PickerDialog.self, PaletteDialog.self,
      HelpDialog.self, DeletionDialog.self, QuitDialog.self, RecoveryDialog.self,
      StatisticsDialog.self, TextDialog.self,
      ConfirmCommitDialog.self, CommitDialog.self, PlanDialog.self,
    ]
  }

  private static var commandTable: [String] {
    var lines = ["| key | what it does | where | name |", "|---|---|---|---|"]
    for command in Command.all {
      let keys = command.keys.map { "`\($0)`" }.joined(separator: " ")
      let places = Context.allCases.filter(command.contexts.contains)
      let isEverywhere = places.count == Context.allCases.count
      let region = isEverywhere ? "everywhere" : places.map(\.rawValue).joined(separator: ", ")
      lines.append("| \(keys) | \(command.summary) | \(region) | `\(command.name)` |")
    }
    return lines
  }
}
