internal import KennelCore

// Moving inside a view, and from view to view.

enum Movement {
  case lines(Int)
  case start
  case end
}

extension Browser {
  /// How many lines a page of the pane with the focus has.
  var pageSize: Int {
    let rows = layout(size).panes[view.focus]?.rows ?? size.rows
    return max(1, rows - 2)
  }

  func updateTable(_ change: (inout TableState) -> Void) {
    guard case .table(var table) = view.main else { return }
    change(&table)
    view.main = .table(table)
  }

  /// Moves the cursor of the pane that has the focus.
  func move(_ movement: Movement) {
    switch view.focus {
    case .collections: moveInCollections(movement)
    case .links: moveInLinks(movement)
    case .changes: moveInChanges(movement)
    case .main: moveInMain(movement)
    }
  }

  /// Far enough from anywhere to either end of what is not virtual.
  private static let far = 1 << 40

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
    }
    if case .lines = movement { view.links = LinksState() }
  }

  private func moveInCollections(_ movement: Movement) {
    let classes = model.schema.classes
    guard !classes.isEmpty else { return }
    let index = classes.firstIndex { $0.key == collection } ?? 0
    collection = classes[min(max(0, index + distance(movement)), classes.count - 1)].key
  }

  private func moveInLinks(_ movement: Movement) {
    guard let subject = view.subject else { return }
    let lines = LinksState.lines(of: subject, in: model, theme: theme)
    view.links.move(by: distance(movement), in: lines)
  }

  func changePane(by step: Int) {
    let available = Pane.allCases.filter { pane in
      switch pane {
      case .collections, .main: true
      case .links: view.subject != nil
      case .changes: model.changeCount > 0 || view.focus == .changes
      }
    }
    let index = available.firstIndex(of: view.focus) ?? 0
    view.focus = available[(index + step + available.count) % available.count]
  }
}

// MARK: - From view to view

extension Browser {
  func go(to view: View) {
    history.go(to: view)
    arrive()
  }

  func goToObject(_ object: ObjectIdentity, step: String?) {
    guard model.contains(object) else {
      showError("\(model.text(object)) does not exist any more")
      return
    }
    go(to: View(main: .object(ObjectState(object: object)), step: step))
  }

  func goToTable(_ definition: TableDefinition, step: String? = nil) {
    var table = TableState(id: newNumber(), definition: definition)
    if definition.isPlain { table.moveToStart(in: model) }
    collection = definition.classKey
    go(to: View(main: .table(table), step: step))
  }

  func goToElements(_ object: ObjectIdentity, _ property: PropertyKey) {
    var elements = ElementsState(object: object, property: property)
    elements.move(to: 0, in: model)
    let name = model.schema.property(property, of: object.classKey)?.name
    go(to: View(main: .elements(elements), step: name))
  }

  func goBack() {
    if history.back() {
      arrive()
    } else {
      say("This is where the walk began")
    }
  }

  func goForward() {
    if history.forward() {
      arrive()
    } else {
      say("This is as far as the walk went")
    }
  }

  /// Brings a view that comes to the screen up to date.
  func arrive() {
    isPeeking = false
    collection = view.classKey
    settle()
    renewResult()
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
    }
  }

  /// Enter.
  func open() {
    switch view.focus {
    case .collections:
      guard let collection else { return }
      let definition = TableDefinition(classKey: collection)
      if case .table(let table) = view.main, table.definition == definition {
        view.focus = .main
      } else {
        goToTable(definition)
      }
    case .links: openLink()
    case .changes: openChange()
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
        say("This element is a value; e edits it")
        return
      }
      goToObject(target, step: cursor.key ?? "\(cursor.index)")
    }
  }

  private func open(_ table: TableState) {
    guard let object = table.object else { return }
    guard let key = table.column, let property = model.schema.property(key, of: table.classKey),
      model.contains(object)
    else {
      goToObject(object, step: nil)
      return
    }
    if property.isCollection {
      goToElements(object, key)
    } else if let target = linkTarget(Spot(object, key)) {
      goToObject(target, step: property.name)
    } else {
      goToObject(object, step: nil)
      // The object opens where the cursor was.
      if case .object(var state) = view.main {
        state.cursor = .property(key)
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
      } else {
        say("\(line.name.trimmed) links to nothing; e edits it")
      }
    }
  }

  private func openBacklink(_ index: Int, of object: ObjectIdentity) {
    guard let schema = model.schema[object.classKey], schema.backlinks.indices.contains(index)
    else { return }
    let backlink = schema.backlinks[index]
    showOrigins(backlink.origin, backlink.property, of: object, step: backlink.name)
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

  private func openLink() {
    guard let subject = view.subject else { return }
    let lines = LinksState.lines(of: subject, in: model, theme: theme)
    guard let index = view.links.cursorIndex(in: lines) else {
      say("\(model.text(subject)) has no links")
      return
    }
    let line = lines[index]
    view.links.cursor = line.id
    if let target = line.target {
      goToObject(target, step: "links")
    } else if let group = line.group {
      let name = model.schema.property(group.property, of: group.origin)?.name ?? "?"
      showOrigins(group.origin, group.property, of: subject, step: "←\(name)")
    } else if let collection = line.collection {
      goToElements(collection.object, collection.property)
    }
  }

  /// `gr`: the links pane, with the cursor on the first that points here.
  func showReferences() {
    guard let subject = view.subject else { return }
    let lines = LinksState.lines(of: subject, in: model, theme: theme)
    view.focus = .links
    view.links.cursor = lines.first { $0.isSelectable }?.id
    view.links.top = 0
    if model.backlinks(to: subject).isEmpty, model.owner(of: subject) == nil {
      say("Nobody points at \(model.text(subject))")
    }
  }

  /// `gp`: from an embedded object to the one that it is a part of.
  func goToOwner() {
    guard let object = view.subject else { return }
    guard let slot = model.owner(of: object) else {
      say("\(model.text(object)) is not embedded; gr shows who points here")
      return
    }
    goToObject(slot.object, step: "owner")
    guard case .object(var state) = view.main, state.object == slot.object else { return }
    state.cursor = .property(slot.property)
    view.main = .object(state)
  }

  // MARK: - Bookmarks

  func setBookmark(_ letter: Character?) {
    guard let letter, let subject = view.subject else { return }
    bookmarks[letter] = subject
    say("'\(letter) comes back to \(model.text(subject))")
  }

  func jump(to letter: Character?) {
    guard let letter, let object = bookmarks[letter] else {
      showError("No object is remembered under that letter; m and a letter remember one")
      return
    }
    goToObject(object, step: "'\(letter)")
  }
}

extension String {
  /// Without the blanks at both ends.
  var trimmed: String {
    var text = Substring(self)
    while text.first == " " { text.removeFirst() }
    while text.last == " " { text.removeLast() }
    return String(text)
  }
}
