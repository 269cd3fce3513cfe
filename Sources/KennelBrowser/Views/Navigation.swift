internal import KennelCore

/// Moves inside of a view, and from view to view.
struct Navigation: BrowserPart {
  let browser: Browser

  /// How many lines a page of the pane with the focus has.
  private var pageSize: Int {
    max(1, (room?.rows ?? browser.size.rows) - 2)
  }

  /// Where the pane with the focus shows its lines.
  private var room: Rectangle? { Peek(browser).room(of: entry.focus, in: browser.layout) }

  func movePage(_ pages: Int) {
    move(.lines(pages * pageSize))
  }

  func moveHalfPage(_ halves: Int) {
    move(.lines(halves * max(1, pageSize / 2)))
  }

  /// Where the line of the cursor goes.
  enum Place {
    case top
    case middle
    case bottom
  }

  /// `zz`, `zt` and `zb`: scroll the lines, while the cursor stays on its own; at both ends only as far
  /// as there are others to show.
  func scroll(cursorTo place: Place) {
    guard let room else { return }
    let frame = PaneFrame(browser: browser, rectangle: room, hasFocus: true)
    browser.update(entry.focus) { view in
      let rows = frame.rows - view.headerRows(in: frame)
      let above =
        switch place {
        case .top: 0
        case .middle: max(0, rows / 2)
        case .bottom: max(0, rows - 1)
        }
      view.scroll(linesAboveCursor: above, in: browser)
    }
  }

  /// Moves to a line by its number from 1, or to the last one.
  func move(toLine number: Int?) {
    guard let number else { return move(.end) }
    move(.start)
    if number > 1 { move(.lines(number - 1)) }
  }

  /// Moves the cursor of the pane that has the focus.
  func move(_ movement: Movement) {
    browser.update(entry.focus) { $0.move(movement, in: browser) }
    if entry.focus == .main, case .lines = movement { entry.resetLinks() }
  }

  /// `h` and `l`.
  func moveAcross(by distance: Int) {
    browser.update(.main) { $0.moveAcross(by: distance, in: browser) }
  }

  /// Goes to a pane; what the collections preview is opened where it is left for the main pane.
  func focus(on pane: Pane) {
    if pane != .collections, let preview = browser.preview {
      if pane == .changes {
        browser.collections.show(entry.classKey)
      } else {
        // Going back leads to what was shown before, not to the collections.
        entry.focus = .main
        go(to: preview)
      }
    }
    entry.focus = pane
  }

  func changePane(by step: Int) {
    let available = Pane.allCases.filter { pane in
      switch pane {
      case .collections, .main: true
      case .links: entry.subject != nil
      case .referrers: LinkWalking(browser).isGraph
      case .changes: model.changeCount > 0 || entry.focus == .changes
      }
    }
    let index = available.firstIndex(of: entry.focus) ?? 0
    focus(on: available[(index + step + available.count) % available.count])
  }
}

// MARK: - From view to view

extension Navigation {
  /// Shows a view; going where one is adds no step to the way back.
  func go(to view: any View, step: String? = nil) {
    if view.content == entry.main.content {
      entry.focus = .main
    } else {
      browser.history.go(to: HistoryEntry(main: view, step: step))
    }
    arrive()
  }

  /// Goes to an object, and to a line of it.
  func goToObject(_ object: ObjectIdentity, step: String?, at line: ObjectView.LineID? = nil) {
    guard model.contains(object) else { return showError("\(model.text(object)) no longer exists") }
    go(to: ObjectView(object: object), step: step)
    if let line { browser.updateMain { (view: inout ObjectView) in view.cursor = line } }
  }

  func goToTable(_ definition: TableDefinition, step: String? = nil) {
    go(to: TableView(of: definition, in: browser), step: step)
  }

  func goToElements(_ object: ObjectIdentity, _ property: PropertyKey) {
    var elements = ElementsView(object: object, property: property)
    elements.move(to: 0, in: model)
    go(to: elements)
  }

  func goBack() {
    if browser.history.go(by: -1) {
      arrive()
      Reports(browser).showLeft()
    } else {
      say("There is no earlier view")
    }
  }

  func goForward() {
    if browser.history.go(by: 1) {
      arrive()
    } else {
      say("There is no later view")
    }
  }

  /// Brings a view that comes to the screen up to date.
  func arrive() {
    Peek(browser).close()
    browser.collections.show(entry.classKey)
    repairCursor()
    entry.main.renew(in: browser)
  }

  /// Puts the cursor on what still exists, and says so where that is something else.
  func repairCursor() {
    browser.update(.main) { $0.repairCursor(in: browser) }
  }

  /// Enter.
  func open() { browser[entry.focus].open(in: browser) }

  func showOrigins(of group: BacklinkGroup, to target: ObjectIdentity) {
    let name = model.name(of: group.property, in: group.origin)
    showOrigins(group.origin, group.property, of: target, step: "←\(name)")
  }

  func showOrigins(
    _ origin: ClassKey,
    _ property: PropertyKey,
    of target: ObjectIdentity,
    step: String
  ) {
    let base = TableDefinition.Base.origins(property: property, target: target)
    goToTable(TableDefinition(classKey: origin, base: base), step: step)
  }

  /// `gp`: from an embedded object to the one that it is a part of.
  func goToOwner() {
    guard let object = entry.subject else { return }
    guard let slot = model.owner(of: object) else {
      return say(
        "\(model.text(object)) is not embedded; \(key(of: "references")) shows what links to it"
      )
    }
    goToObject(slot.object, step: "owner", at: .property(slot.property))
  }

  /// Puts the cursor on objects that have come back, and leaves the view of one that has gone.
  func follow(_ back: [ObjectIdentity]) {
    if let object = (entry.main as? ObjectView)?.object, model.isDeletedHere(object),
      !model.contains(object), browser.history.canGoBack
    {
      goBack()
    }
    if let next = browser.history.next?.main as? ObjectView, back.contains(next.object) {
      return goForward()
    }
    guard let classKey = browser.table?.classKey,
      let first = back.filter({ $0.classKey == classKey }).min(), model.contains(first)
    else { return }
    updateTable { $0.cursor = first.key }
  }

  // MARK: - Bookmarks

  func setBookmark(_ letter: Character?) {
    guard let letter, let subject = entry.subject else { return }
    browser.bookmarks[letter] = subject
    say("Bookmarked \(model.text(subject)); \(key(of: "jump"))\(letter) goes back to it")
  }

  func jump(to letter: Character?) {
    guard let letter, let object = browser.bookmarks[letter] else {
      return showError(
        "There is no bookmark with that letter; \(key(of: "bookmark")) and a letter set one"
      )
    }
    goToObject(object, step: "'\(letter)")
  }
}
