import Foundation
import KennelBrowser
import KennelCore
import KennelTestSupport
import Testing

/// The golden screens: walks through the sample, as text files.
@Suite struct `Walks through the sample` {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()

  static let walks = try? Walk.all(in: folder.appendingPathComponent("Walks").path)

  static let looks = try? Walk.all(in: folder.appendingPathComponent("Walks/Looks").path)

  @Test func `there are walks`() throws {
    #expect(try #require(Self.walks).count >= 10)
    #expect(try #require(Self.looks).count >= 1)
  }

  @Test(arguments: looks ?? [])
  func `the colors are as written, in a dark terminal, a light one, and in one of 16 colors`(
    _ walk: Walk
  ) throws {
    try run(walk, lines: \.looks)
  }

  @Test(arguments: walks ?? [])
  func `the screens are as written`(_ walk: Walk) throws {
    try run(walk, lines: \.text)
  }

  private func run(_ walk: Walk, lines: (Screen) -> [String]) throws {
    let folder = try TemporaryFolder()
    let path = folder.file("sample.kennel")
    try Sample.fill(path)
    var keeping: DraftJournal?
    var places = 0
    try walk.run(lines: lines) { opening in
      let isReadOnly = opening.words.contains("read-only")
      let database = try Database.open(
        path,
        configuration: Database.Configuration(access: isReadOnly ? .readOnly : .readWrite)
      )
      // A walk goes on where its process was killed with the words `keeping` and `interrupted`.
      var drafts = folder.file("drafts")
      if opening.words.contains("interrupted") {
        keeping?.close()
      } else if !opening.words.contains("keeping") {
        places += 1
        drafts += "\(places)"
      }
      let journal = isReadOnly ? nil : DraftJournal(for: database, in: drafts)
      keeping = journal
      var settings = BrowserSettings(fileName: "the sample")
      let themes = [("no-color", Theme.none), ("dark", .dark), ("light", .light)]
      settings.theme = themes.first { opening.words.contains($0.0) }?.1 ?? .terminal
      settings.charset = opening.words.contains("ascii") ? .ascii : .unicode
      settings.time = { _ in "2026-11-21 13:05" }
      settings.readOnlyAdvice = isReadOnly ? "start without --read-only to change it" : nil
      return try Browser(
        database,
        settings: settings,
        journal: journal,
        recovered: journal?.findKept() ?? []
      )
    }
  }
}
