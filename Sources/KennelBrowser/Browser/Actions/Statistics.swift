internal import KennelCore

/// Tells what the values of the column under the cursor are like.
struct Statistics: BrowserPart {
  let browser: Browser

  private static let mostFrequent = 100

  /// `I`: looks at the column of all rows, beside the screen.
  func open() {
    guard case .table(let table) = view.main, table.column != .key else {
      return say("Every key is there once; l moves to a property")
    }
    let (column, classKey) = (table.column, table.classKey)
    let keys = table.definition.isPlain ? nil : table.result?.keys ?? []
    browser.launch(
      "Counting \(column.name(in: classKey, model.schema))",
      .statistics,
      reading: { snapshot, context throws(DatabaseError) in
        try ColumnStatistics(of: column, in: classKey, keys, snapshot, context)
      },
      finish: { browser, statistics in
        guard browser.dialog == nil, case .table(let now) = browser.view.main, now.id == table.id
        else { return }
        browser.statistics.show(statistics, of: column, in: classKey)
      }
    )
  }

  private func show(
    _ statistics: ColumnStatistics,
    of column: Column,
    in classKey: ClassKey
  ) {
    let name = column.name(in: classKey, model.schema)
    let className = model.schema[classKey]?.name ?? "?"
    let isCollection = column.shownProperty(of: classKey, in: model.schema)?.isCollection == true
    let heading = "\(name) of \(statistics.count) \(className)"
    let more = statistics.otherCount > 0 ? "more than " : ""
    var lines = [
      line(
        "null",
        share(statistics.nullCount, statistics),
        column.condition(.null, classKey, model)
      ),
      line("distinct", "\(more)\(statistics.frequencies.count)", nil),
    ]
    func add(_ label: String, _ value: Value?) {
      guard let value else { return }
      lines.append(line(label, text(value), filter(value, column, classKey)))
    }
    add("least", statistics.least)
    add("greatest", statistics.greatest)
    if let mean = statistics.mean { lines.append(line("mean", "\(mean)", nil)) }
    let what = isCollection ? "numbers of elements" : "values"
    lines.append(.init(text: "The most frequent \(what):", filter: nil))
    for (value, count) in statistics.mostFrequent(Self.mostFrequent) {
      let label = TextWidth.pad(text(value), to: 32)
      lines.append(
        .init(
          text: "  \(label)  \(share(count, statistics))",
          filter: filter(value, column, classKey)
        )
      )
    }
    browser.dialog = StatisticsDialog(heading, lines)
  }

  private func line(_ label: String, _ text: String, _ filter: String?) -> StatisticsDialog.Line {
    .init(text: "\(TextWidth.pad(label, to: 10)) \(text)", filter: filter)
  }

  private func text(_ value: Value) -> String {
    ValueView(model: model, theme: theme).show(value, isEmbedded: false).text
  }

  private func filter(_ value: Value, _ column: Column, _ classKey: ClassKey) -> String? {
    column.condition(value, classKey, model)
  }

  /// A number of rows, and what part of all rows it is.
  private func share(_ count: Int, _ statistics: ColumnStatistics) -> String {
    let tenths =
      statistics.count == 0 ? 0 : (1_000 * count + statistics.count / 2) / statistics.count
    return "\(count)  \(tenths / 10).\(tenths % 10) %"
  }
}
