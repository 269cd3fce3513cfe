import KennelBrowser
import KennelCore
import Testing

@Suite("The pane of links")
struct LinksPaneTests {
  private func cursorRow(_ browser: Browser) -> String {
    browser.screen().split(separator: "\n").last { $0.contains("│>") }.map { String($0) } ?? ""
  }

  @Test func `has nothing to peek at on a line that stands for several objects`() throws {
    try Kennels.browse { browser, _ in
      browser.press("Enter Enter 3 K")
      #expect(cursorRow(browser).contains("DogClub.members [1]"))
      #expect(browser.screen().contains("There is no object under the cursor"))
      #expect(!browser.screen().contains("Peek at"))
      browser.press("j K")
      #expect(browser.screen().contains("Peek at DogClub/1 The Pack"))
    }
  }

  @Test func `finds text in its lines, and goes on with n`() throws {
    try Kennels.browse { browser, _ in
      browser.press("Enter Enter 3 /")
      browser.type("rex")
      browser.press("Enter")
      #expect(cursorRow(browser).contains("dog →Dog/1 Rex"))
      browser.press("n")
      #expect(cursorRow(browser).contains("0 →Dog/1 Rex"))
      browser.press("N N")
      #expect(cursorRow(browser).contains("2 →Dog/1 Rex"))
      browser.press("/")
      browser.type("nowhere")
      browser.press("Enter")
      #expect(browser.screen().contains("! “nowhere” is not found"))
    }
  }
}

@Suite("The path that was walked")
struct PathTests {
  private func path(_ browser: Browser, _ columns: Int = 80) -> String {
    let title = browser.screen(columns, 24).split(separator: "\n")[0]
    let path = String(title.trimmingPrefix(" people.kennel ")).components(before: " NO CHANGES")
    return path.replacing(/\s+$/, with: "")
  }

  private func go(_ browser: Browser, to name: String) {
    browser.press(":")
    browser.type(name)
    browser.press("Enter")
  }

  @Test func `has each view once, however often one goes where one is`() throws {
    try Kennels.browse { browser, _ in
      for name in ["Dog/1", "Dog/1", "Dog", "Dog"] { go(browser, to: name) }
      #expect(path(browser) == " Person › Dog/1 Rex › Dog")
      browser.press("Bksp Bksp")
      #expect(path(browser) == " Person")
    }
  }

  @Test func `stays apart from the tabs`() throws {
    try Kennels.browse { browser, _ in
      browser.press("t")
      for name in ["Dog/1", "Dog/2", "Dog/3", "Person/1", "Person/2"] { go(browser, to: name) }
      for columns in 60...100 {
        let before = path(browser, columns).components(before: " 1 Person")
        #expect(before.contains("  ") || before.hasSuffix("… "), "\(columns): \(before)")
      }
    }
  }
}

extension String {
  /// What comes before a text.
  fileprivate func components(before text: String) -> String {
    firstRange(of: text).map { String(self[..<$0.lowerBound]) } ?? self
  }
}

@Suite("The pane of an object")
struct ObjectPaneTests {
  @Test func `says where the cursor is, and where there is more`() throws {
    try Kennels.browse { browser, _ in
      browser.press("Enter Enter")
      #expect(browser.screen().contains("2 Person/1 Ada  1 of 13 ↓"))
      browser.press("G")
      #expect(browser.screen().contains("2 Person/1 Ada  13 of 13 ↑"))
      #expect(!browser.screen(80, 60).contains(" of 13"))
    }
  }
}
