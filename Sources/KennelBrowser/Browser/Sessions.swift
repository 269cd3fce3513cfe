internal import KennelCore

/// Restores the session of the last run at the start, and collects it at the end.
struct Sessions: BrowserPart {
  let browser: Browser

  private var schema: Schema { model.schema }

  // MARK: - The start

  /// Shows what the last run left behind, as far as it still exists.
  func begin() {
    let session = browser.kept.session
    for (name, lists) in session.looks {
      guard let key = schema[name]?.key else { continue }
      model.looks[key] = TableLook(saved: lists, of: key, in: schema)
    }
    for (letter, text) in session.bookmarks {
      guard letter.count == 1, let letter = letter.first, let object = object(named: text) else {
        continue
      }
      browser.bookmarks[letter] = object
    }
    if let view = session.view { show(view, in: session) }
    if browser.settings.isContinued, let name = session.collection, let key = schema[name]?.key {
      entry.focus = .collections
      browser.collections.cursor = key
      browser.collections.cursorMoved(in: browser)
    }
    if let greeting = browser.settings.greeting {
      say([greeting, message?.text].compactMap(\.self).joined(separator: ". "))
    }
    if let mistake = browser.settings.configurationMistake { showError(mistake) }
    if browser.settings.beginsWithRecentFiles {
      FileActions(browser).showRecentFiles(escape: "the sample")
    }
  }

  /// Shows a view of the last run beside its tabs; what is no longer found is left out and said.
  private func show(_ view: SavedView, in session: BrowserSession) {
    var lost: String?
    func history(of view: SavedView) -> History? {
      let (history, sentence) = self.history(of: view)
      lost = lost ?? sentence
      return history
    }
    let current = history(of: view)
    let before = session.before.compactMap(history)
    let after = session.after.compactMap(history)
    let all = before + [current ?? browser.history] + after
    browser.tabs = Tabs(all: all, index: before.count)
    if current == nil { _ = browser.tabs.close() }
    Navigation(browser).arrive()
    let usual =
      browser.settings.isContinued
      ? "All rows are there now"
      : "This is where you left off; ‘kennel --fresh’ begins at the first class"
    say(lost ?? usual)
  }

  /// The history of a view of the last run, whose rows are found when it comes to the screen; and what
  /// is no longer found.
  private func history(of view: SavedView) -> (History?, lost: String?) {
    guard let definition = definition(of: view.query) else {
      return (nil, "The class \(view.query.className), where you left off, no longer exists")
    }
    var lost: String?
    var shown = definition
    if (try? TableQuery(definition, in: schema)) == nil {
      lost = definition.filter.map { "The filter no longer fits the class: \($0)" }
      shown = TableDefinition(classKey: definition.classKey)
    }
    var table = TableView(id: browser.newNumber(), definition: shown)
    if shown.isPlain { table.moveToStart(in: model) }
    if let cursor = view.cursor, cursor < ObjectKey.limit {
      let object = ObjectIdentity(definition.classKey, ObjectKey(rawValue: cursor))
      if model.contains(object) { table.cursor = object.key }
    }
    table.column =
      view.column.flatMap { Column(savedName: $0, of: definition.classKey, in: schema) } ?? .key
    var history = History(HistoryEntry(main: table))
    if let name = view.object {
      if let object = object(named: name) {
        history.go(to: HistoryEntry(main: ObjectView(object: object)))
      } else {
        lost = lost ?? "\(name), where you left off, no longer exists"
      }
    }
    return (history, lost)
  }

  /// The table of a saved query; `nil` if its class no longer exists.
  func definition(of query: SavedQuery) -> TableDefinition? {
    guard let classKey = schema[query.className]?.key else { return nil }
    let orders = query.orders.compactMap { text in
      let isAscending = !text.hasSuffix(Self.descending)
      let name = isAscending ? text : String(text.dropLast(Self.descending.count))
      return Column(savedName: name, of: classKey, in: schema).map {
        TableDefinition.Order(column: $0, isAscending: isAscending)
      }
    }
    return TableDefinition(classKey: classKey, filter: query.filter, orders: orders)
  }

  private static let descending = " DESC"

  private func object(named text: String) -> ObjectIdentity? {
    guard let slash = text.lastIndex(of: "/"), let schema = schema[String(text[..<slash])],
      let number = UInt64(text[text.index(after: slash)...]), number < ObjectKey.limit
    else { return nil }
    let object = ObjectIdentity(schema.key, ObjectKey(rawValue: number))
    return model.contains(object) ? object : nil
  }

  // MARK: - The end

  /// The state to keep.
  var current: KeptState {
    var state = browser.kept
    state.session.view = savedView(of: browser.history)
    let collection = entry.focus == .collections ? browser.collections.cursor : nil
    state.session.collection = collection.flatMap { schema[$0]?.name }
    let (all, index) = (browser.tabs.all, browser.tabs.index)
    state.session.before = all[..<index].compactMap(savedView)
    state.session.after = all[(index + 1)...].compactMap(savedView)
    for (classKey, look) in model.looks {
      guard let name = schema[classKey]?.name else { continue }
      let unknown = (state.session.looks[name] ?? [:]).filter {
        !TableLook.savedLists.contains($0.key)
      }
      let lists = look.saved(of: classKey, in: schema).merging(unknown) { mine, _ in mine }
      state.session.looks[name] = lists.isEmpty ? nil : lists
    }
    var bookmarks: [String: String] = [:]
    for (letter, object) in browser.bookmarks where !object.key.isProvisional {
      bookmarks[String(letter)] = model.address(object)
    }
    state.session.bookmarks = bookmarks
    return state
  }

  /// The query of a table, to be saved; `nil` where it is that of what links to one object.
  func savedQuery(of definition: TableDefinition) -> SavedQuery? {
    guard definition.base == .all, let schema = schema[definition.classKey] else { return nil }
    let orders = definition.orders.compactMap { order in
      order.column.savedName(in: definition.classKey, model.schema).map {
        $0 + (order.isAscending ? "" : Self.descending)
      }
    }
    return SavedQuery(className: schema.name, filter: definition.filter, orders: orders)
  }

  /// The newest table that was walked through, and the object that was opened from it.
  private func savedView(of history: History) -> SavedView? {
    var object: ObjectIdentity?
    for entry in history.path.reversed() {
      if let table = entry.main as? TableView {
        guard let query = savedQuery(of: table.wanted) else { continue }
        return SavedView(
          query: query,
          cursor: table.cursor.flatMap { $0.isProvisional ? nil : $0.rawValue },
          column: table.column == .key ? nil : table.column.savedName(in: table.classKey, schema),
          object: object.flatMap { $0.key.isProvisional ? nil : model.address($0) }
        )
      }
      object = object ?? entry.main.shownObject
    }
    // A tab may have begun with the object.
    guard let object, !object.key.isProvisional, let name = schema[object.classKey]?.name else {
      return nil
    }
    let query = SavedQuery(className: name)
    return SavedView(
      query: query,
      cursor: object.key.rawValue,
      column: nil,
      object: model.address(object)
    )
  }
}
