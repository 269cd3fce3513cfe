internal import CNCurses
internal import Glibc
package import KennelBrowser

extension Terminal {
  /// Shows a picture; sends only what differs from the one before.
  package func show(_ screen: Screen) {
    guard isEntered else { return }
    let before = shown?.size == screen.size ? shown : nil
    if before == nil {
      erase()
      // A screen that is cleared has no picture any more.
      removePicture()
    }
    for change in screen.changes(since: before) { show(change) }
    if let cursor = screen.cursor {
      move(Int32(cursor.row), Int32(cursor.column))
      if shown?.cursor == nil { curs_set(1) }
    } else {
      move(Int32(max(0, screen.size.rows - 1)), Int32(max(0, screen.size.columns - 1)))
      if shown == nil || shown?.cursor != nil { curs_set(0) }
    }
    refresh()
    showLastOfSingleColumn(screen, before: before)
    draw(screen.drawing)
    shown = screen
  }

  /// Writes the cell at the bottom right where there is one column.
  ///
  /// Curses leaves it alone, as the only way that it knows to write there without scrolling needs
  /// a cell to the left. Terminals of today wait at the edge until the next character.
  private func showLastOfSingleColumn(_ screen: Screen, before: Screen?) {
    let row = screen.size.rows - 1
    guard screen.size.columns == 1, screen.cursor == nil, hasDeferredWrap else { return }
    let cell = screen[row, 0]
    guard cell.width == 1, before?[row, 0] != cell else { return }
    send(Array(cell.text.utf8) + [0x0D])
  }

  /// Makes the next picture paint every cell.
  package func forgetWhatIsShown() {
    curses_repaint()
    shown = nil
  }

  private func show(_ change: Screen.Change) {
    let cell = change.cell
    let (attributes, pair) = attributes(of: cell.style)
    let (row, column) = (Int32(change.row), Int32(change.column))
    if load(cell), unsafe curses_put(row, column, glyph, attributes, pair) == OK { return }
    glyph[0] = 0x3F
    glyph[1] = 0
    unsafe curses_put(row, column, glyph, attributes, pair)
    guard cell.width == 2 else { return }
    glyph[0] = 0x20
    unsafe curses_put(row, column + 1, glyph, attributes, pair)
  }

  /// Puts a cell's text into `glyph`; false where the C library, and so curses, thinks it is not
  /// as wide as the cell.
  private func load(_ cell: Cell) -> Bool {
    var count = 0
    while let scalar = cell.glyph.scalar(at: count) {
      let width = scalar.value < 0x7F ? 1 : curses_width(wchar_t(scalar.value))
      guard scalar.value >= 0x20, width == (count == 0 ? Int32(cell.width) : 0) else {
        return false
      }
      glyph[count] = wchar_t(scalar.value)
      count += 1
    }
    glyph[count] = 0
    return count > 0
  }

  /// The attributes of a style and the number of its pair of colors, found when it is first used:
  /// which of 256 colors is the nearest takes longer than to draw a row.
  private func attributes(of style: Style) -> (attr_t, Int16) {
    if let known = looks[style] { return known }
    let look = makeAttributes(of: style)
    looks[style] = look
    return look
  }

  private func makeAttributes(of style: Style) -> (attr_t, Int16) {
    var attributes: attr_t = 0
    if style.isBold { attributes |= curses_bold() }
    if style.isDim { attributes |= curses_dim() }
    if style.isReversed { attributes |= curses_reversed() }
    if style.isUnderlined { attributes |= curses_underlined() }
    guard style.foreground != .standard || style.background != .standard else {
      return (attributes, 0)
    }
    guard colorCount > 0 else {
      // What stands out by its background stands out without colors too.
      if style.background != .standard { attributes |= curses_reversed() }
      return (attributes, 0)
    }
    let colors = ColorPair(
      foreground: number(of: style.foreground) ?? standardColors.foreground,
      background: number(of: style.background) ?? standardColors.background
    )
    return (attributes, pair(colors))
  }

  private func number(of color: Color) -> Int32? {
    color.number(among: colorCount).map { Int32($0) }
  }

  /// The number of a pair of colors, made when it is first used.
  private func pair(_ colors: ColorPair) -> Int16 {
    if let pair = pairs[colors] { return pair }
    let pair = pairs.count + 1
    guard pair < min(Int(curses_pair_count()), Int(Int16.max)) else { return 0 }
    curses_define_pair(Int32(pair), colors.foreground, colors.background)
    pairs[colors] = Int16(pair)
    return Int16(pair)
  }
}

/// The numbers of a text's color and of that behind it, as the terminal counts.
struct ColorPair: Hashable {
  let foreground: Int32
  let background: Int32
}
