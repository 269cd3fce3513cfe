internal import KennelCore
internal import KennelReports

/// The effects of a deletion before it is staged; the person can keep some objects.
struct DeletionDialog: Dialog {
  static let title = "What a deletion takes with it"
  static let keys = [
    Hint("D", "delete"),
    Hint("Space", "keep the object, or also delete one left without links or in the way"),
    Hint("t", "link to another object instead; on a heading, all below it"),
    Hint("Enter", "fold or open"),
    Hint("Esc", "leave everything as it is"), Hint("j", "down"), Hint("k", "up"),
  ]

  /// A question, and the action after `D`.
  struct Question {
    var title: String
    /// Edits of links to make before.
    var edits: [LinkEdit] = []
    /// Finds out what it takes with it now; another program may have committed.
    var renewed: () -> BlastRadius?
    /// Asks anew with what the person wants of some lines; `nil` where nothing can be chosen.
    var steer: ((Browser, DeletionWish) -> Void)?
    var action: (Browser) -> Void
  }

  /// Where the cursor is, and what is folded, for the next question about the same deletion.
  struct Place {
    /// The line of the cursor, those below it, and then those above it, the nearest first.
    var nearest: [DeletionLine.Subject] = []
    var folded: Set<DeletionLine.Subject> = []
  }

  let question: Question
  let radius: BlastRadius
  /// The generation of the model that was asked.
  let generation: Int
  private let lines: [DeletionLine]
  /// Whether several objects were asked for, each of which may be kept.
  private let areSeveral: Bool
  /// Why it cannot be done at all.
  private let refusal: String?
  private var cursor = 0
  /// The lines whose parts are hidden.
  private var folded: Set<DeletionLine.Subject> = []
  private var typedCount = LineEditor()

  /// The count above which a person types it.
  private static let mostWithoutCount = 100

  init(
    _ question: Question,
    _ radius: BlastRadius,
    at place: Place = Place(),
    in model: BrowserModel
  ) {
    self.question = question
    self.radius = radius
    generation = model.generation
    let formatter = DeletionFormatter(model: model)
    lines = formatter.lines(of: radius, after: question.edits)
    areSeveral = radius.deletions.count { $0.reason == .asked } > 1
    refusal = radius.denied.first.map { denial in
      let others = radius.denied.count - 1
      return formatter.sentence(denial)
        + (others == 0 ? "" : ", and so \(others == 1 ? "does 1 more" : "do \(others) more")")
    }
    folded = place.folded
    let shown = shown.map(\.subject)
    cursor = place.nearest.lazy.compactMap { shown.firstIndex(of: $0) }.first ?? 0
  }

  private var place: Place {
    let subjects = shown.map(\.subject)
    let here = min(cursor, subjects.count)
    return Place(nearest: subjects[here...] + subjects[..<here].reversed(), folded: folded)
  }

  /// The number that has to be typed, where the deletion is a large one.
  private var wantedCount: Int? {
    radius.deletionCount > Self.mostWithoutCount ? radius.deletionCount : nil
  }

  /// The lines that no fold hides.
  private var shown: [DeletionLine] {
    var shown: [DeletionLine] = []
    var fold: Int?
    for line in lines {
      if let depth = fold, line.depth > depth { continue }
      fold = folded.contains(line.subject) ? line.depth : nil
      shown.append(line)
    }
    return shown
  }

  /// How many lines a fold hides.
  private func hiddenCount(below subject: DeletionLine.Subject) -> Int {
    guard let place = lines.firstIndex(where: { $0.subject == subject }) else { return 0 }
    let depth = lines[place].depth
    return lines[(place + 1)...].prefix { $0.depth > depth }.count
  }

  /// The number that is still to be typed.
  private var missingCount: Int? {
    wantedCount.flatMap { typedCount.text == "\($0)" ? nil : $0 }
  }

  func hints(in browser: Browser) -> [Hint] {
    if refusal != nil, question.steer == nil { return [Hint("Esc", "back"), Hint("j", "down")] }
    guard isSeen(in: browser) else { return [Hint("Esc", "leave everything as it is")] }
    if let missingCount {
      return [
        Hint("\(missingCount)", "type the number to go on"),
        Hint("Esc", "leave everything as it is"), Hint("j", "down"), Hint("G", "to the end"),
      ]
    }
    var hints = refusal == nil ? [Hint("D", "delete")] : []
    let line = shown.indices.contains(cursor) ? shown[cursor] : nil
    let choices = line.map(choices) ?? []
    let fold = line.map { hiddenCount(below: $0.subject) } ?? 0 > 0 ? [Hint("Enter", "fold")] : []
    let leave = Hint("Esc", "leave everything as it is", short: "leave it")
    if choices.isEmpty, let steering {
      hints += [Hint("j", "to what \(steering) changes"), leave] + fold
    } else {
      hints += choices + fold + [leave, Hint("j", "down")]
    }
    return hints + [Hint("k", "up")]
  }

  /// The keys that change what some line says, as in `Space or t`; `nil` where none does.
  private var steering: String? {
    let keys = Set(lines.flatMap { choices($0).map(\.key) })
    return keys.isEmpty ? nil : keys.sorted().joined(separator: " or ")
  }

  /// The keys that change what a line says; on a heading also those that lead to a line below.
  private func choices(_ line: DeletionLine) -> [Hint] {
    guard question.steer != nil else { return [] }
    guard case .effect(.heading) = line.subject else { return hints(for: line.subject) }
    let below = lines.flatMap { hints(for: $0.subject) }
    return ["Space", "t"].compactMap { key in
      let members = members(of: line, takenBy: key)
      switch members.count {
      case 0: return below.first { $0.key == key }
      case 1: return hints(for: members[0]).first { $0.key == key }
      default:
        if key == "t" { return Hint("t", "link all \(members.count) to another…") }
        if case .edit = members[0] { return Hint("Space", "leave all as they were") }
        return Hint("Space", "delete all \(members.count), too")
      }
    }
  }

  /// What a key does at once to all that stands under a heading: nothing keeps all that is deleted but
  /// Esc.
  private func members(of heading: DeletionLine, takenBy key: String) -> [DeletionLine.Subject] {
    guard let place = lines.firstIndex(where: { $0.subject == heading.subject }) else { return [] }
    return lines[(place + 1)...].prefix { $0.depth > 0 }.map(\.subject).filter { subject in
      if key == "Space", case .effect(.deletion) = subject { return false }
      return hints(for: subject).contains { $0.key == key }
    }
  }

  private func hints(for subject: DeletionLine.Subject) -> [Hint] {
    switch subject {
    case .effect(.deletion(let deleted)):
      switch deleted.reason {
      case .embedded, .cascadeIfLast: []
      case .asked: areSeveral ? [Hint("Space", "keep it")] : []
      case .cascade: [Hint("Space", "keep it")]
      case .targetDeleted: [Hint("Space", "keep it"), Hint("t", "link to another…")]
      }
    case .effect(.denial(let denial)):
      [Hint("Space", "delete \(denial.rule == .deleteRule ? "the target" : "it"), too")]
        + (denial.rule == .deleteRule ? [] : [Hint("t", "link to another…")])
    case .effect(.orphan): [Hint("Space", "delete it, too")]
    case .effect(.edge): [Hint("t", "link to another…")]
    case .edit: [Hint("Space", "leave it as it was")]
    case .effect(.heading), .effect(.note): []
    }
  }

  mutating func handle(_ key: Key, in browser: Browser) -> DialogState {
    if refusal == nil, key.typed == "D" {
      guard isSeen(in: browser) else {
        browser.showError("Make the terminal larger to see what goes with it; then D deletes")
        return .open
      }
      if let missingCount {
        browser.showError("Type the number of objects, \(missingCount), and then D")
        return .open
      }
      if Deleting(browser).isAsShown(self) { question.action(browser) }
      return .closed
    }
    if wantedCount != nil, key.typed?.isNumber == true || key.code == .backspace {
      _ = typedCount.handle(key)
      return .open
    }
    switch key {
    case Key(" "): return steer("Space", in: browser)
    case Key("t"): return steer("t", in: browser)
    case Key(.enter): fold(in: browser)
    default:
      if !Self.move(&cursor, among: shown.count, by: key, in: browser) { refuse(in: browser) }
    }
    return .open
  }

  private func refuse(in browser: Browser) {
    browser.showError(
      refusal == nil ? "D deletes, Esc leaves everything as it is" : "Esc goes back"
    )
  }

  private mutating func fold(in browser: Browser) {
    guard shown.indices.contains(cursor), hiddenCount(below: shown[cursor].subject) > 0 else {
      return refuse(in: browser)
    }
    folded.formSymmetricDifference([shown[cursor].subject])
  }

  /// Asks anew with what the person wants of the line under the cursor, or of all under a heading; goes
  /// to the first line that the key changes from a heading above others.
  private mutating func steer(_ key: String, in browser: Browser) -> DialogState {
    let shown = shown
    guard let steer = question.steer, shown.indices.contains(cursor) else {
      refuse(in: browser)
      return .open
    }
    let line = shown[cursor]
    var subjects = [line.subject]
    if case .effect(.heading) = line.subject { subjects = members(of: line, takenBy: key) }
    if subjects.isEmpty {
      let takers = shown.indices.filter { index in
        hints(for: shown[index].subject).contains { $0.key == key }
      }
      guard let next = takers.first(where: { $0 > cursor }) ?? takers.first else {
        refuse(in: browser)
        return .open
      }
      cursor = next
      browser.say("This is the first that \(key) changes; \(key) again does it")
      return .open
    }
    browser.dialog = self
    let kind = key == "t" ? DeletionWish.Kind.linkElsewhere : .toggle
    steer(browser, DeletionWish(kind: kind, subjects: subjects, place: place))
    return .closed
  }

  /// Whether the screen has room for a line of what goes besides its heading.
  private func isSeen(in browser: Browser) -> Bool {
    let frame = DialogFrame(browser: browser, layout: browser.layout, cell: nil)
    return listedRows(frame) >= min(2, shown.count)
  }

  /// How many lines of the plan there is room for; the last line gives way where that is not needed.
  private func listedRows(_ frame: DialogFrame) -> Int {
    wantedCount == nil && frame.rows == 2 ? 2 : frame.rows - 1
  }

  func draw(_ frame: DialogFrame, on screen: inout Screen) {
    let shown = shown
    let rows = max(1, listedRows(frame))
    let top = PaneFrame.scroll(0, cursor: cursor, count: shown.count, rows: rows)
    var drawn: [DialogFrame.Line] = []
    for (index, line) in shown.enumerated().dropFirst(top).prefix(rows) {
      var text = line.text
      if folded.contains(line.subject) { text += "  … \(hiddenCount(below: line.subject)) folded" }
      if index == top + rows - 1, index + 1 < shown.count, rows > 2 { text = "  …" }
      let isCursor = index == cursor && shown.count > 1
      drawn.append((text, isCursor ? line.style.adding(frame.theme.cursor) : line.style))
    }
    drawn.append((lastLine, frame.theme.key))
    frame.drawBox(question.title, drawn, on: &screen)
  }

  private var lastLine: String {
    if let refusal { return "This is not possible: \(refusal)" }
    guard let wantedCount else { return "D confirms, Esc leaves everything as it is" }
    return "Type \(wantedCount) and then D: \(typedCount.text)"
  }
}

/// A change of a deletion before it is done.
struct DeletionWish {
  enum Kind {
    /// To keep an object, to delete one that is left alone, or to have an edit not made.
    case toggle
    /// To have a link lead to another object.
    case linkElsewhere
  }

  var kind: Kind
  /// The lines that it is about.
  var subjects: [DeletionLine.Subject]
  /// Where the cursor is.
  var place: DeletionDialog.Place
}
