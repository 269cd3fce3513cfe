/// A press of a key, or a paste.
///
/// A key has one name, used by the key map, the help, the hint line, the manual and the walks:
/// `j`, `G`, `^R`, `Enter`, `Esc`, `Bksp`, `Alt-Left`, `Space`, `F1`.
package struct Key: Hashable, Sendable {
  package enum Code: Hashable, Sendable {
    case character(Character)
    case enter
    case escape
    case tab
    case backTab
    case backspace
    case delete
    case insert
    case up
    case down
    case left
    case right
    case home
    case end
    case pageUp
    case pageDown
    case function(Int)
    case paste(String)
  }

  package var code: Code

  /// Whether Control was held; a letter is then its small one.
  package var isControl: Bool

  /// Whether Alt was held.
  package var isAlternate: Bool

  package init(_ code: Code, isControl: Bool = false, isAlternate: Bool = false) {
    self.code = code
    self.isControl = isControl
    self.isAlternate = isAlternate
  }

  package init(_ character: Character) {
    self.init(.character(character))
  }

  /// The character that the key types into a text, if it does.
  package var typed: Character? {
    guard case .character(let character) = code, !isControl, !isAlternate else { return nil }
    return character
  }

  private static let names: [(code: Code, name: String)] = [
    (.enter, "Enter"), (.escape, "Esc"), (.tab, "Tab"), (.backTab, "S-Tab"),
    (.backspace, "Bksp"), (.delete, "Del"), (.insert, "Ins"), (.up, "Up"), (.down, "Down"),
    (.left, "Left"), (.right, "Right"), (.home, "Home"), (.end, "End"), (.pageUp, "PgUp"),
    (.pageDown, "PgDn"), (.character(" "), "Space"),
  ]
}

extension Key: CustomStringConvertible, LosslessStringConvertible {
  /// The key with a name, or nil where there is none.
  ///
  /// A paste has no name to be read; walks say it in their own way.
  package init?(_ text: String) {
    if text.hasPrefix("Alt-") {
      guard var key = Key(String(text.dropFirst(4))), !key.isAlternate else { return nil }
      key.isAlternate = true
      self = key
      return
    }
    if text.count == 1, let character = text.first {
      self.init(character)
      return
    }
    if text.first == "^" {
      let rest = text.dropFirst()
      if rest.count == 1, let character = rest.first, character.isASCII {
        self.init(.character(Character(character.lowercased())), isControl: true)
      } else {
        guard let key = Key(String(rest)), rest.count > 1, !key.isControl, !key.isAlternate
        else { return nil }
        self.init(key.code, isControl: true)
      }
      return
    }
    if let (code, _) = Self.names.first(where: { $0.name == text }) {
      self.init(code)
      return
    }
    guard text.first == "F", let number = Int(text.dropFirst()), (1...63).contains(number),
      text == "F\(number)"
    else { return nil }
    self.init(.function(number))
  }

  package var description: String {
    let alternate = isAlternate ? "Alt-" : ""
    let control = isControl ? "^" : ""
    let name: String
    switch code {
    case .function(let number): name = "F\(number)"
    case .paste(let text): name = "Paste(\(text))"
    case .character(let character) where character != " ":
      name = isControl ? character.uppercased() : String(character)
    case .character, .enter, .escape, .tab, .backTab, .backspace, .delete, .insert, .up, .down,
      .left,
      .right, .home, .end, .pageUp, .pageDown:
      name = Self.names.first { $0.code == code }?.name ?? ""
    }
    return alternate + control + name
  }
}

/// Keys that are pressed one after the other, as in `gg` or `gJ`.
package struct KeySequence: Hashable, Sendable {
  package var keys: [Key]

  package init(_ keys: [Key]) {
    self.keys = keys
  }

  /// Whether more keys are needed after these to make the sequence.
  package func begins(with prefix: KeySequence) -> Bool {
    prefix.keys.count < keys.count && keys.starts(with: prefix.keys)
  }
}

extension KeySequence: CustomStringConvertible, LosslessStringConvertible {
  /// The keys of a text such as `gg`, `m a`, `^W Left` or `jjj Enter`.
  ///
  /// Words are told apart by blanks. A word is the name of a key, or else the keys of its letters
  /// one by one, where `^R` is one key.
  package init?(_ text: String) {
    var keys: [Key] = []
    for word in text.split(separator: " ") {
      if let key = Key(String(word)) {
        keys.append(key)
        continue
      }
      var rest = word
      while let first = rest.popFirst() {
        if first == "^", let letter = rest.popFirst() {
          guard let key = Key("^\(letter)") else { return nil }
          keys.append(key)
        } else {
          keys.append(Key(first))
        }
      }
    }
    guard !keys.isEmpty else { return nil }
    self.init(keys)
  }

  package var description: String {
    let names = keys.map(\.description)
    let isPlain = names.allSatisfy { $0.count == 1 && $0 != "^" }
    return names.joined(separator: isPlain ? "" : " ")
  }
}
