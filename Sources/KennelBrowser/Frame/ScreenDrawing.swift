internal import KennelCore
internal import KennelReports

extension Browser {
  /// Where the panes are on the screen.
  var layout: Layout {
    let isTable = entry.main is TableView || preview != nil
    return Layout(
      size,
      Layout.Wishes(
        focus: entry.focus,
        isZoomed: isZoomed,
        hasChanges: model.changeCount > 0,
        showsLinks: !isTable && entry.subject != nil,
        hasLinks: entry.subject != nil || isTable,
        tableWidth: size.columns < Layout.wide ? nil : TableDrawing.neededWidth(in: self),
        collectionsWidth: CollectionsView.width(of: model.schema),
        isGraph: LinkWalking(self).isGraph,
        previewRows: Peek(self).wantedRows
      )
    )
  }
}

/// Draws the panes and what is around them, and the dialog above all.
struct ScreenDrawing: BrowserPart {
  let browser: Browser
  private let layout: Layout

  init(browser: Browser) {
    self.browser = browser
    layout = browser.layout
  }

  private func frame(_ pane: Pane, _ rectangle: Rectangle) -> PaneFrame {
    let isSearched = [.main, entry.focus].contains(pane) && browser.search.isShown
    return PaneFrame(
      browser: browser,
      rectangle: Peek(browser).room(of: pane, in: layout) ?? rectangle,
      hasFocus: entry.focus == pane && browser.dialog == nil,
      key: pane.command.map(browser.key(of:)),
      matches: isSearched ? browser.search.pattern : nil
    )
  }

  /// Scrolls each pane so that its cursor is seen.
  func scrollPanes() {
    for (pane, rectangle) in layout.panes {
      let frame = frame(pane, rectangle)
      if pane == .main, var preview = browser.preview {
        preview.scroll(in: frame)
        browser.collections.preview = preview
      } else {
        browser.update(pane) { $0.scroll(in: frame) }
      }
    }
  }

  func draw(on screen: inout Screen) {
    for separator in layout.separators {
      screen.fill(separator, with: "│", style: theme.separator)
    }
    var cursorCell: Rectangle?
    for (pane, rectangle) in layout.panes.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      let frame = frame(pane, rectangle)
      if pane == .main, let preview = browser.preview {
        _ = preview.draw(frame, on: &screen)
      } else {
        cursorCell = browser[pane].draw(frame, on: &screen) ?? cursorCell
      }
    }
    Peek(browser).draw(layout, on: &screen)
    if let title = layout.title { drawTitle(title, on: &screen) }
    if let status = layout.status { drawStatus(status, on: &screen) }
    if let hints = layout.hints { HintLine(browser).draw(hints, on: &screen) }
    let frame = DialogFrame(browser: browser, layout: layout, cell: cursorCell)
    browser.dialog?.draw(frame, on: &screen)
  }

  // MARK: - Frame

  /// The state of the file, at the end of the title.
  private var badge: (text: String, style: Style) {
    let draft = "DRAFT \(counted(model.changeCount, "change"))"
    if model.filePlace != .unchanged {
      let state = model.filePlace == .gone ? "FILE IS GONE" : "FILE WAS REPLACED"
      return (model.changeCount > 0 ? "\(state)  \(draft)" : state, theme.alarmBadge)
    }
    if browser.settings.reading != nil { return ("FIRST ROWS", theme.readOnlyBadge) }
    if !model.draftOwner.exists { return ("READ ONLY", theme.readOnlyBadge) }
    if !model.draftOwner.conflicts.isEmpty { return ("CONFLICT  \(draft)", theme.alarmBadge) }
    let shown = browser.preview?.classKey ?? entry.classKey
    if browser.settings.declarations.classes[shown]?.readOnlyReason != nil {
      let text = model.changeCount > 0 ? "READ ONLY  \(draft)" : "READ ONLY"
      return (text, theme.readOnlyBadge)
    }
    guard model.changeCount > 0 else { return ("NO CHANGES", theme.title) }
    let isSaved = browser.autosave.problem == nil
    return isSaved ? (draft, theme.draftBadge) : ("\(draft), NOT SAVED", theme.alarmBadge)
  }

  /// So much of a file's name says something.
  private static let leastOfName = 8

  /// Draws the file, the path to what is shown, the tabs, and the state of the file.
  private func drawTitle(_ line: Rectangle, on screen: inout Screen) {
    let (mode, style) = badge
    let room = max(0, line.columns - mode.count - 2)
    let crumbs = CrumbLine(browser)
    let charset = screen.charset
    // Where all does not fit, the file has a third of it, but never the place of what is shown.
    let third = min(room / 3, room - crumbs.columnsOfView(in: charset))
    let most = max(third, room - crumbs.neededColumns(upTo: room, in: charset))
    var end = 0
    if most >= Self.leastOfName {
      let name = fileName(upTo: most - 2, in: charset)
      end = screen.put(" \(name) ", in: line, style: theme.title)
    }
    crumbs.draw(line.prefix(room).dropping(end), on: &screen)
    screen.put(" \(mode) ", in: line.dropping(room).prefix(mode.count + 2), style: style)
  }

  /// The name of the file, and how old what is shown of it is where there is room for both.
  private func fileName(upTo columns: Int, in charset: Charset) -> String {
    let age = browser.settings.original?.time.map { ", as of \(browser.settings.time($0))" } ?? ""
    let room = columns - TextWidth.width(of: age, in: charset)
    let name = browser.settings.fileName
    return room < 2 * Self.leastOfName
      ? shortened(name, to: columns, in: charset) : shortened(name, to: room, in: charset) + age
  }

  /// As much of a path as there is room for: the file's own name is what tells it from others, and of
  /// that its beginning and its end.
  private func shortened(_ path: String, to columns: Int, in charset: Charset) -> String {
    func fits(_ text: String) -> Bool {
      TextWidth.width(of: text, upTo: columns + 1, in: charset) <= columns
    }
    var name = path
    if !fits(name), let slash = path.lastIndex(of: "/") {
      // Of a database on a server, its name stays.
      let start = path.firstRange(of: " on /").map { path[..<$0.upperBound].dropLast() } ?? ""
      name = "\(start)…\(path[slash...])"
    }
    guard !fits(name), columns >= 2 * Self.leastOfName else {
      return TextWidth.clip(name, to: columns, in: charset)
    }
    let end = String(name.suffix(Self.leastOfName))
    let room = columns - TextWidth.width(of: end, in: charset)
    return TextWidth.clip(String(name.dropLast(Self.leastOfName)), to: room, in: charset) + end
  }

  private var status: (text: String, style: Style) {
    let pending = KeyReading(browser).pendingText
    if !pending.isEmpty { return (pending, theme.standard) }
    if let message { return (message.shown, message.isError ? theme.error : theme.standard) }
    if let problem = model.problem { return ("! \(problem)", theme.error) }
    if let job = Jobs(browser).shown { return (job.text(in: browser), theme.standard) }
    if let sentence = model.fileSentence { return ("! \(sentence)", theme.error) }
    return (model.draftOwner.exists ? "" : browser.readOnlyReason ?? "", theme.standard)
  }

  private func drawStatus(_ line: Rectangle, on screen: inout Screen) {
    let (whole, style) = status
    var text = whole
    if text == message?.shown, browser.dialog == nil, line.row > 0,
      let (first, rest) = broken(text, line.columns, screen)
    {
      screen.put(first, in: line.line(-1), style: style)
      text = rest
    }
    screen.put(text, in: line, style: style)
  }

  /// The words of a text that fit a line, and the others; `nil` where all of them do.
  private func broken(_ text: String, _ columns: Int, _ screen: Screen) -> (String, String)? {
    func fits(_ text: Substring) -> Bool {
      TextWidth.width(of: text, upTo: columns, in: screen.charset) <= columns
    }
    guard !fits(text[...]) else { return nil }
    var end = text.startIndex
    for space in text.indices where text[space] == " " {
      guard fits(text[..<space]) else { break }
      end = space
    }
    guard end > text.startIndex else { return nil }
    return (String(text[..<end]), String(text[text.index(after: end)...]))
  }
}
