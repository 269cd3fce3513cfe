/// The characters on the screen of a terminal, without their colors.
///
/// It understands what curses sends to an `xterm-256color`; every character is one cell wide, as
/// those of the sample are.
struct ScreenText {
  private enum State {
    case text
    case escape
    /// One more byte belongs to the sequence, which names a character set.
    case characterSet
    case control
    /// A text for the terminal itself, such as its title.
    case message(endsWithEscape: Bool)
  }

  private let columns: Int
  private let rows: Int
  private var cells: [[Unicode.Scalar]]
  private var row = 0
  private var column = 0
  private var savedPlace = (row: 0, column: 0)
  /// The rows that scroll.
  private var region: Range<Int>
  private var state = State.text
  private var parameters: [UInt8] = []
  private var last: Unicode.Scalar = " "
  /// The bytes of a character that is not complete.
  private var partial: [UInt8] = []

  init(columns: Int, rows: Int) {
    self.columns = columns
    self.rows = rows
    cells = Array(repeating: Array(repeating: " ", count: columns), count: rows)
    region = 0..<rows
  }

  var lines: [String] {
    cells.map { line in
      var text = String.UnicodeScalarView()
      text.append(contentsOf: line)
      return String(text)
    }
  }

  /// Whether a text is on the screen, in one line.
  func shows(_ text: String) -> Bool {
    lines.contains { $0.contains(text) }
  }

  mutating func receive(_ bytes: some Sequence<UInt8>) {
    for byte in bytes { receive(byte) }
  }

  private mutating func receive(_ byte: UInt8) {
    switch state {
    case .text: receiveText(byte)
    case .escape: receiveEscape(byte)
    case .characterSet: state = .text
    case .control:
      if byte < 0x40 {
        parameters.append(byte)
      } else {
        state = .text
        perform(byte)
      }
    case .message(let endsWithEscape):
      if byte == 0x07 || endsWithEscape && byte == 0x5C {
        state = .text
      } else {
        state = .message(endsWithEscape: byte == 0x1B)
      }
    }
  }

  private mutating func receiveText(_ byte: UInt8) {
    switch byte {
    case 0x1B: state = .escape
    case 0x08: column = max(0, min(column, columns) - 1)
    case 0x09: column = min(columns - 1, (column / 8 + 1) * 8)
    case 0x0A: feedLine()
    case 0x0D: column = 0
    case 0..<0x20, 0x7F: break
    case 0x20..<0x7F: put(Unicode.Scalar(byte))
    default:
      if byte >= 0xC0 { partial = [] }
      partial.append(byte)
      let wanted = partial[0] >= 0xF0 ? 4 : partial[0] >= 0xE0 ? 3 : 2
      if partial.count == wanted {
        for scalar in String(decoding: partial, as: UTF8.self).unicodeScalars { put(scalar) }
        partial = []
      }
    }
  }

  private mutating func receiveEscape(_ byte: UInt8) {
    state = .text
    switch Character(Unicode.Scalar(byte)) {
    case "[":
      parameters = []
      state = .control
    case "]", "P", "_", "^": state = .message(endsWithEscape: false)
    case "(", ")", "*", "+", "#", "%", " ": state = .characterSet
    case "M":
      if row == region.lowerBound {
        scroll(region, by: -1)
      } else {
        row = max(0, row - 1)
      }
    case "7": savedPlace = (row, column)
    case "8": (row, column) = savedPlace
    default: break
    }
  }

  private mutating func put(_ scalar: Unicode.Scalar) {
    if column >= columns {
      column = 0
      feedLine()
    }
    cells[row][column] = scalar
    column += 1
    last = scalar
  }

  private mutating func feedLine() {
    if row == region.upperBound - 1 {
      scroll(region, by: 1)
    } else {
      row = min(rows - 1, row + 1)
    }
  }

  // MARK: - Control sequences

  private mutating func perform(_ final: UInt8) {
    // Modes and questions change no character.
    if let first = parameters.first, first >= 0x3C { return }
    let numbers = parameters.split(separator: 0x3B, omittingEmptySubsequences: false).map {
      Int(String(decoding: $0, as: UTF8.self)) ?? 0
    }
    let first = numbers.first ?? 0
    let second = numbers.count > 1 ? numbers[1] : 0
    let count = max(1, first)
    switch Character(Unicode.Scalar(final)) {
    case "A": row = max(0, row - count)
    case "B": row = min(rows - 1, row + count)
    case "C": column = min(columns - 1, column + count)
    case "D": column = max(0, min(column, columns - 1) - count)
    case "G": column = min(columns, count) - 1
    case "d": row = min(rows, count) - 1
    case "H", "f":
      row = min(rows, count) - 1
      column = min(columns, max(1, second)) - 1
    case "J": eraseScreen(first)
    case "K": erase(first == 0 ? column..<columns : 0..<(first == 1 ? column + 1 : columns))
    case "X": erase(column..<(column + count))
    case "b": for _ in 0..<count { put(last) }
    case "@": insertCells(count)
    case "P": deleteCells(count)
    case "L": scroll(row..<max(row, region.upperBound), by: -count)
    case "M": scroll(row..<max(row, region.upperBound), by: count)
    case "S": scroll(region, by: count)
    case "T": scroll(region, by: -count)
    case "r":
      let end = second == 0 ? rows : min(rows, second)
      region = min(count - 1, end - 1)..<end
      (row, column) = (0, 0)
    default: break
    }
  }

  private mutating func erase(_ range: Range<Int>) {
    for column in range.clamped(to: 0..<columns) { cells[row][column] = " " }
  }

  private mutating func eraseScreen(_ part: Int) {
    let here = row
    let others = part == 0 ? here + 1..<rows : part == 1 ? 0..<here : 0..<rows
    for other in others { cells[other] = Array(repeating: " ", count: columns) }
    if part < 2 { erase(part == 0 ? column..<columns : 0..<column + 1) }
  }

  private mutating func insertCells(_ count: Int) {
    guard column < columns else { return }
    let count = min(count, columns - column)
    cells[row].insert(contentsOf: Array(repeating: " ", count: count), at: column)
    cells[row].removeLast(count)
  }

  private mutating func deleteCells(_ count: Int) {
    guard column < columns else { return }
    let count = min(count, columns - column)
    cells[row].removeSubrange(column..<column + count)
    cells[row].append(contentsOf: Array(repeating: " ", count: count))
  }

  /// Moves the rows of a range up, or down where the count is below zero.
  private mutating func scroll(_ range: Range<Int>, by count: Int) {
    let distance = min(abs(count), range.count)
    guard distance > 0 else { return }
    let blank = Array(
      repeating: Array(repeating: Unicode.Scalar(" "), count: columns),
      count: distance
    )
    if count > 0 {
      cells.removeSubrange(range.prefix(distance))
      cells.insert(contentsOf: blank, at: range.upperBound - distance)
    } else {
      cells.removeSubrange(range.suffix(distance))
      cells.insert(contentsOf: blank, at: range.lowerBound)
    }
  }
}
