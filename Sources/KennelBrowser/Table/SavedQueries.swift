internal import KennelCore

/// The filters and orders that are saved by name, and kept between runs.
struct SavedQueries: BrowserPart {
  let browser: Browser

  private var queries: [String: SavedQuery] { browser.kept.session.queries }

  /// `:save-query NAME`: keeps the filter under a name.
  func save(as typed: String) {
    let name = typed.trimmed
    guard let table = browser.table else { return }
    guard !name.isEmpty else {
      return showError("A query is saved by a name, as in ‘:save-query old dogs’")
    }
    let definition = table.wanted
    guard definition.filter != nil || !definition.orders.isEmpty,
      let query = Sessions(browser).savedQuery(of: definition)
    else {
      return showError(
        "There is no filter and no order to save; \(key(of: "filter")) filters, "
          + "\(key(of: "sort")) sorts"
      )
    }
    let isNew = queries[name] == nil
    browser.kept.session.queries[name] = query
    say("\(name) is \(isNew ? "saved" : "replaced"); \(key(of: "queries")) opens it")
  }

  /// `:queries`, with a name or to choose one.
  func open(typed: String) {
    guard !queries.isEmpty else {
      return showError("No query is saved; ‘:save-query NAME’ saves the filter and the order")
    }
    guard typed.trimmed.isEmpty else { return open(named: typed.trimmed) }
    open(PromptDialog(.query, in: browser))
  }

  func open(named name: String) {
    guard let query = queries[name] else { return showError("No query is called “\(name)”") }
    guard let definition = Sessions(browser).definition(of: query) else {
      return showError("The class \(query.className) of \(name) no longer exists")
    }
    Navigation(browser).goToTable(definition, step: name)
  }

  /// `:forget-query NAME`: keeps it no longer.
  func forget(typed: String) {
    let name = typed.trimmed
    guard browser.kept.session.queries.removeValue(forKey: name) != nil else {
      return showError(
        name.isEmpty ? "Which query? ‘:forget-query NAME’" : "No query is called “\(name)”"
      )
    }
    say("\(name) is forgotten")
  }

  /// The saved queries as candidates, those of the class on the screen first.
  var candidates: [Candidate] {
    let current = model.schema[entry.classKey]?.name
    let sorted = queries.sorted { one, other in
      let (first, second) = (one.value.className != current, other.value.className != current)
      return first == second ? one.key < other.key : !first
    }
    return sorted.map { name, query in
      let order = query.orders.isEmpty ? "" : " sorted by \(query.orders.joined(separator: ", "))"
      let filter = query.filter.map { " where \($0)" } ?? ""
      return Candidate(.line, name, query.className + filter + order)
    }
  }
}
