internal import KennelCore

/// The columns, the order and the filter of a table.
///
/// An order or a filter is a job, and while it runs the table shows what it showed.
struct TableActions: BrowserPart {
  let browser: Browser

  private var table: TableView? { browser.table }

  /// Shows another definition of the table, as soon as its rows are found.
  func show(_ definition: TableDefinition) {
    guard let table else { return }
    Jobs(browser).cancel(.rows(table: table.id))
    if definition.isPlain {
      updateTable { table in
        table.definition = definition
        table.pending = nil
        table.result = nil
        table.top = nil
        table.sortMarks(among: nil)
      }
      return Navigation(browser).repairCursor()
    }
    updateTable { $0.pending = definition }
    findRows(definition, for: table.id)
  }

  /// Finds the rows of the table on the screen anew, where something has changed.
  func renewResult() {
    guard let table, table.pending == nil else { return }
    if table.definition.isPlain { return }
    guard table.result?.generation != model.generation else { return }
    updateTable { $0.pending = table.definition }
    findRows(table.definition, for: table.id)
  }

  private func findRows(_ definition: TableDefinition, for table: Int) {
    let generation = model.generation
    let query: TableQuery
    do {
      query = try TableQuery(definition, in: model.schema)
    } catch {
      updateTable { $0.pending = nil }
      return showError(error.message)
    }
    Jobs(browser).launch(
      title(of: definition),
      .reading(.rows(table: table)),
      reading: query.run,
      finish: { browser, keys in
        let result = ResultKeys(keys, generation: generation)
        let hidden = TableActions(browser).table?.hiddenMarks ?? []
        browser.updateView(ofJobs: table) { (view: inout TableView) in
          view.show(result, for: definition, in: browser.model)
        }
        TableActions(browser).showRows()
        if !(TableActions(browser).table?.hiddenMarks ?? []).isSubset(of: hidden) {
          Marking(browser).askAboutHidden()
        }
      },
      abandon: { browser in
        browser.updateView(ofJobs: table) { (view: inout TableView) in view.pending = nil }
      }
    )
  }

  /// Brings the table on the screen up to date with rows that were found.
  private func showRows() {
    if message?.text == TableView.notFoundYet { message = nil }
    Navigation(browser).repairCursor()
    renewResult()
  }

  private func title(of definition: TableDefinition) -> String {
    let name = model.name(of: definition.classKey)
    if let order = definition.orders.first {
      return "Sorting \(name) by \(order.column.name(in: definition.classKey, model.schema))"
    }
    return definition.filter == nil ? "Finding \(name)" : "Filtering \(name)"
  }

  // MARK: - Columns
  func hideColumn() {
    guard var table, table.column != .key else {
      return say("The key is always shown; \(key(of: "right")) moves to a property")
    }
    let column = table.column
    let index = table.columns(in: model).firstIndex(of: column) ?? 0
    changeLook { $0.hide(column) }
    let columns = table.columns(in: model)
    table.column = columns.isEmpty ? .key : columns[min(index, columns.count - 1)]
    if table.firstColumn == column { table.firstColumn = table.column }
    entry.main = table
    let name = column.name(in: table.classKey, model.schema)
    var definition = table.wanted
    let isSorted = definition.orders.contains { $0.column == column }
    if isSorted {
      definition.orders.removeAll { $0.column == column }
      show(definition)
    }
    let rest = isSorted ? ", and the rows are no longer sorted by it" : ""
    if case .computed = column {
      return say("\(name) is no column any more\(rest); \(key(of: "column")) adds it again")
    }
    say("\(name) is hidden\(rest); \(key(of: "show-hidden")) shows it again")
  }

  private func changeLook<Result>(_ change: (inout TableLook) -> Result) -> Result? {
    guard let table else { return nil }
    return change(&model.looks[table.classKey, default: TableLook()])
  }

  func showHidden() {
    changeLook { $0.showHidden() }
    updateTable { $0.firstColumn = .key }
  }

  /// The column under the cursor, unless that is the key; says so if it is.
  private var movableColumn: Column? {
    guard let table, table.column != .key else {
      say("The key stays where it is; \(key(of: "right")) moves to a property")
      return nil
    }
    return table.column
  }

  func widenColumn() {
    guard let column = movableColumn else { return }
    changeLook { $0.toggleWide(column) }
  }

  func pinColumn() {
    guard let table, let column = movableColumn else { return }
    let isPinned = changeLook { $0.togglePin(column) } ?? false
    let name = column.name(in: table.classKey, model.schema)
    say(
      isPinned
        ? "\(name) stays beside the key; \(key(of: "pin")) lets it scroll again"
        : "\(name) scrolls again"
    )
  }

  /// Moves the column under the cursor to the left or right.
  func shiftColumn(by distance: Int) {
    guard let table, let column = movableColumn else { return }
    let hasMoved = changeLook { look in
      look.move(column, by: distance, of: table.classKey, in: model.schema)
    }
    if hasMoved != true {
      say("\(column.name(in: table.classKey, model.schema)) cannot go further")
    }
  }

  /// Shows the values of the link's targets as columns, or no more.
  func expandColumn(_ isExpanded: Bool) {
    guard let table, let column = movableColumn else { return }
    let link: PropertyKey
    switch column {
    case .key: return
    case .property(let key), .through(let key, _): link = key
    case .computed(let path): return showError("\(path) is no link that has columns to show")
    }
    let property = model.schema.property(link, of: table.classKey)
    guard let property, property.type.kind == .link, !property.isCollection else {
      return showError(
        "\(property?.name ?? "?") is no link to one object, which has columns to show"
      )
    }
    guard changeLook({ $0.expand(link, isExpanded) }) == true else {
      return say("The columns of \(property.name) are \(isExpanded ? "" : "not ")shown")
    }
    updateTable { table in
      table.column = .property(link)
      table.revealed = table.columns(in: model).last {
        if case .through(link, _) = $0 { true } else { false }
      }
    }
  }

  /// `+`: adds a column with the value at a path.
  func addColumn(_ text: String) {
    let path = text.trimmed
    guard let table else { return }
    guard !path.isEmpty else {
      let name = model.name(of: table.classKey)
      open(PromptDialog(.column(table.classKey, name), in: browser))
      return say(columnExample(table.classKey))
    }
    do throws(PredicateError) {
      _ = try ValuePath(path, of: table.classKey, in: model.schema)
    } catch {
      return showError(error.sentence)
    }
    if changeLook({ $0.add(path) }) != true { say("\(path) is a column already") }
    updateTable { $0.column = .computed(path) }
  }

  /// Paths with the names of a class, of each kind that there is.
  private func columnExample(_ classKey: ClassKey) -> String {
    let properties = model.schema[classKey]?.properties ?? []
    var examples = ["@links.@count"]
    func number(of property: PropertySchema) -> String? {
      let target = property.target.flatMap { model.schema[$0] }
      return target?.properties.first { $0.type.kind == .int && !$0.isCollection }?.name
    }
    if let list = properties.first(where: \.isCollection) {
      examples.append("\(list.name).@count")
    }
    if let link = properties.first(where: { $0.target != nil && !$0.isCollection }),
      let value = link.target.flatMap({ model.schema[$0] })?.properties.first
    {
      examples.append("\(link.name).\(value.name)")
    }
    for list in properties where list.isCollection {
      guard let number = number(of: list) else { continue }
      examples.append("\(list.name).@avg.\(number)")
      break
    }
    return "For example: \(examples.joined(separator: ", "))"
  }

  // MARK: - Order

  /// `s` and `S`: ascending, then descending, then not at all.
  func sort(adding: Bool) {
    guard let table else { return }
    var definition = table.wanted
    if let reason = table.column.whyNotSorted(in: table.classKey, model.schema, key: key) {
      // The order of the keys is the one without any other.
      guard table.column == .key, !adding, !definition.orders.isEmpty else {
        table.column == .key ? say(reason) : showError(reason)
        return
      }
      definition.orders = []
      return show(definition)
    }
    let old = definition.orders.first { $0.column == table.column }
    if adding {
      definition.orders.removeAll { $0.column == table.column }
    } else {
      definition.orders = []
    }
    if old?.isAscending != false {
      definition.orders.append(.init(column: table.column, isAscending: old == nil))
    }
    show(definition)
  }

  // MARK: - Filter

  /// From an object, the filter is that of a new table of its class.
  func openFilter() {
    let classKey = table?.classKey ?? entry.classKey
    let name = model.name(of: classKey)
    let filter = table.flatMap(\.wanted.filter) ?? ""
    open(PromptDialog(.filter(classKey, name), text: filter, in: browser))
    say(filterExample(classKey))
  }

  /// An example with the names of this class.
  private func filterExample(_ classKey: ClassKey) -> String {
    let properties = model.schema[classKey]?.properties ?? []
    var examples: [String] = []
    if let text = properties.first(where: { $0.type == .string || $0.type == .string.optional }) {
      examples.append("\(text.name) CONTAINS[c] \"a\"")
    }
    if let number = properties.first(where: { $0.type.kind == .int && !$0.isCollection }) {
      examples.append("\(number.name) > 3")
    }
    if let list = properties.first(where: { $0.isCollection }) {
      examples.append("\(list.name).@count > 0")
    }
    return examples.isEmpty ? "" : "For example: \(examples.joined(separator: " AND "))"
  }

  func clearFilter() {
    guard let table else { return }
    var definition = table.wanted
    if definition.filter == nil, definition.base == .all {
      return say("The table already shows every object")
    }
    definition.filter = nil
    definition.base = .all
    show(definition)
  }

  /// `,`: the value under the cursor becomes a part of the filter.
  func filterByValue() {
    guard let table, let object = table.object, model.contains(object),
      let condition = table.column.condition(of: object, in: model, key: key)
    else {
      return showError(
        "Only the value of a property can be filtered by; \(key(of: "right")) moves to one"
      )
    }
    switch condition {
    case .failure(let reason):
      showError(reason.message)
    case .success(let text): addFilter(text)
    }
  }

  /// Adds a condition to the filter.
  func addFilter(_ text: String) {
    guard let table else { return }
    var definition = table.wanted
    let old = definition.filter ?? ""
    guard old != text, !old.hasSuffix("AND \(text)") else {
      return say("The filter says so already: \(text)")
    }
    definition.add(text)
    show(definition)
  }

  /// Reads a filter in which dates may be said by their distance from now.
  ///
  /// - Parameters:
  ///   - text: The filter.
  ///   - classKey: The class.
  /// - Returns: The filter, and its text with the dates written out.
  /// - Throws: What is wrong with it.
  func readFilter(
    _ text: String,
    _ classKey: ClassKey
  ) throws(PredicateError) -> (found: Predicate, text: String) {
    try DatedText.read(text, now: browser.settings.now()) { text throws(PredicateError) in
      try Predicate.parse(text, for: classKey, in: model.schema)
    }
  }

  func applyFilter(_ text: String) {
    if table == nil, !text.trimmed.isEmpty {
      Navigation(browser).goToTable(TableDefinition(classKey: entry.classKey))
    }
    guard let table else { return }
    var definition = table.wanted
    let written = (try? readFilter(text, table.classKey))?.text
    definition.filter = text.trimmed.isEmpty ? nil : written ?? text
    show(definition)
  }
}
