internal import KennelCore

/// A text in rows of a width: broken at its line breaks, else between words, else between characters.
///
/// A row is a range of the text's bytes, without the line break or the blank that ends it.
struct WrappedText {
  let text: String
  private(set) var rows: [Range<Int>] = []
  /// The parts that a search looks through, one after the other: lines, and parts of long ones.
  private var pieces: [Piece] = []

  private struct Piece {
    var firstRow: Int
    /// Whether the line goes on in the next piece.
    var isCut = false
  }

  /// A longer line is searched in several pieces: what a search finds costs more than its length.
  private static let mostRowsOfPiece = 64

  /// Breaks a text.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - width: The columns of a row.
  ///   - most: So many rows are enough.
  ///   - charset: The characters of the terminal.
  init(_ text: String, width: Int, upTo most: Int = .max, in charset: Charset) {
    self.text = text
    let bytes = text.utf8
    var start = bytes.startIndex
    while rows.count < most {
      let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n"))
      var line = text[start..<(end ?? bytes.endIndex)]
      if line.utf8.last == UInt8(ascii: "\r"), end != nil {
        line = text[start..<bytes.index(line.endIndex, offsetBy: -1)]
      }
      let offset = bytes.distance(from: bytes.startIndex, to: start)
      wrap(line, from: offset, width: max(1, width), upTo: most, in: charset)
      guard let end else { break }
      start = bytes.index(after: end)
    }
  }

  private mutating func wrap(
    _ line: Substring,
    from offset: Int,
    width: Int,
    upTo most: Int,
    in charset: Charset
  ) {
    let firstRow = rows.count
    var (start, position, used) = (offset, offset, 0)
    /// The last blank behind a word of the row, and the columns before it.
    var blank: (position: Int, used: Int)?
    var hasWord = false
    func endRow(_ row: inout [Range<Int>], at end: Int, next: Int, _ left: Int) {
      row.append(start..<end)
      (start, used, blank, hasWord) = (next, left, nil, left > 0)
    }
    for character in line where rows.count < most {
      let isBlank = character == " "
      let columns = Self.width(of: character, in: charset)
      if used + columns > width, isBlank, hasWord {
        endRow(&rows, at: position, next: position + 1, 0)
        position += 1
        continue
      }
      if used + columns > width, let last = blank {
        endRow(&rows, at: last.position, next: last.position + 1, used - last.used - 1)
      }
      if used + columns > width, position > start {
        endRow(&rows, at: position, next: position, 0)
      }
      if isBlank, hasWord { blank = (position, used) }
      hasWord = hasWord || !isBlank
      position += character.utf8.count
      used += columns
    }
    if rows.count < most { rows.append(start..<position) }
    for row in stride(from: firstRow, to: rows.count, by: Self.mostRowsOfPiece) {
      pieces.append(Piece(firstRow: row, isCut: row + Self.mostRowsOfPiece < rows.count))
    }
  }

  /// The width of a character; the commonest need no look at what is unsafe.
  private static func width(of character: Character, in charset: Charset) -> Int {
    if let ascii = character.asciiValue, (0x20..<0x7F).contains(ascii) { return 1 }
    return TextWidth.width(of: character, in: charset)
  }

  // MARK: - Rows

  /// Some bytes of the text.
  func text(in range: Range<Int>) -> Substring {
    let bytes = text.utf8
    let start = bytes.index(bytes.startIndex, offsetBy: range.lowerBound)
    return text[start..<bytes.index(start, offsetBy: range.count)]
  }

  /// The row with a byte, or the last one before it.
  func row(ofByte byte: Int) -> Int {
    max(0, rows.partitioningIndex { $0.lowerBound > byte } - 1)
  }
}

// MARK: - Searching

extension WrappedText {
  /// The next match after a byte, or the one before it, around the end.
  ///
  /// - Returns: Its bytes, and whether the search went around the end.
  func match(
    of pattern: SearchPattern,
    after byte: Int,
    isForward: Bool
  ) -> (bytes: Range<Int>, hasWrapped: Bool)? {
    let count = pieces.count
    guard count > 0 else { return nil }
    let first = piece(ofRow: row(ofByte: byte))
    for step in 0...count {
      let found = matches(of: pattern, inPiece: (first + (isForward ? step : count - step)) % count)
      let isLater = { (match: Range<Int>) in
        isForward ? match.lowerBound > byte : match.lowerBound < byte
      }
      let wanted = step > 0 ? found : found.filter(isLater)
      if let match = isForward ? wanted.first : wanted.last { return (match, !isLater(match)) }
    }
    return nil
  }

  /// The matches in rows, as bytes.
  func matches(of pattern: SearchPattern, inRows shown: Range<Int>) -> [Range<Int>] {
    guard let last = shown.last else { return [] }
    let found = piece(ofRow: shown.lowerBound)...piece(ofRow: last)
    return found.flatMap { matches(of: pattern, inPiece: $0) }
  }

  private func piece(ofRow row: Int) -> Int {
    max(0, pieces.partitioningIndex { $0.firstRow > row } - 1)
  }

  /// The matches that begin in a piece; their ends are looked for in the row behind it, too.
  private func matches(of pattern: SearchPattern, inPiece index: Int) -> [Range<Int>] {
    let piece = pieces[index]
    let next = index + 1 < pieces.count ? pieces[index + 1].firstRow : rows.count
    let start = rows[piece.firstRow].lowerBound
    let end = rows[piece.isCut ? next : next - 1].upperBound
    let text = String(text(in: start..<end))
    guard pattern.isFound(in: text) else { return [] }
    var bytes = [start]
    for character in text { bytes.append((bytes.last ?? start) + character.utf8.count) }
    let matches = pattern.ranges(in: text).map { bytes[$0.lowerBound]..<bytes[$0.upperBound] }
    return piece.isCut ? matches.filter { $0.lowerBound < rows[next].lowerBound } : matches
  }
}
