/// The keys for the manual, `Documentation/Browser.md` and `kennel.1`, from the table of commands.
package enum Manual {
  /// A key, or several for one purpose, and what it does.
  package struct Key: Hashable, Sendable {
    package let key: String
    package let purpose: String
  }

  /// The tables of keys in Markdown: the commands, then each dialog under a heading of its own.
  package static var markdown: String {
    var lines = commandTable
    for dialog in dialogs {
      lines += ["", "### \(dialog.title)", "", "| key | what it does |", "|---|---|"]
      lines += dialog.keys.map { "| `\($0.key)` | \($0.purpose) |" }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// Every kind of dialog with its keys.
  package static var dialogs: [(title: String, keys: [Key])] {
    dialogTypes.map { type in
      (type.title, type.keys.map { Key(key: $0.key, purpose: $0.label) })
    }
  }

  /// Every kind of dialog; a test compares this list with the files in `Dialogs/`.
  private static var dialogTypes: [any Dialog.Type] {
    [
      EditorDialog.self, PromptDialog.self, MenuDialog.self, PickerDialog.self, PaletteDialog.self,
      HelpDialog.self, DeletionDialog.self, QuitDialog.self, RecoveryDialog.self,
      ReportDialog.self, TextDialog.self, ClosureDialog.self,
      ConfirmCommitDialog.self, CommitDialog.self, PlanDialog.self, RecentFilesDialog.self,
      LogDialog.self, CommitsDialog.self,
      AssignmentDialog.self, HexDialog.self, TreeDialog.self, PictureDialog.self,
      SchemaPlanDialog.self,
    ]
  }

  /// The tables of the configuration file in Markdown: settings, keymaps, parts of the screen.
  package static var configuration: String {
    var lines = ["| setting | value | without it | what it does |", "|---|---|---|---|"]
    for setting in Setting.all {
      let cells = ["`\(setting.name)`", setting.values, setting.standard, setting.purpose]
      lines.append("| \(cells.joined(separator: " | ")) |")
    }
    for preset in KeyPreset.allCases where !preset.rows.isEmpty {
      lines += ["", "`keymap = \"\(preset.rawValue)\"`: \(preset.purpose).", ""]
      lines += ["| key | what it does |", "|---|---|"]
      for row in preset.rows {
        let summaries = row.commands.compactMap { preset.bindings.command($0)?.summary }
        let meaning = summaries.isEmpty ? "nothing" : summaries.joined(separator: "; or ")
        lines.append("| `\(row.keys)` | \(meaning) |")
      }
    }
    lines += ["", "| part | what it is | by default |", "|---|---|---|"]
    for role in Theme.roles {
      let words = StyleText.words(for: Theme.terminal[keyPath: role.path])
      lines.append("| `\(role.name)` | \(role.purpose) | `\(words)` |")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static var commandTable: [String] {
    var lines = ["| key | what it does | where | name |", "|---|---|---|---|"]
    for command in KeyBindings.standard.all {
      let keys = command.keys.map { "`\($0)`" }.joined(separator: " ")
      let names = command.names.map { "`\($0)`" }.joined(separator: " ")
      lines.append("| \(keys) | \(command.summary) | \(command.places.text) | \(names) |")
    }
    return lines
  }
}
