internal import CNCurses
internal import Glibc
package import KennelBrowser

extension Terminal {
  /// Numbers for sequences that terminfo has no names for, above those of curses.
  private enum Special: Int32 {
    case pasteBegin = 2_000
    case pasteEnd
    case mouse
    case oldMouse
    case background
    case picture
    case kind
  }

  /// The number of the first of ``specialKeys``.
  private static let firstSpecialKey: Int32 = 2_100

  /// The sequences of keys that terminfo has no names for, or, up to the shifted arrows, names in
  /// some descriptions under numbers that differ from machine to machine.
  private static let specialKeys: [(sequence: String, key: Key)] = [
    ("\u{1b}[1;3A", Key(.up, isAlternate: true)), ("\u{1b}[1;3B", Key(.down, isAlternate: true)),
    ("\u{1b}[1;3C", Key(.right, isAlternate: true)), ("\u{1b}[1;3D", Key(.left, isAlternate: true)),
    ("\u{1b}[1;5A", Key(.up, isControl: true)), ("\u{1b}[1;5B", Key(.down, isControl: true)),
    ("\u{1b}[1;5C", Key(.right, isControl: true)), ("\u{1b}[1;5D", Key(.left, isControl: true)),
    ("\u{1b}[1;2A", Key(.up)), ("\u{1b}[1;2B", Key(.down)),
    ("\u{1b}[1~", Key(.home)), ("\u{1b}[7~", Key(.home)),
    ("\u{1b}[4~", Key(.end)), ("\u{1b}[8~", Key(.end)),
    ("\u{1b}\u{1b}[A", Key(.up, isAlternate: true)),
    ("\u{1b}\u{1b}[B", Key(.down, isAlternate: true)),
    ("\u{1b}\u{1b}[C", Key(.right, isAlternate: true)),
    ("\u{1b}\u{1b}[D", Key(.left, isAlternate: true)),
  ]
  private static let renumberedKeys = 10

  /// How many milliseconds may lie between the bytes of a sequence.
  private static let longestGap: Int32 = 25

  /// More of a paste than this is dropped: nobody means it.
  private static let mostPasted = 16 << 20

  /// The sequences of the arrows and their neighbors in terminals that keep no other mode for them.
  private static let plainSequences: [(String, Int32)] = [
    ("\u{1b}[A", KEY_UP), ("\u{1b}[B", KEY_DOWN), ("\u{1b}[C", KEY_RIGHT), ("\u{1b}[D", KEY_LEFT),
    ("\u{1b}[H", KEY_HOME), ("\u{1b}[F", KEY_END), ("\u{1b}OH", KEY_HOME), ("\u{1b}OF", KEY_END),
    ("\u{1b}[3~", KEY_DC), ("\u{1b}[5~", KEY_PPAGE), ("\u{1b}[6~", KEY_NPAGE),
  ]

  private func isDefined(_ sequence: String) -> Bool { unsafe key_defined(sequence) > 0 }

  private func define(_ sequence: String, _ key: Int32) { unsafe define_key(sequence, key) }

  /// The next code, or `ERR`.
  private func readCode() -> Int32 { unsafe wgetch(keyPad) }

  func defineKeys(withMouse hasMouse: Bool) {
    for (sequence, key) in Self.plainSequences where !isDefined(sequence) {
      define(sequence, key)
    }
    for (index, special) in Self.specialKeys.enumerated()
    where index < Self.renumberedKeys || !isDefined(special.sequence) {
      define(special.sequence, Self.firstSpecialKey + Int32(index))
    }
    define("\u{1b}[200~", Special.pasteBegin.rawValue)
    define("\u{1b}[201~", Special.pasteEnd.rawValue)
    define("\u{1b}]11;", Special.background.rawValue)
    define("\u{1b}_G", Special.picture.rawValue)
    define("\u{1b}[?", Special.kind.rawValue)
    if hasMouse {
      // One of these is `kmous`, for which curses has a number of its own, `KEY_MOUSE`.
      define("\u{1b}[<", Special.mouse.rawValue)
      define("\u{1b}[M", Special.oldMouse.rawValue)
    }
  }

  /// The next key or movement of the mouse that is there already, or nil.
  ///
  /// Waits up to 25 ms after Esc, to tell it from the sequences that begin with it.
  package func nextEvent() -> Event? {
    while true {
      let code = readCode()
      if code == ERR { return nil }
      if paste != nil {
        if let text = pasted(code) { return .key(Key(.paste(text))) }
        continue
      }
      if code < 0x100 {
        if let key = key(ofByte: UInt8(truncatingIfNeeded: code)) { return .key(key) }
        continue
      }
      partial = []
      if code == Special.pasteBegin.rawValue {
        paste = []
        isPasteStale = false
      } else if code == Special.background.rawValue {
        // Nothing where the answer is none that was asked for, such as `rgb:0000/0000/0000`.
        if let isLight = BackgroundReply.isLight(answer()) { return .background(isLight: isLight) }
      } else if code == Special.picture.rawValue {
        if answer().hasSuffix(";OK") { return .drawsPictures }
      } else if code == Special.kind.rawValue {
        skipParameters()
        noteAnswer()
      } else if code == Special.mouse.rawValue || code == KEY_MOUSE && !hasOldMouse {
        if let event = mouseEvent() { return .mouse(event) }
      } else if code == Special.oldMouse.rawValue || code == KEY_MOUSE {
        if let event = oldMouseEvent() { return .mouse(event) }
      } else if let key = Self.key(ofCode: code) {
        return .key(key)
      }
    }
  }

  // MARK: Characters

  /// The key of a byte, or nil where more are to come.
  private func key(ofByte byte: UInt8) -> Key? {
    if byte >= 0x80 { return character(endingIn: byte).map { Key($0) } }
    partial = []
    guard byte == 0x1B else { return Self.key(ofASCII: byte) }
    let next = readCode()
    if next == ERR || next == 0x1B {
      if next == 0x1B { ungetch(next) }
      return Key(.escape)
    }
    guard next < 0x100 else {
      guard var key = Self.key(ofCode: next) else {
        ungetch(next)
        return Key(.escape)
      }
      key.isAlternate = true
      return key
    }
    var rest = UInt8(truncatingIfNeeded: next)
    if rest == UInt8(ascii: "[") || rest == UInt8(ascii: "O"), skipSequence() { return nil }
    while rest >= 0x80 {
      if let character = character(endingIn: rest) {
        return Key(.character(character), isAlternate: true)
      }
      let more = readCode()
      guard (0x80..<0x100).contains(more) else { return nil }
      rest = UInt8(truncatingIfNeeded: more)
    }
    var key = Self.key(ofASCII: rest)
    key.isAlternate = true
    return key
  }

  /// Takes the rest of a sequence that begins as those of keys do and is none that is known; false
  /// where nothing follows.
  ///
  /// Its letters must not become keys: what some terminals send for an arrow with Ctrl and Shift
  /// ends with `D`, which confirms deletions.
  private func skipSequence() -> Bool {
    for length in 0..<64 {
      let code = length > 0 ? nextCode() : readCode()
      if code == ERR { return length > 0 }
      switch code {
      case 0x20...0x3F: continue
      case 0x5B where length == 0: continue
      case 0x40...0x7E: return true
      default:
        ungetch(code)
        return true
      }
    }
    return true
  }

  /// The next byte of a sequence, which may still be on its way; `ERR` where none comes.
  private func nextCode() -> Int32 {
    let code = readCode()
    guard code == ERR else { return code }
    var descriptor = pollfd(fd: Self.input, events: Int16(POLLIN), revents: 0)
    return unsafe poll(&descriptor, 1, Self.longestGap) > 0 ? readCode() : ERR
  }

  /// The character that a byte of UTF-8 completes, or nil where more are to come or it is none.
  private func character(endingIn byte: UInt8) -> Character? {
    if byte & 0xC0 != 0x80 { partial = [] }
    partial.append(byte)
    let length =
      switch partial[0] {
      case 0xC2..<0xE0: 2
      case 0xE0..<0xF0: 3
      case 0xF0..<0xF5: 4
      default: 0
      }
    guard partial.count >= length else { return nil }
    defer { partial = [] }
    guard length > 0, let text = String(validating: partial, as: UTF8.self) else { return nil }
    return text.first
  }

  private static func key(ofASCII byte: UInt8) -> Key {
    switch byte {
    case 0x09: return Key(.tab)
    case 0x0A, 0x0D: return Key(.enter)
    case 0x1B: return Key(.escape)
    case 0x08, 0x7F: return Key(.backspace)
    case 0: return Key(.character(" "), isControl: true)
    case 1..<0x1B: return Key(.character(Character(Unicode.Scalar(byte + 0x60))), isControl: true)
    case 0x1C..<0x20:
      return Key(.character(Character(Unicode.Scalar(byte + 0x40))), isControl: true)
    default: return Key(Character(Unicode.Scalar(byte)))
    }
  }

  // MARK: Keys with names

  private static func key(ofCode code: Int32) -> Key? {
    let index = Int(code - firstSpecialKey)
    if specialKeys.indices.contains(index) { return specialKeys[index].key }
    return switch code {
    case KEY_UP, KEY_SR: Key(.up)
    case KEY_DOWN, KEY_SF: Key(.down)
    case KEY_LEFT, KEY_SLEFT: Key(.left)
    case KEY_RIGHT, KEY_SRIGHT: Key(.right)
    case KEY_HOME, KEY_SHOME, KEY_A1, KEY_FIND: Key(.home)
    case KEY_END, KEY_SEND, KEY_C1, KEY_SELECT, KEY_LL: Key(.end)
    case KEY_PPAGE, KEY_SPREVIOUS, KEY_A3: Key(.pageUp)
    case KEY_NPAGE, KEY_SNEXT, KEY_C3: Key(.pageDown)
    case KEY_ENTER: Key(.enter)
    case KEY_BACKSPACE: Key(.backspace)
    case KEY_DC, KEY_SDC: Key(.delete)
    case KEY_IC, KEY_SIC: Key(.insert)
    case KEY_BTAB: Key(.backTab)
    case KEY_F0 + 1...KEY_F0 + 63: Key(.function(Int(code - KEY_F0)))
    default: nil
    }
  }

  // MARK: The mouse

  /// The event of a report such as `0;12;5M`, the rest of a sequence that has begun.
  private func mouseEvent() -> MouseEvent? {
    var numbers = [0]
    for _ in 0..<24 {
      let code = nextCode()
      switch code {
      case 0x30...0x39:
        let digit = Int(code - 0x30)
        numbers[numbers.count - 1] = min(numbers[numbers.count - 1] * 10 + digit, 100_000)
      case 0x3B: numbers.append(0)
      case 0x4D, 0x6D:
        guard numbers.count == 3 else { return nil }
        return Self.mouseEvent(numbers[0], numbers[1], numbers[2], isRelease: code == 0x6D)
      default: return nil
      }
    }
    return nil
  }

  /// The event of a report in three bytes, which terminals send that have no other coding.
  private func oldMouseEvent() -> MouseEvent? {
    let codes = (0..<3).map { _ in Int(nextCode()) - 0x20 }
    guard codes.allSatisfy({ $0 >= 0 }) else { return nil }
    let isRelease = codes[0] & 0x43 == 3
    return Self.mouseEvent(isRelease ? 0 : codes[0], codes[1], codes[2], isRelease: isRelease)
  }

  /// The event of a report.
  ///
  /// - Parameters:
  ///   - code: The button in the two lowest bits; 32 for a movement, 64 for the wheel.
  ///   - column: The column, from 1.
  ///   - row: The row, from 1.
  ///   - isRelease: Whether the button was released.
  /// - Returns: The event; `nil` for movements, and for what is no report.
  private static func mouseEvent(
    _ code: Int,
    _ column: Int,
    _ row: Int,
    isRelease: Bool
  ) -> MouseEvent? {
    guard column >= 1, row >= 1, code & 0x20 == 0 else { return nil }
    let button = code & 3
    if code & 0x40 != 0 {
      guard button < 2, !isRelease else { return nil }
      let kind = button == 0 ? MouseEvent.Kind.wheelUp : .wheelDown
      return MouseEvent(kind, row: row - 1, column: column - 1, button: 0)
    }
    guard button < 3 else { return nil }
    let kind = isRelease ? MouseEvent.Kind.release : .press
    return MouseEvent(kind, row: row - 1, column: column - 1, button: button + 1)
  }

  // MARK: Answers

  /// Takes the rest of an answer that is numbers and a letter.
  private func skipParameters() {
    for _ in 0..<BackgroundReply.longest * 16 {
      let code = nextCode()
      if (0x20...0x3F).contains(code) { continue }
      if code != ERR, !(0x40...0x7E).contains(code) { ungetch(code) }
      return
    }
  }

  /// The rest of an answer that has begun.
  private func answer() -> String {
    var bytes: [UInt8] = []
    // What is too long is no answer, but must not become keys.
    for _ in 0..<BackgroundReply.longest * 16 {
      let code = nextCode()
      guard code != 0x1B else {
        let next = nextCode()
        if next != 0x5C, next != ERR { ungetch(next) }
        break
      }
      guard (0x20..<0x7F).contains(code) else {
        if code != ERR, code != 0x07 { ungetch(code) }
        break
      }
      bytes.append(UInt8(truncatingIfNeeded: code))
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  // MARK: Pasting

  /// Adds a byte to the paste; the text when that is its end.
  private func pasted(_ code: Int32) -> String? {
    if code == Special.pasteEnd.rawValue { return takePaste() }
    isPasteStale = false
    guard code < 0x100, let count = paste?.count, count < Self.mostPasted else { return nil }
    paste?.append(code == 0x0D ? 0x0A : UInt8(truncatingIfNeeded: code))
    return nil
  }

  /// Ends a paste of which nothing has come since the last call; its end was lost on the way.
  func takeStalePaste() -> String? {
    guard isPasteStale else {
      isPasteStale = true
      return nil
    }
    return takePaste()
  }

  private func takePaste() -> String? {
    guard let bytes = paste else { return nil }
    paste = nil
    return String(decoding: bytes, as: UTF8.self)
  }
}
