internal import KennelCore

/// The list above a line that is typed: what may be put into it, and which of that is chosen.
struct CandidateList {
  private(set) var candidates: [Candidate] = []
  /// The one that the person has chosen; `nil` where keys still go to the line.
  private(set) var choice: Int?
  /// Whether the person has closed the list; it stays so until they ask for it.
  var isClosed = false

  var isShown: Bool { !isClosed && !candidates.isEmpty }

  /// The one that is chosen.
  var chosen: Candidate? { isShown ? choice.map { candidates[$0] } : nil }

  mutating func show(_ candidates: [Candidate]) {
    self.candidates = candidates
    choice = nil
  }

  /// Chooses the next one or the one before; before the first there is none chosen.
  mutating func move(by distance: Int) {
    guard isShown else { return }
    let place = min(candidates.count - 1, (choice ?? -1) + distance)
    choice = place < 0 ? nil : place
  }

  // MARK: - Drawing

  private static let widestLabel = 40
  private static let widestNote = 40

  /// How many lines it takes, so that most of what is behind it stays in sight.
  private static func most(in body: Rectangle) -> Int {
    body.rows < 8 ? 0 : max(3, min(8, body.rows / 3))
  }

  /// Draws the list above a row, from a column on or as near to it as there is room.
  func draw(
    _ frame: DialogFrame,
    above row: Int,
    column: Int,
    on screen: inout Screen
  ) {
    let body = frame.layout.body
    let room = min(Self.most(in: body), row - body.row)
    guard isShown, room > 0, body.columns >= 30 else { return }
    let top = PaneFrame.scroll(0, cursor: choice, count: candidates.count, rows: room)
    let shown = Array(candidates[top..<min(candidates.count, top + room)])
    func widest(_ texts: [String], _ most: Int) -> Int {
      min(most, texts.map { TextWidth.width(of: $0, upTo: most, in: screen.charset) }.max() ?? 0)
    }
    let labels = widest(shown.map(\.label), Self.widestLabel)
    let rest = candidates.count - top - shown.count
    var notes = shown.map(\.note)
    if rest > 0, let last = notes.popLast() { notes.append("\(last)  ↓ \(rest) more") }
    let width = min(body.columns, labels + widest(notes, Self.widestNote) + 6)
    let left = max(0, min(column - 2, body.columns - width))
    for (offset, candidate) in shown.enumerated() {
      let isChosen = choice == top + offset
      let line = Rectangle(row: row - shown.count + offset, column: left, rows: 1, columns: width)
      draw(candidate, notes[offset], isChosen, labels, in: line, frame.theme, on: &screen)
    }
  }

  private func draw(
    _ candidate: Candidate,
    _ note: String,
    _ isChosen: Bool,
    _ labels: Int,
    in line: Rectangle,
    _ theme: Theme,
    on screen: inout Screen
  ) {
    let style = isChosen ? theme.cursor : .standard
    screen.put("", in: line, style: style)
    screen.put("│", row: line.row, column: line.column, style: theme.separator)
    screen.put("│", row: line.row, column: line.endColumn - 1, style: theme.separator)
    if isChosen { screen.put(">", row: line.row, column: line.column + 1, style: style) }
    let inside = line.prefix(line.columns - 1).dropping(2)
    let labelStyle = theme.style(of: candidate.kind).adding(style)
    screen.put(candidate.label, in: inside.prefix(labels), style: labelStyle)
    screen.put(note, in: inside.dropping(labels + 2), style: theme.note.adding(style))
  }
}

extension Theme {
  /// How what a candidate puts into a line looks there.
  fileprivate func style(of kind: Candidate.Kind) -> Style {
    switch kind {
    case .property: queryProperty
    case .comparator: queryComparator
    case .value: queryValue
    case .keyword: queryKeyword
    case .line: .standard
    }
  }
}
