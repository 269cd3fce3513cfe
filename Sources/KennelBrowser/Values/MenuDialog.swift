/// A few choices with a letter each.
struct MenuDialog: Dialog {
  static let title = "Choosing from a menu"
  static let keys = [
    Hint("Enter", "choose"), Hint("j", "down"), Hint("k", "up"), Hint("Esc", "back"),
  ]

  struct Choice {
    let letter: Character
    let label: String
    let action: (Browser) -> Void

    init(_ letter: Character, _ label: String, _ action: @escaping (Browser) -> Void) {
      (self.letter, self.label, self.action) = (letter, label, action)
    }
  }

  let heading: String
  let choices: [Choice]
  /// The choice that the cursor is on.
  var index = 0
  /// Whether it is a value that is chosen, of an object that has others.
  var isOfValue = false
  var holdsNews = false

  init(_ heading: String, _ choices: [Choice]) {
    self.heading = heading
    self.choices = choices
  }

  /// A letter that chooses does not move.
  func hints(in browser: Browser) -> [Hint] {
    let letters = Set(choices.map { String($0.letter) })
    let hints = Self.keys.map { hint in
      guard letters.contains(hint.key) else { return hint }
      return Hint(hint.label == "down" ? "Down" : "Up", hint.label)
    }
    return isOfValue ? hints.prefix(1) + [ValueForm.hint] + hints.dropFirst() : hints
  }

  mutating func handle(_ key: Key, in browser: Browser) -> DialogState {
    if key.code == .enter || isOfValue && key.code == .tab {
      if choices.indices.contains(index) { choices[index].action(browser) }
      return key.code == .tab ? ValueForm(browser).goOn(after: .closed) : .closed
    }
    if let letter = key.typed, let choice = choices.first(where: { $0.letter == letter }) {
      choice.action(browser)
      return .closed
    }
    if !Self.move(&index, among: choices.count, by: key, in: browser) {
      browser.showError("\(key) is not one of the choices")
    }
    return .open
  }

  func draw(_ frame: DialogFrame, on screen: inout Screen) {
    let lines = choices.map { "\($0.letter)  \($0.label)" }
    frame.drawList(heading, lines, cursor: index, on: &screen)
  }
}
