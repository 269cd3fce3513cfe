internal import KennelCore
internal import KennelReports

/// Shows what a change of the schema takes with it, before it is made.
struct SchemaPlanDialog: Dialog {
  static let title = "Before values are lost by a change of the schema"
  static let keys = [
    Hint("y", "make the change"), Hint("c", "clear what cannot be converted, and make it"),
    Hint("Esc", "leave everything as it is"), Hint("j", "down"), Hint("k", "up"),
  ]

  private let heading: String
  /// What is lost, a line each.
  private let lines: [String]
  private let misfits: [SchemaPlan.Misfit]
  private let misfitCount: Int
  /// The key that confirms.
  private let letter: Character
  private let answer: String
  private let action: (Browser) -> Void
  private var top = 0

  /// Asks before a property is deleted or converted.
  init(
    _ change: SchemaChange,
    _ plan: SchemaPlan,
    _ stage: @escaping (Browser, SchemaChange) -> Void
  ) {
    misfits = plan.misfits
    misfitCount = plan.misfitCount
    heading = Self.heading(change)
    var confirmed = change
    if case .retypeProperty(let name, let className, let type, _) = change {
      confirmed = .retypeProperty(name, of: className, to: type, clearing: true)
      let count = counted(plan.misfitCount, "value")
      lines = ["\(count) of \(counted(plan.objectCount, "object")) cannot be converted:"]
      letter = "c"
      answer =
        type.collection == .none
        ? "c converts the others and makes these \(ValueText.describeMixed(type.initialValue))"
        : "c converts what can be, and drops these"
    } else {
      lines = ["\(Self.loss(plan))"]
      letter = "y"
      answer = "y deletes it with them"
    }
    action = { stage($0, confirmed) }
  }

  /// Asks before a class is deleted.
  init(
    _ change: SchemaChange,
    deleting lines: [String],
    _ stage: @escaping (Browser) -> Void
  ) {
    heading = Self.heading(change)
    self.lines = ["With it go:"] + lines.map { "  \($0)" }
    (misfits, misfitCount, letter, answer, action) = ([], 0, "y", "y deletes all of it", stage)
  }

  private static func heading(_ change: SchemaChange) -> String {
    "\(change)".prefix(1).uppercased() + "\(change)".dropFirst()
  }

  /// The values that go with a property.
  static func loss(_ plan: SchemaPlan) -> String {
    if plan.embeddedCount > 0 { return counted(plan.embeddedCount, "embedded object") }
    if plan.linkCount > 0 { return counted(plan.linkCount, "link") }
    return counted(plan.valueCount, "value")
  }

  mutating func handle(_ key: Key, in browser: Browser) -> DialogState {
    if key.typed == letter {
      action(browser)
      return .closed
    }
    if !Self.move(&top, among: lines.count + misfits.count, by: key, in: browser) {
      browser.showError("\(answer), Esc leaves everything as it is")
    }
    return .open
  }

  func hints(in browser: Browser) -> [Hint] {
    let others = letter == "y" ? "c" : "y"
    return Self.keys.filter { $0.key != others }
  }

  func draw(_ frame: DialogFrame, on screen: inout Screen) {
    let model = frame.browser.model
    let theme = frame.theme
    var all: [DialogFrame.Line] = lines.map { ($0, theme.standard) }
    all += misfits.map { misfit in
      let label = TextWidth.pad(model.label(misfit.object), to: 24, in: screen.charset)
      return ("  \(label)  \(ValueFormatter(model).text(misfit.value, of: nil))", theme.deleted)
    }
    let more = misfitCount - misfits.count
    if more > 0 { all.append(("  … and \(more) more", theme.note)) }
    let room = max(1, frame.rows - 1)
    let shown = all.dropFirst(min(top, max(0, all.count - room))).prefix(room)
    let end = ("\(answer), Esc leaves everything as it is", theme.key)
    frame.drawBox(heading, Array(shown) + [end], on: &screen)
  }
}
