import KennelBrowser
import KennelCore
import KennelTestSupport
import Synchronization
import Testing

/// What an export was asked for.
private final class Requests: Sendable {
  let all = Mutex<[ExportRequest]>([])
}

@Suite("An export")
struct ExportTests {
  private func browse(_ body: (Browser, () throws -> ExportRequest) throws -> Void) throws {
    try withTemporaryDatabase { database in
      try Kennels.fill(database)
      let requests = Requests()
      var settings = BrowserSettings(fileName: "people.kennel")
      settings.export = { request, _ in
        requests.all.withLock { $0.append(request) }
        return .written
      }
      try body(try Browser(database, settings: settings)) {
        try #require(requests.all.withLock { $0.last })
      }
    }
  }

  private func keys(_ request: ExportRequest) -> [UInt64]? {
    if case .keys(_, let keys) = request.objects { keys?.map(\.rawValue) } else { nil }
  }

  @Test func `asks whether the marked, the shown or linked objects are written`() throws {
    try browse { browser, request in
      browser.press("j Enter Space X")
      let screen = browser.screen()
      #expect(screen.contains("m  the 1 marked objects"))
      #expect(screen.contains("s  all 3 Dog that are shown"))
      #expect(screen.contains("c  Dog/1 Rex, and what it links to…"))
      browser.press("m")
      browser.type("dogs.csv")
      browser.press("Enter")
      #expect(browser.screen().contains("Wrote 1 Dog to dogs.csv"))
      try #expect(keys(request()) == [1])
      browser.press("X s")
      browser.type("all.csv")
      browser.press("Enter")
      #expect(browser.screen().contains("Wrote 3 Dog to all.csv"))
      try #expect(keys(request()) == nil)
    }
  }

  @Test func `has the rows that a filter leaves`() throws {
    try browse { browser, request in
      browser.press("j Enter f")
      browser.type("age > 2")
      browser.press("Enter :")
      browser.type("export old.jsonl")
      browser.press("Enter")
      #expect(browser.screen().contains("Wrote 2 Dog to old.jsonl"))
      try #expect(keys(request()) == [1, 2])
    }
  }

  @Test func `of a table has its columns, with what was computed and without what is hidden`()
    throws
  {
    try browse { browser, request in
      browser.press("j Enter l l - {")
      browser.press("+")
      browser.type("@links.@count")
      browser.press("Enter X s")
      #expect(browser.screen().contains(".csv has the table’s columns, .jsonl whole objects"))
      browser.type("dogs.csv")
      browser.press("Enter")
      try #expect(request().columns == ["breed", "name", "isGood", "@links.@count"])
      browser.press("Esc h h h h h Enter X s")
      browser.type("rex.csv")
      browser.press("Enter")
      try #expect(request().columns == nil)
    }
  }

  @Test func `of a single object is told as one`() throws {
    try browse { browser, _ in
      browser.press("Enter X c")
      for _ in 0..<10 { browser.press("-") }
      browser.press("Enter")
      browser.type("ada.jsonl")
      browser.press("Enter")
      #expect(browser.screen().contains("Wrote 1 object to ada.jsonl"))
    }
  }

  @Test func `counts what an object links to before it is written, along the chosen links`() throws
  {
    try browse { browser, request in
      browser.press("Enter X c")
      #expect(browser.screen(120, 24).contains("3 objects: 1 Person, 2 Dog ·"))
      #expect(browser.screen(120, 24).contains("> [x] Person.dog → Dog"))
      browser.press("j Space")
      #expect(browser.screen(120, 24).contains("2 objects: 1 Person, 1 Dog"))
      browser.press("a")
      #expect(browser.screen(120, 24).contains("6 objects: 2 Person, 3 Dog, 1 DogClub"))
      for _ in 0..<10 { browser.press("-") }
      #expect(browser.screen(120, 24).contains("1 object: 1 Person · 0 links away"))
      browser.press("+")
      #expect(browser.screen(120, 24).contains("1 link away"))
      browser.press("Enter")
      browser.type("ada.jsonl")
      browser.press("Enter")
      guard case .closure(let objects) = try request().objects else {
        Issue.record("no closure")
        return
      }
      #expect(browser.screen().contains("Wrote \(objects.count) objects to ada.jsonl"))
    }
  }

  @Test func `waits for the keys of new objects, and says how they come`() throws {
    try browse { browser, _ in
      browser.press("j Enter o Esc X")
      #expect(browser.screen(120, 24).contains("1 object is new and gets its key at the commit"))
      browser.press("u X")
      #expect(browser.screen().contains("all 3 Dog that are shown"))
    }
  }
}
