internal import KennelCore
internal import KennelReports

/// Shows the changes of `:set` before they are made.
struct AssignmentDialog: Dialog {
  static let title = "Before values are set"
  static let keys = [
    Hint("y", "set them"), Hint("Esc", "leave everything as it is"), Hint("j", "down"),
    Hint("k", "up"),
  ]

  private static let widestValue = 32

  private let heading: String
  private let plan: AssignmentPlan
  /// The generation of the data that the plan was computed from.
  private let generation: Int
  private var top = 0

  init(_ heading: String, _ plan: AssignmentPlan, generation: Int) {
    self.heading = heading
    self.plan = plan
    self.generation = generation
  }

  mutating func handle(_ key: Key, in browser: Browser) -> DialogState {
    if key.typed == "y" {
      Assigning(browser).perform(plan, generation)
      return .closed
    }
    if let distance = distance(of: key, in: browser) {
      top = min(max(0, top + distance), max(0, plan.olds.count - 1))
    } else {
      browser.showError("y sets them, Esc leaves everything as it is")
    }
    return .open
  }

  func draw(_ frame: DialogFrame, on screen: inout Screen) {
    let room = max(1, frame.rows - 3)
    let range = top..<min(plan.olds.count, top + room)
    var lines = range.map { (line($0, frame.browser, screen.charset), Style.standard) }
    let more = plan.changeCount - range.upperBound
    if more > 0 { lines.append(("… \(more) more", frame.theme.note)) }
    if plan.unchangedCount > 0 {
      let count = counted(plan.unchangedCount, "object")
      lines.append(("unchanged: \(count), of the same value", frame.theme.note))
    }
    lines.append(("y sets them, Esc leaves everything as it is", frame.theme.key))
    frame.drawBox(heading, lines, on: &screen)
  }

  private func line(_ index: Int, _ browser: Browser, _ charset: Charset) -> String {
    let change = plan.changes[index]
    let object = ObjectIdentity(plan.assignment.classKey, change.key)
    let property = browser.model.schema.property(plan.assignment.property, of: object.classKey)
    let view = ValueFormatter(browser.model)
    func text(_ value: Value) -> String {
      let isMixed = property?.type.kind == .mixed
      let shown = view.show(value, isEmbedded: false, isMixed: isMixed)
      return TextWidth.clip(shown.text, to: Self.widestValue, in: charset)
    }
    let label = TextWidth.pad(browser.model.label(object), to: 24, in: charset)
    return "\(label)  \(text(plan.olds[index])) → \(text(change.new))"
  }
}
