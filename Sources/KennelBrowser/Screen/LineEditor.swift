/// One line of text under a cursor, as every prompt and editor of the browser has it.
///
/// It may hold line breaks, which are shown as signs. What is pasted is not changed but for a line
/// break at its end, which terminals and editors copy along with a line.
struct LineEditor {
  private(set) var characters: [Character]
  private(set) var cursor: Int
  /// Whether the whole text is selected, as a proposal is until it is moved in: typing replaces it.
  private(set) var isSelected: Bool
  /// Earlier lines, the newest last.
  private let history: [String]
  /// Where in the history the person is; `nil` on the line being typed.
  private var historyIndex: Int?
  private var typed = ""

  init(_ text: String = "", history: [String] = [], isSelected: Bool = false) {
    characters = Array(text)
    cursor = characters.count
    self.isSelected = isSelected && !text.isEmpty
    self.history = history
  }

  var text: String {
    get { String(characters) }
    set {
      characters = Array(newValue)
      cursor = characters.count
      isSelected = false
    }
  }

  /// Whether the key was one of editing; the others are the owner's.
  mutating func handle(_ key: Key) -> Bool {
    var edited = self
    if isSelected { edited.endSelection(before: key) }
    guard edited.edit(key) else { return false }
    self = edited
    return true
  }

  /// Takes a selected text away before a key that puts something in its place or deletes it, and goes
  /// to its start before a step to the left.
  private mutating func endSelection(before key: Key) {
    isSelected = false
    switch (key.code, key.isControl, key.isAlternate) {
    case (.character, false, false), (.paste, _, _), (.backspace, _, _), (.delete, _, _),
      (.character("u"), true, false), (.character("k"), true, false),
      (.character("w"), true, false):
      remove(0..<characters.count)
    case (.left, false, false): cursor = 0
    default: break
    }
  }

  private mutating func edit(_ key: Key) -> Bool {
    switch (key.code, key.isControl, key.isAlternate) {
    case (.character(let character), false, false): insert([character])
    case (.paste(let text), _, _):
      insert(Array(text.last?.isNewline == true ? text.dropLast() : text[...]))
    case (.left, false, false): cursor = max(0, cursor - 1)
    case (.right, false, false): cursor = min(characters.count, cursor + 1)
    case (.home, _, _), (.character("a"), true, false): cursor = 0
    case (.end, _, _), (.character("e"), true, false): cursor = characters.count
    case (.character("b"), false, true): cursor = wordStart
    case (.character("f"), false, true): cursor = wordEnd
    case (.backspace, false, false):
      if cursor > 0 { remove(cursor - 1..<cursor) }
    case (.delete, _, _):
      if cursor < characters.count { remove(cursor..<cursor + 1) }
    case (.character("u"), true, false): remove(0..<cursor)
    case (.character("k"), true, false): remove(cursor..<characters.count)
    case (.character("w"), true, false): remove(wordStart..<cursor)
    default: return false
    }
    return true
  }

  /// Puts a text in the place of some characters, and the cursor behind it.
  mutating func replace(_ range: Range<Int>, with text: String) {
    isSelected = false
    let range = range.clamped(to: 0..<characters.count)
    remove(range)
    insert(Array(text))
  }

  /// Whether the line is one that was entered before.
  var isRecalled: Bool { historyIndex != nil }

  /// Steps through what was entered before; whether there was anything.
  mutating func recall(older: Bool) -> Bool {
    guard !history.isEmpty else { return false }
    let index = historyIndex ?? history.count
    let next = older ? index - 1 : index + 1
    guard next >= 0, next <= history.count else { return false }
    if historyIndex == nil { typed = text }
    historyIndex = next == history.count ? nil : next
    text = next == history.count ? typed : history[next]
    return true
  }

  private var wordStart: Int {
    var start = cursor
    while start > 0, characters[start - 1] == " " { start -= 1 }
    while start > 0, characters[start - 1] != " " { start -= 1 }
    return start
  }

  private var wordEnd: Int {
    var end = cursor
    while end < characters.count, characters[end] == " " { end += 1 }
    while end < characters.count, characters[end] != " " { end += 1 }
    return end
  }

  private mutating func insert(_ new: [Character]) {
    // Joined again as a string, because a mark that follows a letter becomes one character with it.
    let before = String(characters[..<cursor]) + String(new)
    let after = characters[cursor...]
    let joined = Array(before)
    characters = Array(String(joined) + String(after))
    cursor = min(joined.count, characters.count)
  }

  private mutating func remove(_ range: Range<Int>) {
    characters.removeSubrange(range)
    cursor = range.lowerBound
  }
}

extension LineEditor {
  /// Draws the part of the line around the cursor; each of the styles is added for its character.
  func draw(
    on screen: inout Screen,
    in line: Rectangle,
    style: Style = .standard,
    styles: [Style] = []
  ) {
    let width = line.columns
    guard width > 0 else { return }
    let charset = screen.charset
    var start = cursor
    var before = 0
    while start > 0 {
      let next = TextWidth.width(of: characters[start - 1], in: charset)
      if before + next > width - 1 { break }
      before += next
      start -= 1
    }
    // What is right of the screen's edge need not be looked at.
    let end = min(characters.count, start + width + 1)
    let shown = String(characters[start..<end])
    var used = screen.put(shown, in: line, style: style)
    if isSelected { screen.restyle(line.prefix(used)) { $0.adding(.reversed) } }
    screen.showCursor(row: line.row, column: line.column + before)
    guard !styles.isEmpty else { return }
    used = 0
    for index in start..<end where used < width {
      let wide = min(TextWidth.width(of: characters[index], in: charset), width - used)
      if styles.indices.contains(index) {
        screen.restyle(line.dropping(used).prefix(wide)) { $0.adding(styles[index]) }
      }
      used += wide
    }
  }
}

extension String {
  /// Without the blanks at both ends.
  var trimmed: String {
    var text = Substring(self)
    while text.first == " " { text.removeFirst() }
    while text.last == " " { text.removeLast() }
    return String(text)
  }
}
