import KennelBrowser
import KennelCore
import KennelTestSupport
import Testing

/// What leads to a sentence, and the sentence with the names of commands in braces for their keys.
///
/// A step is the name of a command, which the palette runs; `!` comes before keys of a dialog, `=` before
/// a text to type, `@` before a command that takes a letter, and the letter.
private let sentences: [(steps: [String], text: String)] = [
  ([], "{collections} Collections"),
  (["open"], "{main} Person"),
  (["open", "open", "references"], "{links} Links of"),
  (["review"], "{review} Changes (0)"),
  (["review"], "Nothing has changed; {edit} edits a value"),
  (["review", "find", "=x", "!Enter"], "“x” is not found"),
  (["down", "open", "sort"], "in the order of their keys; {right} moves to a property"),
  (["down", "open", "right", "pin"], "name stays beside the key; {pin} lets it scroll again"),
  (["down", "open", "right", "hide-property"], "name is hidden; {show-hidden} shows it again"),
  (["down", "open", "right", "open", "open"], "name has no link; {edit} edits it"),
  (["down", "open", "right", "hex"], "Only data is shown as bytes; {edit} edits another value"),
  (["down", "open", "right", "right", "load x"], "loaded from a file; {edit} edits another value"),
  (["down", "open", "right", "right", "edit-externally"], "in $EDITOR; {edit} edits this int"),
  (
    ["down", "open", "right", "unlink"],
    "{unlink} cuts links and takes elements out; {value} offers null for name"
  ),
  (
    ["open", "right", "right", "right", "unlink"],
    "{open} opens dogs; {unlink} takes a single element out of it"
  ),
  (
    ["open", "bottom", "right", "right", "right", "open"],
    "empty; {create} adds an element"
  ),
  (["open", "last-column", "left", "open", "open"], "This element is a value; {edit} edits it"),
  (["down", "down", "down", "open", "create"], "in its owner, with {create} on its property"),
  (["diagram", "right"], "This is a class: {open} shows its objects, {down} goes to its links"),
  (["down", "open", "open", "walk-left"], "{graph} shows what links here on the left"),
  (["open", "@bookmark", "a"], "Bookmarked Person/1; {jump}a goes back to it"),
  (
    ["report"],
    "There is no report yet; {doctor}, {diff} FILE, {statistics} and {baseline} make one"
  ),
  (["down", "open", "delete", "!D", "quit"], "review them, and commit with {commit}"),
  (
    ["down", "open", "delete", "!D", "review", "top", "open"],
    "Dog/1 is deleted; {drop} drops that"
  ),
  (["open", "help", "=passes"], "mark what the cursor passes, until {mark-range} again"),
  (["open", "help", "=regular"], "what a regular expression (regex) fits; in {find} also by ^T"),
]

@Suite("The keys in sentences")
struct SentenceTests {
  /// The commands that sentences name, each with a key that nobody has them on.
  private static let moved: KeyBindings = {
    let names = Set(
      sentences.flatMap { commands(in: $0.text) } + ["cancel", "keep-mine", "take-theirs", "mouse"]
    )
    let keys = zip(names.sorted(), "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
    let entries = keys.enumerated().map { line, key in
      Configuration.Entry(path: ["keys", "alt-\(key.1)"], value: .text(key.0), line: line + 1)
    }
    return Configuration(entries).bindings
  }()

  private static let keymaps =
    KeyPreset.allCases.map { ($0.rawValue, $0.bindings) } + [("moved", moved)]

  private static func commands(in text: String) -> [String] {
    text.split(separator: "{", omittingEmptySubsequences: false).dropFirst().map {
      String($0.prefix { $0 != "}" })
    }
  }

  private func browse(_ bindings: KeyBindings, _ body: (Browser, Database) throws -> Void) throws {
    try withTemporaryDatabase { database in
      try Kennels.fill(database)
      var settings = BrowserSettings(fileName: "people.kennel")
      settings.bindings = bindings
      settings.takesMouse = true
      try body(try Browser(database, settings: settings), database)
    }
  }

  private func perform(_ steps: [String], in browser: Browser, _ bindings: KeyBindings) {
    var steps = steps[...]
    while let step = steps.popFirst() {
      switch step.first {
      case "!": browser.press(String(step.dropFirst()))
      case "=": browser.type(String(step.dropFirst()))
      case "@":
        browser.press(bindings.key(of: String(step.dropFirst())))
        browser.press(steps.removeFirst())
      default:
        browser.press(bindings.key(of: "palette"))
        browser.type(step)
        browser.press("Enter")
      }
    }
  }

  private func expect(
    _ sentence: String,
    in browser: Browser,
    _ bindings: KeyBindings,
    _ keymap: String
  ) {
    let wanted = Self.commands(in: sentence).reduce(sentence) {
      $0.replacing("{\($1)}", with: bindings.key(of: $1))
    }
    // A title has no key where its pane has none.
    let text =
      wanted.hasPrefix(":") && sentence.hasPrefix("{")
      ? wanted.split(separator: " ", maxSplits: 1)[1] : wanted[...]
    #expect(
      browser.screen(320, 40).contains(text),
      "\(keymap): \(text)\n\(browser.screen(320, 40))"
    )
  }

  @Test func `are those of the key map`() throws {
    for (keymap, bindings) in Self.keymaps {
      for (steps, sentence) in sentences {
        try browse(bindings) { browser, _ in
          perform(steps, in: browser, bindings)
          expect(sentence, in: browser, bindings, keymap)
        }
      }
    }
  }

  @Test func `are those of the key map while a job runs, and where the mouse is used`() throws {
    for (keymap, bindings) in Self.keymaps {
      try browse(bindings) { browser, _ in
        _ = JobRunner.send(.mouse(MouseEvent(.press, row: 5, column: 30)), to: browser)
        expect("hold Shift to select text; {mouse} turns it off", in: browser, bindings, keymap)
        perform(["collections", "down", "open", "right"], in: browser, bindings)
        for key in KeySequence(bindings.key(of: "sort"))?.keys ?? [] { browser.receive(.key(key)) }
        expect("Sorting Dog by name…  {cancel} stops it", in: browser, bindings, keymap)
      }
    }
  }

  @Test func `are those of the key map in conflicts`() throws {
    for (keymap, bindings) in Self.keymaps {
      try browse(bindings) { browser, database in
        perform(["down", "open", "right", "edit", "!^U", "=Mine", "!Enter"], in: browser, bindings)
        try database.write { transaction in
          let dog = try #require(transaction.schema["Dog"])
          let rex = ObjectIdentity(dog.key, ObjectKey(rawValue: 1))
          let name = try #require(dog["name"]).key
          try transaction.set(rex, property: name, to: .string("Theirs"))
        }
        _ = JobRunner.send(.tick, to: browser)
        expect(
          "1 conflict with another program's commit; {review} shows them",
          in: browser,
          bindings,
          keymap
        )
        perform(["review"], in: browser, bindings)
        expect(
          "Changed by another program too: {keep-mine} mine, {take-theirs}",
          in: browser,
          bindings,
          keymap
        )
      }
    }
  }
}
