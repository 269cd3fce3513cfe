internal import KennelCore

/// Copies what the cursor is on to the clipboard.
struct Copying: BrowserPart {
  let browser: Browser

  /// `y`: the value under the cursor, or the names of the marked objects.
  func copy() {
    if view.focus == .main, case .table(let table) = view.main, !table.marks.isEmpty {
      let names = table.marks.sorted().map { model.text(ObjectIdentity(table.classKey, $0)) }
      ask(.copy(names.joined(separator: "\n")))
      return
    }
    guard view.focus == .main, let spot, let value = value(at: spot) else {
      if let subject = browser.peekTarget { ask(.copy(model.text(subject))) }
      return
    }
    if case .link(let target) = value {
      ask(.copy(model.text(target)))
    } else {
      ask(.copy(value.isNull ? "null" : ScalarText.text(of: value)))
    }
  }

  func openMenu() {
    guard let subject = browser.peekTarget else { return }
    var choices = [
      MenuDialog.Choice(letter: "i", label: "\(model.text(subject))") { browser in
        browser.ask(.copy(browser.model.text(subject)))
      }
    ]
    if let reader = model.reader {
      choices += browser.settings.copyForms.map { form in
        MenuDialog.Choice(letter: form.letter, label: form.title) { browser in
          guard let text = form.text(reader, subject) else {
            browser.showError("\(browser.model.text(subject)) cannot be written as \(form.title)")
            return
          }
          browser.ask(.copy(text))
        }
      }
    }
    open(MenuDialog("Copy \(model.text(subject)) as", choices))
  }
}
