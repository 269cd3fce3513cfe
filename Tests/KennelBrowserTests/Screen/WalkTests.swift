import KennelBrowser
import KennelTestSupport
import Testing

/// Shows what was typed.
private final class Typewriter: TerminalProgram {
  private var text = ""
  private var effects: [Effect] = []

  func receive(_ event: Event) {
    guard case .key(let key) = event else { return }
    if case .paste(let pasted) = key.code { text += pasted }
    if let character = key.typed { text.append(character) }
    if key.code == .escape { effects.append(.quit(exitCode: 2)) }
  }

  func draw(_ size: Size) -> Screen {
    var screen = Screen(size: size)
    screen.put(text, row: 0, column: 0)
    screen.put("x type · Esc quit", row: size.rows - 1, column: 0)
    return screen
  }

  func takeEffects() -> [Effect] {
    defer { effects = [] }
    return effects
  }
}

struct `Walk tests` {
  private static let text = """
    # A walk.

    = open 20x3 with words
    |
    |
    |x type · Esc quit

    # What comes now is typed.
    = hinted x
    = type y z
    |xy z
    |
    |x type · Esc quit

    = paste a\\nb
    = resize 10x1
    |x type · …

    = hinted Esc
    |(ended with exit code 2)
    # The end.

    """

  @Test func `a walk leads from screen to screen`() throws {
    let walk = try Walk(path: "a.walk", text: Self.text)
    #expect(walk.script.steps.count == 4)
    #expect(walk.text == Self.text)
    var opening: Script.Opening?
    do {
      try walk.run { given in
        opening = given
        return Typewriter()
      }
    } catch let failure as TestFailure {
      // Esc is not among the hints of the narrow screen.
      #expect(failure.description.contains("a.walk:19: There is no hint to Esc in: x type · …"))
      #expect(failure.description.split(separator: "\n").count == 1)
    }
    #expect(opening == Script.Opening(size: Size(columns: 20, rows: 3), words: ["with", "words"]))
  }

  @Test func `a screen that differs is shown row by row`() throws {
    let walk = try Walk(path: "a.walk", text: "= open 20x2\n= type ab\n|aX\n|x type · Esc quit\n")
    let failure = #expect(throws: TestFailure.self) {
      try walk.run(mayUpdate: false) { _ in Typewriter() }
    }
    #expect(
      failure?.description
        == "a.walk:1: after = open 20x2; = type ab\n-|aX\n+|ab\n |x type · Esc quit\n"
    )
  }

  @Test func `a step without a screen fails`() throws {
    let walk = try Walk(path: "a.walk", text: "= open 20x2\n\n= type ab\n|ab\n|x type · Esc quit\n")
    let failure = #expect(throws: TestFailure.self) {
      try walk.run(mayUpdate: false) { _ in Typewriter() }
    }
    #expect(failure?.description.contains("UPDATE_WALKS=1") == true)
  }

  @Test(arguments: [
    "", "= press j\n", "= open\n= jump\n", "= open\nhello\n", "|x\n", "= open\n= resize 3\n",
    "= open\n= press \n",
  ])
  func `what is no walk is refused`(text: String) {
    #expect(throws: (any Error).self) { try Walk(path: "a.walk", text: text) }
  }
}
