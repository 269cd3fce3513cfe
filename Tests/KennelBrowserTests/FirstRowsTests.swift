import KennelBrowser
import KennelCore
import KennelTestSupport
import Synchronization
import Testing

/// The browser while only the first rows of a database are there.
@Suite struct `A browser of first rows` {
  /// A reading that ends when a test says so.
  private final class Reading: WholeReading {
    private let state = Atomic(false)

    var isFinished: Bool { state.load(ordering: .relaxed) }

    func finish() { state.store(true, ordering: .relaxed) }

    func wait(for job: JobContext) {}
  }

  private func browse(_ body: (Browser, Reading) throws -> Void) throws {
    try Kennels.browse { _, database in
      let reading = Reading()
      var settings = BrowserSettings(fileName: "shop.sqlite (SQLite)")
      settings.path = "shop.sqlite"
      settings.isReadOnly = true
      settings.reading = reading
      let browser = try Browser(database, settings: settings)
      try body(browser, reading)
    }
  }

  @Test func `says so, and how many are read`() throws {
    try browse { browser, _ in
      guard case .run(let job)? = browser.takeEffects().first(where: \.isRun) else {
        throw TestFailure("Nothing waits for all rows")
      }
      browser.receive(.job(.progress(job.id, 0.34)))
      #expect(browser.screen().contains("Reading all of it… 34 %"))
      #expect(browser.screen().contains("FIRST ROWS"))
    }
  }

  @Test func `changes and writes nothing, since not all is there`() throws {
    try browse { browser, _ in
      let reason = "! Only the first rows of each table are read so far"
      for keys in ["Enter d", "o", "X"] {
        browser.press(keys)
        #expect(browser.screen().contains(reason), "\(keys)")
        browser.press("Esc")
      }
      for command in ["save-copy all.kennel", "doctor", "diff old.kennel"] {
        browser.press(":")
        browser.type(command)
        browser.press("Enter")
        #expect(browser.screen().contains(reason), "\(command)")
      }
    }
  }

  @Test func `closes what Esc closes while it waits`() throws {
    try browse { browser, _ in
      guard browser.takeEffects().contains(where: \.isRun) else {
        throw TestFailure("Nothing waits for all rows")
      }
      browser.press("Enter K")
      let peeked = browser.screen()
      browser.press("Esc")
      #expect(browser.screen() != peeked)
      browser.press("Esc")
      #expect(browser.screen().contains("Reading all of it cannot be stopped"))
    }
  }

  @Test func `ends when all are there, with the file to open next`() throws {
    try browse { browser, reading in
      browser.press("j")
      #expect(browser.nextFile == nil)
      reading.finish()
      #expect(JobRunner.send(.tick, to: browser).contains { $0.isQuit })
      #expect(browser.nextFile == "shop.sqlite")
    }
  }

  @Test func `leaves its views and the pane of the cursor to the browser of all rows`() throws {
    try Kennels.browse { first, database in
      func next() throws -> Browser {
        var settings = BrowserSettings(fileName: "people.kennel")
        settings.kept.goOn(from: first.keptState)
        settings.isContinued = true
        return try Browser(database, settings: settings)
      }
      first.press("j")
      let lines = first.screen().split(separator: "\n")
      #expect(try next().screen().split(separator: "\n")[1...].starts(with: lines[1...4]))
      first.press("Enter j f")
      first.type("age > 1")
      first.press("Enter")
      let all = try next()
      _ = JobRunner.runJobs(of: all)
      #expect(all.screen().contains("▸2 Dog where age > 1"))
      #expect(all.screen().contains("All rows are there now"))
      all.press("f Up")
      #expect(all.screen().contains("Dog where: age > 1"))
    }
  }

  @Test func `does not end under what a person types`() throws {
    try browse { browser, reading in
      browser.press("Enter f")
      browser.type("age")
      reading.finish()
      #expect(!JobRunner.send(.tick, to: browser).contains { $0.isQuit })
      #expect(browser.screen().contains("age"))
      #expect(browser.press("Esc Esc").contains { $0.isQuit })
    }
    try browse { browser, reading in
      browser.press("Enter f")
      browser.type("name != null")
      reading.finish()
      #expect(browser.press("Enter").contains { $0.isQuit })
      #expect(browser.keptState.session.view?.query.filter == "name != null")
    }
  }
}

extension Effect {
  fileprivate var isRun: Bool { if case .run = self { true } else { false } }
  fileprivate var isQuit: Bool { if case .quit = self { true } else { false } }
}
