import Foundation
import KennelBrowser
import KennelTestSupport
import Testing

/// A line that breaks, a process that is killed: what was not committed is there again.
@Suite struct `An interrupted draft` {
  private let place: TemporaryPlace
  private let file: String

  init() throws {
    place = try TemporaryPlace()
    file = place.file("family.kennel")
    #expect(try Kennel.run("import", file, input: SourceText.sample()).exitCode == 0)
  }

  private func browse(_ arguments: String..., state: String? = nil) throws -> TmuxTerminal {
    let command = [try Executable.path("kennel"), "browse", "--fresh"] + arguments
    let environment = ["XDG_STATE_HOME": state ?? place.file("state")]
    let terminal = try TmuxTerminal(command, environment: environment)
    try terminal.waitFor("Ada Winter")
    return terminal
  }

  private var journals: [String] {
    let folder = place.file("state/kennel/drafts")
    return (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
  }

  /// Renames a dog and deletes another.
  private func edit(_ terminal: TmuxTerminal) throws {
    try terminal.press("j Enter")
    try terminal.waitFor("Dog  1 of 16")
    try terminal.press("l e")
    try terminal.waitFor("name of Dog/1")
    try terminal.type(" the Great")
    try terminal.press("Enter")
    try terminal.waitFor("DRAFT 1 change")
    try terminal.press("j d")
    try terminal.waitFor("Deletes 1 Dog")
    try terminal.press("D")
    try terminal.waitFor("DRAFT 2 changes")
  }

  private func expectRestored() throws {
    let terminal = try browse(file)
    try terminal.waitFor("2 changes not committed")
    try terminal.press("r")
    try terminal.waitFor("Restored 2 changes")
    try terminal.press("4")
    // Each for itself: the screen may be looked at while it is painted.
    try terminal.waitFor("name: Rex → Rex the Great")
    try terminal.waitFor("- Dog/2 Bella")
    try terminal.press("w y")
    try terminal.waitFor("Committed as number")
    try terminal.press("Q")
    #expect(try terminal.waitForExit() == .code(0))
    #expect(journals.isEmpty)
    #expect(
      try Kennel.run("query", file, "Dog", "name == 'Rex the Great'").output.contains("Dog/1")
    )
    #expect(try Kennel.run("check", file).exitCode == 0)
  }

  @Test(arguments: [SIGKILL, SIGHUP, SIGTERM, SIGSEGV])
  func `comes back after the signal`(number: Int32) throws {
    let before = try place.bytes("family.kennel")
    let terminal = try browse(file)
    try edit(terminal)
    if number == SIGKILL || number == SIGSEGV {
      // Nobody but the job that runs beside the screen writes then.
      usleep(200_000)
    }
    kill(try terminal.process(), number)
    #expect(try terminal.waitForExit() == .signal(number))
    #expect(try place.bytes("family.kennel") == before)
    #expect(journals.count == 1)
    try expectRestored()
  }

  @Test func `comes back after the line broke, which ends the shell too`() throws {
    let command = "\(try Executable.path("kennel")) \(file); exit"
    let terminal = try TmuxTerminal(
      ["/bin/sh", "-i"],
      environment: ["XDG_STATE_HOME": place.file("state"), "PS1": "shell> "]
    )
    try terminal.waitFor("shell>")
    try terminal.type(command)
    try terminal.press("Enter")
    try terminal.waitFor("Ada Winter")
    try edit(terminal)
    terminal.kill()
    try expectRestored()
  }

  @Test func `is kept for two hang-ups at once, as a shell and the system send them`() throws {
    let terminal = try browse(file)
    try edit(terminal)
    let process = try terminal.process()
    kill(process, SIGHUP)
    kill(process, SIGHUP)
    #expect(try terminal.waitForExit() == .signal(SIGHUP))
    try expectRestored()
  }

  @Test func `of one who lives is nobody else's`() throws {
    let first = try browse(file)
    try edit(first)
    let second = try browse(file)
    let screen = try second.waitFor("NO CHANGES")
    #expect(!screen.contains { $0.contains("not committed") })
    try second.press("Q")
    #expect(try second.waitForExit() == .code(0))
    #expect(journals.count == 1)
    try first.press("Q")
    try first.waitFor("2 changes not committed")
    try first.press("D")
    #expect(try first.waitForExit() == .code(0))
    #expect(journals.isEmpty)
  }

  @Test func `is not asked about where the file is only read`() throws {
    let terminal = try browse(file)
    try edit(terminal)
    try terminal.press("Q")
    try terminal.waitFor("k  keep them")
    try terminal.press("k")
    #expect(try terminal.waitForExit() == .code(0))
    let reader = try browse("--read-only", file)
    #expect(!(try reader.screen()).contains { $0.contains("not committed") })
    reader.kill()
    #expect(journals.count == 1)
    try expectRestored()
  }

  @Test func `that cannot be kept hinders nobody, and is told`() throws {
    try Data("a file".utf8).write(to: URL(fileURLWithPath: place.file("occupied")))
    let terminal = try browse(file, state: place.file("occupied"))
    try terminal.press("Enter d")
    try terminal.waitFor("Deletes 1 Person")
    try terminal.press("D")
    try terminal.waitFor("! Cannot keep the draft: Not a directory, in")
    try terminal.press("4")
    try terminal.waitFor("- Person/1")
    try terminal.press("w y")
    try terminal.waitFor("Committed as number")
  }

  @Test func `outlives a commit for which files may not be large enough`() throws {
    let kennel = try Executable.path("kennel")
    // The lock file, which is larger, is there already.
    #expect(try Kennel.run("query", file, "Dog").exitCode == 0)
    let terminal = try TmuxTerminal(
      ["/bin/sh", "-c", "ulimit -f 8; exec \(kennel) \(file)"],
      environment: ["XDG_STATE_HOME": place.file("state")]
    )
    try terminal.waitFor("Ada Winter")
    try edit(terminal)
    try terminal.press("4")
    try terminal.waitFor("name: Rex → Rex the Great")
    let before = try place.bytes("family.kennel")
    try terminal.press("w y")
    try terminal.waitFor("! Cannot commit to family.kennel: the file size limit is reached (see")
    #expect(try place.bytes("family.kennel") == before)
    try terminal.press("Q")
    try terminal.waitFor("k  keep them")
    try terminal.press("k")
    #expect(try terminal.waitForExit() == .code(0))
    try expectRestored()
  }
}
