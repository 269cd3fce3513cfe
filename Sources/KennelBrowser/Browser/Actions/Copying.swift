internal import KennelCore

/// Copies what the cursor is on to the clipboard.
struct Copying: BrowserPart {
  let browser: Browser

  /// `y`: the value under the cursor; of marked objects, the values of its column.
  func copy() {
    let marked = browser.markedObjects
    if !marked.isEmpty, case .table(let table) = view.main {
      let property = table.column.property(of: table.classKey, in: model.schema)
      let texts = marked.map { object in
        guard let property else { return model.text(object) }
        return property.isCollection ? "" : text(of: model.value(of: object, property.key))
      }
      ask(.copy(texts.joined(separator: "\n")))
      return
    }
    if view.focus == .main, let text = browser.summaries.copiedText { return ask(.copy(text)) }
    guard view.focus == .main, let spot, let value = value(at: spot) else {
      if let subject = browser.peekTarget { ask(.copy(model.text(subject))) }
      return
    }
    ask(.copy(text(of: value)))
  }

  private func text(of value: Value) -> String {
    if case .link(let target) = value { return model.text(target) }
    return value.isNull ? "null" : ScalarText.text(of: value)
  }

  /// `Y`: the marked objects, else the one under the cursor, in a form that is chosen.
  func openMenu() {
    let marked = browser.markedObjects
    let subjects = marked.isEmpty ? [browser.peekTarget].compactMap(\.self) : marked
    guard let first = subjects.first else { return }
    let names = subjects.map(model.text)
    let what = subjects.count == 1 ? names[0] : "\(subjects.count) marked objects"
    var choices = [
      MenuDialog.Choice(letter: "i", label: subjects.count == 1 ? names[0] : "\(names[0]) …") {
        $0.ask(.copy(names.joined(separator: "\n")))
      }
    ]
    if let reader = model.reader {
      choices += browser.settings.copyForms.map { form in
        MenuDialog.Choice(letter: form.letter, label: form.title) { browser in
          let texts = subjects.compactMap { form.text(reader, $0) }
          guard texts.count == subjects.count else {
            let name = browser.model.text(first)
            return browser.showError("\(name) cannot be written as \(form.title)")
          }
          browser.ask(.copy(texts.joined(separator: "\n")))
        }
      }
    }
    open(MenuDialog("Copy \(what) as", choices))
  }
}
