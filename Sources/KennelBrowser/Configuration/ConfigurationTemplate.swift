extension Configuration {
  /// The file with every default as a comment.
  ///
  /// A setting stands behind a number sign without a blank, so that one edit takes it in.
  package static var template: String {
    var lines = [
      "# What kennel’s browser looks like and which keys it has. Remove the # before a line to change",
      "# what it says; every such line shows the default. ‘kennel config --check’ checks this file.",
      "",
    ]
    for setting in Setting.all {
      lines.append("# \(setting.name): \(plain(setting.purpose)).")
      lines.append("# One of \(plain(setting.values)); without it \(plain(setting.standard)).")
      lines += ["#\(setting.name) = \(setting.example)", ""]
    }
    lines += [
      "# Colors of single parts, over those of the theme:",
      "# \(StyleText.grammar).",
      "# A color is a name (\(Color.names.prefix(8).joined(separator: ", ")), each also with bright-,",
      "# or default), a number from 0 to 255, or #rrggbb; what a terminal lacks becomes the nearest.",
      "[\(colorTable)]",
    ]
    for role in Theme.roles {
      let words = quoted(StyleText.words(for: Theme.terminal[keyPath: role.path]))
      lines.append(pad("#\(role.name) = \(words)", to: 40) + "# \(role.purpose)")
    }
    lines += [
      "",
      "# Single keys, over those of the keymap: \"KEYS\" = \"COMMAND\", or \"\" for nothing. A list",
      "# binds a key to commands that work in different places. Keys are written as j, g d, ctrl-d,",
      "# alt-left, pgdn, space or f5.", "[\(keyTable)]",
    ]
    return (lines + keyLines + commandLines).map { $0 + "\n" }.joined()
  }

  /// The keys of the table of commands, each once, with the commands that have none as remarks.
  private static var keyLines: [String] {
    let bindings = KeyBindings.standard
    var lines: [String] = []
    var named: Set<String> = []
    for group in bindings.groups {
      lines += ["", "# \(group.title)"]
      for command in group.commands {
        if command.keys.isEmpty {
          lines.append("# (no key) = \"\(command.name)\": \(command.summary)")
        }
        // The first key of a command is that which is bound last.
        for keys in command.keys.reversed() where named.insert(keys).inserted {
          let owners = KeySequence(keys).map { bindings.commands(of: $0) } ?? [command]
          let names = owners.map { quoted($0.name) }.joined(separator: ", ")
          let value = owners.count > 1 ? "[\(names)]" : names
          let summaries = owners.map(\.summary).joined(separator: "; or ")
          lines.append(pad("#\(quoted(keys)) = \(value)", to: 40) + "# \(summaries)")
        }
      }
    }
    return lines
  }

  private static let commandLines = [
    "",
    "# Commands of your own: a line of the shell, which gets what the cursor is on in the variables",
    "# $file, $class, $object, $key, $property, $value and $json. Write \"$value\", with the quotes.",
    "# The output is shown, becomes the value, or is forgotten: \"show\", \"value\", \"refresh\".",
    "#   [\(commandTable).hash]",
    "#   key = \"g h\"",
    "#   run = 'printf %s \"$value\" | sha256sum'",
    "#   summary = \"show the checksum of the value\"",
    "#   output = \"show\"",
  ]

  private static func quoted(_ text: String) -> String {
    "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
  }

  private static func plain(_ text: String) -> String { text.replacing("`", with: "") }

  private static func pad(_ text: String, to width: Int) -> String {
    text + String(repeating: " ", count: max(2, width - text.count))
  }
}

extension StyleText {
  /// The words for a style.
  static func words(for style: Style) -> String {
    var words: [String] = []
    if style.foreground != .standard || style.background != .standard {
      words.append(style.foreground.name)
    }
    if style.background != .standard { words.append(style.background.name) }
    if style.isBold { words.append("bold") }
    if style.isDim { words.append("dim") }
    if style.isUnderlined { words.append("underline") }
    if style.isReversed { words.append("reverse") }
    return words.isEmpty ? "plain" : words.joined(separator: " ")
  }
}
