internal import KennelCore

/// The purpose of a line that is typed on the status line; each has a history of its own.
struct PromptKind {
  /// The language of a line.
  enum Syntax {
    case text
    /// A text that is looked for.
    case search
    case regularExpression
    case filter(ClassKey)
    case assignment(ClassKey)
    /// The path of one value.
    case path(ClassKey)
    /// Paths, with blanks between them.
    case paths(ClassKey)
    case queryName
  }

  /// Stands before the line.
  let label: String
  /// The name of its history.
  let history: String
  /// Names what Enter does, for the hint line.
  private let verb: String
  let syntax: Syntax
  private let action: (Browser, String) throws(PredicateError) -> Void

  private init(
    _ label: String,
    history: String,
    verb: String,
    _ syntax: Syntax = .text,
    _ action: @escaping (Browser, String) throws(PredicateError) -> Void
  ) {
    self.label = label
    self.history = history
    self.verb = verb
    self.syntax = syntax
    self.action = action
  }

  private var isFilter: Bool {
    if case .filter = syntax { true } else { false }
  }

  func verb(isEmpty: Bool) -> String { isEmpty && isFilter ? "show all" : verb }

  /// Does what the line is for.
  ///
  /// - Throws: `PredicateError` where something is wrong with an assignment.
  func perform(_ text: String, in browser: Browser) throws(PredicateError) {
    if !text.isEmpty || isFilter { try action(browser, text) }
  }
}

extension BrowserPart {
  /// Does what a line is for with a text, or has the line typed where there is none.
  func perform(_ kind: PromptKind, typed text: String) {
    guard !text.isEmpty else { return open(PromptDialog(kind, in: browser)) }
    try? kind.perform(text, in: browser)
  }
}

// MARK: - All of them

extension PromptKind {
  static var find: PromptKind {
    PromptKind("find", history: "find", verb: "find", .search) {
      Searching($0).find(SearchPattern($1))
    }
  }

  static var findExpression: PromptKind {
    PromptKind("find expression", history: "find-expression", verb: "find", .regularExpression) {
      browser,
      text in
      if let pattern = try? SearchPattern(expression: text) { Searching(browser).find(pattern) }
    }
  }

  static func filter(_ classKey: ClassKey, _ name: String) -> PromptKind {
    PromptKind("\(name) where", history: "filter \(name)", verb: "filter", .filter(classKey)) {
      TableActions($0).applyFilter($1)
    }
  }

  static func column(_ classKey: ClassKey, _ name: String) -> PromptKind {
    PromptKind("column of \(name)", history: "column \(name)", verb: "show", .path(classKey)) {
      TableActions($0).addColumn($1)
    }
  }

  static func group(_ classKey: ClassKey, _ name: String) -> PromptKind {
    PromptKind("group \(name) by", history: "group \(name)", verb: "show", .paths(classKey)) {
      Summaries($0).group(by: $1)
    }
  }

  static func assignment(_ classKey: ClassKey, _ name: String) -> PromptKind {
    let verb = "show what changes"
    return PromptKind("set \(name)", history: "set \(name)", verb: verb, .assignment(classKey)) {
      browser,
      text throws(PredicateError) in
      Assigning(browser).preview(try Assigning(browser).parse(text, classKey))
    }
  }

  /// What is new of a class or property.
  static func schema(
    _ label: String,
    verb: String,
    action: @escaping (Browser, String) throws(ValidationError) -> Void
  ) -> PromptKind {
    PromptKind(label, history: "schema", verb: verb) { browser, text throws(PredicateError) in
      do throws(ValidationError) {
        try action(browser, text)
      } catch {
        throw PredicateError(error.message, column: 1)
      }
    }
  }

  static func saveValue(_ spot: Spot, _ name: String) -> PromptKind {
    PromptKind("save \(name) in", history: "save", verb: "write") {
      FileActions($0).saveValue(at: spot, to: $1)
    }
  }

  static func loadValue(_ spot: Spot, _ name: String) -> PromptKind {
    PromptKind("load \(name) from", history: "load", verb: "load") {
      FileActions($0).loadValue(from: $1, to: spot)
    }
  }

  static var saveCopy: PromptKind {
    PromptKind("save a copy in", history: "save-copy", verb: "write") {
      FileActions($0).save(to: $1)
    }
  }

  /// The file that a private copy and its changes are committed to.
  static var newFile: PromptKind {
    PromptKind("commit to the new file", history: "save-copy", verb: "commit") {
      FileActions($0).commit(to: $1)
    }
  }

  static func export(_ subject: Exporting.Subject) -> PromptKind {
    PromptKind("export to", history: "export", verb: "write") {
      Exporting($0).write(subject, to: $1)
    }
  }

  static var compare: PromptKind {
    PromptKind("compare with the older file", history: "compare", verb: "compare") {
      Reports($0).compare(with: $1)
    }
  }

  static var openFile: PromptKind {
    PromptKind("open", history: "open-file", verb: "open") { FileActions($0).openFile($1) }
  }

  static var query: PromptKind {
    PromptKind("query", history: "query", verb: "open", .queryName) {
      SavedQueries($0).open(named: $1)
    }
  }
}
