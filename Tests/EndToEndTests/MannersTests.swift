import Foundation
import KennelBrowser
import KennelCore
import KennelTestSupport
import Testing

/// The browser's manners in a terminal: it is a good guest however it comes and goes.
@Suite struct `kennel's manners` {
  private let place: TemporaryFolder
  private let environment: [String: String]

  init() throws {
    place = try TemporaryFolder()
    environment = ["XDG_DATA_HOME": place.path, "XDG_STATE_HOME": place.path]
  }

  private func pseudoTerminal(
    _ others: [String: String] = [:],
    arguments: [String] = [],
    showing text: String = "Winter"
  ) throws -> PseudoTerminal {
    let variables = environment.merging(["TERM": "xterm-256color"]) { $1 }.merging(others) { $1 }
    let terminal = try PseudoTerminal(
      Executable.path("kennel"),
      arguments,
      environment: Executable.environment(adding: variables)
    )
    try terminal.waitFor(text)
    #expect(!terminal.modes.isSane)
    return terminal
  }

  private func tmux(
    size: Size = Size(columns: 80, rows: 24),
    kind: String = "tmux-256color",
    _ others: [String: String] = [:]
  ) throws -> TmuxTerminal {
    let variables = environment.merging(others) { $1 }
    let command = [try Executable.path("kennel")]
    return try TmuxTerminal(command, size: size, kind: kind, environment: variables)
  }

  /// The color of the title in the themes for a light and a dark background, among 256.
  private static let (light, dark) = ("48;5;189m", "48;5;24m")

  @Test(arguments: [
    ("rgb:ffff/ffff/ffff\u{1b}\\", light), ("rgb:0000/0000/0000\u{7}", dark),
    ("rgb:0/0/0\u{1b}\\\u{1b}]11;rgb:f/f/f\u{7}", light),
  ])
  func `it takes the colors that suit the background`(answer: String, color: String) throws {
    let terminal = try pseudoTerminal()
    try terminal.waitFor("\u{1b}]11;?")
    #expect(!terminal.text.contains(Self.light) && !terminal.text.contains("m\(Self.dark)"))
    // Keys around the answer are keys.
    terminal.send("\r")
    terminal.send("\u{1b}]11;\(answer)l")
    try terminal.waitFor(color)
    try terminal.waitFor("[name]")
    terminal.send("Q")
    #expect(try terminal.waitForExit() == .code(0))
  }

  @Test(arguments: ["", "q", "rgb:", String(repeating: "D", count: 900)])
  func `an odd answer of the terminal is neither a color nor keys`(answer: String) throws {
    let terminal = try pseudoTerminal()
    try terminal.waitFor("\u{1b}]11;?")
    terminal.send("\u{1b}]11;\(answer)\u{1b}\\")
    usleep(100_000)
    terminal.send("\rl")
    try terminal.waitFor("[name]")
    #expect(!terminal.text.contains(Self.light))
    #expect(!terminal.text.contains("does nothing"))
  }

  /// A picture of one pixel.
  private static let pixel = """
    iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/iZk9HQAAAABJRU5ErkJggg==
    """

  /// A database with a picture in data.
  private func pictures(_ others: [String: String] = [:]) throws -> PseudoTerminal {
    let file = place.file("pictures.kennel")
    try Database.open(file).write { transaction in
      try transaction.define([
        ClassDefinition("Photo", properties: [PropertyDefinition("picture", .data)])
      ])
      let photo = try transaction.schema.require("Photo")
      let bytes = Data(base64Encoded: Self.pixel).map { [UInt8]($0) } ?? []
      try transaction.create(photo.key, [photo.require("picture").key: .data(bytes)])
    }
    return try pseudoTerminal(others, arguments: [file], showing: "picture")
  }

  @Test func `it opens data elsewhere from a private file, which is gone at the end`() throws {
    let opener = place.file("xdg-open")
    let script = "#!/bin/sh\nstat -c '%a %s' \"$1\" > '\(place.file("opened"))'\n"
    try script.write(toFile: opener, atomically: true, encoding: .utf8)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: opener)
    let path = "\(place.path):/usr/bin:/bin"
    let terminal = try pictures(["PATH": path, "TMPDIR": place.path])
    terminal.send("\r\r\r")
    try terminal.waitFor("00000000")
    terminal.send("o")
    try terminal.waitFor("Opened it in another program")
    let opened = try String(contentsOfFile: place.file("opened"), encoding: .utf8)
    #expect(opened == "600 70\n")
    let pictures = {
      try FileManager.default.contentsOfDirectory(atPath: place.path).filter {
        $0.hasSuffix(".png")
      }
    }
    #expect(try pictures().count == 1)
    terminal.send("qQ")
    #expect(try terminal.waitForExit() == .code(0))
    #expect(try pictures().isEmpty)
  }

  @Test func `it draws a picture where the terminal says that it can, and takes it away`() throws {
    let terminal = try pictures()
    try terminal.waitFor("\u{1b}_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\u{1b}\\\u{1b}[c")
    terminal.send("\u{1b}_Gi=31;OK\u{1b}\\\u{1b}[?62;c")
    terminal.send("\r\r\r")
    try terminal.waitFor("a=T,f=100,i=31,c=1,r=1,C=1,q=2,m=0;\(Self.pixel)\u{1b}\\")
    terminal.send("b")
    try terminal.waitFor("\u{1b}_Ga=d,d=I,i=31,q=2\u{1b}\\")
    try terminal.waitFor("00000000")
    terminal.send("Q")
    terminal.send("qQ")
    #expect(try terminal.waitForExit() == .code(0))
  }

  @Test(arguments: ["\u{1b}[?62;4;22c", "\u{1b}_Gi=31;ENOTSUPPORTED:no\u{1b}\\\u{1b}[?6c", ""])
  func `it draws none where the terminal does not say so`(answer: String) throws {
    let terminal = try pictures()
    try terminal.waitFor("\u{1b}[c")
    terminal.send(answer + "\r\r\r")
    try terminal.waitFor("00000000")
    #expect(!terminal.text.contains("a=T"))
    #expect(!terminal.text.contains("does nothing"))
  }

  @Test(arguments: [SIGTERM, SIGHUP, SIGQUIT, SIGSEGV, SIGBUS, SIGABRT])
  func `a signal that ends it leaves a sane terminal`(number: Int32) throws {
    let terminal = try pseudoTerminal()
    terminal.send("e")
    usleep(20_000)
    terminal.signal(number)
    #expect(try terminal.waitForExit() == .signal(number))
    #expect(terminal.modes == terminal.modesAtStart)
    let text = terminal.text
    let left = try #require(text.ranges(of: "\u{1b}[?1049l").last)
    let entered = try #require(text.ranges(of: "\u{1b}[?1049h").last)
    #expect(left.lowerBound > entered.lowerBound)
    #expect(text[entered.lowerBound...].contains("\u{1b}[?2004l"))
  }

  @Test func `a signal tells what was not committed`() throws {
    let terminal = try pseudoTerminal()
    terminal.send("\rdD")
    try terminal.waitFor("u undoes")
    terminal.signal(SIGTERM)
    #expect(try terminal.waitForExit() == .signal(SIGTERM))
    #expect(terminal.text.contains("kennel: 1 change of "))
    #expect(terminal.text.contains("not committed, and kept; 'kennel "))
  }

  @Test func `a window that closes ends it`() throws {
    let terminal = try pseudoTerminal()
    terminal.hangUp()
    #expect(try terminal.waitForExit() == .signal(SIGHUP))
  }

  @Test func `it quits with a sane terminal`() throws {
    let terminal = try pseudoTerminal()
    terminal.send("q")
    #expect(try terminal.waitForExit() == .code(0))
    #expect(terminal.modes == terminal.modesAtStart)
  }

  @Test func `it shrinks to a single cell and comes back`() throws {
    let terminal = try tmux()
    // The last line may come after the first ones, and how many there are after both.
    for text in ["Ada Winter", "1 of 13", "? keys"] { try terminal.waitFor(text) }
    var before = try terminal.screen()
    try terminal.waitUntil("the screen stays as it is") { screen in
      defer { before = screen }
      return screen == before
    }
    for size in [
      Size(columns: 1, rows: 1), Size(columns: 2, rows: 30), Size(columns: 90, rows: 1),
      Size(columns: 7, rows: 3),
    ] {
      try terminal.resize(size)
      try terminal.press("j k")
      try terminal.waitUntil("the screen has \(size)") { $0.count == size.rows }
    }
    try terminal.resize(Size(columns: 80, rows: 24))
    try terminal.waitUntil("the screen is as before") { $0 == before }
  }

  @Test func `it stops for the shell and goes on where it was`() throws {
    let terminal = try TmuxTerminal(
      ["/bin/sh", "-i"],
      environment: environment.merging(["PS1": "shell> "]) { $1 }
    )
    try terminal.waitFor("shell>")
    try terminal.type(Executable.path("kennel"))
    try terminal.press("Enter")
    try terminal.waitFor("Ada Winter")
    try terminal.press("Enter j")
    try terminal.waitFor("Person  2 of 13")
    let before = try terminal.screen()
    try terminal.press("^Z")
    try terminal.waitFor("Stopped")
    try terminal.type("clear; stty -a | tr ' ' '\\n' | grep -c -x -e icanon -e echo -e isig")
    try terminal.press("Enter")
    try terminal.waitUntil("the modes are sane") { $0.contains("3") }
    try terminal.type("fg")
    try terminal.press("Enter")
    try terminal.waitUntil("the screen is as before") { $0 == before }
  }

  @Test func `it has no color where there is to be none`() throws {
    let terminal = try pseudoTerminal(["NO_COLOR": "1"])
    terminal.send("j")
    usleep(50_000)
    let text = terminal.text
    #expect(!text.contains(/\u{1b}\[[0-9;]*\b(3[0-7]|4[0-7])[0-9;]*m/))
  }

  @Test(arguments: ["vt100", "linux", "screen", "xterm"])
  func `it runs in terminals of other kinds`(kind: String) throws {
    let terminal = try tmux(kind: kind)
    try terminal.waitFor("Ada Winter")
    try terminal.press("Enter Down")
    try terminal.waitFor("Person  2 of 13")
    try terminal.press("q")
  }

  @Test func `it sends ASCII alone where the locale is not UTF-8`() throws {
    let terminal = try pseudoTerminal(["LANG": "C"])
    terminal.send("jjjj")
    usleep(50_000)
    #expect(terminal.output.allSatisfy { $0 < 0x80 })
    #expect(terminal.text.contains("\\u{"))
  }

  @Test func `no string of the database controls the terminal`() throws {
    let terminal = try pseudoTerminal()
    terminal.send("\r")
    for _ in 0..<13 {
      terminal.send("j")
      usleep(5_000)
    }
    terminal.send("\r")
    usleep(100_000)
    // The sample has a person whose name turns the terminal red and rings its bell.
    #expect(terminal.text.contains("Robo ␛"))
    #expect(!terminal.output.contains(0x07))
    #expect(!terminal.text.contains("\u{1b}[31mRed"))
    #expect(!terminal.text.contains("\u{202e}"))
  }
}
