internal import KennelCore
internal import KennelReports

/// Copies what the cursor is on to the clipboard.
struct Copying: BrowserPart {
  let browser: Browser

  /// More objects are better exported to a file.
  private static let mostObjects = 2_000

  /// Copies a text; what it is, is said when it is known where it went.
  private func copy(_ text: String, _ what: String) {
    browser.copiedThing = what
    ask(.copy(text))
  }

  /// More elements or values are copied by a program.
  private static let mostElements = 10_000
  /// More bytes than a terminal takes.
  private static let mostBytes = 8_000_000

  /// `y`: the value under the cursor, or the elements of its collection; of marked objects, the
  /// values of its column; the objects themselves where the cursor is on the key.
  func copy() {
    let marked = browser.markedObjects
    if !marked.isEmpty, let table = browser.table {
      guard let property = table.column.property(of: table.classKey, in: model.schema) else {
        return copy(objects: marked)
      }
      guard !property.isCollection else {
        return showError(
          "\(property.name) is copied from one object; \(key(of: "cancel")) clears the marks"
        )
      }
      return copy(property, of: marked)
    }
    if entry.focus == .main, let text = entry.main.copiedText { return copy(text, "the value") }
    guard entry.focus == .main, let spot, let property = property(of: spot) else {
      if let subject = browser.peekTarget ?? entry.subject { copy(objects: [subject]) }
      return
    }
    if let value = value(at: spot) { return copy(values: [value]) }
    let count = model.elementCount(of: spot.object, spot.property)
    guard count <= Self.mostElements else {
      return showError(
        "\(property.name) has \(count) elements; \(key(of: "export")) exports the object"
      )
    }
    copy(values: model.elements(of: spot.object, property, in: 0..<count).map(\.value))
  }

  /// The values of a property of many objects, unless they are too much for a clipboard.
  private func copy(_ property: PropertySchema, of objects: [ObjectIdentity]) {
    guard objects.count <= Self.mostElements else {
      return showError(
        "\(objects.count) values are too many to be copied; \(key(of: "export")) writes them to a file"
      )
    }
    var size = 0
    for object in objects {
      size += model.preview(of: object, property.key, limit: 1)?.count ?? 0
      guard size <= Self.mostBytes else {
        return showError(
          "The values are too long to be copied; \(key(of: "export")) writes them to a file"
        )
      }
    }
    copy(values: objects.map { model.value(of: $0, property.key) })
  }

  private func copy(values: [Value]) {
    browser.copied = .values(values)
    let what = values.count == 1 ? "the value" : counted(values.count, "value")
    copy(values.map(text).joined(separator: "\n"), what)
  }

  private func copy(objects: [ObjectIdentity]) {
    browser.copied = .objects(objects)
    let texts = objects.map(model.address)
    copy(texts.joined(separator: "\n"), texts.count == 1 ? texts[0] : "\(texts.count) objects")
  }

  private func text(of value: Value) -> String {
    if case .link(let target) = value { return model.address(target) }
    return value.isNull ? "null" : ScalarText.text(of: value)
  }

  /// `Y` in the review: what the next commit says to the database that the file is a copy of.
  func copyStatements() {
    guard let original = browser.settings.original else {
      return showError("\(browser.settings.fileName) is no SQL database that can be written")
    }
    let left = Array(browser.changes.excluded)
    do throws(DatabaseError) {
      let found = try model.draftOwner.perform(as: .reading) { draft throws(DatabaseError) in
        try original.statements(draft.commitPreview(leaving: left))
      }
      guard let statements = found?.found, !statements.isEmpty else {
        return say("Nothing has changed")
      }
      copy(statements.joined(separator: "\n"), counted(statements.count, "statement"))
      open(TextDialog(heading: "The next commit", text: statements.joined(separator: "\n")))
    } catch {
      showError(error.message)
    }
  }

  /// `Y`: the marked objects, else the one under the cursor, in a form that is chosen.
  func openMenu() {
    let marked = browser.markedObjects
    let subjects =
      marked.isEmpty ? [browser.peekTarget ?? entry.subject].compactMap(\.self) : marked
    guard let first = subjects.first else { return }
    guard subjects.count <= Self.mostObjects else {
      return showError(
        "\(subjects.count) objects are too many for the clipboard; \(key(of: "export")) writes them to a file"
      )
    }
    let what = subjects.count == 1 ? model.text(first) : "\(subjects.count) marked objects"
    var choices: [MenuDialog.Choice] = []
    func add(
      _ letter: Character,
      _ title: String,
      _ hasKeys: Bool,
      _ text: @escaping (Browser) -> String?
    ) {
      choices.append(
        .init(letter, title) { browser in
          Copying(browser).copy(subjects, "\(what) as \(title)", hasKeys: hasKeys, text)
        }
      )
    }
    let names = ObjectNaming(model: model)
    let id = model.schema[first.classKey]?.primaryKey?.name ?? "key"
    add("i", id, true) { _ in subjects.map(names.id).joined(separator: "\n") }
    add("p", "path", false) { _ in subjects.map(names.path).joined(separator: "\n") }
    add("q", "query that finds \(subjects.count == 1 ? "it" : "them")", true) { _ in
      names.query(subjects)
    }
    add("m", "Markdown table", false) { _ in names.markdown(subjects) }
    for form in browser.settings.copyForms {
      add(form.letter, form.title, form.hasKeys) { browser in
        browser.model.reader.flatMap { form.text($0, subjects) }
      }
    }
    open(MenuDialog("Copy \(what) as", choices))
  }

  /// Copies objects in a form, unless it needs a key that the commit has yet to give.
  private func copy(
    _ objects: [ObjectIdentity],
    _ what: String,
    hasKeys: Bool,
    _ text: (Browser) -> String?
  ) {
    if hasKeys, let new = ObjectNaming(model: model).firstNew(among: objects) {
      return showError(
        "\(model.text(new)) has no key before the commit: \(key(of: "review")) and "
          + "\(key(of: "commit")) commit; p, m and s copy without it"
      )
    }
    guard let text = text(browser) else { return showError("This cannot be written: \(what)") }
    browser.copied = .objects(objects)
    copy(text, what)
  }
}
