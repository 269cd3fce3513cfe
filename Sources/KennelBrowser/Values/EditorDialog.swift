internal import KennelCore

/// A scalar being typed where it stands.
struct EditorDialog: Dialog {
  static let title = "Editing a value"
  static let keys = [
    Hint("Enter", "set"), ValueForm.hint, Hint("Esc", "leave as it was, or add nothing"),
    Hint("^U", "clear"), Hint("^A", "start"), Hint("^E", "end"),
  ]

  func hints(in browser: Browser) -> [Hint] {
    let (enter, escape) = purpose.words
    let next = isInForm ? [ValueForm.hint] : []
    return [Hint("Enter", enter)] + next + [Hint("Esc", escape)] + Self.keys.dropFirst(3)
  }

  enum Purpose: Hashable {
    /// The value of a property or of an element.
    case replace
    /// A new element of a list or a new member of a set.
    case add
    /// The key of a new entry of a map.
    case entryKey
    /// The primary key of an object to be created, copied from another where there is one.
    case newObject(copyOf: ObjectIdentity?)

    /// Whether the text to begin with is a proposal.
    fileprivate var isProposing: Bool {
      if case .newObject = self { true } else { false }
    }

    /// Name what Enter and Esc do.
    fileprivate var words: (enter: String, escape: String) {
      switch self {
      case .replace: ("set", "leave as it was")
      case .add, .entryKey: ("add", "add nothing")
      case .newObject: ("create", "give up the new object")
      }
    }
  }

  /// What is done to many objects is shown before.
  var holdsNews: Bool { spot.marked.count < 2 }

  private let purpose: Purpose
  /// The property, and the element where it is one.
  private let spot: Spot
  /// The type of what is typed.
  private let type: PropertyType
  private var line: LineEditor
  /// Whether nothing was typed yet over a null.
  private var isNull: Bool
  /// The value of the text, or why it is none: what is shown is what is set.
  private var value: Result<Value, ValidationError>
  private let original: Value
  private let label: String
  private var problem: String?

  init(
    _ purpose: Purpose,
    spot: Spot,
    type: PropertyType,
    original: Value,
    label: String,
    text: String? = nil,
    problem: String? = nil
  ) {
    self.purpose = purpose
    self.spot = spot
    self.type = type
    self.original = original
    self.label = label
    isNull = original.isNull && text == nil && purpose == .replace
    let text = text ?? (original.isNull ? "" : ScalarText.text(of: original))
    line = LineEditor(text, isSelected: purpose.isProposing)
    value = isNull ? .success(.null) : ScalarText.parse(text, as: type)
    if case .failure(let refusal) = value, !text.isEmpty { self.problem = refusal.message }
    if let problem { self.problem = problem }
  }

  /// Whether the value is that of a property, after which comes the next one.
  private var isInForm: Bool {
    switch purpose {
    case .replace: spot.element == nil
    case .newObject: true
    case .add, .entryKey: false
    }
  }

  /// Has what is typed take the place of the text.
  mutating func selectAll() { line = LineEditor(line.text, isSelected: true) }

  mutating func handle(_ key: Key, in browser: Browser) -> DialogState {
    if key.code == .enter { return finish(in: browser) }
    if key.code == .tab, isInForm {
      let state = finish(in: browser)
      return ValueForm(browser).goOn(after: state, fromStart: purpose != .replace)
    }
    if isNull, line.text.isEmpty, key.code == .backspace { return .open }
    guard line.handle(key) else {
      let (enter, escape) = purpose.words
      browser.showError("\(key) does nothing while a value is typed: Enter \(enter), Esc \(escape)")
      return .open
    }
    isNull = false
    value = ScalarText.parse(line.text, as: type, now: browser.settings.now())
    problem = nil
    // What is wrong is said while it is being typed.
    if case .failure(let refusal) = value, !line.text.isEmpty { problem = refusal.message }
    return .open
  }

  private mutating func finish(in browser: Browser) -> DialogState {
    switch value {
    case .failure(let refusal):
      problem = refusal.message
      return .open
    case .success(let value):
      if apply(value, in: browser) { return .closed }
      // What was typed stays where it is, with the reason why it is not taken.
      problem = browser.message?.text
      return .open
    }
  }

  private func apply(_ value: Value, in browser: Browser) -> Bool {
    switch purpose {
    case .replace:
      if value == original, spot.marked.count < 2 {
        browser.say("Unchanged")
        return true
      }
      return ValueEditing(browser).assign(value, to: spot)
    case .add: return CollectionEditing(browser).insert([value], spot)
    case .entryKey: return CollectionEditing(browser).addEntry(value, spot)
    case .newObject(let original):
      return ObjectEditing(browser).create(value, at: spot, copyOf: original)
    }
  }

  // MARK: - Drawing

  /// The date that is set, where the text says it by its distance from now or without a day.
  private var meaning: String? {
    guard type.kind == .date, case .success(.date(let date)) = value, Timestamp(line.text) == nil
    else { return nil }
    return "\(line.text.trimmed) is \(date)"
  }

  /// The editor in the cell, as far to the right as the pane goes.
  func draw(_ frame: DialogFrame, on screen: inout Screen) {
    if let status = frame.layout.status {
      let text = problem ?? "\(label) · \(meaning ?? "type \(ScalarText.form(of: type))")"
      let style = problem == nil ? frame.theme.standard : frame.theme.error
      screen.put(text, in: status, style: style)
    }
    // Of marked objects, none need be that of the cursor.
    if purpose == .replace, spot.marked.isEmpty, let cell = frame.cell,
      let pane = frame.layout.panes[.main],
      pane.endColumn - cell.column >= Self.leastRoom
    {
      drawLine(in: widened(cell, pane, screen.charset), frame, on: &screen)
    } else {
      let row = max(0, (frame.layout.status?.row ?? 0) - 1)
      drawLine(in: screen.size.bounds.line(row), frame, on: &screen)
    }
  }

  /// Where less is left of the row, the editor has a row of its own.
  private static let leastRoom = 12

  /// The cell, or as much of the row to its right, and then to its left, as the text needs.
  private func widened(_ cell: Rectangle, _ pane: Rectangle, _ charset: Charset) -> Rectangle {
    let left = pane.column + 2
    let room = pane.endColumn - left
    let needed = TextWidth.width(of: line.text, upTo: room, in: charset) + 1
    var wide = cell
    wide.columns = min(room, max(cell.columns, needed))
    wide.column = min(cell.column, pane.endColumn - wide.columns)
    return wide
  }

  private func drawLine(in cell: Rectangle, _ frame: DialogFrame, on screen: inout Screen) {
    guard isNull else { return line.draw(on: &screen, in: cell, style: .underlined) }
    screen.put(ValueFormatter.null, in: cell, style: frame.theme.null.adding(.underlined))
    screen.showCursor(row: cell.row, column: cell.column)
  }
}
