import Foundation
import KennelBrowser
import Testing

@Suite struct CommandTests {
  @Test func `no key means two things in one place`() {
    #expect(KeyBindings.clashes(of: Command.all).isEmpty)
  }

  @Test func `every key of the table can be pressed`() {
    for command in Command.all {
      for keys in command.keys { #expect(KeySequence(keys) != nil, "\(command.name): \(keys)") }
    }
  }

  @Test func `no key hides a longer one that begins with it`() throws {
    for context in Command.contexts {
      let commands = Command.all.filter { $0.places.contains(context) }
      for command in commands {
        for keys in command.keys {
          let sequence = try #require(KeySequence(keys))
          switch KeyBindings.standard.answer(to: sequence, in: context) {
          case .unfinished: #expect(command.argument == .letter)
          case .command(let found, nil): #expect(found.name == command.name)
          case .command, .nothing: Issue.record("\(context): \(keys)")
          }
        }
      }
    }
  }

  @Test func `every command has a name of its own`() {
    #expect(Set(Command.all.map(\.name)).count == Command.all.count)
  }

  @Test func `a key and its letter are one command`() throws {
    let sequence = try #require(KeySequence("m a"))
    let table = try #require(Command.all.first { $0.name == "mark" }?.places.contexts.first)
    guard case .command(let command, "a") = KeyBindings.standard.answer(to: sequence, in: table)
    else {
      Issue.record("m a")
      return
    }
    #expect(command.name == "bookmark")
  }

  @Test func `the manual has every dialog`() throws {
    let folder = Self.root.appendingPathComponent("Sources/KennelBrowser")
    let title = /static let title = "(.+)"/
    var dialogs = 0
    for file in try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted()
    where file.hasSuffix("Dialog.swift") {
      let text = try String(contentsOf: folder.appendingPathComponent(file), encoding: .utf8)
      guard let title = text.firstMatch(of: title)?.1 else { continue }
      dialogs += 1
      #expect(Manual.markdown.contains("\n### \(title)\n"), "\(file)")
    }
    #expect(dialogs > 0 && dialogs == Manual.markdown.split(separator: "\n### ").count - 1)
  }

  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
}

extension KennelBrowser.Command {
  /// Every place that a command names.
  static var contexts: Set<Context> { Set(all.flatMap(\.places.contexts)) }
}
