import Foundation
import KennelBrowser
import Testing

@Suite struct CommandTests {
  @Test func `no key means two things in one place`() {
    #expect(Keymap.clashes(of: Command.all).isEmpty)
  }

  @Test func `every key of the table can be pressed`() {
    for command in Command.all {
      for keys in command.keys { #expect(KeySequence(keys) != nil, "\(command.name): \(keys)") }
    }
  }

  @Test func `no key hides a longer one that begins with it`() throws {
    for context in Context.allCases {
      let commands = Command.all.filter { $0.contexts.contains(context) }
      for command in commands {
        for keys in command.keys {
          let sequence = try #require(KeySequence(keys))
          let answer = Keymap.standard.answer(to: sequence, in: context)
          if command.takesLetter {
            #expect(answer == .unfinished)
          } else {
            #expect(answer == .command(command.id, letter: nil), "\(context): \(keys)")
          }
        }
      }
    }
  }

  @Test func `every command has a row and a name of its own`() {
    #expect(Set(Command.all.map(\.id)) == Set(CommandID.allCases))
    #expect(Command.all.count == CommandID.allCases.count)
    #expect(Set(Command.all.map(\.name)).count == Command.all.count)
  }

  @Test func `a key and its letter are one command`() throws {
    let sequence = try #require(KeySequence("m a"))
    #expect(Keymap.standard.answer(to: sequence, in: .table) == .command(.bookmark, letter: "a"))
  }

  /// `UPDATE_WALKS=1` writes the file, as it writes the screens.
  @Test func `Documentation/Keys.md is what the table says`() throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let file = root.appendingPathComponent("Documentation/Keys.md")
    if ProcessInfo.processInfo.environment["UPDATE_WALKS"] != nil {
      try Manual.markdown.write(to: file, atomically: true, encoding: .utf8)
    }
    #expect(try String(contentsOf: file, encoding: .utf8) == Manual.markdown)
  }
}
