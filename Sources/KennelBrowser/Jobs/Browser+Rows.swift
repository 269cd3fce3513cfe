internal import KennelCore

// Filters and orders: each is a job, and while it runs the table shows what it showed.

extension Browser {
  private var table: TableState? {
    if case .table(let table) = view.main { table } else { nil }
  }

  /// The definition that the person asked for last, whether it is found already or not.
  private func wanted(_ table: TableState) -> TableDefinition {
    table.pending ?? table.definition
  }

  /// Shows another definition of the table, as soon as its rows are found.
  func show(_ definition: TableDefinition) {
    guard let table else { return }
    cancelJobs { purpose in
      if case .rows(table.id, _) = purpose { true } else { false }
    }
    if definition.isPlain {
      updateTable { table in
        table.definition = definition
        table.pending = nil
        table.result = nil
        table.top = nil
      }
      settle()
      return
    }
    updateTable { $0.pending = definition }
    findRows(definition, for: table.id)
  }

  /// Finds the rows of the table on the screen anew, where something has changed.
  func renewResult() {
    guard let table, table.pending == nil else { return }
    if table.definition.isPlain {
      return
    }
    guard table.result?.generation != model.generation else { return }
    updateTable { $0.pending = table.definition }
    findRows(table.definition, for: table.id)
  }

  private func findRows(_ definition: TableDefinition, for table: Int) {
    let generation = model.generation
    let query: Query
    do {
      query = try Query(definition, in: model.schema)
    } catch {
      updateTable { $0.pending = nil }
      showError(error.message)
      return
    }
    let purpose = RunningJob.Purpose.rows(table: table, definition)
    start(title(of: definition), purpose) { snapshot, context throws(DatabaseError) in
      .keys(try query.run(in: snapshot, context), generation: generation)
    }
  }

  private func title(of definition: TableDefinition) -> String {
    let name = model.schema[definition.classKey]?.name ?? "?"
    if let order = definition.orders.first {
      let property = model.schema.property(order.property, of: definition.classKey)?.name ?? "?"
      return "Sorting \(name) by \(property)"
    }
    return definition.filter == nil ? "Finding \(name)" : "Filtering \(name)"
  }

  // MARK: - Order

  /// `s` and `S`: ascending, then descending, then not at all.
  func sort(adding: Bool) {
    guard let table else { return }
    guard let column = table.column,
      let property = model.schema.property(column, of: table.classKey)
    else {
      if adding || wanted(table).orders.isEmpty {
        say("Objects are in the order of their keys; l moves to a property to sort by")
        return
      }
      var definition = wanted(table)
      definition.orders = []
      show(definition)
      return
    }
    guard !property.isCollection, !property.canLink || property.type.kind == .mixed else {
      showError("\(property.name) is a \(property.type); only single values have an order")
      return
    }
    var definition = wanted(table)
    let old = definition.orders.first { $0.property == column }
    if adding {
      definition.orders.removeAll { $0.property == column }
    } else {
      definition.orders = []
    }
    if old?.isAscending != false {
      definition.orders.append(.init(property: column, isAscending: old == nil))
    }
    show(definition)
  }

  // MARK: - Filter

  func openFilter() {
    guard let table else { return }
    let kind = PromptKind.filter(table.classKey)
    let text = wanted(table).filter ?? ""
    let name = model.schema[table.classKey]?.name ?? "?"
    var line = LineEditor(text, history: typed[kind] ?? [])
    line.text = text
    overlay = .prompt(Prompt(kind: kind, label: "\(name) where", line: line))
    say(filterExample(table.classKey))
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
    var definition = wanted(table)
    if definition.filter == nil, definition.base == .all {
      say("The table shows every object already")
      return
    }
    definition.filter = nil
    definition.base = .all
    show(definition)
  }

  /// `,`: the value under the cursor becomes a part of the filter.
  func filterByValue() {
    guard let table, let spot, let property = property(of: spot), let value = value(at: spot)
    else {
      showError("Only the value of a property can be filtered by; l moves to one")
      return
    }
    guard let literal = Query.literal(value) else {
      showError("A filter cannot say this \(property.type) as a text")
      return
    }
    var definition = wanted(table)
    let part = "\(property.name) == \(literal)"
    definition.filter = definition.filter.map { "(\($0)) AND \(part)" } ?? part
    show(definition)
  }

  /// Checks a filter that is being typed, and counts what it leaves.
  func check(_ prompt: inout Prompt, _ classKey: ClassKey) {
    prompt.problem = nil
    let text = prompt.line.text
    cancelCount()
    guard !text.trimmed.isEmpty else { return }
    do {
      let predicate = try Predicate.parse(text, for: classKey, in: model.schema)
      countMatches(predicate, classKey, text)
    } catch {
      let suggestion = error.suggestion.map { "; did you mean \($0)?" } ?? ""
      prompt.problem = (error.message + suggestion, error.column)
    }
  }

  /// Counting is for classes that are counted before the next key is pressed.
  private static let mostCounted = 200_000

  private func countMatches(_ predicate: Predicate, _ classKey: ClassKey, _ text: String) {
    guard model.count(of: classKey) <= Self.mostCounted else { return }
    start("Counting", .count(text: text)) { snapshot, context throws(DatabaseError) in
      let progress = QueryProgress(isCancelled: { context.isCancelled }, report: { _ in })
      let keys = try snapshot.query(classKey, predicate, progress: progress)
      return .count(keys.count)
    }
  }

  func cancelCount() {
    cancelJobs { purpose in
      if case .count = purpose { true } else { false }
    }
  }

  func applyFilter(_ text: String) {
    guard let table else { return }
    var definition = wanted(table)
    definition.filter = text.trimmed.isEmpty ? nil : text
    show(definition)
  }
}
