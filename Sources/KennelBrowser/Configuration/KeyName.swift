/// A key as a configuration file names it, such as `ctrl-d`, `^D`, `pgdn` or `j`.
enum KeyName {
  /// A sequence of keys, or why there is none.
  enum Reading {
    case keys(KeySequence)
    /// Why not, and what to write instead.
    case mistake(String)
  }

  /// The names that are not those of the browser, without regard to case.
  private static let names: [String: Key.Code] = [
    "return": .enter, "ret": .enter, "cr": .enter, "escape": .escape, "shift-tab": .backTab,
    "backtab": .backTab, "backspace": .backspace, "bs": .backspace, "delete": .delete,
    "insert": .insert, "pgup": .pageUp, "pageup": .pageUp, "page-up": .pageUp,
    "pgdn": .pageDown, "pagedown": .pageDown, "page-down": .pageDown,
  ]

  /// The keys that terminals report by the same byte as another one.
  private static let same: [Character: String] = [
    "i": "Tab", "m": "Enter", "j": "Enter", "[": "Esc", "h": "Bksp",
  ]

  static func read(_ text: String) -> Reading {
    var keys: [Key] = []
    for word in text.split(separator: " ") {
      switch read(word: String(word)) {
      case .keys(let sequence): keys += sequence.keys
      case .mistake(let mistake): return .mistake(mistake)
      }
    }
    if text == " " { keys = [Key(" ")] }
    guard !keys.isEmpty else { return .mistake("the key has no name; the space bar is ‘Space’") }
    return .keys(KeySequence(keys))
  }

  /// One key by its name, or else the keys of the letters.
  private static func read(word: String) -> Reading {
    if word.count == 1 { return .keys(KeySequence(word.map { Key($0) })) }
    let lowered = word.lowercased()
    if let code = names[lowered] { return .keys(KeySequence([Key(code)])) }
    for (prefix, length) in [("ctrl-", 5), ("ctrl+", 5), ("control-", 8), ("c-", 2), ("^", 1)]
    where lowered.hasPrefix(prefix) && word.count > length {
      return control(String(word.dropFirst(length)), word)
    }
    for (prefix, length) in [("alt-", 4), ("alt+", 4), ("meta-", 5)]
    where lowered.hasPrefix(prefix) && word.count > length {
      return alternate(String(word.dropFirst(length)), word)
    }
    if lowered.hasPrefix("shift-") || lowered.hasPrefix("shift+") || lowered.hasPrefix("s-") {
      if lowered == "s-tab" { return .keys(KeySequence([Key(.backTab)])) }
      let rest = word.drop { $0 != "-" && $0 != "+" }.dropFirst()
      let letter = rest.count == 1 ? "; write ‘\(rest.uppercased())’" : ""
      return .mistake("terminals do not tell ‘\(word)’ from the key without Shift\(letter)")
    }
    if let key = named(word) { return .keys(KeySequence([key])) }
    return .keys(KeySequence(word.map { Key($0) }))
  }

  /// A key such as `Left` or `F5`, without regard to case.
  private static func named(_ word: String) -> Key? {
    Key(word.prefix(1).uppercased() + word.dropFirst().lowercased())
  }

  private static func control(_ rest: String, _ word: String) -> Reading {
    if rest.count == 1, let character = rest.lowercased().first {
      if let other = same[character] {
        return .mistake("terminals do not tell ‘\(word)’ from ‘\(other)’; take another key")
      }
      if "abcdefghijklmnopqrstuvwxyz\\]^_".contains(character) {
        return .keys(KeySequence([Key(.character(character), isControl: true)]))
      }
    }
    switch single(rest) {
    case let code? where [.up, .down, .left, .right, .character(" ")].contains(code):
      return .keys(KeySequence([Key(code, isControl: true)]))
    default:
      return .mistake(
        "‘\(word)’ cannot be typed in a terminal: Ctrl goes with letters, arrows and Space"
      )
    }
  }

  private static func alternate(_ rest: String, _ word: String) -> Reading {
    guard let code = single(rest), code != .escape else {
      return .mistake("‘\(word)’ is no key: Alt goes with one key, as in ‘alt-x’ or ‘alt-left’")
    }
    return .keys(KeySequence([Key(code, isAlternate: true)]))
  }

  /// A key without Ctrl or Alt.
  private static func single(_ word: String) -> Key.Code? {
    guard case .keys(let sequence) = read(word: word), sequence.keys.count == 1,
      let key = sequence.keys.first, !key.isControl, !key.isAlternate
    else { return nil }
    return key.code
  }
}
