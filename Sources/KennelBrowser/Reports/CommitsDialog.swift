/// The commits of this run, the newest first.
struct CommitsDialog: Dialog {
  static let title = "The commits of this run"
  static let keys = [
    Hint("Enter", "show what the commit has changed"), Hint("t", "take it back in a draft"),
    Hint("j", "down"), Hint("k", "up"), Hint("Esc", "back"),
  ]

  private var index = 0

  /// Lists them, with the cursor on the newest one or that of a number.
  init(at number: Int?, in browser: Browser) {
    index = commits(of: browser).firstIndex { $0.number == number } ?? 0
  }

  private func commits(of browser: Browser) -> [OwnCommits.Commit] {
    browser.changes.committed.all.reversed()
  }

  func hints(in browser: Browser) -> [Hint] {
    let moving = Array(Self.keys.dropFirst(2))
    guard commits(of: browser)[index].states != nil else { return moving }
    return [Hint("Enter", "its changes"), Hint("t", "take it back")] + moving
  }

  mutating func handle(_ key: Key, in browser: Browser) -> DialogState {
    let commits = commits(of: browser)
    if Self.move(&index, among: commits.count, by: key, in: browser) { return .open }
    let commit = commits[index]
    if key.code == .enter {
      Commits(browser).showChanges(of: commit.number)
    } else if key.typed == "t" {
      Commits(browser).takeBack(commit.number)
    } else {
      return key.typed == "q" ? .closed : .open
    }
    return commit.states == nil ? .open : .closed
  }

  func draw(_ frame: DialogFrame, on screen: inout Screen) {
    let lines = commits(of: frame.browser).map { commit in
      let note = commit.states == nil ? "  (can no longer be taken back)" : ""
      let time = commit.time.isEmpty ? "" : "\(commit.time)  "
      return "\(commit.number)  \(time)\(commit.text)\(note)"
    }
    frame.drawList(Self.title, lines, cursor: index, on: &screen)
  }
}
