import KennelBrowser
import KennelTestSupport
import Testing

@Suite("A script")
struct ScriptTests {
  @Test(arguments: [
    ("= jump\n", "keys:1: ‘jump’ is no action"),
    ("# one\n\n= press\n", "keys:3: ‘’ names no keys"),
    ("= resize 0x5\n", "keys:1: ‘0x5’ is no size"),
    ("= resize 1001x5\n", "keys:1: ‘1001x5’ is no size"),
    ("= tick\nhello\n", "keys:2: A line begins with #, = or |"),
    ("|x\n", "keys:1: A screen comes after the actions"),
  ])
  func `is refused with the line and what to write`(text: String, message: String) {
    let error = #expect(throws: ScriptError.self) { try Script(path: "keys", text: text) }
    #expect(error?.description.hasPrefix(message) == true, "\(error?.description ?? "")")
  }

  @Test func `begins at 80x24 where it does not say how`() throws {
    try Kennels.browse { browser, _ in
      var terminal = ScriptTerminal { _ in browser }
      try terminal.run(Script(path: "keys", text: "= press j Enter l\n"))
      let screen = try #require(terminal.screen)
      #expect(screen.size == Size(columns: 80, rows: 24))
      #expect(screen.text.contains { $0.contains("Dog  1 of 3") })
    }
  }

  @Test func `has the size that is asked for, whatever it opens with`() throws {
    try Kennels.browse { browser, _ in
      var terminal = ScriptTerminal(size: Size(columns: 30, rows: 5)) { _ in browser }
      try terminal.run(Script(path: "keys", text: "= open 100x30\n"))
      #expect(terminal.screen?.size == Size(columns: 30, rows: 5))
    }
  }

  @Test func `waits for jobs, and ends with the program`() throws {
    try Kennels.browse { browser, _ in
      var terminal = ScriptTerminal { _ in browser }
      try terminal.run(
        Script(path: "keys", text: "= press j Enter /\n= type Bella\n= press Enter\n")
      )
      #expect(terminal.screen?.text.contains { $0.contains("Dog  3 of 3") } == true)
      try terminal.run(Script(path: "keys", text: "= press Q j j\n"))
      #expect(terminal.screen?.text.first == "(ended with exit code 0)")
    }
  }

  @Test func `that presses a key which the last row must name says where it does not`() throws {
    try Kennels.browse { browser, _ in
      var terminal = ScriptTerminal { _ in browser }
      let script = try Script(path: "keys", text: "= open\n\n= hinted w\n")
      let error = #expect(throws: ScriptError.self) { try terminal.run(script) }
      #expect(error?.description.hasPrefix("keys:3: There is no hint to w in: ") == true)
    }
  }

  @Test func `has no editor`() throws {
    try Kennels.browse { browser, _ in
      var terminal = ScriptTerminal { _ in browser }
      try terminal.run(Script(path: "keys", text: "= press j Enter l E\n"))
      #expect(terminal.screen?.text.contains { $0.contains("There is no editor") } == true)
    }
  }
}
