import Foundation
import KennelBrowser
import KennelTestSupport
import Testing

@Suite("Encrypting on the command line")
struct EncryptionCommandTests {
  private let place: TemporaryPlace
  private let before: String
  private var file: String { place.file("family.kennel") }
  private var environment: [String: String] {
    [
      "XDG_CACHE_HOME": place.file("cache"), "XDG_STATE_HOME": place.file("state"),
      "TMPDIR": place.path,
    ]
  }

  init() throws {
    place = try TemporaryPlace()
    let outcome = try Kennel.run("sample", place.file("family.kennel"), "--dogs", "50")
    try #require(outcome.exitCode == 0, "\(outcome.messages)")
    before = try Kennel.run("export", place.file("family.kennel")).output
    for (name, text) in [("one", String(repeating: "a1", count: 32)), ("two", "tiger, tiger\n")] {
      try text.write(toFile: place.file(name), atomically: true, encoding: .utf8)
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o600],
        ofItemAtPath: place.file(name)
      )
    }
  }

  private func run(_ arguments: String...) throws -> Outcome {
    try Kennel.run(all: arguments, environment: environment)
  }

  private func export(with key: String) throws -> Outcome {
    try run("export", file, "--key-file", place.file(key))
  }

  @Test func `gives a database a key, another one, and none`() throws {
    #expect(try run("rekey", file, "--new-key-file", place.file("one")).exitCode == 0)
    #expect(try run("export", file).messages.contains("it is encrypted; give its key"))
    #expect(try export(with: "one").output == before)
    let replaced = try run(
      "rekey",
      file,
      "--key-file",
      place.file("one"),
      "--new-key-file",
      place.file("two")
    )
    #expect(replaced.exitCode == 0, "\(replaced.messages)")
    #expect(try export(with: "one").messages.contains("the key or passphrase is wrong"))
    #expect(try export(with: "two").output == before)
    let plain = try run("rekey", file, "--decrypt", "--key-file", place.file("two"))
    #expect(plain.exitCode == 0, "\(plain.messages)")
    #expect(try run("export", file).output == before)
    #expect(try run("rekey", file, "--add").messages.contains("is not encrypted"))
  }

  @Test func `adds keys and removes them, but not the last one`() throws {
    let (one, two) = (place.file("one"), place.file("two"))
    try #require(try run("rekey", file, "--new-key-file", one).exitCode == 0)
    let added = try run("rekey", file, "--add", "--key-file", one, "--new-key-file", two)
    #expect(added.exitCode == 0, "\(added.messages)")
    for key in ["one", "two"] { #expect(try export(with: key).output == before) }
    #expect(try run("rekey", file, "--remove", "--key-file", two).exitCode == 0)
    #expect(try export(with: "two").exitCode == 1)
    let last = try run("rekey", file, "--remove", "--key-file", one)
    #expect(last.exitCode == 1)
    #expect(last.messages.contains("only key"))
    let anew = try run("rekey", file, "--pages", "--key-file", one, "--new-key-file", two)
    #expect(anew.exitCode == 0, "\(anew.messages)")
    #expect(try export(with: "two").output == before)
  }

  @Test func `makes new databases that are encrypted`() throws {
    let new = place.file("new.kennel")
    let made = try run("sample", new, "--dogs", "3", "--encrypt", "--key-file", place.file("two"))
    #expect(made.exitCode == 0, "\(made.messages)")
    #expect(try run("stats", new).exitCode == 1)
    #expect(try run("stats", new, "--key-file", place.file("two")).exitCode == 0)
    #expect(try run("compact", new, "--key-file", place.file("two")).exitCode == 0)
    let saved = place.file("saved.kennel")
    let recovered = try run("recover", new, saved, "--key-file", place.file("two"))
    #expect(recovered.exitCode == 0, "\(recovered.messages)")
    #expect(try run("stats", saved).exitCode == 1)
    #expect(try run("stats", saved, "--key-file", place.file("two")).exitCode == 0)
  }

  @Test func `says who may read the key, and what is no key`() throws {
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o644],
      ofItemAtPath: place.file("one")
    )
    let shared = try run("rekey", file, "--new-key-file", place.file("one"))
    #expect(shared.messages.contains("Others on this machine may read the key"))
    try Data([0, 1, 2]).write(to: URL(fileURLWithPath: place.file("bad")))
    let bad = try export(with: "bad")
    #expect(bad.exitCode == 1)
    #expect(bad.messages.contains("expected 32 or 64 bytes"))
    let none = try run("rekey", file, "--add")
    #expect(none.exitCode == 1)
  }

  @Test func `a passphrase is typed, and nothing of the session is written to a disk`() throws {
    try #require(try run("rekey", file, "--new-key-file", place.file("two")).exitCode == 0)
    let terminal = try TmuxTerminal(
      [try Executable.path("kennel"), file],
      size: Size(columns: 100, rows: 24),
      environment: environment
    )
    try terminal.waitFor("Key or passphrase of")
    try terminal.type("tiger, tiger")
    try terminal.press("Enter")
    try terminal.waitFor("Dog  1 of 50")
    try terminal.press("Enter")
    try terminal.waitFor("▸2 Dog")
    try terminal.type("fname == \"Dog 17\"")
    try terminal.press("Enter")
    try terminal.waitFor("\"Dog 17\"  1 of 1")
    try terminal.press("l e ^U")
    try terminal.type("Secretive")
    try terminal.press("Enter")
    try terminal.waitFor("DRAFT 1 change")
    try terminal.press("Q")
    try terminal.waitFor("D  discard them and quit")
    try terminal.press("D")
    _ = try terminal.waitForExit()
    #expect(try filesWithText("Dog 17", "Secretive") == [])
  }

  @Test func `a program that crashes leaves nothing of an encrypted database in a core dump`()
    throws
  {
    try #require(try run("rekey", file, "--new-key-file", place.file("one")).exitCode == 0)
    let browse = "'\(try Executable.path("kennel"))' '\(file)' --key-file '\(place.file("one"))'"
    let terminal = try TmuxTerminal(
      ["sh", "-c", "ulimit -c unlimited; cd '\(place.path)'; exec \(browse)"],
      size: Size(columns: 100, rows: 24),
      environment: environment
    )
    try terminal.waitFor("Dog  1 of 50")
    try terminal.press("Enter")
    try terminal.waitFor("Dog 17")
    kill(try terminal.process(), SIGSEGV)
    _ = try terminal.waitForExit()
    #expect(try filesWithText("Dog 17") == [])
  }

  /// The names of the files in the folder in which one of some texts can be read.
  private func filesWithText(_ texts: String...) throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: place.path).filter { name in
      guard let bytes = FileManager.default.contents(atPath: place.file(name)) else { return false }
      return texts.contains { bytes.range(of: Data($0.utf8)) != nil }
    }
  }
}
