internal import KennelCore

/// What a deletion takes with it, before it is staged.
struct DeletionDialog: Dialog {
  static let title = "What a deletion takes with it"
  static let keys = [
    Hint("D", "delete"), Hint("Esc", "leave everything as it is"), Hint("j", "down"),
    Hint("k", "up"),
  ]

  let heading: String
  let radius: BlastRadius
  let lines: [DeletionLine]
  /// The number that has to be typed, where the deletion is a large one.
  let wantedCount: Int?
  /// Why it cannot be done at all.
  let refusal: String?
  /// The generation of the model that was asked.
  let generation: Int
  /// What it takes with it now.
  let renewed: () -> BlastRadius?
  let action: (Browser) -> Void
  private var top = 0
  private var typedCount = LineEditor()

  init(
    heading: String,
    radius: BlastRadius,
    lines: [DeletionLine],
    wantedCount: Int?,
    refusal: String?,
    generation: Int,
    renewed: @escaping () -> BlastRadius?,
    action: @escaping (Browser) -> Void
  ) {
    self.heading = heading
    self.radius = radius
    self.lines = lines
    self.wantedCount = wantedCount
    self.refusal = refusal
    self.generation = generation
    self.renewed = renewed
    self.action = action
  }

  /// The number that is still to be typed.
  private var missingCount: Int? {
    wantedCount.flatMap { typedCount.text == "\($0)" ? nil : $0 }
  }

  func hints(in browser: Browser) -> [Hint] {
    if refusal != nil { return [Hint("Esc", "back"), Hint("j", "down")] }
    guard let missingCount else { return Self.keys }
    return [
      Hint("\(missingCount)", "type the number to go on"),
      Hint("Esc", "leave everything as it is"),
    ]
  }

  mutating func handle(_ key: Key, in browser: Browser) -> DialogState {
    if refusal == nil, key.typed == "D" {
      if let missingCount {
        browser.showError("Type the number of objects, \(missingCount), and then D")
        return .open
      }
      if browser.deleting.isAsShown(self) { action(browser) }
      return .closed
    }
    if wantedCount != nil, key.typed?.isNumber == true || key.code == .backspace {
      _ = typedCount.handle(key)
      return .open
    }
    if let distance = distance(of: key, in: browser) {
      top = min(max(0, top + distance), max(0, lines.count - 1))
    } else {
      browser.showError(
        refusal == nil ? "D deletes, Esc leaves everything as it is" : "Esc goes back"
      )
    }
    return .open
  }

  func draw(_ frame: DialogFrame, on screen: inout Screen) {
    var shown = lines.dropFirst(top).map { (text: $0.text, style: $0.style) }
    let rows = frame.rows
    if shown.count > rows - 1 {
      shown = Array(shown.prefix(max(0, rows - 2))) + [("  …", frame.theme.note)]
    }
    let last: String
    if let refusal {
      last = "This is not possible: \(refusal)"
    } else if let wantedCount {
      last = "Type \(wantedCount) and then D: \(typedCount.text)"
    } else {
      last = "D confirms, Esc leaves everything as it is"
    }
    shown.append((last, frame.theme.key))
    frame.drawBox(heading, shown, on: &screen)
  }
}
