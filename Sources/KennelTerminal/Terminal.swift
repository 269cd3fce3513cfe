// The terminal that a program's screens are shown in
//
// Curses is used for what it knows: the modes and the descriptions of terminals, the sequences of
// keys, the cheapest way from one picture to the next. What it is not asked to know is the width
// of text: the cells of a `Screen` are plain enough for everybody to agree on it.
//
// However the program ends, the terminal is as it was found: `leave` undoes what `enter` did, and
// where nobody can call it any more, in a crash, a signal handler does (`CTerminalSignals`).
//
// Bracketed paste and the mouse are asked for with bytes of our own, as terminfo has no names for
// them; a terminal that does not know them ignores them.

internal import CNCurses
internal import CTerminalSignals
internal import Glibc
package import KennelBrowser

package enum TerminalError: Error, Hashable, Sendable {
  /// Standard input or output is not a terminal.
  case notATerminal

  /// There is no description of the terminal's type.
  case unknownType(String)

  /// The terminal cannot put text at a place of its own, only one line after the other.
  case onlyLines(String)

  /// The system refused something; carries its code.
  case system(Int32)
}

extension TerminalError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .notATerminal:
      "The browser needs a terminal, but its input or output is something else"
    case .unknownType(let type) where type.isEmpty:
      "The type of the terminal is not known: set TERM, for example to xterm-256color"
    case .unknownType(let type):
      "The type of the terminal, \(type), is not known here: try TERM=xterm-256color"
    case .onlyLines(let type):
      "A terminal of the type \(type) shows lines, not screens: try TERM=xterm-256color"
    case .system(let code):
      unsafe "The terminal does not answer: \(String(cString: strerror(code)))"
    }
  }
}

/// A terminal; there is one in a process, and one thread uses it.
///
/// Safe to use: it owns what curses gives it until it leaves.
@safe package final class Terminal {
  static let input: Int32 = 0
  static let output: Int32 = 1

  /// The picture on the terminal, or nil where nobody knows.
  var shown: Screen?

  /// Whether the person wants colors; set before the terminal is entered.
  package var wantsColors = Terminal.variable("NO_COLOR").isEmpty

  /// How many colors the terminal shows; 0 without any, and where the person wants none.
  var colorCount = 0

  /// The picture on the terminal.
  var drawing: PlacedPicture?

  /// Whether a character at the right edge does not move the cursor to the next row yet.
  var hasDeferredWrap = false

  /// The attributes and color pairs of the styles that were shown.
  var looks: [Style: (attributes: attr_t, pair: Int16)] = [:]
  /// The pairs of colors that curses knows by number.
  var pairs: [ColorPair: Int16] = [:]
  var standardColors = ColorPair(foreground: -1, background: -1)

  /// The glyph on its way to curses: a letter, its marks, and a zero.
  var glyph = [wchar_t](repeating: 0, count: 8)

  /// Where keys are read from: a pad, because reading from a window paints it.
  var keyPad: UnsafeMutablePointer<WINDOW>?

  /// The bytes of a character of which more are to come.
  var partial: [UInt8] = []

  /// The text of a paste that has begun.
  var paste: [UInt8]?

  /// Whether nothing has come of the paste for a while.
  var isPasteStale = false

  private var screen: OpaquePointer?
  private(set) var isEntered = false
  private var wantsMouse = false
  /// Whether the terminal reports the mouse.
  private var hasMouse = false
  /// Whether the terminal's description begins reports as the old coding does.
  private(set) var hasOldMouse = false

  /// Until when the answer to the question for the background may come, so that nobody else gets it.
  private var answerIsDue: ContinuousClock.Instant?

  /// The pipe from the signal handlers.
  let signals: WakePipe

  /// Prepares the terminal of standard input and output; `enter` takes it.
  package init() throws(TerminalError) {
    guard isatty(Self.input) == 1, isatty(Self.output) == 1 else { throw .notATerminal }
    guard let pipe = WakePipe() else { throw .system(errno) }
    signals = pipe
  }

  deinit {
    leave()
    terminal_signals_remove()
  }

  /// The characters that the terminal shows, by the person's locale.
  ///
  /// A locale that is not installed here but names UTF-8, as one that came along with a remote
  /// login, counts as UTF-8.
  package static let charset: Charset = {
    if unsafe setlocale(LC_CTYPE, "") == nil {
      let names = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.map(variable)
      let name = (names.first { !$0.isEmpty } ?? "").lowercased()
      if name.hasSuffix("utf-8") || name.hasSuffix("utf8") { unsafe setlocale(LC_CTYPE, "C.UTF-8") }
    }
    guard let codeset = unsafe nl_langinfo(nl_item(CODESET)) else { return .ascii }
    return unsafe String(cString: codeset) == "UTF-8" ? .unicode : .ascii
  }()

  static func variable(_ name: String) -> String {
    unsafe getenv(name).map { unsafe String(cString: $0) } ?? ""
  }
}

// MARK: - Taking and giving back

extension Terminal {
  /// Takes the terminal: its own screen, single keys, no echo.
  package func enter() throws(TerminalError) {
    guard !isEntered else { return }
    _ = Self.charset
    if unsafe screen == nil { try begin() }
    terminal_signals_arm(1)
    isEntered = true
    setModes()
    shown = nil
  }

  private func begin() throws(TerminalError) {
    guard curses_knows_terminal(Self.output) != 0 else {
      throw .unknownType(Self.variable("TERM"))
    }
    guard unsafe curses_capability("cup") != nil else { throw .onlyLines(Self.variable("TERM")) }
    if let kmous = unsafe curses_capability("kmous") {
      hasMouse = true
      hasOldMouse = unsafe String(cString: kmous).hasSuffix("M")
    }
    let restore = restoringBytes()
    let result = unsafe restore.withUnsafeBufferPointer { bytes in
      unsafe bytes.withMemoryRebound(to: CChar.self) {
        unsafe terminal_signals_install(Self.input, signals.input, $0.baseAddress, $0.count)
      }
    }
    guard result == 0 else { throw .system(errno) }
    _ = unsafe terminal_signals_use_stack()
    use_tioctl(true)
    guard let new = unsafe curses_begin() else { throw .unknownType(Self.variable("TERM")) }
    unsafe screen = new
    set_escdelay(25)
    hasDeferredWrap = unsafe curses_has("xenl") != 0
    if wantsColors, has_colors(), start_color() == OK {
      colorCount = curses_color_count() >= 8 ? Int(curses_color_count()) : 0
      if use_default_colors() != OK {
        standardColors = ColorPair(foreground: COLOR_WHITE, background: COLOR_BLACK)
      }
    }
    unsafe keyPad = newpad(1, 1)
    defineKeys(withMouse: hasMouse)
  }

  private func setModes() {
    raw()
    noecho()
    nonl()
    unsafe intrflush(curses_window(), false)
    unsafe nodelay(keyPad, true)
    unsafe keypad(keyPad, true)
    unsafe meta(keyPad, true)
    unsafe leaveok(curses_window(), false)
    curs_set(0)
    // The first refresh after a break takes the screen again; what must follow it comes after.
    curses_repaint()
    erase()
    refresh()
    send(Self.pasteOn)
    if hasMouse, wantsMouse { send(Self.mouseOn) }
  }

  /// Gives the terminal back; it is as it was before `enter`.
  package func leave() {
    guard isEntered else { return }
    awaitAnswer()
    removePicture()
    isEntered = false
    send(Self.pasteOff)
    if hasMouse, wantsMouse { send(Self.mouseOff) }
    endwin()
    terminal_signals_arm(0)
    partial = []
    paste = nil
  }

  /// Stops the process as Ctrl-Z does; returns when it goes on, with the terminal taken again.
  package func suspend() throws(TerminalError) {
    leave()
    terminal_signals_stop()
    try enter()
  }

  /// Gives the terminal to another program for as long as `body` runs.
  package func lend<Result>(_ body: () -> Result) throws(TerminalError) -> Result {
    leave()
    let result = body()
    try enter()
    return result
  }

  /// Takes the terminal again after somebody else may have changed it.
  package func retake() {
    guard isEntered else { return }
    reset_prog_mode()
    setModes()
    shown = nil
  }

  package func setMouse(_ isOn: Bool) {
    if isEntered, hasMouse, isOn != wantsMouse { send(isOn ? Self.mouseOn : Self.mouseOff) }
    wantsMouse = isOn
  }

  /// Asks whether pictures are drawn, and for the background; the answers, if there are any, are events
  /// like any other, whenever they come.
  ///
  /// Every terminal answers the last question, what it is, so that nothing more is to come then. A terminal
  /// of few colors shows no theme but that of its own, and old ones show the questions. What runs inside of
  /// tmux or screen is asked for no pictures: they take the question for a title.
  package func ask(forBackground asksBackground: Bool) {
    guard isEntered, colorCount >= 256 else { return }
    var question = asksBackground ? Self.backgroundQuestion : []
    if !Self.isInside { question += Self.pictureQuestion }
    guard !question.isEmpty else { return }
    send(question + Self.kindQuestion)
    answerIsDue = .now + Self.longestAnswer
  }

  /// Whether tmux or screen is between the program and the terminal.
  private static var isInside: Bool {
    let type = variable("TERM")
    return !variable("TMUX").isEmpty || !variable("STY").isEmpty || type.hasPrefix("tmux")
      || type.hasPrefix("screen")
  }

  func noteAnswer() { answerIsDue = nil }

  /// Waits a moment for an answer that is on its way: who has the terminal next would take it for keys.
  private func awaitAnswer() {
    while let due = answerIsDue, due > .now {
      if nextEvent() != nil { continue }
      var descriptor = pollfd(fd: Self.input, events: Int16(POLLIN), revents: 0)
      let rest = (due - .now) / .milliseconds(1)
      guard unsafe poll(&descriptor, 1, Int32(max(0, rest.rounded(.up)))) > 0 else { break }
      if Int32(descriptor.revents) & POLLIN == 0 { break }
    }
    answerIsDue = nil
  }

  package func ringBell() {
    beep()
  }

  /// The terminal's size now.
  package var size: Size {
    var window = winsize()
    guard unsafe ioctl(Self.output, UInt(TIOCGWINSZ), &window) == 0, window.ws_row > 0,
      window.ws_col > 0
    else {
      return unsafe Size(
        columns: Int(getmaxx(curses_window())),
        rows: Int(getmaxy(curses_window()))
      )
    }
    return Size(columns: Int(window.ws_col), rows: Int(window.ws_row))
  }

  /// Tells curses the terminal's size, and returns it.
  package func resize() -> Size {
    let size = size
    if unsafe size.rows != getmaxy(curses_window()) || size.columns != getmaxx(curses_window()) {
      resizeterm(Int32(size.rows), Int32(size.columns))
      shown = nil
    }
    return size
  }
}

// MARK: - Bytes of our own

extension Terminal {
  private static let pasteOn = Array("\u{1b}[?2004h".utf8)
  private static let pasteOff = Array("\u{1b}[?2004l".utf8)
  /// Buttons and wheel, in the SGR coding, which knows terminals of any size.
  private static let mouseOn = Array("\u{1b}[?1000h\u{1b}[?1006h".utf8)
  private static let mouseOff = Array("\u{1b}[?1000l\u{1b}[?1002l\u{1b}[?1006l".utf8)

  /// OSC 11.
  private static let backgroundQuestion = Array("\u{1b}]11;?\u{1b}\\".utf8)
  /// Whether a picture of one pixel could be drawn, by the protocol of kitty, which draws none.
  private static let pictureQuestion = Array("\u{1b}_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\u{1b}\\".utf8)
  /// What the terminal is (DA1).
  private static let kindQuestion = Array("\u{1b}[c".utf8)
  /// From a terminal far away, an answer takes a while.
  private static let longestAnswer = Duration.milliseconds(150)

  /// Sends bytes past curses, which keeps none back between its calls.
  func send(_ bytes: [UInt8]) {
    _ = Self.write(bytes, to: Self.output)
  }

  /// Writes bytes to a file, and again where a signal came; whether all are written.
  static func write(_ bytes: [UInt8], to file: Int32) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes { unsafe Glibc.write(file, $0.baseAddress, $0.count) }
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  /// The bytes by which a signal handler undoes the modes that `enter` sets.
  private func restoringBytes() -> [UInt8] {
    var bytes = Self.pasteOff
    if hasMouse { bytes += Self.mouseOff }
    for name in ["sgr0", "op", "rmkx", "cnorm", "rmcup"] {
      if let text = unsafe curses_capability(name) { unsafe bytes += Self.withoutPadding(text) }
    }
    return bytes
  }

  /// A capability's bytes without the delays, `$<5>`, that only old hardware needs.
  private static func withoutPadding(_ text: UnsafePointer<CChar>) -> [UInt8] {
    var bytes: [UInt8] = []
    var rest = unsafe String(cString: text).utf8[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "$"), rest.first == UInt8(ascii: "<"),
        let end = rest.firstIndex(of: UInt8(ascii: ">"))
      {
        rest = rest[rest.index(after: end)...]
      } else {
        bytes.append(byte)
      }
    }
    return bytes
  }
}
