import KennelBrowser
import KennelTestSupport
import Testing

/// The pictures of the documentation: the screens that the scripts beside them lead to.
@Suite("The pictures of the documentation")
struct PictureTests {
  private static let scripts = try? GoldenFile.all(in: "Documentation/Screens", extension: "script")

  @Test func `are there`() throws {
    #expect(try #require(Self.scripts).count >= 3)
  }

  @Test(arguments: scripts ?? [])
  func `show what their scripts lead to`(_ file: GoldenFile) throws {
    let script = try Script(path: file.path, text: file.text())
    let screen = try Sample.browse { terminal in
      try terminal.run(script)
      return try #require(terminal.screen)
    }
    let name = file.path.dropLast(".script".count)
    try GoldenFile(path: "\(name).txt")
      .expect(screen.text.map { $0 + "\n" }.joined(), "make screens")
    try GoldenFile(path: "\(name)-dark.svg")
      .expect(ScreenPicture(screen, palette: .dark).svg, "make screens")
    try GoldenFile(path: "\(name)-light.svg")
      .expect(ScreenPicture(screen, palette: .light).svg, "make screens")
  }
}

@Suite("A picture of a screen")
struct ScreenPictureTests {
  private func picture(_ draw: (inout Screen) -> Void) -> [String] {
    var screen = Screen(size: Size(columns: 20, rows: 2))
    draw(&screen)
    return ScreenPicture(screen, palette: .dark).svg.split(separator: "\n").map(String.init)
  }

  private func texts(_ lines: [String]) -> [String] { lines.filter { $0.hasPrefix("<text") } }

  @Test func `has every wide character at its cell`() {
    let lines = texts(picture { $0.put("a柴犬b", row: 1, column: 2) })
    #expect(lines.count == 4)
    for (line, column) in zip(lines, [2, 3, 5, 7]) {
      #expect(line.contains(#"x="\#(8 + 9 * column)" y="40""#), "\(line)")
    }
    #expect(lines[1].hasSuffix(">柴</text>"))
  }

  @Test func `escapes what XML would read`() {
    let lines = texts(picture { $0.put(#"<b>&"\#u{1b}"#, row: 0, column: 0) })
    #expect(lines.first?.hasSuffix(">&lt;b&gt;&amp;&quot;</text>") == true)
    #expect(lines.last?.hasSuffix(">␛</text>") == true)
  }

  @Test func `has its words at their columns, whatever font shows them`() {
    let lines = texts(picture { $0.put(" one two   three ", row: 0, column: 0) })
    #expect(lines.count == 2)
    #expect(lines[0].contains(#"x="17""#) && lines[0].contains(#"textLength="63""#))
    #expect(lines[1].contains(#"x="107""#) && lines[1].hasSuffix(">three</text>"))
  }

  @Test func `swaps the colors of what is reversed, and under the cursor`() {
    let palette = ScreenPicture.Palette.dark
    let lines = picture { screen in
      screen.put("ab", row: 0, column: 0, style: .reversed)
      screen.showCursor(row: 1, column: 4)
    }
    let boxes = lines.filter { $0.hasPrefix("<rect x") }
    #expect(boxes.count == 2 && boxes.allSatisfy { $0.contains(palette.foreground) })
    #expect(texts(lines)[0].contains(palette.background))
  }
}
