import Foundation
import KennelBrowser
import KennelTestSupport
import Testing

/// What `kennel` keeps between runs, in its file of state.
@Suite("What kennel keeps between runs") struct KeptStateTests {
  private let place: TemporaryPlace
  private let size = Size(columns: 100, rows: 24)
  private var state: String { "state/kennel/browser.json" }

  init() throws {
    place = try TemporaryPlace()
    for name in ["dogs", "cats"] {
      let made = try Kennel.run("sample", place.file("\(name).kennel"))
      #expect(made.exitCode == 0, "\(made.messages)")
    }
  }

  private func browse(_ arguments: String...) throws -> TmuxTerminal {
    try TmuxTerminal(
      [try Executable.path("kennel")] + arguments,
      size: size,
      environment: ["XDG_DATA_HOME": place.file("data"), "XDG_STATE_HOME": place.file("state")]
    )
  }

  private func quit(_ terminal: TmuxTerminal) throws {
    try terminal.press("Q")
    #expect(try terminal.waitForExit() == .code(0))
  }

  @Test func `a file opens with the tabs that were open`() throws {
    let dogs = place.file("dogs.kennel")
    var terminal = try browse(dogs)
    try terminal.waitFor("Dog 0 ")
    try terminal.press("Enter")
    try terminal.waitFor("▸2 Dog")
    try terminal.press("t")
    try terminal.waitFor("▸2 Dog/1")
    try quit(terminal)

    terminal = try browse(dogs)
    try terminal.waitFor("▸2 Dog/1")
    try terminal.waitFor(" 1 Dog  2 Dog/1")
    try terminal.press("[")
    try terminal.waitFor("Dog  1 of 1000")
    try quit(terminal)

    terminal = try browse(dogs, "--fresh")
    try terminal.waitFor("Dog  1 of 1000")
    #expect(try terminal.screen().allSatisfy { !$0.contains("2 Dog/1") })
    try quit(terminal)
  }

  @Test func `a file opens where one left it, and with --fresh at the beginning`() throws {
    let dogs = place.file("dogs.kennel")
    var terminal = try browse(dogs)
    try terminal.waitFor("Dog 0 ")
    try terminal.press("Enter")
    try terminal.waitFor("▸2 Dog")
    try terminal.press("j j l -")
    try terminal.waitFor("is hidden")
    try quit(terminal)

    terminal = try browse(dogs)
    try terminal.waitFor("This is where you left off")
    try terminal.waitFor("Dog  3 of 1000")
    #expect(try terminal.screen().allSatisfy { !$0.contains("name") })
    try quit(terminal)

    terminal = try browse(dogs, "--fresh")
    try terminal.waitFor("Dog  1 of 1000")
    #expect(try terminal.screen().allSatisfy { !$0.contains("left off") })
    try quit(terminal)

    // Another file at the path is another file.
    try FileManager.default.removeItem(atPath: dogs)
    #expect(try Kennel.run("sample", dogs).exitCode == 0)
    terminal = try browse(dogs)
    try terminal.waitFor("Dog 0 ")
    #expect(try terminal.screen().allSatisfy { !$0.contains("left off") })
    try quit(terminal)
  }

  @Test func `without a file, the recent files are listed and one is opened`() throws {
    for name in ["dogs", "cats"] {
      let terminal = try browse(place.file("\(name).kennel"))
      try terminal.waitFor("Dog 0 ")
      try quit(terminal)
    }
    try FileManager.default.removeItem(atPath: place.file("cats.kennel"))
    let terminal = try browse()
    try terminal.waitFor("Open a recent file")
    try terminal.waitFor("cats.kennel")
    try terminal.press("Enter")
    try terminal.waitFor("is no longer there")
    try terminal.press("Down Enter")
    try terminal.waitFor("dogs.kennel  Dog")
    // From there to a file that is none, and back.
    try terminal.press(":")
    try terminal.type("open-file nothing.kennel")
    try terminal.press("Enter")
    try terminal.waitFor("Cannot open nothing.kennel")
    try terminal.waitFor("dogs.kennel  Dog")
    try quit(terminal)
  }

  @Test func `the mouse is on from the start, and the log has the time`() throws {
    let terminal = try browse(place.file("dogs.kennel"))
    try terminal.waitFor("Dog 0 ")
    // The name of the column `age`, behind the collections.
    let header = try #require(terminal.screen().first { $0.contains("[key]") })
    let place = try #require(header.firstRange(of: "age")).lowerBound
    let column = header.distance(from: header.startIndex, to: place) + 1
    try terminal.tell(["send-keys", "-l", "--", "\u{1b}[<0;\(column);3M"])
    try terminal.waitFor("[age↑]")
    try terminal.waitFor("hold Shift to select text")
    try terminal.press("@")
    let lines = try terminal.waitFor("What was done in this run")
    #expect(lines.contains { $0.contains(/> \d\d:\d\d:\d\d  The mouse works here/) })
    try terminal.press("Esc")
    try quit(terminal)
  }

  @Test func `a damaged or foreign state is set aside with a word`() throws {
    let texts = ["{\"version\": 1, \"files\": [", "{\"version\": 99}", "\u{0}\u{1}", ""]
    for text in texts {
      try FileManager.default.createDirectory(
        atPath: place.file("state/kennel"),
        withIntermediateDirectories: true
      )
      try Data(text.utf8).write(to: URL(fileURLWithPath: place.file(state)))
      let terminal = try browse(place.file("dogs.kennel"))
      try terminal.waitFor("The state of earlier runs is unreadable")
      try quit(terminal)
      #expect(try place.text(state).contains("dogs.kennel"))
    }
    // None replaces an earlier one.
    let aside = [".unreadable", ".unreadable-2", ".unreadable-3", ".unreadable-4"]
    #expect(try aside.map { try place.text(state + $0) } == texts)
  }

  @Test func `a damaged state stays until another is kept, and a good one is not lost`() throws {
    let folder = place.file("state/kennel")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try Data("damaged".utf8).write(to: URL(fileURLWithPath: place.file(state)))
    let terminal = try browse(place.file("dogs.kennel"))
    try terminal.waitFor("The state of earlier runs is unreadable")
    #expect(try place.text(state) == "damaged")
    // Another program mends it meanwhile.
    let good = #"{"version":1,"files":[{"path":"/another","identity":"x","time":1}]}"#
    try Data(good.utf8).write(to: URL(fileURLWithPath: place.file(state)))
    try quit(terminal)
    #expect(try place.text(state).contains("/another"))
    #expect(try place.text(state).contains("dogs.kennel"))
    #expect(try place.names(in: "state/kennel") == ["browser.json"])
  }

  @Test func `a state that cannot be read stays, and nothing is kept`() throws {
    // Root may read everything but a folder.
    let inside = place.file(state + "/inside")
    try FileManager.default.createDirectory(atPath: inside, withIntermediateDirectories: true)
    let terminal = try browse(place.file("dogs.kennel"))
    try terminal.waitFor("unreadable, and nothing is kept")
    try quit(terminal)
    try terminal.waitFor("kept: Cannot read")
    #expect(place.exists(state + "/inside"))
    #expect(try place.names(in: "state/kennel") == ["browser.json"])
  }

  @Test func `nothing is kept while another program has the lock`() throws {
    let folder = place.file("state/kennel")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let lock = unsafe open(folder, O_RDONLY)
    #expect(flock(lock, LOCK_EX) == 0)
    let terminal = try browse(place.file("dogs.kennel"))
    try terminal.waitFor("Dog 0 ")
    try quit(terminal)
    try terminal.waitFor("Cannot lock")
    #expect(!place.exists(state))
    close(lock)
  }

  @Test func `the state is yours alone, and may lie behind a symbolic link`() throws {
    let folder = place.file("state/kennel")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try Data(#"{"version":1}"#.utf8).write(to: URL(fileURLWithPath: place.file("elsewhere")))
    try FileManager.default.createSymbolicLink(
      atPath: place.file(state),
      withDestinationPath: place.file("elsewhere")
    )
    let terminal = try browse(place.file("dogs.kennel"))
    try terminal.waitFor("Dog 0 ")
    try quit(terminal)
    #expect(try place.text("elsewhere").contains("dogs.kennel"))
    let attributes = try FileManager.default.attributesOfItem(atPath: place.file("elsewhere"))
    #expect(attributes[.posixPermissions] as? Int == 0o600)
  }

  @Test func `several browsers at once do not destroy each other's state`() throws {
    let terminals = try (0..<4).map { _ in try browse(place.file("dogs.kennel")) }
    for (number, terminal) in terminals.enumerated() {
      try terminal.waitFor("Dog 0 ")
      try terminal.press("2 /")
      try terminal.type("text \(number)")
      try terminal.press("Enter")
      try terminal.waitFor("is not found")
    }
    for terminal in terminals { try terminal.press("Q") }
    for terminal in terminals { #expect(try terminal.waitForExit() == .code(0)) }
    let text = try place.text(state)
    for number in 0..<4 { #expect(text.contains("\"text \(number)\"")) }
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: place.file("state/kennel"))
        .allSatisfy { !$0.hasSuffix(".new") }
    )
  }

  @Test func `nothing is kept where nothing can be written, and the browser works`()
    throws
  {
    // A file stands where the folder should be.
    try Data().write(to: URL(fileURLWithPath: place.file("state")))
    let terminal = try browse(place.file("dogs.kennel"))
    try terminal.waitFor("Dog 0 ")
    try terminal.press("Q")
    #expect(try terminal.waitForExit() == .code(0))
    try terminal.waitFor("Cannot create the folder")
  }
}
