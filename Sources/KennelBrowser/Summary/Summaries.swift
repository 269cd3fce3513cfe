internal import KennelCore

/// Tables that a job computes: the groups of objects, and what takes space in the file.
struct Summaries: BrowserPart {
  let browser: Browser

  private var state: SummaryView? { entry.main as? SummaryView }

  private func update(_ change: (inout SummaryView) -> Void) { browser.updateMain(change) }

  // MARK: - Groups

  /// The grouped objects: the rows of the table, or all objects of the class that is shown.
  private var grouped: TableDefinition {
    if case .groups(let grouping)? = state?.topic { return grouping.definition }
    guard entry.focus == .main, let table = browser.table else {
      let classKey = entry.focus == .collections ? browser.collections.cursor : nil
      return TableDefinition(classKey: classKey ?? entry.classKey)
    }
    var definition = table.definition
    definition.orders = []
    return definition
  }

  /// The hint for grouping groups anew; `nil` where the space is shown.
  var groupLabel: String? {
    if case .groups? = state?.topic { "group by, sum up…" } else { nil }
  }

  /// `&`, or `:group` with a path: groups by the column of the cursor, or asks what to group by.
  func group(byTyped text: String) {
    if !text.isEmpty { return group(by: text) }
    // Each group of a primary key would be one object.
    guard entry.focus == .main, let table = browser.table, table.column != .key,
      let path = table.column.groupPath(of: table.classKey, in: model.schema)
    else { return askForPath() }
    group(by: path)
  }

  private func askForPath() {
    let classKey = grouped.classKey
    let name = model.name(of: classKey)
    var text = ""
    if case .groups(let grouping)? = state?.topic {
      text = [grouping.path, grouping.number].compactMap(\.self).joined(separator: " ")
    }
    open(PromptDialog(.group(classKey, name), text: text, in: browser))
    let numbers = (model.schema[classKey]?.properties ?? []).filter {
      $0.type.kind.isNumber && !$0.isCollection
    }
    let example = numbers.first.map { "; a number after it is summed up, such as \($0.name)" } ?? ""
    say("A property, or a path through links\(example); Tab completes")
  }

  /// Groups by a path, with a number after it that is summed up.
  func group(by text: String) {
    let words = text.split(separator: " ").map { String($0) }
    guard words.count <= 2 else {
      return showError("Write a path, and a number that is summed up, as in ‘city age’")
    }
    let definition = grouped
    var paths: [String] = []
    do throws(PredicateError) {
      for word in words {
        let path = try self.path(word, of: definition.classKey)
        guard paths.isEmpty || path.kind.isNumber else {
          return showError("\(word) is no number, so that it cannot be summed up")
        }
        paths.append("\(path.path)")
      }
    } catch {
      return showError(error.sentence)
    }
    guard let path = paths.first else { return }
    let grouping = Grouping(definition: definition, path: path, number: paths.dropFirst().first)
    entry.focus = .main
    show(.groups(grouping), step: "by \(path)")
  }

  /// A path to what is counted; of a collection, to the number of its elements.
  private func path(_ text: String, of classKey: ClassKey) throws(PredicateError) -> ValuePath {
    do throws(PredicateError) {
      return try ValuePath(text, of: classKey, in: model.schema, allowsLinks: true)
    } catch {
      // The number of elements is meant of a collection, not of what its elements have.
      let owner = text.split(separator: ".").dropLast().joined(separator: ".")
      let hasOwner =
        owner.isEmpty
        || (try? ValuePath(owner, of: classKey, in: model.schema, allowsLinks: true)) != nil
      guard hasOwner,
        let count = try? ValuePath("\(text).@count", of: classKey, in: model.schema)
      else { throw error }
      return count
    }
  }

  /// Shows a table that is still to be computed, in the place of one of the same kind.
  private func show(_ topic: SummaryView.Topic, step: String?) {
    let new = SummaryView(id: browser.newNumber(), topic: topic)
    if let state, state.topic.isLike(topic) {
      entry.main = new
      entry.step = step
      renew()
    } else {
      Navigation(browser).go(to: new, step: step)
    }
  }

  // MARK: - Space

  /// `:space`.
  func openSpace() {
    entry.focus = .main
    show(.space, step: nil)
  }

  // MARK: - Computing

  /// Computes the table on the screen anew, where something has changed; a job that is at it goes on,
  /// since data that changes faster than it is read would otherwise never be shown.
  func renew() {
    guard let state, state.generation != model.generation else { return }
    let id = state.id
    guard !isUnderWay(id) else { return }
    update { $0.generation = model.generation }
    switch state.topic {
    case .groups(let grouping): findGroups(grouping, for: id, order: state.order)
    case .space: measureSpace(for: id, order: state.order)
    }
  }

  /// Whether a job computes or sorts the rows.
  private func isUnderWay(_ id: Int) -> Bool {
    browser.jobs.contains { $0.kind.purpose == .summary(id) }
  }

  private func findGroups(_ grouping: Grouping, for id: Int, order: SummaryTable.Order?) {
    let query: TableQuery?
    do throws(ValidationError) {
      query =
        grouping.definition.isPlain ? nil : try TableQuery(grouping.definition, in: model.schema)
    } catch {
      return showError(error.message)
    }
    Jobs(browser).launch(
      "Grouping by \(grouping.path)",
      .reading(.summary(id)),
      reading: { snapshot, context throws(DatabaseError) in
        try grouping.run(query, in: snapshot, context).sorted(order)
      },
      finish: { Summaries($0).receive($1, id) },
      abandon: { Summaries($0).abandon(id) }
    )
  }

  private func measureSpace(for id: Int, order: SummaryTable.Order?) {
    let (database, schema) = (model.database, model.schema)
    Jobs(browser).launch("Measuring the file", .reading(.summary(id))) {
      (context) throws(DatabaseError) -> SummaryTable in
      let report = try database.space { part in
        context.report(progress: part)
        return !context.isCancelled
      }
      return SummaryTable(SpaceRows(report, in: schema)).sorted(order)
    } finish: { browser, table in
      Summaries(browser).receive(table, id)
    } abandon: {
      Summaries($0).abandon(id)
    }
  }

  /// Has the rows computed again when the view is shown.
  private func abandon(_ id: Int) {
    browser.updateView(ofJobs: id) { (state: inout SummaryView) in state.generation = -1 }
  }

  private func receive(_ table: SummaryTable, _ id: Int) {
    var order: SummaryTable.Order?
    browser.updateView(ofJobs: id) { (state: inout SummaryView) in
      state.show(table)
      order = state.order
    }
    // Another order may have been asked for since the job began.
    if let order, order != table.order { sort(table, by: order, id) }
    renew()
  }

  // MARK: - Keys

  /// `s`: sorts the rows beside the screen, since they may be many.
  func sort() {
    guard let state, let table = state.table, let order = state.nextOrder else {
      return say("The rows are not there yet")
    }
    update { $0.order = order }
    // What computes the rows is not begun again: they are sorted when it is done.
    if !isUnderWay(state.id) { sort(table, by: order, state.id) }
  }

  private func sort(_ table: SummaryTable, by order: SummaryTable.Order, _ id: Int) {
    Jobs(browser).launch("Sorting by \(table.columns[order.column].name)", .reading(.summary(id))) {
      _ throws(DatabaseError) -> SummaryTable in
      table.sorted(order)
    } finish: { browser, sorted in
      Summaries(browser).receive(sorted, id)
    } abandon: {
      $0.updateView(ofJobs: id) { (state: inout SummaryView) in state.order = nil }
    }
  }

  /// Enter: the objects of the group, or of the class.
  func openRow(of summary: SummaryView) {
    guard let row = summary.current else { return }
    switch (row.target, summary.topic) {
    case (.table(let classKey)?, _):
      Navigation(browser).goToTable(TableDefinition(classKey: classKey))
    case (.group(let value)?, .groups(let grouping)):
      openGroup(value, grouping)
    case (nil, .groups):
      say(
        "These values are too many to be told apart; \(key(of: "filter")) filters the class first"
      )
    case (.group, .space), (nil, .space):
      say("This is no class: its space is the file's own")
    }
  }

  private func openGroup(_ value: Value, _ grouping: Grouping) {
    guard let path = try? path(grouping.path, of: grouping.classKey) else {
      return showError("\(grouping.path) no longer fits the class")
    }
    let condition = "\(Predicate.Comparison(.path(path.path), .equal, .literal(value)))"
    var definition = grouping.definition
    definition.add(condition)
    let name = ValueFormatter(model).show(value, isEmbedded: false).text
    Navigation(browser).goToTable(definition, step: "\(grouping.path) \(name)")
  }
}

extension SummaryView.Topic {
  /// Whether one takes the place of the other, as the same objects grouped by something else.
  fileprivate func isLike(_ other: Self) -> Bool {
    guard case .groups(let one) = self, case .groups(let another) = other else {
      return self == other
    }
    return one.definition == another.definition
  }
}

extension PredicateError {
  /// The mistake, and what to write instead.
  var sentence: String {
    let expected = expected.map { "; expected \($0)" } ?? ""
    let suggestion = suggestion.map { "; did you mean \($0)?" } ?? ""
    return message + expected + suggestion
  }
}
