internal import KennelCore

/// The commands that the hint line names; a test compares them with the rows of the table.
package enum HintedCommand: String, CaseIterable {
  case close = "q"
  case collections, commit, create, delete, drop, edit, filter, find
  case elementDown = "element-down"
  case elementUp = "element-up"
  case findNext = "find-next"
  case clearFilter = "clear-filter"
  case cancel, copy
  case keepMine = "keep-mine"
  case leaveOut = "leave-out"
  case left, main, mark
  case markRange = "mark-range"
  case nextPane = "next-pane"
  case group
  case paste
  case open, owner, peek, references
  case review, right, schema, sort
  case takeTheirs = "take-theirs"
  case graph
  case walkLeft = "walk-left"
  case walkRight = "walk-right"
  case undo, unlink, value, back
}

/// The last line of the screen: what the keys do here, the likeliest next step first.
struct HintLine: BrowserPart {
  let browser: Browser

  func draw(_ line: Rectangle, on screen: inout Screen) {
    var column = 0
    let hints = browser.dialog?.hints(in: browser) ?? currentHints
    // The help is always named; what does not fit before it is left out.
    let last = browser.dialog == nil ? Hint(browser.key(of: "help"), "keys") : nil
    let reserved = last.map { width(of: $0, screen.charset) + 2 } ?? 0
    for hint in hints {
      let forms = [hint] + (hint.short.map { [Hint(hint.key, $0)] } ?? [])
      let room = line.columns - reserved - column
      guard let form = forms.first(where: { width(of: $0, screen.charset) <= room }) else {
        continue
      }
      draw(form, line.row, &column, on: &screen)
    }
    if let last { draw(last, line.row, &column, on: &screen) }
  }

  private func width(of hint: Hint, _ charset: Charset) -> Int {
    TextWidth.width(of: "\(hint.key) \(hint.label)", in: charset)
  }

  private func draw(_ hint: Hint, _ row: Int, _ column: inout Int, on screen: inout Screen) {
    let start = column
    column += screen.put(hint.key, row: row, column: column, style: theme.key)
    column += screen.put(" \(hint.label)", row: row, column: column, style: theme.note)
    if let keys = keys(of: hint) {
      browser.addTarget(row: row, columns: start..<column, .press(keys))
    }
    column += 2
  }

  /// The keys that a hint names; `nil` where it names none, as ‘type’.
  private func keys(of hint: Hint) -> [Key]? {
    if let key = Key(hint.key) { return [key] }
    guard let sequence = KeySequence(hint.key) else { return nil }
    return browser.bindings.commands(of: sequence).isEmpty ? nil : sequence.keys
  }

  private var currentHints: [Hint] {
    var ids: [(HintedCommand, String?)]
    switch browser.context {
    case .collections:
      let name = browser.collections.cursor.flatMap { model.schema[$0]?.name } ?? ""
      ids = [(.open, "open \(name)"), (.nextPane, nil)]
    case .table: ids = tableHints
    case .object: ids = objectHints
    case .elements: ids = elementsHints
    case .summary: ids = summaryHints
    case .diagram: ids = diagramHints
    case .links: ids = linksHints
    case .changes where model.changeCount == 0: ids = [(.main, "back to the table")]
    case .changes:
      ids = [
        (.commit, "commit…"), (.leaveOut, nil), (.drop, "drop"), (.open, "open"), (.undo, nil),
        (.main, "back to the table"),
      ]
      let conflicts = model.draft.conflicts
      if !conflicts.isEmpty { ids.insert((.takeTheirs, "theirs"), at: 0) }
      if conflicts.contains(where: \.canKeepMine) { ids.insert((.keepMine, "mine"), at: 0) }
    }
    if browser.showsMatches, browser.view.focus == .main {
      ids.insert((.findNext, "next found"), at: 1)
    }
    if browser.copied != nil, model.draft.exists, Command.values.contains(browser.context) {
      ids.insert((.paste, nil), at: min(3, ids.count))
      // It takes the place of the longest hint rather than that of those behind it.
      if let index = ids.firstIndex(where: { $0.0 == .value }) { ids.append(ids.remove(at: index)) }
    }
    if model.changeCount > 0, browser.context != .changes {
      ids.insert((.review, "review"), at: min(4, ids.count))
      ids.insert((.undo, nil), at: min(6, ids.count))
    }
    ids.append(
      (.close, canClose ? "close" : "quit")
    )
    return ids.compactMap { id, label in
      guard let command = browser.bindings.command(id.rawValue), let key = command.keys.first else {
        return nil
      }
      // What ends the graph is not what shows it.
      let hasShort = label != nil && id != .graph
      return Hint(key, label ?? command.hint, short: hasShort ? command.hint : nil)
    }
  }

  private var canClose: Bool {
    browser.history.canGoBack || browser.context == .changes || browser.tabs.count > 1
  }

  private var backHint: [(HintedCommand, String?)] {
    browser.history.canGoBack ? [(.back, "back")] : []
  }

  /// Where objects are marked, keys act on all of them.
  private func markHints(_ table: TableState) -> [(HintedCommand, String?)] {
    let count = table.marks.count
    var ids: [(HintedCommand, String?)] = []
    if table.range != nil { ids.append((.markRange, "end the range")) }
    if model.draft.exists {
      if spot != nil { ids += [(.edit, "edit \(count)"), (.value, nil)] }
      ids.append((.delete, "delete \(count)…"))
    }
    return ids + [(.copy, "copy \(count)"), (.mark, "mark"), (.cancel, "clear marks")]
  }

  private var tableHints: [(HintedCommand, String?)] {
    guard case .table(let table) = view.main else { return [] }
    if !table.marks.isEmpty { return markHints(table) }
    var open = table.object.map { "open \(model.text($0))" } ?? "open"
    var isLink = false
    if let spot, let property = property(of: spot) {
      if property.isCollection {
        open = "open \(property.name)"
      } else if let target = linkTarget(spot) {
        open =
          property.isEmbedded ? "into \(model.text(target))" : "follow to \(model.text(target))"
        isLink = true
      }
    }
    guard table.object != nil else {
      var ids = backHint
      if table.definition.filter != nil { ids.append((.clearFilter, "show all")) }
      if model.draft.exists { ids.append((.create, nil)) }
      return ids + [(.collections, nil)]
    }
    var ids: [(HintedCommand, String?)] = [(.open, open)]
    let first = table.columns(in: model).first?.name(in: table.classKey, model.schema)
    if table.column == .key, let first { ids.append((.right, "to \(first)")) }
    let canEdit = spot != nil && model.draft.exists
    if canEdit { ids.append((.edit, "edit")) }
    ids.append((.references, nil))
    ids += backHint
    if table.definition.filter != nil { ids.append((.clearFilter, "show all")) }
    if canEdit {
      ids.append((.value, nil))
      if isLink { ids.append((.unlink, nil)) }
    }
    ids += [(.filter, nil), (.find, nil), (.sort, nil)]
    if model.draft.exists { ids += [(.create, nil), (.delete, nil)] }
    return ids + [(.peek, nil), (.collections, nil)]
  }

  private var objectHints: [(HintedCommand, String?)] {
    guard case .object(let object) = view.main else { return [] }
    guard model.contains(object.object) else { return backHint }
    let line = object.currentLine(in: model, theme: theme)
    var ids: [(HintedCommand, String?)] = []
    var isElement = false
    if let line {
      if let target = line.target {
        let property = line.spot.flatMap(property)
        let verb = property?.isEmbedded == true ? "into" : "follow to"
        ids.append((.open, "\(line.id == .owner ? "owner" : verb) \(model.text(target))"))
      } else if let spot = line.spot, property(of: spot)?.isCollection == true, spot.element == nil
      {
        ids.append((.open, "open \(property(of: spot)?.name ?? "")"))
      } else if case .backlink = line.id {
        ids.append((.open, "list them"))
      } else if let spot = line.spot, model.holdsBytes(at: spot) {
        ids.append((.open, "show the bytes"))
      } else if let spot = line.spot, browser.value(at: spot)?.isCollection == true {
        ids.append((.open, "show all of it"))
      }
      if case .element = line.id { isElement = true }
    }
    if browser.linkWalking.isGraph {
      ids += [(.walkLeft, nil), (.walkRight, nil), (.graph, "end the graph")]
    } else {
      ids += [(.references, nil)]
    }
    if model.schema[object.object.classKey]?.isEmbedded == true { ids.append((.owner, nil)) }
    ids += backHint
    if model.draft.exists {
      ids += editHints(isElement: isElement, spot: line?.spot)
    }
    if !browser.linkWalking.isGraph { ids.append((.graph, nil)) }
    return ids + [(.peek, nil), (.find, nil)]
  }

  private func editHints(isElement: Bool, spot: Spot?) -> [(HintedCommand, String?)] {
    guard let spot, let property = property(of: spot) else { return [(.delete, nil)] }
    var ids: [(HintedCommand, String?)] = []
    if property.isCollection, !isElement {
      ids.append((.create, "add"))
    } else {
      ids.append((.edit, "edit"))
      ids.append(isElement ? (.create, "add") : (.value, nil))
    }
    if isElement || linkTarget(spot) != nil { ids.append((.unlink, isElement ? "take out" : nil)) }
    if isElement, property.type.collection == .list { ids.append((.elementDown, "move down")) }
    if isElement { ids.append((.value, nil)) }
    return ids + [(.delete, nil)]
  }

  private var elementsHints: [(HintedCommand, String?)] {
    guard case .elements(let elements) = view.main else { return [] }
    var ids: [(HintedCommand, String?)] = []
    let property = elements.schema(in: model)
    if let target = elements.cursor?.target {
      let verb = property?.isEmbedded == true ? "into" : "follow to"
      ids.append((.open, "\(verb) \(model.text(target))"))
    }
    ids += backHint
    if model.draft.exists {
      ids.append((.create, "add"))
      if elements.cursor != nil {
        ids += [(.unlink, "take out"), (.edit, "edit")]
        if property?.type.collection == .list {
          ids += [(.elementDown, "move down"), (.elementUp, "up")]
        }
      }
    }
    return ids + [(.references, nil), (.peek, nil), (.find, nil)]
  }

  private var summaryHints: [(HintedCommand, String?)] {
    guard case .summary(let summary) = view.main else { return [] }
    var ids: [(HintedCommand, String?)] = []
    switch summary.current?.target {
    case .group: ids.append((.open, "show the objects"))
    case .table(let classKey): ids.append((.open, "open \(model.schema[classKey]?.name ?? "?")"))
    case nil: break
    }
    ids.append((.sort, nil))
    if case .groups = summary.subject { ids.append((.group, "group by, sum up…")) }
    return ids + backHint + [(.find, nil), (.copy, nil)]
  }

  private var diagramHints: [(HintedCommand, String?)] {
    guard let line = browser.diagrams.line else { return [] }
    let name = { (key: ClassKey) in model.schema[key]?.name ?? "?" }
    let open = line.other.map { "go to \(name($0))" } ?? "open \(name(line.classKey))"
    return [(.open, open), (.left, "back"), (.schema, nil), (.find, nil)] + backHint
  }

  private var linksHints: [(HintedCommand, String?)] {
    guard let subject = view.subject else { return [] }
    var ids: [(HintedCommand, String?)] = []
    if let line = browser.linkWalking.line(in: view.focus) {
      let label = line.target.map { "go to \(model.text($0))" } ?? "list them"
      ids.append((.open, label))
    }
    if browser.linkWalking.isGraph {
      ids += [(.walkLeft, nil), (.walkRight, nil), (.graph, "end the graph")]
    } else {
    }
    if model.schema[subject.classKey]?.isEmbedded == true { ids.append((.owner, nil)) }
    ids += backHint
    return ids + [(.peek, nil), (.main, "back to the \(mainWord)")]
  }

  private var mainWord: String {
    switch view.main {
    case .table: "table"
    case .object: "object"
    case .elements: "list"
    case .summary: "groups"
    case .diagram: "diagram"
    }
  }
}
