/// A key as a configuration file names it, such as `ctrl-d`, `^D`, `pgdn` or `j`.
enum KeyName {
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

  /// The keys of a text.
  ///
  /// - Throws: Why there are none, and what to write instead.
  static func read(_ text: String) throws(ValidationError) -> KeySequence {
    var keys: [Key] = []
    for word in text.split(separator: " ") { keys += try read(word: String(word)) }
    if text == " " { keys = [Key(" ")] }
    if keys.isEmpty { throw ValidationError("the key has no name; the space bar is ‘Space’") }
    return KeySequence(keys)
  }

  /// One key by its name, or else the keys of the letters.
  private static func read(word: String) throws(ValidationError) -> [Key] {
    if word.count == 1 { return word.map { Key($0) } }
    let lowered = word.lowercased()
    if let code = names[lowered] { return [Key(code)] }
    for prefix in ["ctrl-", "ctrl+", "control-", "c-", "^"]
    where lowered.hasPrefix(prefix) && word.count > prefix.count {
      return [try control(String(word.dropFirst(prefix.count)), word)]
    }
    for prefix in ["alt-", "alt+", "meta-"]
    where lowered.hasPrefix(prefix) && word.count > prefix.count {
      return [try alternate(String(word.dropFirst(prefix.count)), word)]
    }
    if lowered == "s-tab" { return [Key(.backTab)] }
    if lowered.hasPrefix("shift-") || lowered.hasPrefix("shift+") || lowered.hasPrefix("s-") {
      let rest = word.drop { $0 != "-" && $0 != "+" }.dropFirst()
      let letter = rest.count == 1 ? "; write ‘\(rest.uppercased())’" : ""
      throw ValidationError("terminals do not tell ‘\(word)’ from the key without Shift\(letter)")
    }
    // A key such as `Left` or `F5`, without regard to case.
    if let key = Key(word.prefix(1).uppercased() + word.dropFirst().lowercased()) { return [key] }
    return word.map { Key($0) }
  }

  private static func control(_ rest: String, _ word: String) throws(ValidationError) -> Key {
    if rest.count == 1, let character = rest.lowercased().first {
      if let other = same[character] {
        throw ValidationError("terminals do not tell ‘\(word)’ from ‘\(other)’; take another key")
      }
      if "abcdefghijklmnopqrstuvwxyz\\]^_".contains(character) {
        return Key(.character(character), isControl: true)
      }
    }
    guard let code = single(rest), [.up, .down, .left, .right, .character(" ")].contains(code)
    else {
      throw ValidationError(
        "‘\(word)’ cannot be typed in a terminal: Ctrl goes with letters, arrows and Space"
      )
    }
    return Key(code, isControl: true)
  }

  private static func alternate(_ rest: String, _ word: String) throws(ValidationError) -> Key {
    guard let code = single(rest), code != .escape else {
      let example = "as in ‘alt-x’ or ‘alt-left’"
      throw ValidationError("‘\(word)’ is no key: Alt goes with one key, \(example)")
    }
    return Key(code, isAlternate: true)
  }

  /// A key without Ctrl or Alt.
  private static func single(_ word: String) -> Key.Code? {
    guard let keys = try? read(word: word), keys.count == 1, let key = keys.first,
      !key.isControl, !key.isAlternate
    else { return nil }
    return key.code
  }
}
