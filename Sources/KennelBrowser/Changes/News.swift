internal import KennelCore
internal import KennelReports

/// Shows the commits of other processes without a key.
struct News: BrowserPart {
  let browser: Browser

  /// The object of the main pane, and whether it was there.
  typealias Seen = (object: ObjectIdentity, existed: Bool)

  /// Everything shown that a tick may change.
  var state: [AnyHashable?] {
    [
      model.generation, model.filePlace, message?.text, model.problem, model.former != nil,
      browser.jobs.count,
    ]
  }

  /// `R`: reads everything anew.
  func refresh() {
    browser.settings.original?.readAgain()
    follow()
    model.draftOwner.reread()
    if let original = browser.settings.original, original.time != nil {
      return say("\(browser.settings.fileName) is being read again")
    }
    say("Commit \(model.reader?.commitNumber ?? 0) is on the screen")
  }

  func follow() {
    defer {
      Commits(browser).follow()
      Commits(browser).forgetOld()
    }
    FileActions(browser).checkPlace()
    guard model.isStale, browser.dialog?.holdsNews != true else { return }
    let seen = entry.subject.map { Seen($0, model.contains($0)) }
    let before = model.draftOwner.committed
    if LargeChanges(browser).isDraftLarge {
      guard let draft = model.draftOwner.lend() else { return }
      Jobs(browser).launch("Taking in another program's commit", .change(canStop: false)) {
        _ throws(DatabaseError) in
        try draft.refresh()
      } finish: { browser, _ in
        News(browser).takeBack(seen)
        browser.model.showNews(since: before)
      } abandon: {
        $0.model.draftOwner.takeBack(as: .noStep)
      }
      return
    }
    let problem = model.problem
    let said = message
    message = nil
    model.refresh()
    if model.problem != nil, problem == nil {
      message = said
      return
    }
    announce(seen, said)
  }

  /// The job has moved the draft onto the commit.
  private func takeBack(_ seen: Seen?) {
    let said = message
    message = nil
    model.draftOwner.takeBack(as: .noStep)
    announce(seen, said)
    Commits(browser).follow()
  }

  /// Tells of a commit that is on the screen now; what a cursor has lost comes before what was said.
  private func announce(_ seen: Seen?, _ said: Message?) {
    if message == nil {
      if let said { message = said } else { say("Another program committed") }
    }
    if let seen, seen.existed, !model.contains(seen.object) { ask(.bell) }
    let conflicts = model.draftOwner.conflicts.count
    if conflicts > 0 {
      if browser.context != .changes { Reviewing(browser).goToConflict() }
      showError(
        "\(counted(conflicts, "conflict")) with another program's commit; \(key(of: "review")) shows them"
      )
    }
  }
}
