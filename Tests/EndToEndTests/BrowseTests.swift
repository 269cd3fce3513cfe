import Foundation
import Glibc
import KennelBrowser
import KennelTestSupport
import Testing

/// The real browser on real files in a real terminal.
@Suite struct `kennel in a terminal` {
  private let place: TemporaryPlace
  private let size = Size(columns: 100, rows: 24)

  init() throws {
    place = try TemporaryPlace()
  }

  private func browse(_ arguments: String...) throws -> TmuxTerminal {
    let command = [try Executable.path("kennel")] + arguments
    let environment = ["XDG_DATA_HOME": place.path]
    let terminal = try TmuxTerminal(command, size: size, environment: environment)
    return terminal
  }

  private func query(_ predicate: String) throws -> String {
    try Kennel.run("query", place.file("kennel/sample.kennel"), "Dog", predicate).output
  }

  @Test func `without a file it opens a sample that keeps what is committed`() throws {
    let terminal = try browse()
    try terminal.waitFor("Ada Winter")
    try terminal.press("j Enter")
    try terminal.waitFor("Dog  1 of 16")
    try terminal.press("l e")
    try terminal.waitFor("name of Dog/1")
    try terminal.type(" the Great")
    try terminal.press("Enter")
    try terminal.waitFor("DRAFT 1 change")
    #expect(try query("name == 'Rex'").contains("Dog/1"))
    try terminal.press("4")
    try terminal.waitFor("name: Rex → Rex the Great")
    try terminal.press("w y")
    try terminal.waitFor("NO CHANGES")
    #expect(try query("name == 'Rex the Great'").contains("Dog/1"))

    let second = try browse()
    try second.waitFor("Ada Winter")
    try second.press("j Enter")
    try second.waitFor("Rex the Great")

    let environment = ["XDG_DATA_HOME": place.path]
    #expect(try Kennel.run("sample", "--reset", environment: environment).exitCode == 0)
    #expect(try query("name == 'Rex'").contains("Dog/1"))
  }

  @Test func `a value is saved in a file and loaded from one`() throws {
    let terminal = try browse()
    try terminal.waitFor("Ada Winter")
    try terminal.press("j Enter l :")
    try terminal.type("save \(place.file("name.txt"))")
    try terminal.press("Enter")
    try terminal.waitFor("Wrote 3 bytes to")
    #expect(try String(contentsOfFile: place.file("name.txt"), encoding: .utf8) == "Rex")
    try "Max the First".write(toFile: place.file("new.txt"), atomically: true, encoding: .utf8)
    try terminal.press(":")
    try terminal.type("load \(place.file("new.txt"))")
    try terminal.press("Enter")
    try terminal.waitFor("DRAFT 1 change")
    try terminal.waitFor("Max the First")
    try terminal.press(":")
    try terminal.type("save \(place.file("new.txt"))")
    try terminal.press("Enter")
    try terminal.waitFor("exists; choose another name")
    try terminal.press(":")
    try terminal.type("load /dev/zero")
    try terminal.press("Enter")
    try terminal.waitFor("it is not a file with contents")
  }

  @Test func `what is shown is written to a file, in its order`() throws {
    let terminal = try browse()
    try terminal.waitFor("Ada Winter")
    try terminal.press("j Enter f")
    try terminal.type("age > 9 AND age < 15")
    try terminal.press("Enter l l s s")
    try terminal.waitFor("age↓")
    try terminal.press("X s")
    try terminal.type(place.file("dogs.csv"))
    try terminal.press("Enter")
    try terminal.waitFor("Wrote 4 Dog to ")
    let rows = try place.text("dogs.csv").split(whereSeparator: \.isNewline)
    #expect(rows.count == 5)
    #expect(rows.first?.contains("name,age") == true)
    #expect(rows.map { $0.contains("Chérie") }.firstIndex(of: true) == 1)

    try terminal.press("g g Space Space X m")
    try terminal.type(place.file("two.jsonl"))
    try terminal.press("Enter")
    try terminal.waitFor("Wrote 2 Dog to ")
    #expect(
      try place.text("two.jsonl").split(separator: "\n").count {
        $0.contains("Dog/") || $0.contains("\"name\"")
      } >= 2
    )

    // Nothing that is there is overwritten, and the name says the format.
    try terminal.press("X m")
    try terminal.type(place.file("dogs.csv"))
    try terminal.press("Enter")
    try terminal.waitFor("exists; choose another name")
    // The name that was refused can be mended.
    try terminal.press("^U")
    try terminal.type(place.file("dogs"))
    try terminal.press("Enter")
    try terminal.waitFor("let it end in")
    try terminal.press("Esc")
    try terminal.press("o")
    try terminal.waitFor("name of Dog/new1")
    try terminal.press("Esc X")
    try terminal.waitFor("1 object is new and gets its key at the commit: 4 shows the changes, w")
    try terminal.press("u")
    try terminal.waitFor("NO CHANGES")
  }

  @Test func `a table is written as CSV with its columns, in their order`() throws {
    let terminal = try browse()
    try terminal.waitFor("Ada Winter")
    try terminal.press("j Enter l l - +")
    try terminal.type("@links.@count")
    try terminal.press("Enter X s")
    try terminal.waitFor("the table’s columns")
    try terminal.type(place.file("dogs.csv"))
    try terminal.press("Enter")
    try terminal.waitFor("Wrote 16 Dog to ")
    let rows = try place.text("dogs.csv").split(whereSeparator: \.isNewline)
    #expect(rows.first?.hasPrefix("_id,name,breed,") == true, "\(rows.first ?? "")")
    #expect(rows.first?.hasSuffix(",@links.@count") == true)
    #expect(rows.contains { $0.hasPrefix("1,Rex,") && $0.last?.isNumber == true })
  }

  @Test func `an object and what it links to are counted, written and imported again`() throws {
    let terminal = try browse()
    try terminal.waitFor("Ada Winter")
    try terminal.press("j Enter Enter X")
    try terminal.waitFor("and what it links to")
    try terminal.press("c")
    try terminal.waitFor("1 object: 1 Dog · any number of links away from Dog/1 Rex")
    try terminal.press("Esc 1")
    try terminal.press("g g Enter Enter X c")
    try terminal.waitFor("4 objects: 2 Person, 2 Dog · any number of links away")
    try terminal.press("-")
    try terminal.waitFor("4 objects: 2 Person, 2 Dog · 9 links away from Person/1 Ada Winter")
    try terminal.press("Enter")
    try terminal.type(place.file("ada.jsonl"))
    try terminal.press("Enter")
    try terminal.waitFor("Wrote 4 objects to ")
    let copy = place.file("copy.kennel")
    #expect(try Kennel.run("import", copy, place.file("ada.jsonl")).exitCode == 0)
    #expect(try Kennel.run("query", copy, "Dog", "name == 'Rex'").output.contains("Dog/1"))

    // Several classes are no CSV file, but a folder of them.
    try terminal.press("X c Enter")
    try terminal.type(place.file("ada.csv"))
    try terminal.press("Enter")
    try terminal.waitFor("holds one class, and these are 2")
    try terminal.press("^U")
    try terminal.type(place.file("ada/*.csv"))
    try terminal.press("Enter")
    try terminal.waitFor("Wrote 4 objects to ")
    #expect(try place.text("ada/Dog.csv").contains("Rex"))
  }

  @Test func `objects are copied in every form, and the status line says where to`() throws {
    let terminal = try browse()
    try terminal.waitFor("Ada Winter")
    try terminal.press("j Enter Y")
    try terminal.waitFor("Swift")
    try terminal.press("s")
    try terminal.waitFor("Copied Dog/1 as Swift to ")
    #expect(try terminal.tell(["show-buffer"]).hasPrefix("Dog(value: [\n  \"name\": \"Rex\","))
    try terminal.press("Space Space Y c")
    try terminal.waitFor("Copied 2 marked objects as CSV to ")
    let lines = try terminal.tell(["show-buffer"]).split(separator: "\n")
    #expect(lines.count == 2 && lines[0].contains("Rex") && lines[1].contains("Bella"))
    try terminal.press("Y j")
    try terminal.waitFor("Copied 2 marked objects as JSON to ")
    #expect(try terminal.tell(["show-buffer"]).contains(#"{"$object":"Dog/1","name":"Rex""#))
  }

  @Test func `a second terminal shows a commit within a second`() throws {
    let first = try browse()
    let file = place.file("kennel/sample.kennel")
    try first.waitFor("Ada Winter")
    let second = try browse(file)
    for terminal in [first, second] {
      try terminal.waitFor("Ada Winter")
      try terminal.press("j Enter")
      try terminal.waitFor("Dog  1 of 16")
    }
    try first.press("l l l e")
    try first.waitFor("breed of Dog/1")
    try first.type("!")
    try first.press("Enter")
    try first.waitFor("DRAFT 1 change")
    try first.press("4")
    try first.waitFor("Beagle → Beagle!")
    try first.press("w y")
    try first.waitFor("NO CHANGES")
    let start = ContinuousClock.now
    try second.waitFor("Beagle!")
    #expect(ContinuousClock.now - start < .seconds(1))
  }

  @Test func `a look around leaves bytes and time of the file as they were`() throws {
    let file = place.file("family.kennel")
    let sample = try SourceText.sample()
    #expect(try Kennel.run("import", file, input: sample).exitCode == 0)
    let before = try place.bytes("family.kennel")
    let modified =
      try FileManager.default.attributesOfItem(atPath: file)[.modificationDate] as? Date
    let terminal = try browse("--read-only", file)
    try terminal.waitFor("READ ONLY")
    try terminal.press("Enter Enter")
    try terminal.waitFor("birthdate")
    try terminal.press("q q q")
    let other = try browse(file)
    try other.waitFor("NO CHANGES")
    try other.press("Enter l e")
    try other.waitFor("Enter set")
    try other.type("x")
    try other.press("Enter")
    try other.waitFor("DRAFT 1 change")
    other.kill()
    #expect(try place.bytes("family.kennel") == before)
    let after = try FileManager.default.attributesOfItem(atPath: file)[.modificationDate] as? Date
    #expect(after == modified)
  }

  @Test(arguments: ["cuts short", "fills with anything"])
  func `a file that another program ruins ends the browser, with a sentence`(how: String) throws {
    let file = place.file("dogs.kennel")
    #expect(try Kennel.run("sample", file, "--dogs", "20000", "--people", "0").exitCode == 0)
    let kennel = try Executable.path("kennel")
    let terminal = try TmuxTerminal(
      ["/bin/sh", "-c", "'\(kennel)' '\(file)'; echo ended with $?.; sleep 60"],
      size: size,
      environment: ["XDG_DATA_HOME": place.path]
    )
    try terminal.waitFor("NO CHANGES")
    if how == "cuts short" {
      unsafe #expect(truncate(file, 8192) == 0)
    } else {
      let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: file))
      let byteCount = Int(try handle.seekToEnd())
      try handle.seek(toOffset: 0)
      try handle.write(contentsOf: Data(repeating: 0xA5, count: byteCount))
    }
    try terminal.press("Enter G")
    let screen = try terminal.waitFor("ended with 1.")
    #expect(screen.contains { $0.contains("Another program has overwritten") })
    #expect(!screen.contains { $0.contains("Crashed") || $0.contains("Backtrace") })
  }

  @Test func `a crash after a file was overwritten says so`() throws {
    let file = place.file("kennel.kennel")
    #expect(try Kennel.run("sample", file).exitCode == 0)
    let terminal = try PseudoTerminal(Executable.path("kennel"), [file])
    try terminal.waitFor("NO CHANGES")
    // A browser that is stopped looks at nothing.
    terminal.signal(SIGSTOP)
    let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: file))
    try handle.write(contentsOf: Data(repeating: 0xA5, count: 8192))
    terminal.signal(SIGSEGV)
    terminal.signal(SIGCONT)
    #expect(try terminal.waitForExit() == .signal(SIGSEGV))
    #expect(terminal.text.contains("Another program has overwritten"))
  }
}

/// Texts of the checkout.
enum SourceText {
  static func sample() throws -> String {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let file = root.appendingPathComponent("sample-data/sample.jsonl")
    return try String(contentsOf: file, encoding: .utf8)
  }
}
