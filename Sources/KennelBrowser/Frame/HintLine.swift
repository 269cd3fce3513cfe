internal import KennelCore

/// The last line of the screen: what the keys do here, the likeliest next step first.
struct HintLine: BrowserPart {
  let browser: Browser

  func draw(_ line: Rectangle, on screen: inout Screen) {
    if !browser.pending.keys.isEmpty { return drawContinuations(on: line, &screen) }
    var column = 0
    let hints = browser.dialog?.hints(in: browser) ?? currentHints
    // The help is always named; what does not fit before it is left out.
    let last = browser.dialog == nil ? Hint(key(of: "help"), "keys") : nil
    let reserved = last.map { width(of: $0, screen.charset) + 2 } ?? 0
    for hint in hints {
      let forms = [hint] + (hint.short.map { [Hint(hint.key, $0)] } ?? [])
      let room = line.columns - reserved - column
      guard let form = forms.first(where: { width(of: $0, screen.charset) <= room }) else {
        continue
      }
      draw(form, line.row, &column, on: &screen)
    }
    if let last { draw(last, line.row, &column, on: &screen) }
  }

  /// Draws what keys that wait for others can become, on the status line, too, where they are many.
  private func drawContinuations(on line: Rectangle, _ screen: inout Screen) {
    let status = TextWidth.width(of: KeyReading(browser).pendingText, in: screen.charset) + 2
    let hints = continuations
    let widths = hints.map { width(of: $0, screen.charset) + 2 }
    var (row, column) = (line.row, 0)
    if widths.reduce(-2, +) > line.columns, line.row > 0 { (row, column) = (line.row - 1, status) }
    for (hint, width) in zip(hints, widths) {
      if column + width - 2 > line.columns { (row, column) = (row + 1, 0) }
      if row > line.row { break }
      draw(hint, row, &column, on: &screen)
    }
  }

  /// The commands whose keys begin with those that were pressed, by what is missing of their keys.
  private var continuations: [Hint] {
    let pressed = KeySequence(browser.pending.keys)
    return browser.bindings.all.filter { $0.places.contains(browser.context) }
      .flatMap { command in
        command.keys.compactMap { KeySequence($0) }.compactMap { sequence in
          let label = command.hint.short ?? command.name
          if sequence == pressed { return Hint("a–z", label) }
          guard sequence.begins(with: pressed) else { return nil }
          let rest = sequence.keys.dropFirst(pressed.keys.count)
          return Hint(KeySequence(Array(rest)).description, label)
        }
      }
  }

  private func width(of hint: Hint, _ charset: Charset) -> Int {
    TextWidth.width(of: "\(hint.key) \(hint.label)", in: charset)
  }

  private func draw(_ hint: Hint, _ row: Int, _ column: inout Int, on screen: inout Screen) {
    let start = column
    column += screen.put(hint.key, row: row, column: column, style: theme.key)
    column += screen.put(" \(hint.label)", row: row, column: column, style: theme.note)
    if let keys = keys(of: hint) {
      screen.addTarget(row: row, columns: start..<column, .press(keys))
    }
    column += 2
  }

  /// The keys that a hint names; `nil` where it names none, as ‘type’.
  private func keys(of hint: Hint) -> [Key]? {
    if let key = Key(hint.key) { return [key] }
    guard let sequence = KeySequence(hint.key) else { return nil }
    return browser.bindings.commands(of: sequence).isEmpty ? nil : sequence.keys
  }

  /// The commands that the view names, as the table of commands says them, and those that are about
  /// the draft and the search wherever one is.
  private var currentHints: [Hint] {
    var hints = browser[entry.focus].hints(in: browser).compactMap(hint)
    func insert(_ name: String, at index: Int) {
      if let hint = hint(name) { hints.insert(hint, at: min(index, hints.count)) }
    }
    let hasFound = browser.search.isShown && browser.search.message?.isError != true
    if hasFound, entry.focus == .main { insert("find-next", at: 1) }
    if browser.copied != nil, Command.values.contains(browser.context), let paste = hint("paste") {
      hints.insert(paste, at: min(3, hints.count))
      // It takes the place of the longest hint rather than that of those behind it.
      if let index = hints.firstIndex(where: { $0.name == "value" }) {
        hints.append(hints.remove(at: index))
      }
    }
    if model.changeCount > 0, browser.context != .changes {
      insert("review", at: 4)
      insert("undo", at: 6)
    }
    insert("q", at: hints.count)
    return hints
  }

  /// The hint of a command, where it does something now.
  private func hint(_ name: String) -> Hint? {
    guard let command = browser.bindings.command(name), let key = command.keys.first,
      let label = command.hint.text(browser)
    else { return nil }
    // While a job has the draft, what it keeps from being done is soon possible again.
    guard model.draftOwner.isLent || command.whyNot(browser) == nil else { return nil }
    return Hint(key, label, short: command.hint.short ?? name, name: name)
  }
}
