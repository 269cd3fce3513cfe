/// A person's choice of theme, colors and keys.
///
/// It is read from the entries of a file. What is wrong in one is a mistake at its line, and the
/// default stays.
package struct Configuration: Sendable {
  /// An entry of the file, as `theme = "dark"`.
  package struct Entry: Sendable {
    package enum Value: Hashable, Sendable {
      case text(String)
      case number(String)
      case flag(Bool)
      /// Its values are entries of their own, with the same path.
      case list
      case table
      /// A number with a fraction, a date or a time.
      case other
    }

    /// The names of the tables around it, and its own.
    let path: [String]
    let value: Value
    let line: Int

    package init(path: [String], value: Value, line: Int) {
      self.path = path
      self.value = value
      self.line = line
    }
  }

  /// A mistake in the file, and what to write instead.
  package struct Mistake: Hashable, Sendable {
    package let line: Int
    package let text: String

    package init(line: Int, text: String) {
      self.line = line
      self.text = text
    }
  }

  var themeName = ThemeName.auto
  /// The styles of single parts.
  var styles: [(role: Theme.Role, style: StyleText)] = []
  var preset = KeyPreset.standard
  /// Whether the mouse is reported from the start.
  package internal(set) var takesMouse = true
  /// Whether the terminal shows ambiguous characters in two columns.
  var hasWideAmbiguous = false
  /// The keys, once all entries are read.
  package private(set) var bindings = KeyBindings.standard
  /// In the order of their lines.
  package private(set) var mistakes: [Mistake] = []

  /// The defaults.
  package init() {}

  /// A file that could not even be read.
  package init(unreadable mistake: Mistake) {
    mistakes = [mistake]
  }

  package init(_ entries: [Entry]) {
    let sorted = entries.enumerated()
      .sorted { ($0.element.line, $0.offset) < ($1.element.line, $1.offset) }.map(\.element)
    var own = OwnCommandReader()
    for entry in sorted where entry.path.first == Self.commandTable {
      if let problem = own.add(entry) { mistakes.append(Mistake(line: entry.line, text: problem)) }
    }
    let (commands, unfinished) = own.finish()
    mistakes += unfinished
    var keys = KeyChanges(commands)
    var rest = sorted[...].filter { $0.path.first != Self.commandTable }[...]
    while let entry = rest.popFirst() {
      var values: [Entry] = []
      if entry.value == .list {
        while let next = rest.first, next.path == entry.path { values.append(rest.removeFirst()) }
      }
      let problem =
        entry.path.first == Self.keyTable
        ? keys.add(entry, values) : Setting.read(entry, into: &self)
      if let problem { mistakes.append(Mistake(line: entry.line, text: problem)) }
    }
    let (bindings, problems) = keys.apply(to: preset.bindings)
    self.bindings = bindings
    mistakes += problems
    mistakes.sort { $0.line < $1.line }
  }

  /// The name of the table of keys.
  static let keyTable = "keys"
  /// The name of the table of a person's own commands.
  static let commandTable = "commands"
  /// The name of the table of colors.
  static let colorTable = "colors"

  /// Whether the file says which colors to use, so that the environment does not decide.
  package var choosesColors: Bool { themeName != .auto }

  /// The characters of the terminal, from what the environment says of it.
  package func charset(_ charset: Charset) -> Charset {
    charset == .unicode && hasWideAmbiguous ? .unambiguous : charset
  }

  /// How the screen looks.
  ///
  /// - Parameter hasColor: Whether the environment wants colors, where the file does not say.
  /// - Returns: The styles of all parts.
  package func theme(hasColor: Bool) -> Theme {
    theme(choosesColors ? themeName : hasColor ? .terminal : .none)
  }

  /// How it looks on a dark and on a light background; `nil` where that makes no difference.
  package func themes(hasColor: Bool) -> (dark: Theme, light: Theme)? {
    choosesColors || !hasColor ? nil : (theme(.dark), theme(.light))
  }

  private func theme(_ name: ThemeName) -> Theme {
    var theme = name.theme
    for (role, style) in styles {
      theme[keyPath: role.path] = style.changing(theme[keyPath: role.path])
    }
    return name == .none ? theme.withoutColors : theme
  }

  /// The complaint at the start.
  ///
  /// - Parameter file: The name of the file.
  /// - Returns: The first mistake, and how many there are besides; `nil` where nothing is wrong.
  package func complaint(about file: String) -> String? {
    guard let first = mistakes.first else { return nil }
    let others = mistakes.count - 1
    let more = others > 0 ? " (\(others) more; ‘kennel config --check’ lists them)" : ""
    return "\(file):\(first.line): \(first.text)\(more)"
  }
}

/// A theme by its name in the file.
enum ThemeName: String, CaseIterable {
  /// The environment decides, and the background of the terminal.
  case auto
  case dark, light
  case terminal = "16"
  case none

  var theme: Theme {
    switch self {
    case .dark: .dark
    case .light: .light
    case .auto, .terminal: .terminal
    case .none: .none
    }
  }
}
