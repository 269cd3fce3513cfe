// What of a string a terminal may see, and how wide it is there
//
// The strings of a database come from anywhere. Sent to a terminal as they are, they could move the
// cursor, change its title or run its macros; and they would shift everything to their right
// wherever the program, ncurses and the terminal do not agree on the width of a character. So every
// text passes through here on its way to the screen and comes out as glyphs:
//
// | in the text                              | on the screen       | in ASCII        |
// | ---------------------------------------- | ------------------- | --------------- |
// | letters, digits, signs                   | themselves          | `\u{e9}`        |
// | letter with combining marks              | itself, ≤ 4 marks   | `e\u{301}`      |
// | combining mark without a letter          | on a dotted circle  | `\u{301}`       |
// | CJK, Hangul, simple emoji                | themselves, 2 wide  | `\u{4e00}`      |
// | Hangul written as single jamo            | the whole syllable  | `\u{1112}`…     |
// | newline, tab, escape, other C0, DEL      | `␤` `␉` `␛`, `␀`…   | `\n` `\t` `\e`… |
// | C1 controls, bidi controls, zero width,  | `\u{202e}`          | `\u{202e}`      |
// |   private use, not assigned, too new,    |                     |                 |
// |   variation selector after nothing       |                     |                 |
// | emoji with joiners, skin tones, tags     | first emoji and `⁺` | `\u{1f469}`…    |
// | variation selector after its letter      | nothing             | `\u{fe0f}`      |
// | flags                                    | `[DE]`              | `\u{1f1e9}`…    |
//
// "Too new" is what Unicode added after version 15: C libraries and terminals that do not know it
// disagree on it, as they do on a few older signs (`WideCharacters.isDisputed`).
//
// The scan goes scalar by scalar and never looks ahead more than a few, so that the beginning of a
// text costs the same however long the text, or one of its characters, is. No glyph spans two of
// Swift's characters.

@_spi(_Unicode) internal import Swift

/// The characters of a terminal.
package enum Charset: Hashable, Sendable {
  case unicode
  /// Unicode without what the terminal shows in two columns and others in one.
  case unambiguous
  case ascii

  var ellipsis: Glyph {
    switch self {
    case .unicode: Glyph("…", width: 1)
    case .unambiguous, .ascii: Glyph("~", width: 1)
    }
  }
}

/// The glyphs that show a text.
package struct SafeText: Sequence, IteratorProtocol {
  private static let mostJoined = 16

  private let charset: Charset
  private var scalars: Substring.UnicodeScalarView.Iterator
  private var upcoming: Unicode.Scalar?

  /// The rest of an escape, in ASCII, or the sign that follows a shortened emoji.
  private var pending = ""[...].unicodeScalars

  package init(_ text: Substring, in charset: Charset = .unicode) {
    self.charset = charset
    scalars = text.unicodeScalars.makeIterator()
    upcoming = scalars.next()
  }

  /// The safe form of a whole text.
  package static func string(
    _ text: some StringProtocol,
    in charset: Charset = .unicode
  )
    -> String
  {
    SafeText(Substring(text), in: charset).reduce(into: "") { $0 += $1.text }
  }

  package mutating func next() -> Glyph? {
    if let letter = pending.popFirst() { return Glyph(letter, width: 1) }
    guard let scalar = advance() else { return nil }
    guard charset != .ascii else { return ascii(scalar) }
    if charset == .unambiguous, AmbiguousCharacters.contains(scalar) { return unambiguous(scalar) }
    switch scalar.value {
    case 0x20..<0x7F, 0xA1..<0xAD, 0xAE..<0x300: return withMarks(scalar, width: 1)
    case 0..<0x20: return Glyph(Self.picture(of: scalar), width: 1)
    case 0x7F: return Glyph("␡", width: 1)
    case 0xA0: return .space
    case 0x4E00..<0xA000: return withMarks(scalar, width: 2)
    case 0x1100..<0x1113, 0xAC00..<0xD7A4: return hangul(scalar)
    case 0x1F1E6..<0x1F200: return flag(scalar)
    default: return other(scalar)
    }
  }

  private mutating func advance() -> Unicode.Scalar? {
    guard let scalar = upcoming else { return nil }
    upcoming = scalars.next()
    return scalar
  }
}

// MARK: - Kinds of scalars

extension SafeText {
  private mutating func other(_ scalar: Unicode.Scalar) -> Glyph {
    guard !WideCharacters.isDisputed(scalar) else { return escape(scalar) }
    let properties = scalar.properties
    switch properties.generalCategory {
    case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator,
      .paragraphSeparator:
      return escape(scalar)
    case .nonspacingMark, .enclosingMark:
      return properties.isVariationSelector ? escape(scalar) : withMarks("◌", first: scalar)
    default:
      let width = WideCharacters.contains(scalar) ? 2 : 1
      return properties.isEmoji ? emoji(scalar, width: width) : withMarks(scalar, width: width)
    }
  }

  /// A letter with the combining marks that follow it.
  private mutating func withMarks(
    _ scalar: Unicode.Scalar,
    first: Unicode.Scalar? = nil,
    width: Int = 1
  ) -> Glyph {
    var glyph = Glyph(scalar, width: width)
    guard first != nil || (upcoming?.value ?? 0) >= 0x300 else { return glyph }
    var marks = 0
    if let first {
      glyph.add(first)
      marks = 1
    }
    while let mark = upcoming, marks < Glyph.mostMarks {
      if mark.value == 0x20E3 || mark.value == 0x200C || mark.value == 0x200D {
        // A keycap, or a joiner that asks for another shape of the letter.
        upcoming = scalars.next()
        pending = "⁺"[...].unicodeScalars
        break
      }
      guard Self.isMark(mark) else { break }
      upcoming = scalars.next()
      marks += 1
      if !mark.properties.isVariationSelector { glyph.add(mark) }
    }
    return glyph
  }

  private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    guard scalar.value >= 0x300, !WideCharacters.isDisputed(scalar) else { return false }
    let category = scalar.properties.generalCategory
    return category == .nonspacingMark || category == .enclosingMark
  }

  /// The first emoji of a joined sequence, and a sign where that is not all there is.
  private mutating func emoji(_ scalar: Unicode.Scalar, width: Int) -> Glyph {
    var isShortened = false
    var count = 0
    loop: while let part = upcoming, count < Self.mostJoined {
      switch part.value {
      case 0xFE00..<0xFE10: break
      case 0x1F3FB..<0x1F400, 0xE0020..<0xE0080, 0x20E3: isShortened = true
      case 0x200D:
        isShortened = true
        upcoming = scalars.next()
        guard let joined = upcoming, joined.value > 0xFF, joined.properties.isEmoji else {
          break loop
        }
      default:
        if Self.isMark(part) {
          isShortened = true
        } else {
          break loop
        }
      }
      upcoming = scalars.next()
      count += 1
    }
    if isShortened { pending = "⁺"[...].unicodeScalars }
    return Glyph(scalar, width: width)
  }

  /// A pair of regional indicators, as the country code that they spell.
  private mutating func flag(_ scalar: Unicode.Scalar) -> Glyph {
    let second = upcoming.flatMap(Self.letter)
    if second != nil { upcoming = scalars.next() }
    var text = String.UnicodeScalarView()
    text.append(contentsOf: [Self.letter(of: scalar), second, "]"].compactMap(\.self))
    pending = text[...]
    return Glyph("[", width: 1)
  }

  private static func letter(of indicator: Unicode.Scalar) -> Unicode.Scalar? {
    guard (0x1F1E6..<0x1F200).contains(indicator.value) else { return nil }
    return Unicode.Scalar(UInt8(indicator.value - 0x1F1E6 + 0x41))
  }

  /// A syllable, put together where it comes in parts.
  ///
  /// The parts have widths of their own that no two programs agree on; the syllable is 2 wide.
  private mutating func hangul(_ scalar: Unicode.Scalar) -> Glyph {
    var value = scalar.value
    if value < 0x1113, let vowel = upcoming?.value, (0x1161..<0x1176).contains(vowel) {
      value = 0xAC00 + ((value - 0x1100) * 21 + (vowel - 0x1161)) * 28
      upcoming = scalars.next()
    }
    if value >= 0xAC00, (value - 0xAC00) % 28 == 0, let final = upcoming?.value,
      (0x11A8..<0x11C3).contains(final)
    {
      value += final - 0x11A7
      upcoming = scalars.next()
    }
    return withMarks(Unicode.Scalar(value) ?? scalar, width: 2)
  }
}

// MARK: - Escapes

extension SafeText {
  /// A letter with its mark in two, as they have a width that all agree on; else as in ASCII.
  private mutating func unambiguous(_ scalar: Unicode.Scalar) -> Glyph {
    let parts = Array(String(scalar)._nfd)
    guard parts.count == 2, parts[0].isASCII else { return ascii(scalar) }
    return withMarks(parts[0], first: parts[1])
  }

  private static func picture(of control: Unicode.Scalar) -> Unicode.Scalar {
    control == "\n" ? "␤" : Unicode.Scalar(0x2400 + control.value) ?? "?"
  }

  private mutating func escape(_ scalar: Unicode.Scalar) -> Glyph {
    pending = "u{\(String(scalar.value, radix: 16))}"[...].unicodeScalars
    return Glyph("\\", width: 1)
  }

  private mutating func ascii(_ scalar: Unicode.Scalar) -> Glyph {
    if (0x20..<0x7F).contains(scalar.value) { return Glyph(scalar, width: 1) }
    guard let plain = Self.plainForms[scalar]?.unicodeScalars, let first = plain.first else {
      return escape(scalar)
    }
    pending = plain.dropFirst()
    return Glyph(first, width: 1)
  }

  /// The usual escapes, and the signs that the browser itself draws with, for terminals without them.
  private static let plainForms: [Unicode.Scalar: String] = [
    "\t": "\\t", "\n": "\\n", "\r": "\\r", "\u{1b}": "\\e", "\0": "\\0",
    "─": "-", "━": "-", "│": "|", "┃": "|", "┌": "+", "┐": "+", "└": "+", "┘": "+", "├": "+",
    "┤": "+", "┬": "+", "┴": "+", "┼": "+", "╭": "+", "╮": "+", "╰": "+", "╯": "+", "═": "=",
    "…": "~", "←": "<", "→": ">", "↑": "^", "↓": "v", "▸": ">", "▾": "v", "▶": ">", "◀": "<",
    "▲": "^", "▼": "v", "•": "*", "·": ".", "●": "*", "○": "o", "■": "#", "█": "#", "░": ".",
    "✓": "x", "✗": "x", "×": "x", "≥": ">=", "≤": "<=", "≠": "!=", "∅": "null", "—": "-",
    "–": "-", "“": "\"", "”": "\"", "‘": "'", "’": "'", "⁺": "+", "∞": "inf", "⌘": "#",
    "⏎": "Enter", "␣": "Space", "›": ">", "‹": "<", "»": ">", "«": "<", "⚠": "!", "⟶": ">",
    "⋯": "~", "⋮": ":", "↵": "<", "↳": "+", "↩": "<", "↔": "<>", "↦": ">", "✎": "*", "†": "+",
  ]
}
