internal import KennelCore

/// The keys of a sequence such as `gg`, as far as they were pressed.
struct PendingKeys {
  var keys: [Key] = []
  /// The digits that were typed before a key, as in `5j`.
  var count = ""

  var sequence: String { keys.isEmpty ? "" : KeySequence(keys).description }
}

/// Finds out what a key means: a dialog has it, if there is one; else the key map of the context.
struct KeyReading: BrowserPart {
  let browser: Browser

  func press(_ key: Key) {
    message = nil
    model.endNews()
    model.problem = nil
    if let dialog = browser.dialog {
      browser.pending.count = ""
      return press(key, in: dialog)
    }
    if takesDigit(key) { return }
    browser.pending.keys.append(key)
    let (sequence, count) = (KeySequence(browser.pending.keys), browser.pending.count)
    switch browser.bindings.answer(to: sequence, in: browser.context) {
    case .unfinished:
      return
    case .command(let command, let letter):
      browser.pending = PendingKeys()
      if command.argument == .count || count.isEmpty {
        return browser.perform(command, letter.map { String($0) } ?? count)
      }
      if key.code != .escape {
        showError(
          "\(sequence) takes no number before it: only keys that move do, as in \(count)\(browser.key(of: "down"))"
        )
      }
    case .nothing:
      browser.pending = PendingKeys()
      if case .paste = key.code { return }
      // A sequence that was begun is left, and nothing is wrong with that.
      if key.code == .escape, sequence.keys.count > 1 { return }
      showError(whyNothing(sequence))
    }
  }

  /// Adds a digit to the number before a key: such a number begins with a digit that means nothing
  /// else.
  private func takesDigit(_ key: Key) -> Bool {
    guard browser.pending.keys.isEmpty, let digit = key.typed, "0"..."9" ~= digit else {
      return false
    }
    // More digits than any position has make no difference.
    if browser.pending.count.count == 9 { return true }
    if browser.pending.count.isEmpty {
      guard digit != "0",
        case .nothing = browser.bindings.answer(to: KeySequence([key]), in: browser.context)
      else { return false }
    }
    browser.pending.count.append(digit)
    return true
  }

  /// Why keys do nothing here; says where they do something.
  private func whyNothing(_ sequence: KeySequence) -> String {
    guard let command = browser.bindings.commands(of: sequence).first else {
      return "\(sequence) does nothing; \(key(of: "help")) lists the keys"
    }
    let list = command.places.contexts.map(\.place).joined(separator: ", ")
    return "\(sequence) does nothing here; in \(list) it does this: \(command.summary)"
  }

  /// A dialog has every key but those that concern the terminal.
  private func press(_ key: Key, in dialog: any Dialog) {
    if key == Key(.character("z"), isControl: true) { return ask(.suspend) }
    if key == Key(.character("l"), isControl: true) { return ask(.redraw) }
    let isCancel = key.code == .escape || key == Key(.character("c"), isControl: true)
    var open = dialog
    browser.dialog = nil
    let state = isCancel ? open.cancel(in: browser) : open.handle(key, in: browser)
    if state == .open { browser.dialog = open }
  }

  var pendingText: String {
    let (keys, count) = (browser.pending.sequence, browser.pending.count)
    if keys.isEmpty, count.isEmpty { return "" }
    let isJump = browser.bindings.command("jump")?.keys.contains(keys) == true
    return "\(count)\(keys)…\(isJump ? "  \(bookmarkList)" : "")"
  }

  /// Lists the bookmarks with their objects.
  private var bookmarkList: String {
    if browser.bookmarks.isEmpty {
      return "there is no bookmark yet; \(key(of: "bookmark")) and a letter set one"
    }
    let letters = browser.bookmarks.keys.sorted()
    return letters.map { letter in
      "\(letter) \(browser.bookmarks[letter].map { model.label($0) } ?? "")"
    }.joined(separator: " · ")
  }
}
