/// The tabs that are not on the screen; the history of the one that is stands beside them.
struct Tabs {
  /// Those to the left of the one on the screen, and to its right.
  private(set) var before: [History] = []
  private(set) var after: [History] = []

  init(before: [History] = [], after: [History] = []) {
    self.before = before
    self.after = after
  }

  var count: Int { before.count + 1 + after.count }
  /// The number of the tab on the screen, from 1.
  var number: Int { before.count + 1 }

  /// The view of each tab, from left to right.
  func entries(with current: History) -> [HistoryEntry] {
    (before + [current] + after).map(\.current)
  }

  /// Opens a tab to the right of the one on the screen.
  mutating func open(after current: inout History, _ entry: HistoryEntry) {
    before.append(current)
    current = History(entry)
  }

  /// Goes to another tab, around the ends.
  mutating func change(by step: Int, from current: inout History) {
    let all = before + [current] + after
    let index = ((before.count + step) % all.count + all.count) % all.count
    show(index, of: all, &current)
  }

  /// Closes the tab on the screen for the one to its left, or else to its right; whether there was
  /// another one.
  mutating func close(_ current: inout History) -> Bool {
    let others = before + after
    guard !others.isEmpty else { return false }
    show(max(0, before.count - 1), of: others, &current)
    return true
  }

  private mutating func show(_ index: Int, of all: [History], _ current: inout History) {
    before = Array(all[..<index])
    current = all[index]
    after = Array(all[(index + 1)...])
  }

  /// Changes the histories of the tabs that are not on the screen.
  mutating func update(_ change: (inout History) -> Void) {
    for index in before.indices { change(&before[index]) }
    for index in after.indices { change(&after[index]) }
  }
}
