internal import KennelCore

/// A list of entries below a line that narrows them.
protocol SearchList: Dialog {
  var heading: String { get }
  /// Said where nothing is found.
  var nothing: String { get }
  var line: LineEditor { get set }
  /// The entry of the cursor; -1 where it is on none, from where a step leads to the first.
  var index: Int { get set }
  /// How many entries there are.
  var count: Int { get }

  /// Whether the cursor stops at an entry.
  func isSelectable(_ index: Int) -> Bool
  /// The text of an entry; asked only for those on the screen.
  func text(at index: Int, width: Int, _ charset: Charset, in browser: Browser) -> String
  /// Finds the entries that have what was typed.
  mutating func narrow(in browser: Browser)
  /// Enter.
  mutating func choose(in browser: Browser) -> DialogState
  /// Tab.
  mutating func goOn(in browser: Browser) -> DialogState
}

extension SearchList {
  func isSelectable(_ index: Int) -> Bool { true }

  mutating func goOn(in browser: Browser) -> DialogState { .open }

  mutating func handle(_ key: Key, in browser: Browser) -> DialogState {
    if key.code == .enter { return choose(in: browser) }
    if key.code == .tab { return goOn(in: browser) }
    if let distance = Self.distance(of: key, in: browser, allowsLetters: false) {
      let places = (0..<count).filter(isSelectable)
      if let last = places.indices.last {
        index = places[min(max(0, (places.firstIndex(of: index) ?? -1) + distance), last)]
      }
      return .open
    }
    let before = line.text
    if line.handle(key), line.text != before { narrow(in: browser) }
    return .open
  }

  func draw(_ frame: DialogFrame, on screen: inout Screen) { frame.draw(self, on: &screen) }
}
