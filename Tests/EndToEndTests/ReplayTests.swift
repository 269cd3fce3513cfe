import Foundation
import KennelBrowser
import KennelTestSupport
import Testing

/// The golden screens of the browser's tests, on a real terminal.
///
/// In those tests the browser runs without a terminal, and its jobs in place. Here the same files
/// lead through the executable, its threads and tmux, and must arrive at the same screens.
@Suite struct `Walks through a real terminal` {
  private static let walks = try? Walk.all(
    in: URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("KennelBrowserTests/Walks").path
  )

  @Test func `there are walks`() throws {
    #expect(try #require(Self.walks).count >= 10)
  }

  @Test(arguments: walks ?? [])
  func `the screens are as written`(_ walk: Walk) throws {
    let place = try TemporaryFolder()
    var last: Int32?
    try walk.replay { opening in
      var command = [try Executable.path("kennel"), "browse", "--fresh"]
      var environment = ["XDG_DATA_HOME": place.path]
      for word in opening.words {
        switch word {
        case "read-only":
          // The sample has to be there before it can be read only.
          _ = try Kennel.run("sample", "--reset", environment: environment)
          command.append("--read-only")
        case "ascii": environment["LANG"] = "C"
        case "no-color": environment["NO_COLOR"] = "1"
        case "keeping": environment["XDG_STATE_HOME"] = place.file("state")
        case "interrupted":
          environment["XDG_STATE_HOME"] = place.file("state")
          if let last { try interrupt(last, in: place.file("state/kennel/drafts")) }
        default: throw TestFailure("\(walk) begins with \(word), which nobody understands")
        }
      }
      let terminal = try TmuxTerminal(command, size: opening.size, environment: environment)
      last = try terminal.process()
      return terminal
    }
  }

  /// Whether a process is the browser: it may have ended, and its number be another's.
  private static func isKennel(_ process: Int32) -> Bool {
    let line = try? String(contentsOfFile: "/proc/\(process)/cmdline", encoding: .utf8)
    return line?.contains("kennel") == true
  }

  /// Kills a process, and has its journals be of the time that the walk tells.
  private func interrupt(_ process: Int32, in folder: String) throws {
    // A key is in the journal a moment after its screen.
    usleep(200_000)
    if Self.isKennel(process) { kill(process, SIGKILL) }
    while Self.isKennel(process), kill(process, 0) == 0 { usleep(2_000) }
    let time = try #require(ISO8601DateFormatter().date(from: "2026-11-21T13:05:00Z"))
    for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
      try FileManager.default.setAttributes(
        [.modificationDate: time],
        ofItemAtPath: "\(folder)/\(name)"
      )
    }
  }
}
