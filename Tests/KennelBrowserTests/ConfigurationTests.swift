import KennelBrowser
import KennelTestSupport
import Testing

/// A configuration of entries in consecutive lines.
private func configuration(
  _ entries: (path: [String], value: Configuration.Entry.Value)...
) -> Configuration {
  Configuration(
    entries.enumerated().map { index, entry in
      Configuration.Entry(path: entry.path, value: entry.value, line: index + 1)
    }
  )
}

private func keys(_ pairs: (String, String)...) -> Configuration {
  Configuration(
    pairs.enumerated().map { index, pair in
      Configuration.Entry(path: ["keys", pair.0], value: .text(pair.1), line: index + 1)
    }
  )
}

@Suite("A configuration")
struct ConfigurationTests {
  /// What is wrong, with the line, where one entry is.
  private func mistake(_ configuration: Configuration) throws -> String {
    #expect(configuration.mistakes.count == 1)
    let mistake = try #require(configuration.mistakes.first)
    return "\(mistake.line): \(mistake.text)"
  }

  @Test(
    arguments: [
      (["tehme"], .text("dark"), "there is no setting ‘tehme’; did you mean ‘theme’?"),
      (["window"], .flag(true), "there is no setting ‘window’; there are theme,"),
      (["theme"], .text("drak"), "theme: ‘drak’ is not known; did you mean \"dark\"?"),
      (
        ["theme"], .number("16"),
        "theme: write one of \"auto\", \"dark\", \"light\", \"16\", \"none\", in quotes"
      ),
      (["theme"], .list, "theme: write one of"),
      (
        ["keymap"], .text("emacs"),
        "keymap: ‘emacs’ is not known; write one of \"default\", \"vim\""
      ),
      (["mouse"], .text("true"), "mouse: write true or false, without quotes"),
      (["ambiguous-width"], .number("3"), "ambiguous-width: write 1 or 2, without quotes"),
      (
        ["mouse", "wheel"], .flag(true), "there is no setting ‘mouse.wheel’; did you mean ‘mouse’?"
      ),
      (["keys"], .text("vim"), "keys is a table of single keys; write keymap = \"vim\""),
      (["colors"], .text("dark"), "colors is a table"),
      (
        ["colors", "lnik"], .text("red"),
        "no part of the screen is called ‘lnik’; did you mean ‘link’?"
      ),
      (["colors", "link"], .text("gren"), "link: ‘gren’ is no color; did you mean ‘green’?"),
      (
        ["colors", "link"], .number("256"),
        "link: ‘256’ is no color; the numbers of colors go from 0"
      ),
      (["colors", "link"], .text("#12345"), "link: ‘#12345’ is no color; write # and six"),
      (
        ["colors", "link"], .text("red blue green"),
        "link: ‘red blue green’ has more than two colors"
      ),
      (["colors", "link"], .text(""), "link: the style is empty"),
      (["colors", "link"], .flag(true), "link: write a color of the text"),
      (["keys", "ctrl-d"], .text("page-dwon"), "there is no command ‘page-dwon’; did you mean"),
      (["keys", "ctrl-d"], .flag(false), "‘ctrl-d’: write the name of a command in quotes"),
      (["keys", "a", "b"], .text("down"), "write the keys in quotes"),
      (["keys", "ctrl-i"], .text("schema"), "terminals do not tell ‘ctrl-i’ from ‘Tab’"),
      (["keys", "ctrl-5"], .text("schema"), "‘ctrl-5’ cannot be typed in a terminal"),
      (
        ["keys", "shift-x"], .text("schema"), "terminals do not tell ‘shift-x’ from the key without"
      ),
      (["keys", "alt-gg"], .text("schema"), "‘alt-gg’ is no key"),
      (["keys", ""], .text("schema"), "the key has no name"),
      (["keys", "g"], .text("top"), "‘g’ would hide"),
      (
        ["keys", "d d"], .text("delete"), "‘dd’ begins with ‘d’, which is ‘delete’; unbind that by"
      ),
      (["keys", "m a"], .text("delete"), "‘ma’ begins with ‘m’, which is ‘bookmark’"),
      (["commands"], .text("ls"), "commands is a table: write [commands.NAME]"),
      (["commands", "List!"], .table, "‘List!’: a command is named by small letters"),
      (["commands", "commit", "run"], .text("ls"), "there is a command ‘commit’ already"),
      (["commands", "list"], .table, "list: write run = \"…\", a line of the shell"),
      (["commands", "list", "key"], .text("no"), "list: write run"),
    ] as [([String], Configuration.Entry.Value, String)]
  )
  func `with a mistake says what to write, and keeps the default`(
    path: [String],
    value: Configuration.Entry.Value,
    text: String
  ) throws {
    let chosen = Configuration([.init(path: path, value: value, line: 12)])
    #expect(try mistake(chosen).hasPrefix("12: \(text)"), "\(chosen.mistakes)")
    #expect(chosen.theme(hasColor: true) == .terminal && chosen.takesMouse)
    #expect(chosen.bindings.all.map(\.keys) == KeyBindings.standard.all.map(\.keys))
    #expect(chosen.complaint(about: "config.toml")?.hasPrefix("config.toml:12: \(text)") == true)
  }

  @Test func `with several mistakes takes the rest, and counts them`() {
    let chosen = configuration(
      (["theme"], .text("light")),
      (["mouse"], .flag(false)),
      (["a"], .flag(true)),
      (["keys", "^D"], .text("nothing")),
      (["keys", "f7"], .text("sort")),
      (["b"], .other)
    )
    #expect(chosen.mistakes.map(\.line) == [3, 4, 6])
    #expect(chosen.theme(hasColor: false) == .light && !chosen.takesMouse)
    #expect(chosen.bindings.key(of: "sort") == "F7")
    let complaint = chosen.complaint(about: "c") ?? ""
    #expect(complaint.hasSuffix("(2 more; ‘kennel config --check’ lists them)"))
  }

  @Test func `decides on colors, or leaves that to the environment`() {
    #expect(Configuration().theme(hasColor: true) == .terminal)
    #expect(Configuration().theme(hasColor: false) == .none)
    #expect(!Configuration().choosesColors)
    let dark = configuration((["theme"], .text("dark")))
    #expect(dark.theme(hasColor: false) == .dark && dark.choosesColors)
    let none = configuration((["theme"], .text("none")), (["colors", "link"], .text("red bold")))
    #expect(none.theme(hasColor: true) != .none && none.mistakes.isEmpty)
  }

  @Test func `shows no character that the terminal would show wide`() throws {
    let chosen = configuration((["ambiguous-width"], .number("2")))
    #expect(chosen.charset(.ascii) == .ascii && Configuration().charset(.unicode) == .unicode)
    let charset = chosen.charset(.unicode)
    #expect(SafeText.string("é→│…ñ柴“q” Æ", in: charset) == "e\u{301}>|~ñ柴\"q\" \\u{c6}")
    try withTemporaryDatabase { database in
      try Kennels.fill(database)
      var settings = BrowserSettings(fileName: "é")
      settings.charset = charset
      let browser = try Browser(database, settings: settings)
      browser.press("Enter Enter")
      let screen = browser.draw(Size(columns: 120, rows: 34)).text.joined()
      #expect(screen.contains("|") && screen.contains(">Dog/1"))
      for sign in "│─→←…" { #expect(!screen.contains(sign), "\(sign)") }
    }
  }

  @Test func `names keys in several ways`() {
    let names = [
      ("ctrl-d", "^D"), ("Ctrl+D", "^D"), ("^d", "^D"), ("ctrl-left", "^Left"), ("pgdn", "PgDn"),
      ("Page-Up", "PgUp"), ("f5", "F5"), ("alt-left", "Alt-Left"), ("meta-x", "Alt-x"),
      ("return", "Enter"), ("shift-tab", "S-Tab"), ("g d", "gd"), ("gx", "gx"),
      ("ctrl-w o", "^W o"),
      ("space", "Space"), (" ", "Space"), ("ctrl-space", "^Space"), ("ins", "Ins"), ("ä", "ä"),
    ]
    for (written, name) in names {
      let chosen = keys((written, "doctor"))
      #expect(chosen.bindings.key(of: "doctor") == name, "\(written): \(chosen.mistakes)")
    }
  }
}

@Suite("Keys that a person binds")
struct BindingTests {
  @Test func `mean the command where it works, and no other there`() throws {
    let bindings = keys(("x", "sort")).bindings
    #expect(bindings.key(of: "sort") == "x")
    // unlink works in tables, too; drop only in the changes.
    #expect(bindings.command("unlink")?.keys == [] && bindings.command("drop")?.keys == ["x"])
    #expect(KeyBindings.clashes(of: bindings.all).isEmpty)
  }

  @Test func `mean several commands, each in its places`() {
    let list = Configuration([
      .init(path: ["keys", "f3"], value: .list, line: 3),
      .init(path: ["keys", "f3"], value: .text("mark"), line: 3),
      .init(path: ["keys", "f3"], value: .text("leave-out"), line: 4),
    ])
    #expect(list.mistakes.isEmpty)
    #expect(list.bindings.key(of: "mark") == "F3" && list.bindings.key(of: "leave-out") == "F3")
    let both = Configuration([
      .init(path: ["keys", "f3"], value: .list, line: 3),
      .init(path: ["keys", "f3"], value: .text("mark"), line: 3),
      .init(path: ["keys", "f3"], value: .text("sort"), line: 3),
    ])
    #expect(both.mistakes.first?.text.hasPrefix("‘mark’ and ‘sort’ work in the same place") == true)
  }

  @Test func `make room for longer ones when they are unbound, wherever that stands`() {
    let chosen = keys(("dd", "delete"), ("d", ""))
    #expect(chosen.mistakes.isEmpty && chosen.bindings.command("delete")?.keys == ["dd"])
  }

  @Test func `are bound once`() {
    let chosen = keys(("ctrl-d", "page-down"), ("^D", "page-up"))
    #expect(chosen.mistakes.first?.text.hasPrefix("‘^D’ is bound in line 1 already") == true)
    #expect(chosen.bindings.key(of: "page-down") == "^D")
  }

  @Test func `leave one for the palette`() {
    let chosen = keys((":", ""), ("ctrl-p", ""))
    #expect(chosen.mistakes.map(\.line) == [2])
    #expect(chosen.bindings.command("palette")?.keys == ["^P"])
    #expect(keys((":", ""), ("ctrl-p", ""), ("f2", "palette")).mistakes.isEmpty)
  }

  @Test(arguments: KeyPreset.allCases)
  func `of a set leave no command unreachable`(preset: KeyPreset) throws {
    for row in preset.rows {
      _ = try #require(KeySequence(row.keys), "\(row.keys)")
      for name in row.commands { #expect(KeyBindings.standard.command(name) != nil, "\(name)") }
    }
    let bindings = preset.bindings
    #expect(KeyBindings.clashes(of: bindings.all).isEmpty)
    for row in preset.rows where !row.commands.isEmpty {
      for name in row.commands {
        let keys = bindings.command(name)?.keys ?? []
        #expect(keys.contains(row.keys), "\(row.keys) is refused: \(name) has \(keys)")
      }
    }
    #expect(bindings.command("palette")?.keys.isEmpty == false)
    for command in bindings.all {
      // The palette has all others; what takes a letter needs a key.
      if command.argument == .letter { #expect(!command.keys.isEmpty, "\(command.name)") }
      for context in KennelBrowser.Command.contexts where command.places.contains(context) {
        for keys in command.keys {
          let sequence = try #require(KeySequence(keys))
          switch bindings.answer(to: sequence, in: context) {
          case .unfinished: #expect(command.argument == .letter)
          case .command(let found, nil): #expect(found.name == command.name)
          case .command, .nothing: Issue.record("\(context): \(keys)")
          }
        }
      }
    }
  }

  @Test func `of the set arrows move without letters`() {
    let moving = KeyPreset.arrows.bindings.groups.first?.commands ?? []
    for command in moving {
      let letters = command.keys.filter { $0.count == 1 && $0.first?.isLetter == true }
      #expect(letters.isEmpty, "\(command.name): \(letters)")
    }
  }

  @Test func `are in the hint line, the help and the palette, and work`() throws {
    let chosen = keys(
      ("d", ""),
      ("dd", "delete"),
      ("f7", "filter"),
      ("f", ""),
      ("?", ""),
      ("f1", "help")
    )
    #expect(chosen.mistakes.isEmpty)
    try withTemporaryDatabase { database in
      try Kennels.fill(database)
      var settings = BrowserSettings(fileName: "people.kennel")
      settings.bindings = chosen.bindings
      let browser = try Browser(database, settings: settings)
      func screen() -> [String] { browser.draw(Size(columns: 200, rows: 40)).text }
      browser.press("j Enter")
      #expect(screen().last?.contains("dd delete…") == true, "\(screen().last ?? "")")
      #expect(screen().last?.contains("F7 filter") == true)
      #expect(screen().last?.contains("F1 keys") == true)
      browser.press("F1")
      #expect(screen().contains { $0.contains("> j Down") })
      for letter in "deleting the object" { browser.press(letter == " " ? "Space" : "\(letter)") }
      #expect(screen().contains { $0.contains("dd                 show what deleting") })
      browser.press("Esc :")
      for letter in "delete" { browser.press("\(letter)") }
      #expect(screen().contains { $0.contains("delete") && $0.hasSuffix("take with it  dd") })
      browser.press("Esc dd")
      #expect(screen().contains { $0.contains("Delete Dog/") }, "\(screen())")
      browser.press("Esc f")
      #expect(screen().contains { $0.contains("f does nothing; F1 lists the keys") })
    }
  }

  @Test func `are named by what the browser says`() throws {
    try withTemporaryDatabase { database in
      try Kennels.fill(database)
      var settings = BrowserSettings(fileName: "people.kennel")
      settings.bindings = keys(("u", ""), ("f9", "undo"), ("t", "")).bindings
      let browser = try Browser(database, settings: settings)
      func status() -> String { browser.draw(Size(columns: 80, rows: 24)).text[22] }
      browser.press("j Enter l e ^U x Enter")
      #expect(status().hasSuffix("; F9 undoes"), "\(status())")
      browser.press("]")
      #expect(status().contains("There is no other tab; :tab opens one"), "\(status())")
    }
  }

  @Test func `lead to the first and the last column`() throws {
    let chosen = Configuration([.init(path: ["keymap"], value: .text("vim"), line: 1)])
    try withTemporaryDatabase { database in
      try Kennels.fill(database)
      var settings = BrowserSettings(fileName: "people.kennel")
      settings.bindings = chosen.bindings
      let browser = try Browser(database, settings: settings)
      // Numbers begin with any digit, and panes have other keys.
      browser.press("j Enter 2 j 1 k")
      #expect(browser.screen().contains(">    2  Fido"))
      browser.press("g g $ i")
      #expect(browser.draw(Size(columns: 80, rows: 24)).text.contains { $0.contains("isGood") })
      browser.press("Esc 0 i")
      let screen = browser.draw(Size(columns: 80, rows: 24)).text
      #expect(!screen.contains { $0.contains("^U clear") })
    }
  }
}
