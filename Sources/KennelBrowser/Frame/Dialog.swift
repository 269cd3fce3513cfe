internal import KennelCore

/// An editor, a menu or a question, which has the keys while it is open.
///
/// A dialog is a value of its own type, in a file of its own; the browser knows only this protocol.
protocol Dialog {
  /// The heading in the manual.
  static var title: String { get }
  /// Its fixed keys, for the manual and the hint line.
  static var keys: [Hint] { get }

  /// The hints of its keys as they are now.
  func hints(in browser: Browser) -> [Hint]

  /// Whether another program's commit waits until it is closed: it sets a value in place of the one that
  /// the person saw, which another commit may have replaced.
  var holdsNews: Bool { get }

  /// Takes a key; another dialog that it opens takes its place.
  mutating func handle(_ key: Key, in browser: Browser) -> DialogState

  /// Esc.
  mutating func cancel(in browser: Browser) -> DialogState

  func draw(_ frame: DialogFrame, on screen: inout Screen)
}

/// Whether a dialog still has the keys after one of them.
enum DialogState {
  case open
  case closed
}

extension Dialog {
  func hints(in browser: Browser) -> [Hint] { Self.keys }

  var holdsNews: Bool { false }

  mutating func cancel(in browser: Browser) -> DialogState { .closed }

  /// How many lines a page has.
  static func pageSize(in browser: Browser) -> Int { max(1, browser.size.rows - 5) }

  /// How far a key that moves through lines goes; `nil` for any other key.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - browser: The browser, whose size says how long a page is.
  ///   - allowsLetters: Whether letters move too, where nothing is typed.
  /// - Returns: The number of lines.
  static func distance(of key: Key, in browser: Browser, allowsLetters: Bool = true) -> Int? {
    let (page, end) = (pageSize(in: browser), Movement.far)
    switch key {
    case Key(.down): return 1
    case Key(.up): return -1
    case Key(.pageDown): return page
    case Key(.pageUp): return -page
    case Key(.home) where allowsLetters, Key("g") where allowsLetters: return -end
    case Key(.end) where allowsLetters, Key("G") where allowsLetters: return end
    case Key("j") where allowsLetters: return 1
    case Key("k") where allowsLetters: return -1
    case Key(.character("d"), isControl: true) where allowsLetters: return page / 2
    case Key(.character("u"), isControl: true) where allowsLetters: return -page / 2
    default: return nil
    }
  }

  /// Moves a cursor through lines; false where the key does not move.
  static func move(
    _ cursor: inout Int,
    among count: Int,
    by key: Key,
    in browser: Browser
  ) -> Bool {
    guard let distance = distance(of: key, in: browser) else { return false }
    cursor = min(max(0, cursor + distance), max(0, count - 1))
    return true
  }
}

/// A key and what it does, in a word or two.
struct Hint {
  var key: String
  var label: String
  /// A shorter label, where the label does not fit.
  var short: String?
  /// The name of the command; `nil` for a key of a dialog.
  var name: String?

  init(_ key: String, _ label: String, short: String? = nil, name: String? = nil) {
    self.key = key
    self.label = label
    self.short = short
    self.name = name
  }
}
