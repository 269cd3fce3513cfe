internal import KennelCore

/// A line of a ``LineView``.
protocol ViewLine {
  associatedtype Place: Hashable

  /// Identifies the line for the cursor; `nil` where the cursor never stops at it.
  var place: Place? { get }
  /// Whether a text is found in it.
  func has(_ pattern: SearchPattern, in browser: Browser) -> Bool
}

/// A view that makes all of its lines at once; its cursor stays on its line when others come or go.
protocol LineView: View {
  associatedtype Line: ViewLine

  var cursor: Line.Place? { get set }
  /// The first line on the screen.
  var top: Int { get set }

  func lines(in browser: Browser) -> [Line]
  /// The line of the cursor; another one where its line is gone.
  func cursorIndex(in lines: [Line]) -> Int?
  /// Called when a key has moved the cursor.
  mutating func cursorMoved(in browser: Browser)
  func sentence(notFound pattern: SearchPattern) -> String
}

extension LineView {
  func cursorIndex(in lines: [Line]) -> Int? {
    let current = cursor.flatMap { cursor in lines.firstIndex { $0.place == cursor } }
    return current ?? lines.firstIndex { $0.place != nil }
  }

  /// The line of the cursor.
  func line(in browser: Browser) -> Line? {
    let lines = lines(in: browser)
    return cursorIndex(in: lines).map { lines[$0] }
  }

  mutating func cursorMoved(in browser: Browser) {}

  func sentence(notFound pattern: SearchPattern) -> String { "\(pattern.name) is not found" }

  mutating func move(_ movement: Movement, in browser: Browser) {
    let lines = lines(in: browser)
    let places = lines.indices.filter { lines[$0].place != nil }
    guard let index = cursorIndex(in: lines), let place = places.firstIndex(of: index) else {
      return
    }
    put(cursorOn: lines[places[movement.target(from: place, count: places.count)]], browser)
  }

  mutating func find(_ pattern: SearchPattern, isForward: Bool, in browser: Browser) {
    let lines = lines(in: browser)
    let matches = lines.indices.filter {
      lines[$0].place != nil && lines[$0].has(pattern, in: browser)
    }
    let current = cursorIndex(in: lines) ?? 0
    guard let next = Searching.next(in: matches, after: current, isForward) else {
      return browser.showError(sentence(notFound: pattern))
    }
    let number = (matches.firstIndex(of: next) ?? 0) + 1
    let hasWrapped = isForward ? next <= current : next >= current
    Searching(browser).say(number, of: "\(matches.count)", hasWrapped: hasWrapped)
    put(cursorOn: lines[next], browser)
  }

  mutating func takePlace(of former: any View, in browser: Browser) {
    guard let former = former as? Self else { return }
    (cursor, top) = (former.cursor, former.top)
    cursorMoved(in: browser)
  }

  mutating func click(row: Int, column: Int, in frame: PaneFrame) -> Click {
    let lines = lines(in: frame.browser)
    guard lines.indices.contains(top + row), lines[top + row].place != nil else { return .nothing }
    put(cursorOn: lines[top + row], frame.browser)
    return .line
  }

  private mutating func put(cursorOn line: Line, _ browser: Browser) {
    cursor = line.place
    cursorMoved(in: browser)
  }

  mutating func scroll(in frame: PaneFrame) {
    let lines = lines(in: frame.browser)
    let cursor = cursorIndex(in: lines)
    top = PaneFrame.scroll(top, cursor: cursor, count: lines.count, rows: frame.rows)
  }

  mutating func scroll(linesAboveCursor count: Int, in browser: Browser) {
    top = max(0, (cursorIndex(in: lines(in: browser)) ?? 0) - count)
  }

  /// Draws the lines that there is room for.
  ///
  /// - Parameters:
  ///   - lines: The lines.
  ///   - frame: The pane.
  ///   - showsCursor: Whether the line of the cursor is marked.
  ///   - screen: The screen.
  ///   - show: The text and the style of a line.
  func draw(
    _ lines: [Line],
    _ frame: PaneFrame,
    showsCursor: Bool = true,
    on screen: inout Screen,
    _ show: (Line) -> (text: String, style: Style)
  ) {
    let cursor = showsCursor ? cursorIndex(in: lines) : nil
    for (offset, line) in lines.dropFirst(top).prefix(frame.rows).enumerated() {
      let (text, style) = show(line)
      frame.drawLine(text, at: offset, isCursor: top + offset == cursor, style: style, on: &screen)
    }
  }
}
