internal import KennelCore
internal import KennelReports

/// Finds ways along links: between bookmarked objects, and from what nothing links to.
struct Trails: BrowserPart {
  let browser: Browser

  /// `:path a b`: the shortest way between two bookmarks, or from the object under the cursor to one.
  func findPath(typed text: String) {
    let letters = text.filter { !$0.isWhitespace }
    let named = letters.isEmpty ? browser.bookmarks.keys.sorted() : letters.map { $0 }
    var ends: [ObjectIdentity] = []
    for letter in named {
      guard let object = browser.bookmarks[letter] else {
        return showError(
          "There is no bookmark \(letter); \(key(of: "bookmark")) and a letter set one"
        )
      }
      ends.append(object)
    }
    if ends.count == 1, let subject = entry.subject { ends.insert(subject, at: 0) }
    guard ends.count == 2, ends[0] != ends[1] else {
      return showError(
        "Name two bookmarks, as in ‘:path a b’; \(key(of: "bookmark")) and a letter set one"
      )
    }
    let (start, end) = (ends[0], ends[1])
    guard model.contains(start), model.contains(end) else {
      return showError("A bookmarked object no longer exists")
    }
    Jobs(browser).launch("Finding a way", .reading(.report)) {
      snapshot,
      context throws(DatabaseError) in
      try TrailSearch(snapshot, QueryProgress(of: context)).shortest(from: start, to: end)
    } finish: { browser, steps in
      Trails(browser).show(steps, from: start, to: end)
    }
  }

  private func show(
    _ way: TrailSearch.Way,
    from start: ObjectIdentity,
    to end: ObjectIdentity
  ) {
    let ends = "from \(model.label(start)) to \(model.label(end))"
    switch way {
    case .steps(let steps):
      let heading =
        "\(counted(steps.count, "link")) from \(model.text(start)) to \(model.text(end))"
      Reports(browser).show(Report(kind: .trail, heading: heading, lines: lines(start, steps)))
    case .none: say("No links lead \(ends)")
    case .tooMany: showError("No way \(ends) was found; more objects lie between than are visited")
    }
  }

  /// `gw`: the shortest way to the object from one that nothing links to.
  func findSupport() {
    guard let subject = entry.subject, model.contains(subject) else {
      return showError("There is no object here")
    }
    Jobs(browser).launch("Finding what leads here", .reading(.report)) {
      snapshot,
      context throws(DatabaseError) in
      try TrailSearch(snapshot, QueryProgress(of: context)).support(of: subject)
    } finish: { browser, support in
      Trails(browser).show(support, of: subject)
    }
  }

  private func show(_ support: TrailSearch.Support, of object: ObjectIdentity) {
    switch support {
    case .root(_, let steps) where steps.isEmpty:
      say("Nothing links to \(model.label(object))")
    case .root(let root, let steps):
      let heading = "What leads to \(model.label(object)): nothing links to the first"
      Reports(browser).show(Report(kind: .trail, heading: heading, lines: lines(root, steps)))
    case .cycle(let count):
      say(
        "\(model.label(object)) is led to by \(counted(count - 1, "object")), "
          + "and something links to each of them"
      )
    case .tooMany:
      showError("More objects lead to \(model.label(object)) than are visited")
    }
  }

  private func lines(_ start: ObjectIdentity, _ steps: [TrailStep]) -> [ReportLine] {
    [ReportLine(model.label(start), opening: .object(start))]
      + steps.map { step in
        let property = model.name(of: step.property, in: step.origin.classKey)
        let way = step.isForward ? "\(property) →" : "← \(property) of"
        return ReportLine("  \(way) \(model.label(step.end))", opening: .object(step.end))
      }
  }
}
