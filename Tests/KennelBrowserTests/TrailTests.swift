import KennelBrowser
import KennelCore
import KennelTestSupport
import Testing

@Suite("Ways along links")
struct TrailTests {
  @Test func `between two bookmarks go along links in both directions`() throws {
    try Kennels.browse { browser, _ in
      // Fido is one of Ada's dogs, Bella is Bob's; both of them have Rex, and are in a club.
      browser.press("j Enter j m a j m b :")
      browser.type("path a b")
      browser.press("Enter")
      let screen = browser.screen()
      #expect(screen.contains("4 links from Dog/2 to Dog/3"))
      #expect(screen.contains("> Dog/2 Fido"))
      #expect(screen.contains("← dogs of Person/1 Ada"))
      #expect(screen.contains("dogs → Dog/3 Bella"))
      browser.press("j Enter")
      #expect(browser.screen().contains("2 Person/1 Ada"))
    }
  }

  @Test func `lead from the cursor to a bookmark`() throws {
    try Kennels.browse { browser, _ in
      browser.press("Enter m a j j :")
      browser.type("path a")
      browser.press("Enter")
      #expect(browser.screen().contains("No links lead from Person/3"))
      browser.press("k :")
      browser.type("path a")
      browser.press("Enter")
      #expect(browser.screen().contains("2 links from Person/2 to Person/1"))
    }
  }

  @Test func `need bookmarks that exist`() throws {
    try Kennels.browse { browser, _ in
      for text in ["path", "path x y", "path a"] {
        browser.press(":")
        browser.type(text)
        browser.press("Enter")
        #expect(browser.screen().contains("m and a letter set one"), "\(text)")
      }
    }
  }

  @Test func `lead to an object from one that nothing links to`() throws {
    try Kennels.browse { browser, _ in
      browser.press("j Enter j gw")
      let screen = browser.screen()
      #expect(screen.contains("What leads to Dog/2 Fido: nothing links to the first"))
      #expect(screen.contains("> DogClub/1 The Pack"))
      #expect(screen.contains("members → Person/1 Ada"))
      #expect(screen.contains("dogs → Dog/2 Fido"))
    }
  }

  @Test func `are none where nothing links, or only a cycle does`() throws {
    try withTemporaryDatabase { database in
      try database.write { transaction in
        let next = PropertyDefinition("next", .link("Ring"))
        try transaction.define([ClassDefinition("Ring", properties: [next])])
        let schema = transaction.schema
        let ring = try #require(schema["Ring"])
        let link = try #require(ring["next"]).key
        let one = try transaction.create(ring.key, [:])
        let other = try transaction.create(ring.key, [link: .link(one)])
        try transaction.set(one, property: link, to: .link(other))
        _ = try transaction.create(ring.key, [:])
      }
      let browser = try Kennels.browser(database)
      browser.press("Enter gw")
      #expect(browser.screen().contains("Ring/1 is led to by 1 object, and something links"))
      browser.press("G gw")
      #expect(browser.screen().contains("Nothing links to Ring/3"))
    }
  }
}

@Suite("The palette")
struct RecentObjectTests {
  @Test func `goes to objects that were visited, by what they are called`() throws {
    try Kennels.browse { browser, _ in
      browser.press("j Enter j Enter 1 gg Enter :")
      browser.type("fido")
      #expect(browser.screen().contains("> Dog/2"))
      #expect(browser.screen().contains("visited  Fido"))
      browser.press("Enter")
      #expect(browser.screen().contains("2 Dog/2 Fido"))
    }
  }
}
