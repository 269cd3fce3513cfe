internal import KennelCore

extension Context {
  static let changes = Context("changes", "the changes")
}

/// The review of what is not committed.
struct ChangesView: LineView {
  enum LineID: Hashable {
    case object(ObjectIdentity)
    case item(DraftItem.ID)
    case conflict(Conflict.ID)
    /// All conflicts of a class.
    case conflicts(ClassKey?)
    /// A difference that several edits of a list or set made together.
    case difference(ObjectIdentity, PropertyKey, Int)
    /// A value of an object that is new.
    case value(ObjectIdentity, PropertyKey)
    /// The line after the conflicts of a class that are listed, which lists more.
    case moreConflicts(ClassKey?)
    /// The same after the changed objects.
    case moreObjects
    case note(Int)
  }

  /// So many are listed at first: each change makes all lines anew.
  static let firstRoom = 500

  var cursor: LineID?
  var top = 0
  /// So many conflicts and so many objects are listed.
  private var room = Self.firstRoom
  /// The changes that the next commit leaves in the draft.
  var excluded: Set<DraftItem.ID> = []
  /// The commits of this run.
  var committed = OwnCommits()
  private let cache = ChangeLineCache()

  var context: Context { .changes }

  func lines(in browser: Browser) -> [ChangeLine] {
    cache.lines(generation: browser.model.generation, excluded, room) {
      ReviewLines(browser: browser, excluded: excluded, room: room).lines()
    }
  }

  /// A key acts on all conflicts of a class only where the cursor was led to its line.
  func cursorIndex(in lines: [ChangeLine]) -> Int? {
    let current = cursor.flatMap { cursor in lines.firstIndex { $0.place == cursor } }
    return current ?? lines.firstIndex(where: \.isChange) ?? lines.firstIndex { $0.place != nil }
  }

  /// How many changes are listed before the cursor.
  func changesBeforeCursor(in browser: Browser) -> Int {
    let lines = lines(in: browser)
    return lines.prefix(cursorIndex(in: lines) ?? 0).count(where: \.isChange)
  }

  /// Puts the cursor on the change before which so many others are listed, if the line of the cursor is
  /// gone.
  mutating func stay(behind count: Int, in browser: Browser) {
    let changes = lines(in: browser).filter { $0.isChange || $0.id == cursor }
    guard !changes.contains(where: { $0.id == cursor }) else { return }
    cursor = changes.dropFirst(count).first?.id ?? changes.last?.id
  }

  /// Forgets what is about changes that are gone.
  mutating func repairCursor(in browser: Browser) {
    if browser.model.changeCount == 0 {
      (cursor, top, excluded, room) = (nil, 0, [], Self.firstRoom)
    }
  }

  /// Lists four times as many, with the cursor on the first that is new, if any has a line.
  private mutating func listMore(in browser: Browser) {
    let index = cursorIndex(in: lines(in: browser)) ?? 0
    room *= 4
    let lines = lines(in: browser)
    let next = lines.dropFirst(index).first { $0.place != nil } ?? lines.last { $0.place != nil }
    cursor = next?.id
  }

  /// The object that changed.
  func open(in browser: Browser) {
    if line(in: browser)?.isMore == true { return browser.changes.listMore(in: browser) }
    if let name = line(in: browser)?.schemaClass { return SchemaEditing(browser).open(name) }
    guard let object = line(in: browser)?.object else {
      guard line(in: browser)?.isPlan == true else { return }
      let key = browser.key(of: "drop")
      return browser.say("This line opens nothing; \(key) on a deletion drops what it would do")
    }
    guard browser.model.contains(object) else {
      return browser.say(
        "\(browser.model.text(object)) is deleted; \(browser.key(of: "drop")) drops that"
      )
    }
    Navigation(browser).goToObject(object, step: nil)
  }

  func openLabel(in browser: Browser) -> String? {
    line(in: browser)?.isMore == true ? "list more" : "open"
  }

  func hints(in browser: Browser) -> [String] {
    if browser.model.changeCount == 0 { return ["main"] }
    return [
      "keep-mine", "take-theirs", "keep-all-mine", "take-all-theirs", "commit", "leave-out", "drop",
      "open", "undo",
      "main",
    ]
  }

  // MARK: - Drawing

  mutating func scroll(in frame: PaneFrame) {
    let lines = lines(in: frame.browser)
    let cursor = cursorIndex(in: lines)
    // Where the cursor cannot go further, what follows is seen, too: how many changes are not listed.
    let isLast = cursor != nil && cursor == lines.lastIndex { $0.place != nil }
    for place in isLast ? [lines.count - 1, cursor] : [cursor] {
      top = PaneFrame.scroll(top, cursor: place, count: lines.count, rows: frame.rows)
    }
  }

  func draw(_ frame: PaneFrame, on screen: inout Screen) -> Rectangle? {
    frame.drawTitle("Changes (\(frame.model.changeCount))", on: &screen)
    let review = ReviewLines(browser: frame.browser, excluded: excluded)
    draw(lines(in: frame.browser), frame, showsCursor: frame.hasFocus, on: &screen) {
      ($0.text(review), $0.style)
    }
    return nil
  }
}

/// The lines of the review, which are made anew only after something has changed.
private final class ChangeLineCache {
  private var made: (generation: Int, excluded: Set<DraftItem.ID>, room: Int, lines: [ChangeLine])?

  func lines(
    generation: Int,
    _ excluded: Set<DraftItem.ID>,
    _ room: Int,
    _ make: () -> [ChangeLine]
  ) -> [ChangeLine] {
    if let made, made.generation == generation, made.excluded == excluded, made.room == room {
      return made.lines
    }
    let lines = make()
    made = (generation, excluded, room, lines)
    return lines
  }
}

/// A line of the review.
///
/// Only the lines on the screen are made texts of: there may be thousands.
struct ChangeLine: ViewLine {
  let id: ChangesView.LineID
  let style: Style
  let text: (ReviewLines) -> String
  var object: ObjectIdentity?
  /// The class of a change of the schema.
  var schemaClass: String?
  /// The items that are dropped or left out with the line.
  var items: [DraftItem.ID] = []
  /// The conflicts that are resolved at the line.
  var conflicts: [Conflict.ID] = []
  /// Whether it tells what the deletions take with them.
  var isPlan = false

  init(_ id: ChangesView.LineID, _ style: Style, _ text: @escaping (ReviewLines) -> String) {
    (self.id, self.style, self.text) = (id, style, text)
  }

  init(_ id: ChangesView.LineID, _ text: String, _ style: Style) {
    self.init(id, style) { _ in text }
  }

  /// Whether there is one thing to drop or to resolve.
  var isChange: Bool { object != nil || schemaClass != nil || conflicts.count == 1 }
  /// Whether more can be listed here.
  var isMore: Bool {
    switch id {
    case .moreConflicts, .moreObjects: true
    case .object, .item, .conflict, .conflicts, .difference, .value, .note: false
    }
  }
  /// Whether the cursor stops here; at the plan it does so that all of it can be read.
  var place: ChangesView.LineID? { isChange || isMore || !conflicts.isEmpty || isPlan ? id : nil }

  func has(_ pattern: SearchPattern, in browser: Browser) -> Bool {
    pattern.isFound(in: text(ReviewLines(browser: browser)))
  }
}
