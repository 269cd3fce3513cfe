internal import KennelCore

extension Browser {
  /// A key while a dialog is open.
  func handleInOverlay(_ key: Key) {
    guard let overlay else { return }
    let isCancel =
      key.code == .escape || (key.isControl && key.code == .character("c"))
    if isCancel {
      closeOverlay()
      return
    }
    // A dialog has every key but those that concern the terminal.
    switch (key.code, key.isControl) {
    case (.character("z"), true): return ask(.suspend)
    case (.character("l"), true): return ask(.redraw)
    default: break
    }
    switch overlay {
    case .editor(let editor): handle(key, in: editor)
    case .prompt(let prompt): handle(key, in: prompt)
    case .menu(let menu): handle(key, in: menu)
    case .picker(let picker): handle(key, in: picker)
    case .palette(let palette): handle(key, in: palette)
    case .help(let help): handle(key, in: help)
    case .deletion(let dialog): handle(key, in: dialog)
    case .quitting: handleQuitting(key)
    case .kept(let dialog): handle(key, in: dialog)
    case .text(let dialog): handle(key, in: dialog)
    case .planning: showError("It is found out what goes with it; Esc stops that")
    case .committing: showError("The changes are being committed")
    case .waiting: showError("Another program is writing; the commit waits for it, Esc stops it")
    }
  }

  func closeOverlay() {
    if case .committing = overlay { return showError("A commit under way cannot be stopped") }
    if case .picker(let picker) = overlay, let job = picker.job { cancelJob(job) }
    if case .prompt = overlay { cancelCount() }
    if case .kept(let dialog) = overlay { return leave(dialog) }
    if case .planning(let job) = overlay {
      cancelJob(job)
      say("Nothing is deleted")
    }
    if case .waiting(let job) = overlay {
      cancelJob(job)
      say("Nothing is committed")
    }
    overlay = nil
  }

  /// How far a key that moves through lines goes; `nil` for any other key.
  func distance(of key: Key, allowsLetters: Bool = true) -> Int? {
    let page = max(1, size.rows - 6)
    switch (key.code, key.isControl) {
    case (.down, false): return 1
    case (.up, false): return -1
    case (.pageDown, false): return page
    case (.pageUp, false): return -page
    case (.home, false) where allowsLetters: return -1_000_000
    case (.end, false) where allowsLetters: return 1_000_000
    case (.character("g"), false) where allowsLetters: return -1_000_000
    case (.character("G"), false) where allowsLetters: return 1_000_000
    case (.character("j"), false) where allowsLetters: return 1
    case (.character("k"), false) where allowsLetters: return -1
    case (.character("d"), true) where allowsLetters: return page / 2
    case (.character("u"), true) where allowsLetters: return -page / 2
    default: return nil
    }
  }

  // MARK: - Menu

  private func handle(_ key: Key, in menu: Menu) {
    var menu = menu
    if key.code == .enter {
      overlay = nil
      if menu.choices.indices.contains(menu.index) { menu.choices[menu.index].action(self) }
      return
    }
    if let letter = key.typed, let choice = menu.choices.first(where: { $0.letter == letter }) {
      overlay = nil
      choice.action(self)
      return
    }
    if let distance = distance(of: key) {
      menu.index = min(max(0, menu.index + distance), menu.choices.count - 1)
      overlay = .menu(menu)
      return
    }
    showError("\(key) chooses nothing here")
  }

  // MARK: - Text

  private func handle(_ key: Key, in dialog: TextDialog) {
    var dialog = dialog
    guard let distance = distance(of: key) else {
      overlay = nil
      return
    }
    dialog.top = min(max(0, dialog.top + distance), max(0, dialog.lines.count - 1))
    overlay = .text(dialog)
  }

  // MARK: - Help

  private func handle(_ key: Key, in help: HelpList) {
    var help = help
    if key.code == .enter {
      overlay = nil
      if help.commands.indices.contains(help.index) { perform(help.commands[help.index].id) }
      return
    }
    guard let distance = distance(of: key) else {
      if key.typed == "?" || key.typed == "q" { overlay = nil }
      return
    }
    help.index = min(max(0, help.index + distance), help.commands.count - 1)
    overlay = .help(help)
  }

  func openHelp() {
    let commands = Command.all.filter { $0.contexts.contains(context) && !$0.keys.isEmpty }
    overlay = .help(HelpList(commands: commands, title: "Keys that work in: \(context.rawValue)"))
  }

  // MARK: - Quitting

  private func handleQuitting(_ key: Key) {
    switch key.typed {
    case "r":
      overlay = nil
      perform(.review)
    case "k" where canKeep:
      overlay = nil
      end()
    case "D":
      overlay = nil
      throwAway()
      end()
    default:
      showError("\(key) is none of them: r, \(canKeep ? "k, " : "")D or Esc")
    }
  }

  /// Ends the program, or asks where changes would be lost.
  func quit() {
    if model.changeCount > 0 {
      overlay = .quitting
    } else {
      end()
    }
  }

  private func end() {
    isEnding = true
    cancelAllJobs()
    ask(.quit(exitCode: 0))
  }

  // MARK: - Deletion

  private func handle(_ key: Key, in dialog: DeletionDialog) {
    var dialog = dialog
    if dialog.refusal == nil, key.typed == "D" {
      if let wanted = dialog.wantedCount, dialog.typedCount.text != "\(wanted)" {
        showError("Type the number of objects, \(wanted), and then D")
        return
      }
      overlay = nil
      if isAsShown(dialog) { dialog.action(self) }
      return
    }
    if dialog.wantedCount != nil, key.typed?.isNumber == true || key.code == .backspace {
      _ = dialog.typedCount.handle(key)
      overlay = .deletion(dialog)
      return
    }
    guard let distance = distance(of: key) else {
      showError(
        dialog.refusal == nil ? "D deletes, Esc leaves everything as it is" : "Esc goes back"
      )
      return
    }
    dialog.top = min(max(0, dialog.top + distance), max(0, dialog.lines.count - 1))
    overlay = .deletion(dialog)
  }

  // MARK: - Editor

  private func handle(_ key: Key, in editor: CellEditor) {
    var editor = editor
    if key.code == .enter {
      finish(editor)
      return
    }
    editor.problem = nil
    if editor.isNull, editor.line.text.isEmpty, key.code == .backspace { return }
    guard editor.line.handle(key) else {
      showError("\(key) does nothing while a value is edited; Enter sets it, Esc leaves it")
      return
    }
    editor.isNull = false
    editor.check()
    overlay = .editor(editor)
  }
}
