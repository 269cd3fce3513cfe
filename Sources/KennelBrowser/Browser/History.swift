internal import KennelCore

/// One view as a person left it: what it shows, and what is beside it.
struct HistoryEntry {
  var main: any View
  var focus = Pane.main
  var links = LinksView(pane: .links)
  /// The origins of links to the object, in the graph.
  var referrers = LinksView(pane: .referrers)
  /// The name under which this view was reached, for the breadcrumbs, as in `dog`.
  var step: String?
  /// The step to an object that was created.
  static let created = "new"
  /// The report whose line led on from here, which going back shows again.
  var report: Report?

  /// The object that the links pane and the peek are about.
  var subject: ObjectIdentity? { main.subject }
  var classKey: ClassKey { main.classKey }

  /// Forgets where the cursors among links were, since those of another object are shown.
  mutating func resetLinks() {
    links = LinksView(pane: .links)
    referrers = LinksView(pane: .referrers)
  }

  /// Gives objects that a commit numbered their final keys.
  mutating func replace(_ keys: [ObjectIdentity: ObjectIdentity]) {
    resetLinks()
    if step == Self.created, let object = main.shownObject, keys[object] != nil { step = nil }
    report?.replace(keys)
    main.replace(keys)
  }
}

enum Pane: Int, CaseIterable {
  case collections = 1
  case main
  case links
  case changes
  /// The origins of links to the object, in the graph.
  case referrers

  /// The command that goes to it.
  var command: String? {
    switch self {
    case .collections: "collections"
    case .main: "main"
    case .links: "links"
    case .changes: "review"
    case .referrers: nil
    }
  }
}

/// The views that were walked through, and which of them is on the screen.
///
/// Going somewhere drops what lies ahead, as in every browser; going back and forward drops
/// nothing.
struct History {
  private(set) var entries: [HistoryEntry]
  private(set) var index = 0

  /// More steps than anybody goes back; the oldest are forgotten.
  private static let limit = 200

  init(_ entry: HistoryEntry) {
    entries = [entry]
  }

  var current: HistoryEntry {
    get { entries[index] }
    set { entries[index] = newValue }
  }

  var path: ArraySlice<HistoryEntry> { entries[...index] }

  var canGoBack: Bool { index > 0 }
  /// The view that the next step forward leads to.
  var next: HistoryEntry? { index + 1 < entries.count ? entries[index + 1] : nil }

  mutating func go(to entry: HistoryEntry) {
    current.main.forgetLargeResult()
    entries.removeSubrange((index + 1)...)
    entries.append(entry)
    if entries.count > Self.limit { entries.removeFirst(entries.count - Self.limit) }
    index = entries.count - 1
  }

  /// Goes back or forward; whether there is a view.
  mutating func go(by distance: Int) -> Bool {
    guard entries.indices.contains(index + distance) else { return false }
    current.main.forgetLargeResult()
    index += distance
    return true
  }

  /// Changes the view that a job works for, wherever in the history it is.
  mutating func update<Shown: View>(_ id: Int, _ change: (inout Shown) -> Void) {
    for index in entries.indices where entries[index].main.jobID == id {
      guard var shown = entries[index].main as? Shown else { continue }
      change(&shown)
      entries[index].main = shown
    }
  }

  /// Gives objects that a commit numbered their final keys, everywhere.
  mutating func replace(_ keys: [ObjectIdentity: ObjectIdentity]) {
    for index in entries.indices { entries[index].replace(keys) }
  }
}
