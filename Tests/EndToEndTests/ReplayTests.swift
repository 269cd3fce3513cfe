import Foundation
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
    try walk.replay { opening in
      var command = [try Executable.path("kennel"), "browse"]
      var environment = ["XDG_DATA_HOME": place.path]
      for word in opening.words {
        switch word {
        case "read-only":
          // The sample has to be there before it can be read only.
          _ = try Kennel.run("sample", "--reset", environment: environment)
          command.append("--read-only")
        case "ascii": environment["LANG"] = "C"
        case "no-color": environment["NO_COLOR"] = "1"
        default: throw TestFailure("\(walk) begins with \(word), which nobody understands")
        }
      }
      return try TmuxTerminal(command, size: opening.size, environment: environment)
    }
  }
}
