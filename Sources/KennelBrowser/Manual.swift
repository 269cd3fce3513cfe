/// The text of Documentation/Keys.md, made from the table of commands.
package enum Manual {
  package static var markdown: String {
    var lines = [
      "# The keys of the browser",
      "",
      "This file is made from `Sources/KennelBrowser/Command.swift`; a test fails when it is stale.",
      "A name in the last column works from the palette: `:` and the name.",
      "",
    ]
    lines += commandTable
    for dialog in Dialog.allCases where !dialog.keys.isEmpty {
      lines += ["", "## \(dialog.title)", "", "| key | what it does |", "|---|---|"]
      for key in dialog.keys { lines.append("| `\(key.keys)` | \(key.summary) |") }
    }
    return lines.joined(separator: "\n") + "\n"
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
