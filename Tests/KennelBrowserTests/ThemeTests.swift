import KennelBrowser
import KennelTestSupport
import Testing

@Suite("A theme")
struct ThemeTests {
  /// The luminance of a color, as the guidelines for web content define it.
  private func luminance(_ bits: UInt32) -> Double {
    let parts = [16, 8, 0].map { shift -> Double in
      let part = Double(bits >> UInt32(shift) & 0xFF) / 255
      return part <= 0.039_28 ? part / 12.92 : power24((part + 0.055) / 1.055)
    }
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
  }

  private func power24(_ value: Double) -> Double {
    let root = value.squareRoot().squareRoot()
    // x^2.4 = x^2 · x^0.4, and x^0.4 by a few steps of Newton for y^5 = x^2.
    var estimate = root
    for _ in 0..<40 {
      let fourth = estimate * estimate * estimate * estimate
      estimate -= (fourth * estimate - value * value) / (5 * fourth)
    }
    return value * value * estimate
  }

  private func contrast(_ one: UInt32, _ other: UInt32) -> Double {
    let (low, high) = (min(luminance(one), luminance(other)), max(luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)
  }

  @Test(
    arguments: [
      (Theme.dark, [0x000000, 0x17191D, 0x282A36]), (Theme.light, [0xFFFFFF, 0xFDF6E3]),
    ] as [(Theme, [UInt32])]
  )
  func `has text that can be read on its background`(theme: Theme, backgrounds: [UInt32]) {
    let isPainted = theme.styles.map {
      if case .rgb = $0.style.foreground.kind { true } else { false }
    }
    #expect(!isPainted.contains(false), "each part has colors in the table of both themes")
    for (name, style) in theme.styles where name != "separator" {
      let behind = style.background == .standard ? backgrounds : [style.background.bits]
      for background in behind {
        let contrast = contrast(style.foreground.bits, background)
        #expect(contrast >= 4.5, "\(name): \(contrast)")
      }
    }
  }

  @Test(arguments: [Theme.terminal, .dark, .light])
  func `tells the title from the cursor, and each kind of change from the others`(theme: Theme) {
    let styles = Dictionary(uniqueKeysWithValues: theme.styles.map { ($0.name, $0.style) })
    #expect(styles["title"] != styles["cursor"])
    #expect(Set(["added", "changed", "deleted", "note", "link"].map { styles[$0] }).count == 5)
  }

  @Test func `has colors that are compared as one number each`() {
    #expect(MemoryLayout<Color>.size == 4)
    #expect(Set([Color.standard, .palette(0), .rgb(0)]).count == 3)
  }

  @Test func `without colors has attributes in their place`() {
    for (name, style) in Theme.none.styles {
      #expect(style.foreground == .standard && style.background == .standard, "\(name)")
    }
    let styles = Dictionary(uniqueKeysWithValues: Theme.none.styles.map { ($0.name, $0.style) })
    #expect(styles["title"] == .bold)
    for bar in ["cursor", "draft-badge", "read-only-badge", "alarm-badge", "fresh"] {
      #expect(styles[bar]?.isReversed == true, "\(bar)")
    }
  }

  @Test func `has each of its parts in the table`() {
    #expect(Mirror(reflecting: Theme.dark).children.count == Theme.dark.styles.count)
    #expect(Set(Theme.dark.styles.map(\.name)).count == Theme.dark.styles.count)
  }

  @Test func `without colors stays so, whatever color a part is given`() throws {
    let chosen = Configuration([
      .init(path: ["theme"], value: .text("none"), line: 1),
      .init(path: ["colors", "cursor"], value: .text("white blue"), line: 2),
    ])
    let style = try #require(chosen.theme(hasColor: true).styles.first { $0.name == "cursor" })
      .style
    #expect(style.foreground == .standard && style.background == .standard && style.isReversed)
  }

  @Test func `changes in one part, whose attributes stay unless some are named`() throws {
    func style(_ text: String, of part: String) throws -> Style {
      let chosen = Configuration([.init(path: ["colors", part], value: .text(text), line: 1)])
      #expect(chosen.mistakes.isEmpty, "\(chosen.mistakes)")
      return try #require(chosen.theme(hasColor: true).styles.first { $0.name == part }).style
    }
    #expect(try style("#102030", of: "link") == .color(.rgb(0x102030)))
    #expect(try style("208", of: "link") == .color(.palette(208)))
    let bright = Style(foreground: .palette(12), isReversed: true)
    #expect(try style("bright-blue", of: "cursor") == bright)
    #expect(try style("white blue", of: "cursor") == Style(foreground: .white, background: .blue))
    #expect(try style("green plain", of: "error") == .color(.green))
    let dim = Style(foreground: .cyan, isDim: true, isUnderlined: true)
    #expect(try style("underline dim", of: "link") == dim)
  }

  @Test(arguments: [
    (8, 1, 6), (16, 9, 6), (256, 203, 80), (1 << 24, 0xFF5F5F, 0x5FD7D7),
  ])
  func `takes the nearest color that a terminal has`(count: Int, red: Int, cyan: Int) {
    #expect(Color("#ff5f5f")?.number(among: count) == red)
    #expect(Color("#5fd7d7")?.number(among: count) == cyan)
    #expect(Color.red.number(among: count) == 1)
    let gray = Color("#707880")?.number(among: count).map { Color.palette(UInt8(min($0, 255))) }
    #expect(count > 256 || [.black, .white, .palette(8), .palette(243)].contains(gray))
    #expect(Color.standard.number(among: count) == nil)
  }

  @Test func `shows in pictures`() throws {
    var screen = Screen(size: Size(columns: 10, rows: 1))
    screen.put("ab", row: 0, column: 0, style: .color(.palette(208)))
    screen.put("cd", row: 0, column: 4, style: .color(.rgb(0x010203)))
    let svg = ScreenPicture(screen, palette: .dark).svg
    #expect(svg.contains("#ff8700") && svg.contains("#010203"))
  }
}

@Suite("The background of a terminal")
struct BackgroundTests {
  @Test(arguments: [
    ("rgb:ffff/ffff/ffff", true), ("rgb:00/00/00", false), ("rgb:1e1e/1e1e/2e2e", false),
    ("rgb:fdfd/f6f6/e3e3", true), ("rgba:f/f/f/8", true), ("rgb:ffff/0/0", false),
    ("rgb:0/ffff/0", true), ("rgb:0/0/ffff", false),
  ])
  func `is light or dark as its color says`(answer: String, isLight: Bool) {
    #expect(BackgroundReply.isLight(answer) == isLight)
  }

  @Test(arguments: [
    "", "rgb:", "rgb:0/0", "rgb:0/0/0/0", "rgba:0/0/0", "rgb:0/0/fffff", "rgb:-1/0/0", "rgb:+1/0/0",
    "rgb://", "rgb:g/0/0", "#ffffff", "rgb:0/0/0:", "?", "rgb:٣/0/0",
  ])
  func `is not known by an answer that is none`(answer: String) {
    #expect(BackgroundReply.isLight(answer) == nil)
  }

  private func background(_ themeName: String?, _ events: [Event]) throws -> Color {
    try withTemporaryDatabase { database in
      try Kennels.fill(database)
      let chosen = Configuration(
        themeName.map { [.init(path: ["theme"], value: .text($0), line: 1)] } ?? []
      )
      var settings = BrowserSettings(fileName: "people.kennel")
      settings.theme = chosen.theme(hasColor: true)
      settings.themes = chosen.themes(hasColor: true)
      let browser = try Browser(database, settings: settings)
      let asks = browser.takeEffects().contains {
        if case .ask(background: true) = $0 { true } else { false }
      }
      #expect(asks == (themeName ?? "auto" == "auto"))
      events.forEach(browser.receive)
      return browser.draw(Size(columns: 80, rows: 24))[0, 0].style.background
    }
  }

  @Test func `chooses the theme, where a person has chosen none`() throws {
    let (dark, light) = (Color.rgb(0x2F4B7C), Color.rgb(0xC3D5EE))
    #expect(try background(nil, []) == .standard)
    #expect(try background("auto", [.background(isLight: false)]) == dark)
    #expect(try background(nil, [.background(isLight: true)]) == light)
    #expect(try background("dark", [.background(isLight: true)]) == dark)
    #expect(try background("16", [.background(isLight: true)]) == .standard)
    #expect(Configuration().themes(hasColor: false) == nil)
  }
}
