internal import KennelCore

/// What a line on the status line is typed for; each kind has a history of its own.
enum PromptKind: Hashable {
  case find
  case findExpression
  case filter(ClassKey)
  case column(ClassKey)
  case assignment(ClassKey)
  case saveValue(Spot)
  case loadValue(Spot)
  case saveCopy
  /// The file that a private copy and its changes are committed to.
  case newFile
  case export(Exporting.Subject)
  /// What the objects of a class are grouped by.
  case group(ClassKey)
  case compare
  case openFile
  /// The name of a saved query.
  case query

  /// What a line is written in.
  enum Syntax {
    case text
    case regularExpression
    case filter(ClassKey)
    case assignment(ClassKey)
    /// The path of one value.
    case path(ClassKey)
    /// Paths, with blanks between them.
    case paths(ClassKey)
    case queryName
  }

  var syntax: Syntax {
    switch self {
    case .find, .saveValue, .loadValue, .saveCopy, .newFile, .export, .compare, .openFile: .text
    case .findExpression: .regularExpression
    case .filter(let classKey): .filter(classKey)
    case .assignment(let classKey): .assignment(classKey)
    case .column(let classKey): .path(classKey)
    case .group(let classKey): .paths(classKey)
    case .query: .queryName
    }
  }

  /// What `^T` makes of it: a text that is looked for becomes a regular expression, and the other way
  /// round.
  var otherSearch: (kind: PromptKind, label: String)? {
    switch self {
    case .find: (.findExpression, "find expression")
    case .findExpression: (.find, "find")
    case .filter, .column, .assignment, .saveValue, .loadValue, .saveCopy, .newFile, .export,
      .group, .compare, .openFile, .query:
      nil
    }
  }

  /// The name of its history.
  func history(in schema: Schema) -> String {
    switch self {
    case .find: "find"
    case .findExpression: "find-expression"
    case .filter(let classKey): "filter \(schema[classKey]?.name ?? "")"
    case .column(let classKey): "column \(schema[classKey]?.name ?? "")"
    case .group(let classKey): "group \(schema[classKey]?.name ?? "")"
    case .assignment(let classKey): "set \(schema[classKey]?.name ?? "")"
    case .saveValue: "save"
    case .loadValue: "load"
    case .saveCopy, .newFile: "save-copy"
    case .export: "export"
    case .compare: "compare"
    case .openFile: "open-file"
    case .query: "query"
    }
  }

  /// What Enter does, for the hint line.
  func verb(isEmpty: Bool) -> String {
    switch self {
    case .find, .findExpression: "find"
    case .filter: isEmpty ? "show all" : "filter"
    case .column, .group: "show"
    case .compare: "compare"
    case .openFile, .query: "open"
    case .assignment: "show what changes"
    case .loadValue: "load"
    case .newFile: "commit"
    case .saveValue, .saveCopy, .export: "write"
    }
  }

  /// Does what the line is for.
  ///
  /// - Throws: `PredicateError` where something is wrong with an assignment.
  func perform(_ text: String, in browser: Browser) throws(PredicateError) {
    switch self {
    case .filter: TableActions(browser).applyFilter(text)
    case _ where text.isEmpty: break
    case .find: Searching(browser).find(SearchPattern(text))
    case .findExpression:
      if let pattern = try? SearchPattern(expression: text) { Searching(browser).find(pattern) }
    case .column: TableActions(browser).addColumn(text)
    case .assignment(let classKey):
      Assigning(browser).preview(try Assigning(browser).parse(text, classKey))
    case .saveValue(let spot): FileActions(browser).saveValue(at: spot, to: text)
    case .loadValue(let spot): FileActions(browser).loadValue(from: text, to: spot)
    case .saveCopy: FileActions(browser).save(to: text)
    case .newFile: FileActions(browser).commit(to: text)
    case .export(let subject): Exporting(browser).write(subject, to: text)
    case .group: Summaries(browser).group(by: text)
    case .compare: Reports(browser).compare(with: text)
    case .openFile: FileActions(browser).openFile(text)
    case .query: SavedQueries(browser).open(named: text)
    }
  }
}
