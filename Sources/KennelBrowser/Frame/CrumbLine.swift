internal import KennelCore

/// The part of the title with the path that was walked, and with the tabs where there are several.
struct CrumbLine: BrowserPart {
  let browser: Browser
  /// The names of the path, which are read once for all that asks for them.
  private let parts: [String]
  /// The tabs, where there are several.
  private let tabs: [String]

  init(browser: Browser) {
    self.browser = browser
    let (model, charset) = (browser.model, browser.settings.charset)
    parts = browser.history.path.map { Self.part($0, in: model) }
    let all = browser.tabs.count > 1 ? browser.tabs.all : []
    tabs = all.enumerated().map { index, history in
      let name = history.current.main.name(in: model)
      return " \(index + 1) \(TextWidth.clip(name, to: Self.widestTab, in: charset)) "
    }
  }

  /// As much of a tab's name as is shown.
  private static let widestTab = 20

  /// How many columns the path and the tabs need, if no more than about `most`.
  func neededColumns(upTo most: Int, in charset: Charset) -> Int {
    let shown = tabs.isEmpty ? "" : "  " + tabs.joined()
    return pathColumns(upTo: most, in: charset)
      + TextWidth.width(of: shown, upTo: most, in: charset)
  }

  private func pathColumns(upTo most: Int, in charset: Charset) -> Int {
    let text = parts.joined(separator: " › ")
    return 1 + TextWidth.width(of: text, upTo: most, in: charset)
  }

  /// How many columns the view alone needs.
  func columnsOfView(in charset: Charset) -> Int {
    let name = entry.main.name(in: model)
    return 1 + Self.omission.count + TextWidth.width(of: name, upTo: 200, in: charset)
  }

  func draw(_ line: Rectangle, on screen: inout Screen) {
    var path = line
    if !tabs.isEmpty {
      let here = entry.main.name(in: model)
      let room = room(in: line, isCut: true)
      let needed = TextWidth.width(of: here, upTo: room, in: screen.charset)
      // Half of the line, or what the path leaves.
      let rest = line.columns - 2 - pathColumns(upTo: line.columns, in: screen.charset)
      let most = min(max(line.columns / 2, rest), room - needed - 2 - 2 * Self.cut.count)
      let width = drawTabs(line, most: most, on: &screen)
      path.columns = max(0, line.columns - width - 2)
    }
    drawPath(path, on: &screen)
  }

  /// Stands for the tabs for which there is no room.
  private static let cut = "…"

  /// Draws the tabs at the right end, those around the current one where there is no room for all;
  /// so many columns are taken.
  private func drawTabs(_ line: Rectangle, most: Int, on screen: inout Screen) -> Int {
    let charset = screen.charset
    let widths = tabs.map { TextWidth.width(of: $0, in: charset) }
    let current = browser.tabs.number - 1
    var shown = current..<(current + 1)
    var width = widths[current]
    while true {
      let room = most - width
      if shown.upperBound < tabs.count, widths[shown.upperBound] <= room {
        width += widths[shown.upperBound]
        shown = shown.lowerBound..<(shown.upperBound + 1)
      } else if shown.lowerBound > 0, widths[shown.lowerBound - 1] <= room {
        width += widths[shown.lowerBound - 1]
        shown = (shown.lowerBound - 1)..<shown.upperBound
      } else {
        break
      }
    }
    let left = shown.lowerBound > 0 ? Self.cut : ""
    let right = shown.upperBound < tabs.count ? Self.cut : ""
    width += left.count + right.count
    var column = line.column + max(0, line.columns - width)
    column += screen.put(left, row: line.row, column: column, style: theme.crumbs)
    for index in shown {
      let style = index == current ? theme.crumbs.adding(theme.cursor) : theme.crumbs
      column += screen.put(tabs[index], row: line.row, column: column, style: style)
    }
    screen.put(right, row: line.row, column: column, style: theme.crumbs)
    return min(width, line.columns)
  }

  /// Stands for what is left out of the path.
  private static let omission = "… › "

  /// How many columns there are for the path, where some of it is left out or nothing is.
  private func room(in line: Rectangle, isCut: Bool) -> Int {
    line.columns - 1 - (isCut ? Self.omission.count : 0)
  }

  /// A part of the path: the step that led to a view, and the view.
  private static func part(_ entry: HistoryEntry, in model: BrowserModel) -> String {
    let name = entry.main.name(in: model)
    guard let step = entry.step, step != name, !step.isEmpty else { return name }
    return "\(step) \(name)"
  }

  /// Draws the path walked, the newest part at the right, without the step to it where that leaves no
  /// room for its name.
  private func drawPath(_ line: Rectangle, on screen: inout Screen) {
    var parts = parts
    func fits(_ text: String, from index: Int) -> Bool {
      let room = room(in: line, isCut: index > 0)
      return TextWidth.width(of: text, upTo: room + 1, in: screen.charset) <= room
    }
    if let last = parts.indices.last, !fits(parts[last], from: last) {
      parts[last] = entry.main.name(in: model)
    }
    var text = ""
    var whole = 0
    for (index, part) in parts.enumerated().reversed() {
      let longer = text.isEmpty ? part : "\(part) › \(text)"
      guard fits(longer, from: index) else {
        let room = room(in: line, isCut: true)
        let end = text.isEmpty ? TextWidth.clip(part, to: room, in: screen.charset) : text
        text = Self.omission + end
        break
      }
      text = longer
      whole += 1
    }
    screen.put(" \(text)", in: line, style: theme.crumbs)
    var column = line.column + 1 + (whole < parts.count ? Self.omission.count : 0)
    for index in parts.count - whole..<parts.count {
      let end = column + TextWidth.width(of: parts[index], in: screen.charset)
      screen.addTarget(row: line.row, columns: column..<end, .back(parts.count - 1 - index))
      column = end + 3
    }
  }
}
