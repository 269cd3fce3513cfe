internal import KennelCore

/// The contents of a pane: their state, how they are drawn, and what keys do there.
///
/// A view is a value of its own type, in a file or a folder of its own; the browser knows only this
/// protocol. To add one, write its type and a row of `CommandTable.swift` that shows it by
/// ``Navigation/go(to:step:)``. What a view does not have keeps the standard implementation.
///
/// A mutating method changes only the view itself: the browser still has the view as it was, and
/// takes the changed one when the method returns. A method that leads elsewhere does not mutate.
protocol View {
  // MARK: What it is about

  /// Where its keys work.
  var context: Context { get }
  /// Identifies the contents, wherever the cursor is: going where one is adds no step to the way back.
  var content: AnyHashable { get }
  /// Names the view in a word, as in ‘back to the table’.
  var word: String { get }
  /// The class that it is about.
  var classKey: ClassKey { get }
  /// The object that the links and the peek are about.
  var subject: ObjectIdentity? { get }
  /// The object of which it shows something, wherever its cursor is.
  var shownObject: ObjectIdentity? { get }
  /// Names the contents in a word or two, for the breadcrumbs.
  func name(in model: BrowserModel) -> String
  /// The property or element under the cursor.
  func spot(in model: BrowserModel) -> Spot?
  /// The text under the cursor, where that is no value of an object.
  var copiedText: String? { get }

  // MARK: Keys

  mutating func move(_ movement: Movement, in browser: Browser)
  /// `h` and `l`.
  mutating func moveAcross(by distance: Int, in browser: Browser)
  /// Enter.
  func open(in browser: Browser)
  /// Says what Enter does, for the hint line; `nil` where it does nothing.
  func openLabel(in browser: Browser) -> String?
  /// The commands that the hint line names, the likeliest first.
  func hints(in browser: Browser) -> [String]
  /// `s`: sorts by the column of the cursor.
  func sort(in browser: Browser)
  /// Goes to the next place with a text, or the one before.
  mutating func find(_ pattern: SearchPattern, isForward: Bool, in browser: Browser)
  /// Puts the cursor where it was in the view before.
  mutating func takePlace(of former: any View, in browser: Browser)
  /// Goes where a job found the text.
  mutating func show(_ place: FoundPlace, in browser: Browser)
  /// Puts the cursor on what was clicked.
  mutating func click(row: Int, column: Int, in frame: PaneFrame) -> Click
  /// Puts the cursor on an element of a collection, if the view lists it.
  mutating func select(_ element: Element, of spot: Spot)

  // MARK: The screen

  /// Scrolls so that the cursor is seen; called before ``draw(_:on:)``, which changes nothing.
  mutating func scroll(in frame: PaneFrame)
  /// Scrolls so that as many lines are above that of the cursor, as far as there are any.
  mutating func scroll(linesAboveCursor count: Int, in browser: Browser)
  /// How many rows of a pane stand above its lines.
  func headerRows(in frame: PaneFrame) -> Int
  /// Draws the view; where the cell of the cursor is.
  func draw(_ frame: PaneFrame, on screen: inout Screen) -> Rectangle?

  // MARK: Changes of the data

  /// Puts the cursor on what still exists, and says so where that is something else.
  mutating func repairCursor(in browser: Browser)
  /// Has a job find what is shown anew, where something has changed.
  func renew(in browser: Browser)
  /// Gives objects that a commit numbered their final keys.
  mutating func replace(_ keys: [ObjectIdentity: ObjectIdentity])
  /// Tells the results of jobs which view asked for them; `nil` where none are.
  var jobID: Int? { get }
  /// Makes a copy one of its own, whose rows are found by jobs of its own.
  mutating func separate(as id: Int)
  /// Forgets what takes much memory, and is found again when the view comes back.
  mutating func forgetLargeResult()
}

enum Click {
  case nothing
  /// The line that the cursor is on now.
  case line
  /// The name of the column that the cursor is in now.
  case header
}

enum Movement {
  case lines(Int)
  case start
  case end

  /// Far enough from anywhere to either end.
  static let far = 1 << 40

  /// Where it leads from a line.
  func target(from index: Int, count: Int) -> Int {
    switch self {
    case .lines(let distance): min(max(0, index + distance), max(0, count - 1))
    case .start: 0
    case .end: max(0, count - 1)
    }
  }
}

// MARK: - What a view may lack

extension View {
  var content: AnyHashable { AnyHashable(context) }
  var word: String { context.name }
  var classKey: ClassKey { ClassKey(rawValue: 0) }
  var subject: ObjectIdentity? { nil }
  var shownObject: ObjectIdentity? { nil }
  var copiedText: String? { nil }
  var jobID: Int? { nil }
  func name(in model: BrowserModel) -> String { context.name }
  func spot(in model: BrowserModel) -> Spot? { nil }
  mutating func moveAcross(by distance: Int, in browser: Browser) {}
  func open(in browser: Browser) {}
  func openLabel(in browser: Browser) -> String? { nil }
  func hints(in browser: Browser) -> [String] { ["open", "back"] }
  func sort(in browser: Browser) {}
  mutating func find(_ pattern: SearchPattern, isForward: Bool, in browser: Browser) {
    browser.showError(pattern.notFound)
  }
  mutating func takePlace(of former: any View, in browser: Browser) {}
  mutating func show(_ place: FoundPlace, in browser: Browser) {}
  mutating func click(row: Int, column: Int, in frame: PaneFrame) -> Click { .nothing }
  mutating func select(_ element: Element, of spot: Spot) {}
  mutating func scroll(in frame: PaneFrame) {}
  mutating func scroll(linesAboveCursor count: Int, in browser: Browser) {}
  func headerRows(in frame: PaneFrame) -> Int { 0 }
  mutating func repairCursor(in browser: Browser) {}
  func renew(in browser: Browser) {}
  mutating func replace(_ keys: [ObjectIdentity: ObjectIdentity]) {}
  mutating func separate(as id: Int) {}
  mutating func forgetLargeResult() {}
}
