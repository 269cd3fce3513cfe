import KennelBrowser
import KennelCore
import KennelTestSupport
import Testing

@Suite("A copy")
struct CopyTests {
  private func copied(_ effects: [Effect]) -> String? {
    for case .copy(let text) in effects { return text }
    return nil
  }

  @Test func `of objects has their ids, paths, or the query that finds them`() throws {
    try Kennels.browse { browser, _ in
      browser.press("j Enter")
      #expect(copied(browser.press("Y i")) == "1")
      #expect(copied(browser.press("Y p")) == "Dog/1")
      #expect(copied(browser.press("Y q")) == "SELF == object(#1/1)")
      browser.press("1 k Enter Space Space")
      #expect(copied(browser.press("Y i")) == "1\n2")
      #expect(copied(browser.press("Y p")) == "Person/1\nPerson/2")
      #expect(copied(browser.press("Y q")) == "id IN {1, 2}")
    }
  }

  @Test(arguments: ["j Enter", "Enter", "Enter Space Space"])
  func `of a query finds the objects`(keys: String) throws {
    try Kennels.browse { browser, _ in
      browser.press(keys)
      let query = try #require(copied(browser.press("Y q")))
      browser.press("Esc f")
      browser.type(query)
      browser.press("Enter")
      #expect(browser.screen().contains(keys.contains("Space") ? "  1 of 2" : "  1 of 1"))
    }
  }

  @Test func `as Markdown is a table that nothing breaks`() throws {
    try Kennels.browse { browser, _ in
      browser.press("j Enter l e")
      browser.type(" | x")
      browser.press("Enter")
      let text = try #require(copied(browser.press("Y m")))
      #expect(
        text == """
          | key | name | age | breed | isGood |
          | --- | --- | --- | --- | --- |
          | 1 | Rex \\| x | 3 | Boxer | false |
          """
      )
    }
  }

  @Test func `says what was copied, and where to`() throws {
    try Kennels.browse { browser, _ in
      browser.press("j Enter Y p")
      browser.receive(.copied("the clipboard, by tmux"))
      #expect(browser.screen().contains("Copied Dog/1 as path to the clipboard, by tmux"))
    }
  }

  @Test func `does not show keys that a commit has yet to give`() throws {
    try withTemporaryDatabase { database in
      try Kennels.fill(database)
      let form = CopyForm(letter: "j", title: "JSON") { _, objects in "\(objects)" }
      var settings = BrowserSettings(fileName: "people.kennel")
      settings.copyForms = [form]
      let browser = try Browser(database, settings: settings)
      browser.press("j Enter o Esc")
      for key in ["i", "q", "j"] {
        #expect(copied(browser.press("Y \(key)")) == nil)
        #expect(browser.screen().contains("Dog/new1 has no key before the commit"))
      }
      #expect(copied(browser.press("Y p")) == "Dog/new1")
      #expect(copied(browser.press("Y m"))?.contains("| new1 |") == true)
      // A link to it would show it, too.
      browser.press("1 k Enter l l e")
      browser.type("new1")
      browser.press("Enter")
      if browser.screen().contains("→Dog/new1") {
        #expect(copied(browser.press("Y j")) == nil)
      }
    }
  }

  @Test func `of more than a clipboard takes says what to do instead`() throws {
    try withTemporaryDatabase { database in
      try Kennels.fill(database)
      try database.write { transaction in
        let dog = try transaction.schema.require("Dog")
        let long = Value.string(String(repeating: "x", count: 5_000_000))
        for key in [1, 2] as [UInt64] {
          let object = ObjectIdentity(dog.key, ObjectKey(rawValue: key))
          try transaction.set(object, property: dog.require("name").key, to: long)
        }
      }
      let browser = try Kennels.browser(database)
      #expect(copied(browser.press("j Enter l gA y")) == nil)
      let reason = "! The values are too long to be copied; X writes them to a file"
      #expect(browser.screen().contains(reason))
    }
  }
}
