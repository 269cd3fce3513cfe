internal import KennelCore
internal import KennelReports

/// Writes objects to files.
struct Exporting: BrowserPart {
  let browser: Browser

  /// Which objects are written.
  enum Subject: Hashable {
    /// The marked objects, else the rows of the table, else the object.
    case shown
    /// The marked objects.
    case marked
    /// All rows of the table, or the object.
    case unmarked
    /// Objects and what they link to.
    case closure(ClosureChoice)
  }

  /// `X`: asks which objects are written; with the name of a file, writes those that are shown.
  func export(toTyped path: String) {
    guard canExport else { return }
    if !path.isEmpty { return write(.shown, to: path) }
    var choices: [MenuDialog.Choice] = []
    let marked = browser.markedObjects
    func add(_ letter: Character, _ label: String, _ subject: Subject) {
      choices.append(.init(letter, label) { Exporting($0).askForFile(subject) })
    }
    if !marked.isEmpty { add("m", "the \(marked.count) marked objects", .marked) }
    guard isFound || !marked.isEmpty else { return showError(TableView.notFoundYet) }
    if let (classKey, keys) = unmarked {
      let name = model.name(of: classKey)
      let count = keys?.count ?? model.count(of: classKey)
      if browser.table != nil {
        add("s", "all \(count) \(name) that are shown", .unmarked)
      } else if let object = entry.subject {
        add("s", model.label(object), .unmarked)
      }
    }
    let single = (entry.focus == .links ? browser.peekTarget : nil) ?? entry.subject
    let roots = marked.isEmpty ? [single].compactMap(\.self) : marked
    if let first = roots.first {
      let what = roots.count == 1 ? model.label(first) : "the \(roots.count) marked objects"
      let label = "\(what), and what \(roots.count == 1 ? "it links" : "they link") to…"
      choices.append(.init("c", label) { ClosureDialog.open(for: roots, in: $0) })
    }
    guard !choices.isEmpty else { return say("There is nothing to export here") }
    open(MenuDialog("Export", choices))
  }

  /// Whether objects can be written now; says why not.
  private var canExport: Bool {
    let created = model.draftOwner.touched.values.count { $0 == .created }
    guard created == 0 else {
      let what =
        created == 1
        ? "1 object is new and gets its key" : "\(created) objects are new and get their keys"
      showError(
        "\(what) at the commit: \(key(of: "review")) shows the changes, "
          + "\(key(of: "commit")) commits them; then export"
      )
      return false
    }
    return true
  }

  func askForFile(_ subject: Subject, text: String = "") {
    open(PromptDialog(.export(subject), text: text, in: browser))
    say(
      columns(of: subject) == nil
        ? "The name says the format, as dogs.jsonl or dogs.csv do; folder/*.csv writes a file per class"
        : "The name says the format: .csv has the table’s columns, .jsonl whole objects"
    )
  }

  /// The columns of the table, by what the query language calls them; `nil` where no table is written.
  private func columns(of subject: Subject) -> [String]? {
    if case .closure = subject { return nil }
    guard let table = browser.table else { return nil }
    return table.columns(in: model).compactMap { $0.path(in: table.classKey, model.schema) }
  }

  /// Whether the table shows what was asked for last.
  private var isFound: Bool { browser.table.map { $0.selection != nil } ?? true }

  /// The rows of the table, or the object; `nil` keys for all of the class.
  private var unmarked: (ClassKey, [ObjectKey]?)? {
    if let table = browser.table { return table.selection.map { (table.classKey, $0.keys) } }
    return entry.main.shownObject.map { ($0.classKey, [$0.key]) }
  }

  /// Writes objects to a file, beside the screen.
  func write(_ subject: Subject, to path: String) {
    guard canExport else { return }
    let marked = browser.markedObjects
    let rows: (classKey: ClassKey, keys: [ObjectKey]?)
    switch subject {
    case .closure(let choice):
      return write(subject, nil, to: path) { (snapshot, context) throws(DatabaseError) in
        .closure(try choice.objects(in: snapshot, context))
      }
    case .shown where !marked.isEmpty, .marked:
      guard let classKey = marked.first?.classKey else { return say("No object is marked") }
      rows = (classKey, marked.map(\.key))
    case .shown, .unmarked:
      guard isFound else { return showError(TableView.notFoundYet) }
      guard let unmarked else { return say("There is nothing to export here") }
      rows = unmarked
    }
    write(subject, model.name(of: rows.classKey), to: path) { (_, _) throws(DatabaseError) in
      .keys(rows.classKey, rows.keys)
    }
  }

  private func write(
    _ subject: Subject,
    _ name: String?,
    to path: String,
    _ find:
      @escaping @Sendable (Snapshot, JobContext) throws(DatabaseError) -> ExportRequest.Objects
  ) {
    guard let export = browser.settings.export else { return }
    let columns = columns(of: subject)
    Jobs(browser).launch("Exporting \(name ?? "objects")", .copy) {
      (snapshot: Snapshot, context) throws(DatabaseError) -> (ExportOutcome, count: Int) in
      let objects = try find(snapshot, context)
      let count =
        switch objects {
        case .keys(let classKey, let keys): keys?.count ?? snapshot.count(of: classKey)
        case .closure(let closure): closure.count
        }
      let request = ExportRequest(
        snapshot: snapshot,
        objects: objects,
        columns: columns,
        path: path
      )
      return (export(request, context), count)
    } finish: { browser, done in
      switch done.0 {
      case .written:
        let what = name.map { "\(done.count) \($0)" } ?? counted(done.count, "object")
        browser.say("Wrote \(what) to \(path)")
      case .failed(let reason):
        // The name can be mended.
        if browser.dialog == nil { Exporting(browser).askForFile(subject, text: path) }
        browser.showError(reason)
      }
    } abandon: { browser in
      browser.say("Nothing was written")
    }
  }
}

/// Objects, and the links that are followed from them.
struct ClosureChoice: Hashable, Sendable {
  let roots: [ObjectIdentity]
  var edges: Set<LinkEdge>
  /// How many links lead to an object at most; `nil` for any number.
  var depth: Int?

  /// Finds the objects.
  func objects(
    in snapshot: Snapshot,
    _ context: JobContext
  ) throws(DatabaseError) -> ObjectSet {
    try snapshot.closure(of: roots, along: edges, depth: depth) { _ in !context.isCancelled }
  }
}
