/// The tabs, of which one is on the screen.
struct Tabs {
  /// The views of each tab, from left to right.
  var all: [History]
  /// The tab on the screen.
  private(set) var index = 0

  var count: Int { all.count }
  /// The number of the tab on the screen, from 1.
  var number: Int { index + 1 }

  /// Opens a tab to the right of the one on the screen.
  mutating func open(_ entry: HistoryEntry) {
    index += 1
    all.insert(History(entry), at: index)
  }

  /// Goes to another tab, around the ends.
  mutating func change(by step: Int) {
    index = ((index + step) % count + count) % count
  }

  /// Closes the tab on the screen for the one to its left, or else to its right; whether there was
  /// another one.
  mutating func close() -> Bool {
    guard count > 1 else { return false }
    all.remove(at: index)
    index = max(0, index - 1)
    return true
  }
}
