/// `zz`, `zt` and `zb`: scroll the lines, while the cursor stays on its own.
///
/// At both ends the lines scroll only as far as there are others to show.
struct Scrolling: BrowserPart {
  let browser: Browser

  /// Where the line of the cursor goes.
  enum Place {
    case top
    case middle
    case bottom
  }

  func scroll(cursorTo place: Place) {
    let above = lines(above: place)
    func top(_ cursor: Int?) -> Int { max(0, (cursor ?? 0) - above) }
    if view.focus == .changes {
      browser.changes.top = top(browser.changes.cursorIndex(in: browser.reviewing.lines()))
      return
    }
    switch view.main {
    case .table:
      updateTable { $0.scroll(linesAboveCursor: above, in: model) }
    case .object(var object):
      object.top = top(object.cursorIndex(in: object.lines(in: model, theme: theme)))
      view.main = .object(object)
    case .elements(var elements):
      elements.top = top(elements.cursor?.index)
      view.main = .elements(elements)
    case .summary(var summary):
      summary.top = top(summary.cursor)
      view.main = .summary(summary)
    case .diagram: break
    }
  }

  /// So many lines stand above one in the pane that has the focus.
  private func lines(above place: Place) -> Int {
    let layout = browser.layout(browser.size)
    guard let rectangle = layout.panes[view.focus] else { return 0 }
    let pane = PaneView(model: model, theme: theme, rectangle: rectangle, hasFocus: true)
    var rows = pane.rows
    switch browser.context {
    case .table, .summary: rows -= TableView.headerRows(in: pane)
    case .collections, .object, .elements, .links, .changes, .diagram: break
    }
    switch place {
    case .top: return 0
    case .middle: return max(0, rows / 2)
    case .bottom: return max(0, rows - 1)
    }
  }
}
