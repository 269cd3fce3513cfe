internal import KennelCore
internal import KennelReports

/// Which links are followed from an object, and how far, before what they lead to is exported.
struct ClosureDialog: Dialog {
  static let title = "Choosing what is exported with an object"
  static let keys = [
    Hint("Enter", "name the file"), Hint("Space", "follow or not"), Hint("a", "all or none"),
    Hint("+", "farther"), Hint("-", "less far"), Hint("Esc", "back"),
  ]

  private var choice: ClosureChoice
  /// The links that can lead from the objects to others, first forwards.
  private let edges: [LinkEdge]
  private let names: [String]
  private let what: String
  private var index = 0
  /// How many objects of which class there are; `nil` while they are counted.
  private var counts: String?

  private init(_ roots: [ObjectIdentity], _ model: BrowserModel) {
    let schema = model.schema
    edges = Self.edges(from: Set(roots.map(\.classKey)), schema)
    names = edges.map { edge in
      let origin = schema[edge.origin]
      let property = origin?[edge.property]
      let target = property?.target.flatMap { schema[$0]?.name } ?? "any object"
      let name = "\(origin?.name ?? "?").\(property?.name ?? "?")"
      return edge.isBackward ? "\(target) ← \(name)" : "\(name) → \(target)"
    }
    what = roots.count == 1 ? model.label(roots[0]) : "\(roots.count) objects"
    choice = ClosureChoice(roots: roots, edges: Set(edges.filter { !$0.isBackward }))
  }

  static func open(for roots: [ObjectIdentity], in browser: Browser) {
    let dialog = ClosureDialog(roots, browser.model)
    browser.dialog = dialog
    dialog.count(in: browser)
  }

  /// The links of the classes that can be reached: forwards, then backwards.
  private static func edges(from start: Set<ClassKey>, _ schema: Schema) -> [LinkEdge] {
    let graph = SchemaGraph(schema).edges
    var reached = start
    var pending = Array(start)
    while let classKey = pending.popLast() {
      for edge in graph where edge.origin.key == classKey || edge.target.key == classKey {
        for next in [edge.origin.key, edge.target.key] where reached.insert(next).inserted {
          pending.append(next)
        }
      }
    }
    let forward = LinkEdge.all(in: schema).filter { reached.contains($0.origin) }
    return forward + forward.map { LinkEdge($0.origin, $0.property, isBackward: true) }
  }

  // MARK: - Keys

  mutating func handle(_ key: Key, in browser: Browser) -> DialogState {
    if key.code == .enter {
      Jobs(browser).cancel(.count)
      Exporting(browser).askForFile(.closure(choice))
      return .closed
    }
    switch key {
    case Key(" "): toggle()
    case Key("a"): choice.edges = choice.edges.count == edges.count ? [] : Set(edges)
    case Key("+"): choice.depth = choice.depth.flatMap { $0 >= 9 ? nil : $0 + 1 }
    case Key("-"): choice.depth = max(0, (choice.depth ?? 10) - 1)
    default:
      if !Self.move(&index, among: edges.count, by: key, in: browser) {
        browser.showError("\(key) does nothing here; Esc goes back")
      }
      return .open
    }
    counts = nil
    count(in: browser)
    return .open
  }

  mutating func cancel(in browser: Browser) -> DialogState {
    Jobs(browser).cancel(.count)
    return .closed
  }

  private mutating func toggle() {
    guard edges.indices.contains(index) else { return }
    if choice.edges.remove(edges[index]) == nil { choice.edges.insert(edges[index]) }
  }

  // MARK: - Counting

  /// Counts the objects, which may be many, beside the screen.
  private func count(in browser: Browser) {
    let choice = choice
    Jobs(browser).launch(
      "Counting",
      .reading(.count),
      reading: { (snapshot, context) throws(DatabaseError) -> String in
        let objects = try choice.objects(in: snapshot, context)
        let classes = snapshot.schema.classes.compactMap { classSchema in
          let count = objects.count(of: classSchema.key)
          return count > 0 ? "\(count) \(classSchema.name)" : nil
        }
        return "\(counted(objects.count, "object")): \(classes.joined(separator: ", "))"
      },
      finish: { browser, counts in
        browser.updateDialog(ClosureDialog.self) { dialog in
          if dialog.choice == choice { dialog.counts = counts }
        }
      }
    )
  }

  func draw(_ frame: DialogFrame, on screen: inout Screen) {
    let depth = choice.depth.map { counted($0, "link") } ?? "any number of links"
    let title = "\(counts ?? "Counting…") · \(depth) away from \(what)"
    let lines = zip(edges, names).map { edge, name in
      "[\(choice.edges.contains(edge) ? "x" : " ")] \(name)"
    }
    frame.drawList(title, lines, cursor: index, on: &screen)
  }
}
