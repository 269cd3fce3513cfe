import KennelBrowser
import Testing

struct `Screen tests` {
  private func screen(_ columns: Int, _ rows: Int) -> Screen {
    Screen(size: Size(columns: columns, rows: rows))
  }

  @Test func `a text is put where it belongs`() {
    var screen = screen(10, 2)
    #expect(screen.put("Ada", row: 1, column: 2) == 3)
    #expect(screen.text == ["", "  Ada"])
  }

  @Test func `a text is clipped at its width and at the edge`() {
    var screen = screen(6, 2)
    #expect(screen.put("Grace Hopper", row: 0, column: 0, width: 4) == 4)
    #expect(screen.put("Grace Hopper", row: 1, column: 2) == 4)
    #expect(screen.text == ["Gra…", "  Gra…"])
  }

  @Test func `a width is filled with the style`() {
    var screen = screen(6, 1)
    screen.put("ab", row: 0, column: 1, width: 4, style: .reversed)
    #expect(
      (0..<6).map { screen[0, $0].style.isReversed } == [false, true, true, true, true, false]
    )
  }

  @Test func `half of a wide glyph is never left`() {
    var screen = screen(6, 1)
    screen.put("日本語", row: 0, column: 0)
    screen.put("x", row: 0, column: 1, width: 1)
    #expect(screen.text == [" x本語"])
    screen.put("y", row: 0, column: 2, width: 1)
    #expect(screen.text == [" xy 語"])
    screen.put("日", row: 0, column: 3)
    #expect(screen.text == [" xy日"])
    #expect((0..<6).map { screen[0, $0].width } == [1, 1, 1, 2, 0, 1])
  }

  @Test func `a wide glyph never crosses the edge`() {
    var screen = screen(3, 1)
    screen.put("日本", row: 0, column: 0)
    #expect(screen.text == ["日…"])
    screen.put("日", row: 0, column: 2)
    #expect(screen.text == ["日…"])
  }

  @Test func `nothing outside of a screen does harm`() {
    for columns in 0..<4 {
      for rows in 0..<3 {
        var screen = screen(columns, rows)
        for row in -2..<5 {
          for column in -3..<6 {
            screen.put("a日b", row: row, column: column)
            screen.put("a日b", row: row, column: column, width: 3, style: .bold)
            screen.put("a", row: row, column: column, width: -1)
            screen.fill(Rectangle(row: row, column: column, rows: 3, columns: 9), with: "·")
            screen.restyle(Rectangle(row: row, column: column, rows: 3, columns: 9)) { $0 }
            screen.showCursor(row: row, column: column)
            _ = screen[row, column]
          }
        }
        #expect(screen.text.count == rows)
      }
    }
  }

  @Test func `random drawing keeps the halves of wide glyphs together`() {
    var generator = SystemRandomNumberGenerator()
    var screen = screen(9, 2)
    for _ in 0..<5_000 {
      let text = ["日", "a", "日本a", "e\u{301}日", "👨‍👩‍👧", "\u{200b}"].randomElement() ?? ""
      screen.put(
        text,
        row: Int.random(in: 0..<2, using: &generator),
        column: Int.random(in: -2..<9, using: &generator),
        width: Bool.random() ? nil : Int.random(in: 0..<7, using: &generator)
      )
      for row in 0..<2 {
        for column in 0..<9 {
          let cell = screen[row, column]
          #expect((cell.width == 2) == (column < 8 && screen[row, column + 1].width == 0))
          #expect(cell.width == 0 || TextWidth.width(of: cell.text) == Int(cell.width))
        }
      }
    }
  }

  @Test func `a screen in ASCII has only ASCII`() {
    var screen = Screen(size: Size(columns: 20, rows: 2), charset: .ascii)
    screen.put("│ é — ∅ …", row: 0, column: 0)
    screen.fill(Rectangle(row: 1, column: 0, rows: 1, columns: 5), with: "─")
    #expect(screen.text == ["| \\u{e9} - null ~", "-----"])
  }

  @Test func `the cursor hides outside of the screen`() {
    var screen = screen(4, 2)
    screen.showCursor(row: 1, column: 3)
    #expect(screen.cursor == Screen.Position(row: 1, column: 3))
    screen.showCursor(row: 1, column: 4)
    #expect(screen.cursor == nil)
  }
}
