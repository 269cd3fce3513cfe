/// Splits Swift source text into tokens.
///
/// ```swift
/// let tokens = SwiftScanner.tokens(of: "let age = 3 // years")
/// print(tokens.map(\.text))
/// ```
///
/// It is not a parser: it knows what can hide a keyword, which is all that a generator needs.
///
/// - Block comments nest, if they are to.
/// - Strings are plain, raw (`#"…"#`), multi-line, or both. An interpolation is code: its tokens
///   are tokens like others, and the string is split into the pieces around them.
/// - Regular expressions are `#/…/#`, and `/…/` where an operand is expected.
///
/// Every byte that is not blank belongs to exactly one token, in order.
public struct SwiftScanner {
  private let bytes: [UInt8]
  private let nestsComments: Bool
  private var position = 0
  private var line = 1
  private var startsLine = true
  private var tokens: [SwiftToken] = []

  private init(_ text: String, nestsComments: Bool) {
    bytes = Array(text.utf8)
    self.nestsComments = nestsComments
  }

  /// The tokens of a text, comments included.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - nestsComments: Whether block comments nest, as they do in Swift and not in C.
  /// - Returns: The tokens.
  public static func tokens(of text: String, nestsComments: Bool = true) -> [SwiftToken] {
    var scanner = SwiftScanner(text, nestsComments: nestsComments)
    scanner.skipShebang()
    scanner.scan(inInterpolation: false)
    return scanner.tokens
  }

  private func byte(_ index: Int) -> UInt8 { index < bytes.count ? bytes[index] : 0 }

  private mutating func skipShebang() {
    if bytes.starts(with: [0xef, 0xbb, 0xbf]) { position = 3 }
    guard byte(position) == ASCII.numberSign, byte(position + 1) == UInt8(ascii: "!") else {
      return
    }
    while position < bytes.count, bytes[position] != ASCII.newline { position += 1 }
  }

  /// Adds the token that ends before an index.
  private mutating func add(_ kind: SwiftToken.Kind, to end: Int, from start: Int, line: Int) {
    let text = String(decoding: bytes[start..<end], as: UTF8.self)
    tokens.append(
      SwiftToken(
        kind: kind,
        text: text,
        range: start..<end,
        line: line,
        startsLine: startsLine
      )
    )
    if kind != .comment { startsLine = false }
    position = end
  }

  /// Reads to the end, or up to the parenthesis that closes an interpolation.
  private mutating func scan(inInterpolation: Bool) {
    var depth = 0
    while position < bytes.count {
      let current = bytes[position]
      let start = position
      switch current {
      case ASCII.newline:
        line += 1
        startsLine = true
        position += 1
      case _ where current.isBlank:
        position += 1
      case ASCII.slash where byte(position + 1) == ASCII.slash:
        add(.comment, to: endOfLine(from: position), from: start, line: line)
      case ASCII.slash where byte(position + 1) == ASCII.asterisk:
        scanBlockComment()
      case ASCII.quote:
        scanString(numberSigns: 0)
      case ASCII.numberSign:
        scanNumberSign()
      case ASCII.slash where mayStartExpression && endOfBareRegularExpression() != nil:
        add(
          .regularExpression,
          to: endOfBareRegularExpression() ?? start + 1,
          from: start,
          line: line
        )
      case ASCII.at where byte(position + 1).isWordByte && !byte(position + 1).isDigit:
        add(.attribute, to: endOfWord(from: position + 1), from: start, line: line)
      case ASCII.grave:
        let end = endOfWord(from: position + 1)
        add(.word, to: byte(end) == ASCII.grave ? end + 1 : end, from: start, line: line)
      case _ where current.isDigit:
        add(.number, to: endOfNumber(), from: start, line: line)
      case _ where current.isWordByte:
        add(.word, to: endOfWord(from: position), from: start, line: line)
      default:
        if current == ASCII.openParenthesis { depth += 1 }
        if current == ASCII.closeParenthesis {
          if inInterpolation, depth == 0 { return }
          depth -= 1
        }
        add(.punctuation, to: position + 1, from: start, line: line)
      }
    }
  }

  // MARK: - Ends

  private func endOfLine(from start: Int) -> Int {
    var end = start
    while end < bytes.count, bytes[end] != ASCII.newline { end += 1 }
    return end > start && bytes[end - 1] == ASCII.carriageReturn ? end - 1 : end
  }

  private func endOfWord(from start: Int) -> Int {
    var end = start
    while byte(end).isWordByte { end += 1 }
    return end
  }

  private func endOfNumber() -> Int {
    var end = endOfWord(from: position)
    if byte(end) == ASCII.dot, byte(end + 1).isDigit { end = endOfWord(from: end + 1) }
    let last = byte(end - 1) | 0x20
    if last == UInt8(ascii: "e") || last == UInt8(ascii: "p"),
      byte(end) == UInt8(ascii: "-") || byte(end) == UInt8(ascii: "+"), byte(end + 1).isDigit
    {
      end = endOfWord(from: end + 1)
    }
    return end
  }

  private mutating func scanBlockComment() {
    let (start, firstLine) = (position, line)
    var end = position + 2
    var depth = 1
    while end < bytes.count, depth > 0 {
      switch (bytes[end], byte(end + 1)) {
      case (ASCII.slash, ASCII.asterisk) where nestsComments:
        depth += 1
        end += 2
      case (ASCII.asterisk, ASCII.slash):
        depth -= 1
        end += 2
      default:
        if bytes[end] == ASCII.newline { line += 1 }
        end += 1
      }
    }
    add(.comment, to: end, from: start, line: firstLine)
  }

  // MARK: - Strings

  /// Reads from a number sign: a raw string, a regular expression, a directive or a single sign.
  private mutating func scanNumberSign() {
    let start = position
    var end = position
    while byte(end) == ASCII.numberSign { end += 1 }
    if byte(end) == ASCII.quote {
      position = end
      scanString(numberSigns: end - start)
    } else if byte(end) == ASCII.slash, let closed = endOfRegularExpression(end - start) {
      let firstLine = line
      line += bytes[start..<closed].count { $0 == ASCII.newline }
      add(.regularExpression, to: closed, from: start, line: firstLine)
    } else if end == start + 1, byte(end).isWordByte {
      add(.directive, to: endOfWord(from: end), from: start, line: line)
    } else {
      add(.punctuation, to: start + 1, from: start, line: line)
    }
  }

  /// Reads from the first quote of a string after this many number signs.
  private mutating func scanString(numberSigns: Int) {
    var start = position - numberSigns
    var firstLine = line
    let isLong = hasQuotes(3, at: position) && !isClosedInLine(numberSigns)
    let quotes = isLong ? 3 : 1
    position += quotes
    while position < bytes.count {
      let current = bytes[position]
      if current == ASCII.newline {
        // An unfinished string ends with its line, so that the rest is read as code.
        if quotes == 1 { break }
        line += 1
        position += 1
      } else if current == ASCII.backslash, hasNumberSigns(numberSigns, at: position + 1) {
        let escaped = position + 1 + numberSigns
        guard byte(escaped) == ASCII.openParenthesis else {
          // A newline that is escaped is counted when its turn comes.
          position = byte(escaped) == ASCII.newline ? escaped : min(escaped + 1, bytes.count)
          continue
        }
        add(.string, to: escaped + 1, from: start, line: firstLine)
        scan(inInterpolation: true)
        start = position
        firstLine = line
      } else if current == ASCII.quote, hasQuotes(quotes, at: position),
        hasNumberSigns(numberSigns, at: position + quotes)
      {
        position += quotes + numberSigns
        break
      } else {
        position += 1
      }
    }
    if position > start { add(.string, to: position, from: start, line: firstLine) }
  }

  /// Whether three quotes begin a raw string of one line, such as `#"""#`.
  private func isClosedInLine(_ numberSigns: Int) -> Bool {
    numberSigns > 0
      && (position + 2..<endOfLine(from: position + 2)).contains {
        bytes[$0] == ASCII.quote && hasNumberSigns(numberSigns, at: $0 + 1)
      }
  }

  private func hasNumberSigns(_ count: Int, at index: Int) -> Bool {
    (0..<count).allSatisfy { byte(index + $0) == ASCII.numberSign }
  }

  private func hasQuotes(_ count: Int, at index: Int) -> Bool {
    (0..<count).allSatisfy { byte(index + $0) == ASCII.quote }
  }

  // MARK: - Regular expressions

  /// The end of `#/…/#` with this many number signs, or `nil` if nothing closes it.
  private func endOfRegularExpression(_ numberSigns: Int) -> Int? {
    var end = position + numberSigns + 1
    let isLong = [ASCII.newline, ASCII.carriageReturn].contains(byte(end))
    while end < bytes.count, isLong || bytes[end] != ASCII.newline {
      if bytes[end] == ASCII.backslash {
        end += 1
      } else if bytes[end] == ASCII.slash, hasNumberSigns(numberSigns, at: end + 1) {
        return end + 1 + numberSigns
      }
      end += 1
    }
    return nil
  }

  /// The end of `/…/` on one line, or `nil` if the slash is an operator.
  private func endOfBareRegularExpression() -> Int? {
    var end = position + 1
    guard !byte(end).isBlank, byte(end) != ASCII.newline else { return nil }
    while end < bytes.count, bytes[end] != ASCII.newline {
      if bytes[end] == ASCII.backslash {
        end += 1
      } else if bytes[end] == ASCII.slash {
        return end > position + 1 && !bytes[end - 1].isBlank ? end + 1 : nil
      }
      end += 1
    }
    return nil
  }

  /// Whether an operand is expected here, not an operator.
  private var mayStartExpression: Bool {
    guard let last = tokens.last(where: { $0.kind != .comment }) else { return true }
    switch last.kind {
    case .word:
      return ["return", "in", "case", "try", "await", "where", "throw"].contains(last.text)
    case .punctuation: return ![")", "]", "}", "?", "!", ">", "."].contains(last.text)
    case .attribute, .directive, .string, .regularExpression, .number, .comment: return false
    }
  }
}
