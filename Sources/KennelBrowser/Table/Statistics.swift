internal import KennelCore
internal import KennelReports

/// Tells what the values of the column under the cursor are like.
struct Statistics: BrowserPart {
  let browser: Browser

  /// `I`: looks at the column of all rows, beside the screen.
  func open() {
    guard let table = browser.table,
      table.column != .key || model.schema[table.classKey]?.primaryKey != nil
    else {
      return say("Every key is there once; \(key(of: "right")) moves to a property")
    }
    guard let selection = table.selection else { return showError(TableView.notFoundYet) }
    let (column, classKey, keys) = (table.column, table.classKey, selection.keys)
    Jobs(browser).launch(
      "Counting \(column.name(in: classKey, model.schema))",
      .reading(.statistics),
      reading: { snapshot, context throws(DatabaseError) in
        try ColumnStatistics(of: column, in: classKey, keys, snapshot, context)
      },
      finish: { browser, statistics in
        guard browser.dialog == nil, browser.table?.id == table.id else { return }
        Statistics(browser).show(statistics, of: column, in: classKey)
      }
    )
  }

  private func show(
    _ statistics: ColumnStatistics,
    of column: Column,
    in classKey: ClassKey
  ) {
    let model = model
    let isCollection = column.shownProperty(of: classKey, in: model.schema)?.isCollection == true
    let report = StatisticsReport(
      statistics.values,
      statistics.links,
      isCollection: isCollection,
      StatisticsReport.Forms(
        pad: { TextWidth.pad($0, to: $1) },
        text: { ValueFormatter(model).show($0, isEmbedded: false).text },
        condition: { value in
          column.condition(value, classKey, model).map { .query(classKey, $0) }
        },
        range: { bin in column.condition(bin, classKey, model).map { .query(classKey, $0) } },
        label: { model.label($0) }
      )
    )
    let name = column.name(in: classKey, model.schema)
    let className = model.name(of: classKey)
    let heading = "\(name) of \(statistics.values.count) \(className)"
    Reports(browser).show(Report(kind: .statistics, heading: heading, lines: report.lines))
  }
}
