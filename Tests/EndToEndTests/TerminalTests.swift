import Glibc
import KennelBrowser
import KennelTestSupport
import Testing

/// What a program without a database does in a real terminal.
struct `The terminal` {
  private func demo(
    _ size: Size = Size(columns: 80, rows: 24),
    kind: String = "tmux-256color",
    environment: [String: String] = [:]
  ) throws -> TmuxTerminal {
    let path = try Executable.path("TerminalDemo")
    let terminal = try TmuxTerminal([path], size: size, kind: kind, environment: environment)
    try terminal.waitUntil("the demo is there") { $0.first != "" }
    return terminal
  }

  // MARK: - Screens

  @Test(arguments: [Size(columns: 80, rows: 24), Size(columns: 200, rows: 60)])
  func `shows a screen of any size`(size: Size) throws {
    let terminal = try demo(size)
    let screen = try terminal.waitFor("size \(size)")
    #expect(
      screen.prefix(3) == ["demo \(size) │ é 日本 👨⁺ ␛[31m", "red bold on blue", "size \(size)"]
    )
    #expect(screen.count == size.rows)
  }

  @Test func `follows the size down to a single cell and back`() throws {
    let terminal = try demo()
    for size in [Size(columns: 1, rows: 1), Size(columns: 3, rows: 2), Size(columns: 1, rows: 40)] {
      try terminal.resize(size)
      try terminal.waitUntil("the screen has \(size)") { lines in
        lines.count == size.rows && lines[0].hasSuffix("…")
      }
      try terminal.press("x")
    }
    let size = Size(columns: 132, rows: 43)
    try terminal.resize(size)
    let screen = try terminal.waitFor("size \(size)")
    #expect(screen[0].hasPrefix("demo \(size)"))
    #expect(screen.contains("size 1x1"))
  }

  @Test func `begins in a single cell`() throws {
    let terminal = try demo(Size(columns: 1, rows: 1))
    #expect(try terminal.screen() == ["…"])
    try terminal.press("q")
    #expect(try terminal.waitForExit() == .code(3))
  }

  @Test func `shows and hides the cursor`() throws {
    let terminal = try demo()
    let cursor = ["display-message", "-p", "#{cursor_flag} #{cursor_y},#{cursor_x}"]
    #expect(try terminal.tell(cursor).hasPrefix("0 "))
    try terminal.press("c")
    try terminal.waitFor("key c")
    #expect(try terminal.tell(cursor) == "1 1,2\n")
  }

  @Test func `styles what it shows`() throws {
    let styled = try demo().styledScreen()
    #expect(styled.contains(/\u{1b}\[31m(\u{1b}\[49m)?red/))
    #expect(styled.contains("\u{1b}[1mbold"))
    #expect(styled.contains("\u{1b}[44mon blue"))
  }

  @Test func `columns stay aligned whatever the text`() throws {
    let texts = [
      "plain", "日本語テキスト", "한국어", "\u{1112}\u{1161}\u{11ab}\u{1100}\u{1173}\u{11af}", "ｶﾅ and ＷＩＤＥ",
      "👨‍👩‍👧‍👦 family", "👍🏽 tone", "❤️ heart ☎︎", "🇩🇪🇫🇷 flags", "1️⃣ keycap", "🏴󠁧󠁢󠁥󠁮󠁧󠁿 England",
      "🏳️‍🌈 rainbow", "e\u{301}\u{302}\u{303}\u{304}\u{305}\u{306} marks", "\u{301}lone",
      "a\u{200b}b\u{200d}c\u{feff}", "עברית וגם \u{202e}English", "العربية مع می\u{200c}خواهم",
      "हिन्दी में क्षत्रिय", "ภาษาไทย น้ำ", "தமிழ் கொடி", "\t\n\r\u{1b}[2J\u{9b}1m", "\u{ad}soft\u{e000}",
      "\u{4dc0}\u{3248}\u{2630}", "∅ … → ≥ │ ─", "ﷺ ligature ﬁ", "Z͑ͫ̓a̴l͢g̶o̡", "\u{1fae9}\u{2fffe}",
    ]
    let size = Size(columns: 60, rows: texts.count)
    let terminal = try TmuxTerminal([Executable.path("TerminalDemo")] + texts, size: size)
    var expected = Screen(size: size)
    for (row, text) in texts.enumerated() {
      expected.put(text, row: row, column: 0, width: 20)
      expected.put("│", row: row, column: 20)
      expected.put(text, row: row, column: 21)
    }
    let screen = try terminal.waitFor("ligature")
    for row in 0..<texts.count { #expect(screen[row] == expected.text[row]) }
  }

  @Test func `has no colors where the person wants none`() throws {
    let styled = try demo(environment: ["NO_COLOR": "1"]).styledScreen()
    #expect(!styled.contains("\u{1b}[31m") && !styled.contains("\u{1b}[44m"))
    #expect(styled.contains("\u{1b}[7mon blue"))
  }

  @Test func `has no colors where the terminal has none`() throws {
    let terminal = try demo(kind: "vt100")
    let styled = try terminal.styledScreen()
    #expect(!styled.contains("\u{1b}[31m"))
    #expect(styled.contains("\u{1b}[1mbold"))
    try terminal.press("Up")
    try terminal.waitFor("key Up")
  }

  @Test func `keeps to ASCII where the locale does`() throws {
    let screen = try demo(environment: ["LANG": "C"]).screen()
    #expect(screen[0].hasPrefix("demo 80x24 | \\u{e9} \\u{65e5}\\u{672c} \\u{1f468}"))
  }

  @Test func `takes a foreign locale of UTF-8 for UTF-8`() throws {
    let screen = try demo(environment: ["LANG": "xx_YY.UTF-8"]).screen()
    #expect(screen[0].contains("é 日本"))
  }

  @Test func `paints only what changed`() throws {
    let terminal = try PseudoTerminal(Executable.path("TerminalDemo"))
    try terminal.waitFor("size")
    usleep(50_000)
    terminal.forgetOutput()
    terminal.send("x")
    try terminal.waitFor("key")
    usleep(50_000)
    #expect(terminal.text.utf8.count < 40, "\(terminal.text.debugDescription)")
    terminal.forgetOutput()
    usleep(600_000)
    #expect(terminal.text == "", "time alone paints")
  }

  @Test func `shows what a key does at once`() throws {
    // What `cat` takes is the machine's share, however busy it is.
    let echo = try PseudoTerminal(Executable.system("cat"))
    let terminal = try PseudoTerminal(Executable.path("TerminalDemo"), columns: 200, rows: 60)
    try terminal.waitFor("size")
    var answers: [Duration] = []
    var shares: [Duration] = []
    for _ in 0..<50 {
      usleep(3_000)
      shares.append(try timeToAnswer(of: echo))
      answers.append(try timeToAnswer(of: terminal))
    }
    answers.sort()
    shares.sort()
    print("key to screen: median \(answers[25]), worst \(answers[49]); cat: \(shares[25])")
    #expect(answers[12] - shares[12] < .milliseconds(6))
  }

  private func timeToAnswer(of terminal: PseudoTerminal) throws -> Duration {
    terminal.forgetOutput()
    let start = ContinuousClock.now
    terminal.send("x")
    try terminal.waitUntil("there is an answer") { !$0.text.isEmpty }
    return ContinuousClock.now - start
  }

  // MARK: - Keys

  /// What a terminal sends for a key, shown without doing what it does.
  struct Sent: CustomTestStringConvertible, Sendable {
    let bytes: String
    let name: String

    init(_ bytes: String, _ name: String) {
      self.bytes = bytes
      self.name = name
    }

    var testDescription: String { name }
  }

  @Test(arguments: [
    Sent("j", "j"), Sent("\u{e9}", "é"), Sent("日", "日"), Sent("😀", "😀"),
    Sent("\r", "Enter"), Sent("\n", "Enter"), Sent("\t", "Tab"), Sent("\u{1b}[Z", "S-Tab"),
    Sent("\u{7f}", "Bksp"), Sent("\u{8}", "Bksp"), Sent("\u{12}", "^R"), Sent("\u{3}", "^C"),
    Sent("\u{13}", "^S"), Sent("\u{11}", "^Q"), Sent("\u{1c}", "^\\"), Sent("\0", "^Space"),
    Sent(" ", "Space"), Sent("\u{1b}", "Esc"), Sent("\u{1b}x", "Alt-x"),
    Sent("\u{1b}é", "Alt-é"), Sent("\u{1b}[1;3D", "Alt-Left"), Sent("\u{1b}[1;5C", "^Right"),
    Sent("\u{1b}[3~", "Del"), Sent("\u{1b}[5~", "PgUp"), Sent("\u{1b}[6~", "PgDn"),
    Sent("\u{1b}[1~", "Home"), Sent("\u{1b}[4~", "End"), Sent("\u{1b}OA", "Up"),
    Sent("\u{1b}[B", "Down"), Sent("\u{1b}OP", "F1"), Sent("\u{1b}[24~", "F12"),
    Sent("\u{1b}[200~a b\u{1b}[201~", "Paste(a b)"),
  ])
  func `knows the keys by what they send`(sent: Sent) throws {
    let terminal = try demo()
    try terminal.tell(["send-keys", "-H"] + sent.bytes.utf8.map { String($0, radix: 16) })
    try terminal.waitFor("key \(sent.name)")
    #expect(try terminal.screen().filter { $0.hasPrefix("key") }.count == 1)
  }

  @Test func `of a key that it does not know no letter is a key`() throws {
    let terminal = try demo()
    let unknown = ["\u{1b}[1;6D", "\u{1b}[27;5;68~", "\u{1b}O6D", "\u{1b}[[X", "\u{1b}[?1;2D"]
    for sequence in unknown + ["x"] {
      try terminal.tell(["send-keys", "-H"] + sequence.utf8.map { String($0, radix: 16) })
    }
    try terminal.waitFor("key x")
    #expect(try terminal.screen().filter { $0.hasPrefix("key") } == ["key x"])
  }

  @Test func `tells Esc from a key with Alt`() throws {
    let terminal = try demo()
    try terminal.press("Esc x Esc Esc Alt-x")
    let screen = try terminal.waitFor("key Alt-x")
    let keys = screen.filter { $0.hasPrefix("key") }
    #expect(keys == ["key Esc", "key x", "key Esc", "key Esc", "key Alt-x"])
  }

  @Test func `keeps up with a key that is held`() throws {
    let terminal = try demo()
    try terminal.tell(["send-keys", "-N", "400", "x"])
    try terminal.press("z")
    try terminal.waitFor("key z", timeout: .seconds(2))
  }

  @Test func `takes a paste as one key`() throws {
    let terminal = try demo()
    try terminal.paste("q\nq é")
    try terminal.waitFor("key Paste(q␤q é)")
  }

  @Test func `ends a paste whose end was lost`() throws {
    let terminal = try PseudoTerminal(Executable.path("TerminalDemo"))
    try terminal.waitFor("size")
    terminal.send("\u{1b}[200~abc")
    try terminal.waitFor("Paste(abc)")
    terminal.send("x")
    try terminal.waitFor("key")
  }

  @Test func `reports the mouse only when it is asked for`() throws {
    let terminal = try PseudoTerminal(Executable.path("TerminalDemo"))
    try terminal.waitFor("size")
    #expect(!terminal.text.contains("1000h"))
    terminal.send("%")
    try terminal.waitFor("1000h")
    #expect(terminal.text.contains("1006h"))
    terminal.send("\u{1b}[<0;5;3M")
    try terminal.waitFor("press")
    terminal.send("q")
    #expect(try terminal.waitForExit() == .code(3))
    #expect(terminal.text.contains("1000l"))
  }

  @Test func `reads the mouse in any column, and no nonsense`() throws {
    let terminal = try demo()
    try terminal.press("%")
    try terminal.waitFor("key %")
    func send(_ report: String) throws {
      try terminal.tell(["send-keys", "-l", "--", "\u{1b}[\(report)"])
    }
    try send("<0;300;3M")
    try terminal.waitFor("press 2,299")
    try send("<0;300;3m")
    try terminal.waitFor("release 2,299")
    try send("<65;5;3M")
    try terminal.waitFor("wheelDown 2,4")
    // The old coding, which some terminals have alone.
    try send("M %#")
    try terminal.waitFor("press 2,4")
    // A movement, and reports that are none.
    for report in ["<32;8;8M", "<0;0;0M", "<;;;;M", "<x"] { try send(report) }
    try terminal.press("z")
    let screen = try terminal.waitFor("key z").joined()
    #expect(!screen.contains("7,7") && !screen.contains("-1"))
  }

  // MARK: - Jobs

  @Test func `no key waits for a job`() throws {
    let terminal = try demo()
    try terminal.press("J x")
    try terminal.waitFor("key x")
    try terminal.press("j")
    try terminal.waitFor("job 2 gave 42")
    #expect(try terminal.screen().contains("job 2 at 0.5"))
    try terminal.press("C")
    try terminal.waitFor("job 1 cancelled")
  }

  @Test func `a job that runs does not keep the program from ending`() throws {
    let terminal = try demo()
    try terminal.press("J q")
    #expect(try terminal.waitForExit() == .code(3))
  }

  // MARK: - Others

  @Test func `copies to the clipboard of the terminal`() throws {
    let terminal = try demo()
    try terminal.press("y")
    try terminal.waitFor("by OSC 52")
    #expect(try terminal.tell(["show-buffer"]) == "copied text")
  }

  @Test(arguments: [
    ("TMUX", "\u{1b}Ptmux;\u{1b}\u{1b}]52;c;Y29waWVkIHRleHQ=\u{7}\u{1b}\\"),
    ("STY", "\u{1b}P\u{1b}]52;c;Y29waWVkIHRleHQ=\u{7}\u{1b}\\"),
  ])
  func `copies through what the terminal runs in`(variable: String, sequence: String) throws {
    let environment = Executable.environment(adding: ["TERM": "xterm-256color", variable: "none"])
    let terminal = try PseudoTerminal(Executable.path("TerminalDemo"), environment: environment)
    try terminal.waitFor("size")
    terminal.send("y")
    try terminal.waitFor("by OSC 52")
    #expect(terminal.text.contains(sequence))
  }

  @Test func `lends itself to an editor`() throws {
    let terminal = try demo(environment: ["EDITOR": "printf after >>"])
    try terminal.press("e")
    try terminal.waitFor("edited beforeafter")
  }

  @Test func `an editor that fails saves nothing`() throws {
    let terminal = try demo(environment: ["EDITOR": "false"])
    try terminal.press("e")
    try terminal.waitFor("The editor “false” failed")
  }

  @Test func `an editor that is not there is named`() throws {
    let terminal = try demo(environment: ["EDITOR": "no-such-editor"])
    try terminal.press("e")
    try terminal.waitFor("The editor “no-such-editor” is not found; set EDITOR to one that is")
  }

  @Test func `repaints everything when asked`() throws {
    let terminal = try PseudoTerminal(Executable.path("TerminalDemo"))
    try terminal.waitFor("size")
    terminal.forgetOutput()
    terminal.send("\u{c}")
    try terminal.waitFor("demo 80x24")
  }

  @Test func `says so when its kind is not known`() throws {
    let environment = Executable.environment(adding: ["TERM": "unheard-of"])
    let terminal = try PseudoTerminal(Executable.path("TerminalDemo"), environment: environment)
    #expect(try terminal.waitForExit() == .code(1))
    #expect(terminal.text.contains("unheard-of, is not known here: try TERM=xterm-256color"))
  }

  @Test func `says so when it shows lines only`() throws {
    let environment = Executable.environment(adding: ["TERM": "dumb"])
    let terminal = try PseudoTerminal(Executable.path("TerminalDemo"), environment: environment)
    #expect(try terminal.waitForExit() == .code(1))
    #expect(terminal.text.contains("type dumb shows lines, not screens: try TERM=xterm-256color"))
  }

  @Test func `says so when there is none`() throws {
    let result = try Executable.run(
      Executable.path("TerminalDemo"),
      [],
      environment: Executable.environment(adding: ["TERM": "xterm"])
    )
    #expect(result.status == 1 << 8)
    #expect(result.output.contains("needs a terminal"))
  }
}
