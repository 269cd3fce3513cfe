internal import KennelCore

enum Movement {
  case lines(Int)
  case start
  case end
}

/// Moves inside of a view, and from view to view.
struct Navigation: BrowserPart {
  let browser: Browser

  /// How many lines a page of the pane with the focus has.
  private var pageSize: Int {
    let rows = browser.layout(browser.size).panes[view.focus]?.rows ?? browser.size.rows
    return max(1, rows - 2)
  }

  func movePage(_ pages: Int) {
    move(.lines(pages * pageSize))
  }

  func moveHalfPage(_ halves: Int) {
    move(.lines(halves * max(1, pageSize / 2)))
  }

  /// Moves to a line by its number from 1, or to the last one.
  func move(toLine number: Int?) {
    guard let number else { return move(.end) }
    move(.start)
    if number > 1 { move(.lines(number - 1)) }
  }

  /// Moves the cursor of the pane that has the focus.
  func move(_ movement: Movement) {
    switch view.focus {
    case .collections: moveInCollections(movement)
    case .links, .referrers: browser.linkWalking.move(by: distance(movement), in: view.focus)
    case .changes: browser.changes.move(by: distance(movement), in: browser.reviewing.lines())
    case .main: moveInMain(movement)
    }
  }

  /// Far enough from anywhere to either end of what is not virtual.
  static let far = 1 << 40

  private func distance(_ movement: Movement) -> Int {
    switch movement {
    case .lines(let distance): distance
    case .start: -Self.far
    case .end: Self.far
    }
  }

  private func moveInMain(_ movement: Movement) {
    switch view.main {
    case .table(var table):
      switch movement {
      case .lines(let distance): table.move(by: distance, in: model)
      case .start: table.moveToStart(in: model)
      case .end: table.moveToEnd(in: model)
      }
      view.main = .table(table)
    case .object(var object):
      object.move(by: distance(movement), in: model, theme: theme)
      view.main = .object(object)
    case .elements(var elements):
      switch movement {
      case .lines(let distance): elements.move(by: distance, in: model)
      case .start: elements.move(to: 0, in: model)
      case .end: elements.move(to: elements.count(in: model) - 1, in: model)
      }
      view.main = .elements(elements)
    case .summary: browser.summaries.move(movement)
    case .diagram: browser.diagrams.move(by: distance(movement))
    }
    if browser.marking.isMarkingRange { browser.marking.extendRange() }
    if case .lines = movement { view.resetLinks() }
  }

  /// `h` and `l`.
  func moveAcross(by distance: Int) {
    switch view.main {
    case .table: browser.tables.moveColumn(by: distance)
    case .summary: browser.summaries.moveColumn(by: distance)
    case .diagram: distance > 0 ? browser.diagrams.follow() : browser.diagrams.goBack()
    case .object, .elements: break
    }
  }

  /// `s`: by the column of the cursor.
  func sort() {
    if case .summary = view.main {
      browser.summaries.sort()
    } else {
      browser.tables.sort(adding: false)
    }
  }

  private func moveInCollections(_ movement: Movement) {
    let classes = model.schema.classes
    guard !classes.isEmpty else { return }
    let index = classes.firstIndex { $0.key == browser.collections.cursor } ?? 0
    let next = min(max(0, index + distance(movement)), classes.count - 1)
    select(classes[next].key)
  }

  /// Puts the cursor of the collections on a class; the main pane shows its objects meanwhile.
  func select(_ classKey: ClassKey) {
    guard classKey != view.classKey else { return browser.collections.show(classKey) }
    guard classKey != browser.collections.preview?.classKey else { return }
    let definition = TableDefinition(classKey: classKey)
    var table = TableState(id: browser.newNumber(), definition: definition)
    table.moveToStart(in: model)
    browser.collections.preview(table)
  }

  /// Goes to a pane; what the collections preview is opened where it is left for the main pane.
  func focus(on pane: Pane) {
    if pane != .collections, let preview = browser.preview {
      if pane == .changes {
        browser.collections.show(view.classKey)
      } else {
        // Going back leads to what was shown before, not to the collections.
        view.focus = .main
        go(to: View(main: .table(preview)))
      }
    }
    view.focus = pane
  }

  func changePane(by step: Int) {
    let available = Pane.allCases.filter { pane in
      switch pane {
      case .collections, .main: true
      case .links: view.subject != nil
      case .referrers: browser.linkWalking.isGraph
      case .changes: model.changeCount > 0 || view.focus == .changes
      }
    }
    let index = available.firstIndex(of: view.focus) ?? 0
    focus(on: available[(index + step + available.count) % available.count])
  }
}

// MARK: - From view to view

extension Navigation {
  /// Shows a view; going where one is adds no step to the way back.
  func go(to view: View) {
    if view.isOfSame(as: self.view) {
      self.view.focus = view.focus
    } else {
      browser.history.go(to: view)
    }
    arrive()
  }

  /// `K`.
  func togglePeek() {
    guard browser.isPeeking || browser.peekTarget != nil else {
      return say("There is no object under the cursor")
    }
    browser.isPeeking.toggle()
  }

  func goToObject(_ object: ObjectIdentity, step: String?) {
    guard model.contains(object) else {
      showError("\(model.text(object)) no longer exists")
      return
    }
    go(to: View(main: .object(ObjectState(object: object)), step: step))
  }

  func goToTable(_ definition: TableDefinition, step: String? = nil) {
    var table = TableState(id: browser.newNumber(), definition: definition)
    if definition.isPlain { table.moveToStart(in: model) }
    go(to: View(main: .table(table), step: step))
  }

  func goToElements(_ object: ObjectIdentity, _ property: PropertyKey) {
    var elements = ElementsState(object: object, property: property)
    elements.move(to: 0, in: model)
    let name = model.schema.property(property, of: object.classKey)?.name
    go(to: View(main: .elements(elements), step: name))
  }

  func goBack() {
    if browser.history.back() {
      arrive()
      browser.reports.showLeft()
    } else {
      say("There is no earlier view")
    }
  }

  func goForward() {
    if browser.history.forward() {
      arrive()
    } else {
      say("There is no later view")
    }
  }

  /// Brings a view that comes to the screen up to date.
  func arrive() {
    browser.isPeeking = false
    browser.collections.show(view.classKey)
    settle()
    browser.tables.renewResult()
    browser.summaries.renew()
  }

  /// Puts the cursors on what still exists, and says so where that is something else.
  func settle() {
    switch view.main {
    case .table(var table):
      if let gone = table.settle(in: model),
        !model.isDeletedHere(ObjectIdentity(table.classKey, gone))
      {
        let name = model.text(ObjectIdentity(table.classKey, gone))
        let next = table.object.map { model.text($0) }
        showError("\(name) was deleted" + (next.map { "; the cursor is on \($0)" } ?? ""))
      }
      view.main = .table(table)
    case .elements(var elements):
      if elements.settle(in: model), elements.count(in: model) > 0 {
        showError("The element under the cursor is gone")
      }
      view.main = .elements(elements)
    case .object(let object):
      if !model.contains(object.object) {
        showError("\(model.text(object.object)) was deleted")
      }
    case .summary, .diagram: break
    }
  }

  /// Enter.
  func open() {
    switch view.focus {
    case .collections:
      guard let classKey = browser.collections.cursor else { return }
      if browser.preview != nil { return focus(on: .main) }
      let definition = TableDefinition(classKey: classKey)
      if case .table(let table) = view.main, table.definition == definition {
        view.focus = .main
      } else {
        goToTable(definition)
      }
    case .links, .referrers: browser.linkWalking.open(in: view.focus)
    case .changes: browser.reviewing.openChange()
    case .main: openInMain()
    }
  }

  private func openInMain() {
    switch view.main {
    case .table(let table): open(table)
    case .object(let object): openLine(of: object)
    case .elements(let elements):
      guard let cursor = elements.cursor else { return }
      guard let target = cursor.target else {
        if case .data = cursor.value { return browser.files.showBytes() }
        if cursor.value.isCollection {
          let spot = Spot(elements.object, elements.property, element: cursor)
          return browser.editing.showNested(cursor.value, at: spot)
        }
        say("This element is a value; e edits it")
        return
      }
      goToObject(target, step: cursor.key ?? "\(cursor.index)")
    case .summary: browser.summaries.openRow()
    case .diagram: browser.diagrams.enter()
    }
  }

  private func open(_ table: TableState) {
    guard let object = table.object else { return }
    if let target = table.column.target(of: object, in: model) {
      return goToObject(target, step: table.column.name(in: table.classKey, model.schema))
    }
    guard let property = table.column.property(of: table.classKey, in: model.schema),
      model.contains(object)
    else {
      goToObject(object, step: nil)
      return
    }
    if property.isCollection {
      goToElements(object, property.key)
    } else if let target = linkTarget(Spot(object, property.key)) {
      goToObject(target, step: property.name)
    } else {
      goToObject(object, step: nil)
      // The object opens where the cursor was.
      if case .object(var state) = view.main {
        state.cursor = .property(property.key)
        view.main = .object(state)
      }
    }
  }

  private func openLine(of object: ObjectState) {
    guard let line = object.currentLine(in: model, theme: theme) else { return }
    switch line.id {
    case .more(let property):
      goToElements(object.object, property)
    case .backlink(let index):
      openBacklink(index, of: object.object)
    case .owner:
      goToOwner()
    case .element, .property:
      if let target = line.target {
        goToObject(target, step: line.name.trimmed)
      } else if let spot = line.spot, spot.element == nil,
        model.schema.property(spot.property, of: spot.object.classKey)?.isCollection == true
      {
        goToElements(spot.object, spot.property)
      } else if let spot = line.spot, model.holdsBytes(at: spot) {
        browser.files.showBytes()
      } else if let spot = line.spot, let value = browser.value(at: spot), value.isCollection {
        browser.editing.showNested(value, at: spot)
      } else {
        say("\(line.name.trimmed) has no link; e edits it")
      }
    }
  }

  private func openBacklink(_ index: Int, of object: ObjectIdentity) {
    guard let schema = model.schema[object.classKey], schema.backlinks.indices.contains(index)
    else { return }
    let backlink = schema.backlinks[index]
    showOrigins(backlink.origin, backlink.property, of: object, step: backlink.name)
  }

  func showOrigins(of group: BacklinkGroup, to target: ObjectIdentity) {
    let name = model.schema.property(group.property, of: group.origin)?.name ?? "?"
    showOrigins(group.origin, group.property, of: target, step: "←\(name)")
  }

  private func showOrigins(
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
    guard let object = view.subject else { return }
    guard let slot = model.owner(of: object) else {
      say(
        "\(model.text(object)) is not embedded; \(browser.key(of: "references")) shows what links to it"
      )
      return
    }
    goToObject(slot.object, step: "owner")
    guard case .object(var state) = view.main, state.object == slot.object else { return }
    state.cursor = .property(slot.property)
    view.main = .object(state)
  }

  /// Puts the cursor on objects that have come back, and leaves the view of one that has gone.
  func follow(_ back: [ObjectIdentity]) {
    if case .object(let object) = view.main, model.isDeletedHere(object.object),
      !model.contains(object.object), browser.history.canGoBack
    {
      goBack()
    }
    if case .object(let object)? = browser.history.next?.main, back.contains(object.object) {
      return goForward()
    }
    guard case .table(let table) = view.main,
      let first = back.filter({ $0.classKey == table.classKey }).min(),
      model.contains(first)
    else { return }
    updateTable { $0.cursor = first.key }
  }

  // MARK: - Bookmarks

  func setBookmark(_ letter: Character?) {
    guard let letter, let subject = view.subject else { return }
    browser.bookmarks[letter] = subject
    say("Bookmarked \(model.text(subject)); '\(letter) goes back to it")
  }

  func jump(to letter: Character?) {
    guard let letter, let object = browser.bookmarks[letter] else {
      showError(
        "There is no bookmark with that letter; \(browser.key(of: "bookmark")) and a letter set one"
      )
      return
    }
    goToObject(object, step: "'\(letter)")
  }
}
