internal import KennelCore

/// Follows links in the panes beside an object: to what it links to, and to what links to it.
struct LinkWalking: BrowserPart {
  let browser: Browser

  /// `gr`: the pane of links, with the cursor on the first that points here.
  func showReferences() {
    guard let subject = entry.subject else { return }
    let pane: Pane = isGraph ? .referrers : .links
    entry.focus = pane
    browser[pane] = LinksView(pane: pane)
    if model.backlinks(to: subject).isEmpty, model.owner(of: subject) == nil {
      say("Nothing links to \(model.text(subject))")
    }
  }
}

// MARK: - The graph

extension LinkWalking {
  /// Whether an object is shown between what links to it and what it links to.
  var isGraph: Bool {
    guard browser.showsGraph, entry.main is ObjectView else { return false }
    return entry.focus != .collections && entry.focus != .changes
  }

  /// `|`: shows the object of the cursor between its links, or as before.
  func toggleGraph() {
    if isGraph {
      browser.showsGraph = false
      if entry.focus == .referrers { entry.focus = .links }
      return
    }
    guard let subject = entry.subject ?? browser.preview?.object, model.contains(subject) else {
      return showError("There is no object here whose links could be shown")
    }
    browser.showsGraph = true
    if browser.preview != nil { Navigation(browser).focus(on: .main) }
    if entry.main is ObjectView {
      entry.focus = .main
    } else {
      Navigation(browser).goToObject(subject, step: nil)
    }
  }

  /// `h`: towards what links to the object, and on along the link under the cursor; from a list, back
  /// to where it was opened.
  func walkLeft() {
    if entry.main is ElementsView, entry.focus == .main { return Navigation(browser).goBack() }
    switch entry.focus {
    case .links: entry.focus = .main
    case .main where isGraph: entry.focus = .referrers
    case .referrers: walk(in: .referrers)
    case .main, .collections, .changes: say("\(key(of: "graph")) shows what links here on the left")
    }
  }

  /// `l`: towards what the object links to, and on along the link under the cursor; from the
  /// collections, to the pane beside them.
  func walkRight() {
    switch entry.focus {
    case .referrers: entry.focus = .main
    case .collections: Navigation(browser).focus(on: .main)
    case .main: Navigation(browser).focus(on: .links)
    case .links, .changes: walk(in: .links)
    }
  }

  /// Follows the link under the cursor, and stays on that side as long as there is a way on.
  private func walk(in pane: Pane) {
    browser[pane].open(in: browser)
    guard isGraph else { return }
    let links = pane == .referrers ? entry.referrers : entry.links
    entry.focus = links.line(in: browser) == nil ? .main : pane
  }
}
