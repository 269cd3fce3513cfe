internal import KennelCore

/// One view as a person left it: what it shows, where the cursor is, how far it is scrolled.
struct View {
  enum Main {
    case table(TableState)
    case object(ObjectState)
    case elements(ElementsState)
    case summary(SummaryState)
    case diagram(DiagramState)
  }

  var main: Main
  var focus = Pane.main
  var links = LinksState()
  /// Where the cursor is among the objects that link here, in the graph.
  var referrers = LinksState()
  /// The name under which this view was reached, for the breadcrumbs, as in `dog`.
  var step: String?
  /// The report whose line led on from here, which going back shows again.
  var report: Report?

  /// The object that the links pane and the peek are about.
  var subject: ObjectIdentity? {
    switch main {
    case .table(let table): table.object
    case .object(let object): object.object
    case .elements(let elements): elements.cursor?.target ?? elements.object
    case .summary, .diagram: nil
    }
  }

  func linkCursors(of pane: Pane) -> LinksState { pane == .referrers ? referrers : links }

  mutating func setLinkCursors(of pane: Pane, _ state: LinksState) {
    if pane == .referrers { referrers = state } else { links = state }
  }

  /// Forgets where the cursors among links were, since those of another object are shown.
  mutating func resetLinks() {
    links = LinksState()
    referrers = LinksState()
  }

  var classKey: ClassKey {
    switch main {
    case .table(let table): table.classKey
    case .object(let object): object.object.classKey
    case .elements(let elements): elements.object.classKey
    case .summary(let summary): summary.classKey
    case .diagram(let diagram): diagram.classKey
    }
  }
}

extension View {
  /// Whether two views show the same, wherever their cursors are.
  func isOfSame(as other: View) -> Bool {
    switch (main, other.main) {
    case (.table(let one), .table(let other)): one.wanted == other.wanted
    case (.object(let one), .object(let other)): one.object == other.object
    case (.elements(let one), .elements(let other)):
      one.object == other.object && one.property == other.property
    case (.summary(let one), .summary(let other)): one.subject == other.subject
    case (.diagram(let one), .diagram(let other)): one.classKey == other.classKey
    case (.table, _), (.object, _), (.elements, _), (.summary, _), (.diagram, _): false
    }
  }

  /// Tells the results of jobs which view asked for them; `nil` where none are.
  var jobID: Int? {
    switch main {
    case .table(let table): table.id
    case .summary(let summary): summary.id
    case .object, .elements, .diagram: nil
    }
  }

  /// Makes a copy of a view one of its own, whose rows are found by jobs of its own.
  mutating func separate(as id: Int) {
    switch main {
    case .table(let table): main = .table(table.separated(as: id))
    case .summary(let summary): main = .summary(summary.separated(as: id))
    case .object, .elements, .diagram: break
    }
  }
}

enum Pane: Int, CaseIterable {
  case collections = 1
  case main
  case links
  case changes
  /// What links to the object, in the graph.
  case referrers
}

/// The views that were walked through, and which of them is on the screen.
///
/// Going somewhere drops what lies ahead, as in every browser; going back and forward drops
/// nothing.
struct History {
  private(set) var views: [View]
  private(set) var index = 0

  /// More steps than anybody goes back; the oldest are forgotten.
  private static let limit = 200
  /// Results longer than this are found again when their view comes back, rather than kept.
  private static let largestKeptResult = 100_000
  private static let largestKeptSummary = 1_000

  init(_ view: View) {
    views = [view]
  }

  var current: View {
    get { views[index] }
    set { views[index] = newValue }
  }

  var path: ArraySlice<View> { views[...index] }

  var canGoBack: Bool { index > 0 }
  var canGoForward: Bool { index + 1 < views.count }
  /// The view that the next step forward leads to.
  var next: View? { canGoForward ? views[index + 1] : nil }

  mutating func go(to view: View) {
    forgetLargeResult()
    views.removeSubrange((index + 1)...)
    views.append(view)
    if views.count > Self.limit { views.removeFirst(views.count - Self.limit) }
    index = views.count - 1
  }

  mutating func back() -> Bool {
    guard canGoBack else { return false }
    forgetLargeResult()
    index -= 1
    return true
  }

  mutating func forward() -> Bool {
    guard canGoForward else { return false }
    forgetLargeResult()
    index += 1
    return true
  }

  private mutating func forgetLargeResult() {
    switch current.main {
    case .table(var table) where table.result?.keys.count ?? 0 > Self.largestKeptResult:
      table.result = nil
      current.main = .table(table)
    case .summary(var summary) where summary.rows.count > Self.largestKeptSummary:
      summary.forget()
      current.main = .summary(summary)
    case .table, .object, .elements, .summary, .diagram: break
    }
  }

  /// Changes the summary with an identifier, wherever in the history it is.
  mutating func updateSummary(_ id: Int, _ change: (inout SummaryState) -> Void) {
    for index in views.indices {
      guard case .summary(var summary) = views[index].main, summary.id == id else { continue }
      change(&summary)
      views[index].main = .summary(summary)
    }
  }

  /// Changes the table with an identifier, wherever in the history it is.
  mutating func updateTable(_ id: Int, _ change: (inout TableState) -> Void) {
    for index in views.indices {
      guard case .table(var table) = views[index].main, table.id == id else { continue }
      change(&table)
      views[index].main = .table(table)
    }
  }

  /// Gives objects that a commit numbered their final keys, everywhere.
  mutating func replace(_ keys: [ObjectIdentity: ObjectIdentity]) {
    for index in views.indices { views[index].replace(keys) }
  }
}

extension View {
  mutating func replace(_ keys: [ObjectIdentity: ObjectIdentity]) {
    resetLinks()
    report?.replace(keys)
    switch main {
    case .table(var table):
      let classKey = table.classKey
      let final = { (key: ObjectKey) in keys[ObjectIdentity(classKey, key)]?.key ?? key }
      table.cursor = table.cursor.map(final)
      table.top = table.top.map(final)
      table.marks = Set(table.marks.map(final))
      table.hiddenMarks = Set(table.hiddenMarks.map(final))
      table.range = nil
      if let result = table.result, result.keys.contains(where: \.isProvisional) {
        table.result = ResultKeys(result.keys.map(final), generation: -1)
      }
      table.definition.replace(keys)
      table.pending?.replace(keys)
      main = .table(table)
    case .object(let object):
      guard let identity = keys[object.object] else { return }
      var copy = ObjectState(object: identity)
      if case .property? = object.cursor { copy.cursor = object.cursor }
      main = .object(copy)
    case .elements(let elements):
      var copy = ElementsState(
        object: keys[elements.object] ?? elements.object,
        property: elements.property
      )
      copy.cursor = elements.cursor
      if let target = elements.cursor?.target, let identity = keys[target] {
        copy.cursor?.value = .link(identity)
      }
      copy.top = elements.top
      main = .elements(copy)
    case .summary(var summary):
      summary.replace(keys)
      main = .summary(summary)
    case .diagram: break
    }
  }
}
