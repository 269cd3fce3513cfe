internal import KennelCore

/// Follows links in the panes beside an object: to what it links to, and to what links to it.
struct LinkWalking: BrowserPart {
  let browser: Browser

  /// The lines of a pane of links; in the graph each side has a pane of its own.
  func lines(in pane: Pane) -> [LinkLine] {
    guard let subject = view.subject, model.contains(subject) else { return [] }
    let side: LinkSide = pane == .referrers ? .incoming : isGraph ? .outgoing : .both
    let lines = LinksState.lines(side, of: subject, in: model, theme: theme)
    // The title of a pane that has one side alone is heading enough.
    return side == .both ? lines : Array(lines.dropFirst())
  }

  /// The line under the cursor of a pane of links.
  func line(in pane: Pane) -> LinkLine? {
    let lines = lines(in: pane)
    return view.linkCursors(of: pane).cursorIndex(in: lines).map { lines[$0] }
  }

  func move(by distance: Int, in pane: Pane) {
    var links = view.linkCursors(of: pane)
    links.move(by: distance, in: lines(in: pane))
    view.setLinkCursors(of: pane, links)
  }

  /// Puts the cursor on a line; whether it leads anywhere.
  func select(_ index: Int, in pane: Pane) -> Bool {
    let lines = lines(in: pane)
    guard lines.indices.contains(index), lines[index].isSelectable else { return false }
    var links = view.linkCursors(of: pane)
    links.cursor = lines[index].id
    view.setLinkCursors(of: pane, links)
    return true
  }

  /// Puts the cursor on the next line with a text, among those that are listed; whether there is one.
  func find(_ pattern: SearchPattern, _ isForward: Bool, in pane: Pane) -> Bool {
    let lines = lines(in: pane)
    let matches = lines.indices.filter {
      lines[$0].isSelectable && pattern.isFound(in: lines[$0].text)
    }
    let current = view.linkCursors(of: pane).cursorIndex(in: lines) ?? 0
    guard let next = Finding.next(in: matches, after: current, isForward) else { return false }
    return select(next, in: pane)
  }

  /// Enter on a line of links.
  func open(in pane: Pane) {
    guard let subject = view.subject else { return }
    guard let line = line(in: pane) else {
      say("\(model.text(subject)) has no links")
      return
    }
    var links = view.linkCursors(of: pane)
    links.cursor = line.id
    view.setLinkCursors(of: pane, links)
    if let target = line.target {
      browser.navigation.goToObject(target, step: line.step)
    } else if let group = line.group {
      browser.navigation.showOrigins(of: group, to: subject)
    } else if let collection = line.collection {
      browser.navigation.goToElements(collection.object, collection.property)
    }
  }

  /// `gr`: the pane of links, with the cursor on the first that points here.
  func showReferences() {
    guard let subject = view.subject else { return }
    let pane: Pane = isGraph ? .referrers : .links
    view.focus = pane
    var links = LinksState()
    links.cursor = lines(in: pane).first { $0.isSelectable }?.id
    view.setLinkCursors(of: pane, links)
    if model.backlinks(to: subject).isEmpty, model.owner(of: subject) == nil {
      say("Nothing links to \(model.text(subject))")
    }
  }
}

// MARK: - The graph

extension LinkWalking {
  /// Whether an object is shown between what links to it and what it links to.
  var isGraph: Bool {
    guard browser.showsGraph, case .object = view.main else { return false }
    return view.focus != .collections && view.focus != .changes
  }

  /// `|`: shows the object of the cursor between its links, or as before.
  func toggleGraph() {
    if isGraph {
      browser.showsGraph = false
      if view.focus == .referrers { view.focus = .links }
      return
    }
    guard let subject = view.subject ?? browser.preview?.object, model.contains(subject) else {
      return showError("There is no object here whose links could be shown")
    }
    browser.showsGraph = true
    if browser.preview != nil { browser.navigation.focus(on: .main) }
    if case .object = view.main {
      view.focus = .main
    } else {
      browser.navigation.goToObject(subject, step: nil)
    }
  }

  /// `h`: towards what links to the object, and on along the link under the cursor; from a list, back
  /// to where it was opened.
  func walkLeft() {
    if case .elements = view.main, view.focus == .main { return browser.navigation.goBack() }
    switch view.focus {
    case .links: view.focus = .main
    case .main where isGraph: view.focus = .referrers
    case .referrers: walk(in: .referrers)
    case .main, .collections, .changes: say("| shows what links here on the left")
    }
  }

  /// `l`: towards what the object links to, and on along the link under the cursor.
  func walkRight() {
    switch view.focus {
    case .referrers: view.focus = .main
    case .main: browser.navigation.focus(on: .links)
    case .links, .collections, .changes: walk(in: .links)
    }
  }

  /// Follows the link under the cursor, and stays on that side as long as there is a way on.
  private func walk(in pane: Pane) {
    open(in: pane)
    guard isGraph, case .object = view.main else { return }
    view.focus = line(in: pane) == nil ? .main : pane
  }
}
