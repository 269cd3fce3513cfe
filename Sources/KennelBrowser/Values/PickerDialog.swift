internal import KennelCore

/// The object that a link is to point at, picked from its class: by looking, or by typing a part of
/// its text.
struct PickerDialog: SearchList {
  static let title = "Picking the target of a link"
  static let keys = [
    Hint("Enter", "link to it"), Hint("Down", "next"), Hint("Up", "previous"),
    Hint("Esc", "back"), Hint("type", "search"),
  ]

  var holdsNews: Bool { true }

  let heading: String
  let nothing = "no match"
  private let target: ClassKey
  private let excluded: Set<ObjectKey>
  private let action: (Browser, ObjectIdentity) -> Void
  /// Goes back to what asked, where the person picks nothing.
  private let leave: (Browser) -> Void
  var line = LineEditor()
  var index = 0
  /// The object that the cursor was on at first, where the link is one of the properties of an object,
  /// of which Tab edits the next.
  var start: Int?
  private var found: [ObjectKey]
  /// The number of the search that runs, if one does.
  private var search: Int?

  /// More than anybody looks through; typing narrows them.
  private static let mostPicked = 200

  /// Opens a picker, unless there is nothing to pick.
  ///
  /// - Parameters:
  ///   - heading: What is asked.
  ///   - target: The class to pick from.
  ///   - object: The object near which one begins.
  ///   - excluded: What cannot be picked, such as what is to be deleted.
  ///   - browser: The browser.
  ///   - leave: Goes back to what asked, where the person picks nothing.
  ///   - action: What is done with the object.
  static func open(
    _ heading: String,
    _ target: ClassKey,
    near object: ObjectIdentity?,
    excluding excluded: Set<ObjectIdentity> = [],
    in browser: Browser,
    orElse leave: @escaping (Browser) -> Void = { _ in },
    _ action: @escaping (Browser, ObjectIdentity) -> Void
  ) {
    let model = browser.model
    let near = object?.classKey == target ? object?.key : nil
    var found = model.keys(of: target, from: near, limit: mostPicked)
    if found.count < mostPicked, let first = found.first ?? near {
      let missing = model.keys(of: target, before: first, limit: mostPicked - found.count)
      found = missing.reversed() + found
    }
    let excluded = Set(excluded.lazy.filter { $0.classKey == target }.map(\.key))
    let cursor = found.first { $0 >= near ?? $0 && !excluded.contains($0) }
    found.removeAll(where: excluded.contains)
    guard !found.isEmpty else {
      let name = model.name(of: target)
      let other = excluded.isEmpty ? "" : "other "
      return browser.showError(
        "There is no \(other)\(name) to link to; \(browser.key(of: "create")) creates one"
      )
    }
    browser.dialog = PickerDialog(
      heading: heading,
      target: target,
      excluded: excluded,
      action: action,
      leave: leave,
      index: cursor.flatMap { found.firstIndex(of: $0) } ?? 0,
      found: found
    )
  }

  func hints(in browser: Browser) -> [Hint] {
    let hints = found.isEmpty ? Self.keys.filter { $0.key != "Enter" } : Self.keys
    guard start != nil else { return hints }
    let next = staysAsItIs ? Hint(ValueForm.hint.key, "next") : ValueForm.hint
    return hints.prefix(1) + [next] + hints.dropFirst()
  }

  var count: Int { found.count }

  mutating func cancel(in browser: Browser) -> DialogState {
    Jobs(browser).cancel(.pick)
    leave(browser)
    return .closed
  }

  func choose(in browser: Browser) -> DialogState {
    guard search == nil else {
      browser.showError("The search is still running")
      return .open
    }
    guard found.indices.contains(index) else {
      browser.showError("No object is chosen")
      return .open
    }
    action(browser, ObjectIdentity(target, found[index]))
    return .closed
  }

  /// Whether Tab goes on without setting the link.
  private var staysAsItIs: Bool { line.text.isEmpty && index == start }

  /// Sets what was looked for; the link stays as it is where nothing was.
  mutating func goOn(in browser: Browser) -> DialogState {
    guard start != nil else { return .open }
    if staysAsItIs { return ValueForm(browser).goOn(after: .closed) }
    return ValueForm(browser).goOn(after: choose(in: browser))
  }

  /// Looks for what was typed: as a key, as a primary key, or as a part of any text.
  mutating func narrow(in browser: Browser) {
    Jobs(browser).cancel(.pick)
    search = nil
    let text = line.text.trimmed
    if text.isEmpty {
      found = browser.model.keys(of: target, from: nil, limit: Self.mostPicked)
      found.removeAll(where: excluded.contains)
      index = 0
      return
    }
    let name = browser.model.name(of: target)
    let work = PickerSearch(text: text, target: target, limit: Self.mostPicked)
    let number = browser.newNumber()
    let job = Jobs(browser).launch(
      "Finding \(name)",
      .reading(.pick),
      reading: work.run,
      finish: { browser, keys in
        browser.updateDialog(PickerDialog.self) { $0.receive(keys, of: number) }
      },
      abandon: { browser in
        browser.updateDialog(PickerDialog.self) { $0.search = nil }
      }
    )
    if job != nil { search = number }
  }

  private mutating func receive(_ keys: [ObjectKey], of number: Int) {
    guard search == number else { return }
    found = keys.filter { !excluded.contains($0) }
    index = 0
    search = nil
  }

  func text(at index: Int, width: Int, _ charset: Charset, in browser: Browser) -> String {
    let object = ObjectIdentity(target, found[index])
    let summary = ValueFormatter(browser.model).summary(of: object)
    return "\(browser.model.label(object))  \(summary)"
  }
}
