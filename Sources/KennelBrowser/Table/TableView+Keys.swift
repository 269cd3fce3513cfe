internal import KennelCore

// MARK: - What it is about

extension TableView {
  var context: Context { .table }
  var content: AnyHashable { wanted }
  var subject: ObjectIdentity? { object }
  var jobID: Int? { id }

  func name(in model: BrowserModel) -> String { model.name(of: classKey) }

  func spot(in model: BrowserModel) -> Spot? {
    guard let object, let property = column.property(of: classKey, in: model.schema) else {
      return nil
    }
    return Spot(object, property.key)
  }
}

// MARK: - Keys

extension TableView {
  mutating func move(_ movement: Movement, in browser: Browser) {
    switch movement {
    case .lines(let distance): move(by: distance, in: browser.model)
    case .start: moveToStart(in: browser.model)
    case .end: moveToEnd(in: browser.model)
    }
    if range != nil { extendRange(in: browser) }
  }

  mutating func moveAcross(by distance: Int, in browser: Browser) {
    let columns = [.key] + columns(in: browser.model)
    let index = columns.firstIndex(of: column) ?? 0
    column = columns[min(max(0, index + distance), columns.count - 1)]
  }

  func open(in browser: Browser) {
    guard let object else { return }
    let (model, navigation) = (browser.model, Navigation(browser))
    if let target = column.target(of: object, in: model) {
      return navigation.goToObject(target, step: column.name(in: classKey, model.schema))
    }
    guard let property = column.property(of: classKey, in: model.schema), model.contains(object)
    else { return navigation.goToObject(object, step: nil) }
    if property.isCollection {
      navigation.goToElements(object, property.key)
    } else if let target = browser.linkTarget(Spot(object, property.key)) {
      navigation.goToObject(target, step: property.name)
    } else {
      // The object opens where the cursor was.
      navigation.goToObject(object, step: nil, at: .property(property.key))
    }
  }

  func openLabel(in browser: Browser) -> String? {
    let model = browser.model
    guard marks.isEmpty, let object else { return nil }
    if let spot = spot(in: model), let property = model.property(of: spot) {
      if property.isCollection { return "open \(property.name)" }
      if let target = browser.linkTarget(spot) {
        return "\(property.isEmbedded ? "into" : "follow to") \(model.text(target))"
      }
    }
    return "open \(model.text(object))"
  }

  func hints(in browser: Browser) -> [String] {
    // Where objects are marked, keys act on all of them.
    guard marks.isEmpty else {
      return ["mark-range", "edit", "value", "delete", "copy", "mark", "cancel"]
    }
    guard object != nil else { return ["back", "clear-filter", "create", "collections"] }
    return [
      "open", "right", "edit", "references", "back", "clear-filter", "value", "unlink", "filter",
      "find", "sort", "create", "delete", "peek", "collections",
    ]
  }

  func sort(in browser: Browser) { TableActions(browser).sort(adding: false) }

  func renew(in browser: Browser) { TableActions(browser).renewResult() }

  mutating func find(_ pattern: SearchPattern, isForward: Bool, in browser: Browser) {
    let schema = browser.model.schema[classKey]
    let search = TextSearch(
      pattern: pattern,
      classKey: classKey,
      properties: [schema?.primaryKey].compactMap(\.self)
        + columns(in: browser.model).compactMap {
          $0.property(of: classKey, in: browser.model.schema)
        },
      keys: definition.isPlain ? nil : result,
      start: cursor,
      isForward: isForward
    )
    Searching(browser).find(pattern, in: self, search.run, counting: search.matches)
  }

  mutating func takePlace(of former: any View, in browser: Browser) {
    guard let former = former as? Self else { return }
    (cursor, cursorHint, top, topHint) = (
      former.cursor, former.cursorHint, former.top, former.topHint
    )
    (column, firstColumn) = (former.column, former.firstColumn)
  }

  mutating func show(_ place: FoundPlace, in browser: Browser) {
    cursor = place.key
    let primaryKey = browser.model.schema[classKey]?.primaryKey?.key
    column = place.property.flatMap { $0 == primaryKey ? nil : .property($0) } ?? .key
    if let hint = rows(in: browser.model).position(of: place.key) { cursorHint = hint }
  }

  mutating func click(row: Int, column place: Int, in frame: PaneFrame) -> Click {
    let header = frame.headerRows
    let isHeader = row < header
    let shown = placement?.columns.last { $0.start - (isHeader ? 1 : 0) <= place }
    if !isHeader {
      let keys = visibleKeys(in: frame)
      guard keys.indices.contains(row - header) else { return .nothing }
      cursor = keys[row - header]
      let hint = topHint + row - header
      cursorHint = rows(in: frame.model).position(of: keys[row - header], hint: hint) ?? hint
    }
    column = shown?.column ?? .key
    return isHeader ? .header : .line
  }

  mutating func repairCursor(in browser: Browser) {
    let model = browser.model
    guard let gone = findCursor(in: model).map({ ObjectIdentity(classKey, $0) }),
      !model.isDeletedHere(gone)
    else { return }
    let next = object.map { "; the cursor is on \(model.text($0))" } ?? ""
    browser.showError("\(model.text(gone)) was deleted\(next)")
  }

  mutating func replace(_ keys: [ObjectIdentity: ObjectIdentity]) {
    let final = { [classKey] key in keys[ObjectIdentity(classKey, key)]?.key ?? key }
    cursor = cursor.map(final)
    top = top.map(final)
    marks = Set(marks.map(final))
    hiddenMarks = Set(hiddenMarks.map(final))
    range = nil
    if let old = result, old.keys.contains(where: \.isProvisional) {
      result = ResultKeys(old.keys.map(final), generation: -1)
    }
    definition.replace(keys)
    pending?.replace(keys)
  }
}

// MARK: - The screen

extension TableView {
  func headerRows(in frame: PaneFrame) -> Int { frame.headerRows }

  func draw(_ frame: PaneFrame, on screen: inout Screen) -> Rectangle? {
    var drawing = TableDrawing(pane: frame)
    drawing.draw(self, on: &screen)
    return drawing.cursorCell
  }

  /// Where the cursor is, how many rows there are, how many are marked.
  func counts(in model: BrowserModel) -> String {
    var text = ""
    if definition.isPlain || result != nil {
      let count = rows(in: model).count
      text = position.map { "  \($0 + 1) of \(count)" } ?? "  \(count)"
    }
    if !marks.isEmpty { text += "  *\(marks.count)" }
    if !hiddenMarks.isEmpty { text += "  \(hiddenMarks.count) marked are hidden" }
    return text
  }
}

extension TableDefinition {
  /// The title of a pane.
  func title(in model: BrowserModel) -> String {
    var title = model.name(of: classKey)
    if case .origins(let property, let target) = base {
      title += ".\(model.name(of: property, in: classKey)) → \(model.label(target))"
    }
    if let filter { title += " where \(filter)" }
    return title
  }
}
