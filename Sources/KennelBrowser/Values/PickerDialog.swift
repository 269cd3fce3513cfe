internal import KennelCore

/// The object that a link is to point at, picked from its class: by looking, or by typing a part of
/// its text.
struct PickerDialog: Dialog {
  static let title = "Picking the target of a link"
  static let keys = [
    Hint("Enter", "link to it"), Hint("Down", "next"), Hint("Up", "previous"),
    Hint("Esc", "back"), Hint("type", "search"),
  ]

  private let heading: String
  private let target: ClassKey
  /// What cannot be picked.
  private let excluded: Set<ObjectKey>
  private let action: (Browser, ObjectIdentity) -> Void
  /// Goes back to what asked, where the person picks nothing.
  private let leave: (Browser) -> Void
  private var line = LineEditor()
  private var found: [ObjectKey]
  /// The key that the cursor is on.
  private var cursor: ObjectKey?
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
    var picker = PickerDialog(
      heading: heading,
      target: target,
      excluded: excluded,
      action: action,
      leave: leave,
      found: found
    )
    picker.cursor = cursor ?? found.first
    browser.dialog = picker
  }

  private init(
    heading: String,
    target: ClassKey,
    excluded: Set<ObjectKey>,
    action: @escaping (Browser, ObjectIdentity) -> Void,
    leave: @escaping (Browser) -> Void,
    found: [ObjectKey]
  ) {
    self.heading = heading
    self.target = target
    self.excluded = excluded
    self.action = action
    self.leave = leave
    self.found = found
  }

  func hints(in browser: Browser) -> [Hint] {
    cursor == nil ? Self.keys.filter { $0.key != "Enter" } : Self.keys
  }

  mutating func handle(_ key: Key, in browser: Browser) -> DialogState {
    if key.code == .enter { return pick(in: browser) }
    if let distance = distance(of: key, in: browser, allowsLetters: false) {
      move(by: distance)
      return .open
    }
    let before = line.text
    if line.handle(key), line.text != before { search(in: browser) }
    return .open
  }

  mutating func cancel(in browser: Browser) -> DialogState {
    cancelSearch(in: browser)
    leave(browser)
    return .closed
  }

  private func pick(in browser: Browser) -> DialogState {
    guard search == nil else {
      browser.showError("The search is still running")
      return .open
    }
    guard let cursor else {
      browser.showError("No object is chosen")
      return .open
    }
    action(browser, ObjectIdentity(target, cursor))
    return .closed
  }

  private mutating func move(by distance: Int) {
    guard !found.isEmpty else {
      cursor = nil
      return
    }
    let index = found.firstIndex { $0 == cursor } ?? 0
    cursor = found[min(max(0, index + distance), found.count - 1)]
  }

  /// Looks for what was typed: as a key, as a primary key, or as a part of any text.
  private mutating func search(in browser: Browser) {
    cancelSearch(in: browser)
    search = nil
    let text = line.text.trimmed
    if text.isEmpty {
      found = browser.model.keys(of: target, from: nil, limit: Self.mostPicked)
      found.removeAll(where: excluded.contains)
      cursor = found.first
      return
    }
    let name = browser.model.name(of: target)
    let work = PickerSearch(text: text, target: target, limit: Self.mostPicked)
    let number = browser.newNumber()
    let job = Jobs(browser).launch(
      "Finding \(name)",
      .reading(.pick),
      reading: { snapshot, context throws(DatabaseError) in try work.run(in: snapshot, context) },
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
    cursor = found.first
    search = nil
  }

  private func cancelSearch(in browser: Browser) {
    Jobs(browser).cancel(.pick)
  }

  func draw(_ frame: DialogFrame, on screen: inout Screen) {
    let view = ValueFormatter(frame.browser.model)
    frame.drawSearch(
      heading,
      line,
      found.count,
      cursor: found.firstIndex { $0 == cursor } ?? 0,
      nothing: "no match",
      on: &screen
    ) { index in
      let object = ObjectIdentity(target, found[index])
      return "\(view.model.label(object))  \(view.summary(of: object))"
    }
  }
}
