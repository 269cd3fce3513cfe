import KennelBrowser
import KennelCore
import Testing

@Suite struct DeletionTests {
  @Test func `a deletion shows by name what goes, before anything is staged`() throws {
    try Kennels.browse { browser, _ in
      browser.press("Enter d")
      let screen = browser.screen()
      #expect(screen.contains("Delete Person/1 Ada?"))
      #expect(screen.contains("1 Person, 1 Address"))
      #expect(screen.contains("† Address/1 High Street 1"))
      #expect(screen.contains("DogClub/1 The Pack .members[0]"))
      #expect(screen.contains("NO CHANGES"))
    }
  }

  @Test(arguments: [(20, 5), (10, 3)])
  func `nothing is deleted where the screen has no room for what goes`(
    columns: Int,
    rows: Int
  ) throws {
    try Kennels.browse { browser, _ in
      browser.press("Enter d")
      #expect(!browser.screen(columns, rows).contains("D delete"))
      browser.press("D")
      #expect(browser.changeCount == 0)
      #expect(browser.screen().contains("! Make the terminal larger"))
      #expect(browser.screen(40, 8).contains("† Person/1 Ada"))
      #expect(browser.screen(40, 8).contains("D delete"))
      browser.press("D")
      #expect(browser.changeCount == 1)
    }
  }

  @Test(arguments: ["Enter", "d", "y", "Space"])
  func `only D confirms`(_ key: String) throws {
    try Kennels.browse { browser, _ in
      browser.press("Enter d")
      browser.press(key)
      browser.press("Esc")
      #expect(browser.screen().contains("NO CHANGES"))
    }
  }

  @Test func `D stages it, and undo brings everything back`() throws {
    try Kennels.browse { browser, _ in
      browser.press("Enter")
      let before = browser.screen()
      browser.press("d D")
      #expect(!browser.screen().contains("Ada"))
      browser.press("u")
      #expect(browser.screen().contains("Ada"))
      browser.press("R k")
      #expect(browser.screen() == before)
    }
  }

  @Test func `marked objects go together`() throws {
    try Kennels.browse { browser, _ in
      browser.press("j Enter Space Space d")
      #expect(browser.screen().contains("Delete 2 objects?"))
      browser.press("D")
      #expect(browser.screen().contains("1 of 1"))
      #expect(browser.screen().contains("Bella"))
    }
  }

  @Test func `the object under the cursor goes, whatever was sorted`() throws {
    try Kennels.browse { browser, _ in
      browser.press("j Enter l s d")
      #expect(browser.screen().contains("Delete Dog/1 Rex?"))
    }
  }

  @Test func `quitting with changes asks`() throws {
    try Kennels.browse { browser, _ in
      browser.press("Enter d D")
      #expect(browser.press("Q").isEmpty)
      #expect(browser.screen().contains("not committed"))
      #expect(browser.press("Q").isEmpty)
      #expect(browser.press("Esc").isEmpty)
      browser.press("Q")
      let effects = browser.press("D")
      #expect(effects.contains { if case .quit(0) = $0 { true } else { false } })
    }
  }

  @Test func `the review drops a single change and commits the others`() throws {
    try Kennels.browse { browser, database in
      browser.press("j Enter l e ^U")
      browser.type("Max")
      browser.press("Enter j e ^U")
      browser.type("Moritz")
      browser.press("Enter 4")
      let screen = browser.screen()
      #expect(screen.contains("name: Rex → Max"))
      #expect(screen.contains("name: Fido → Moritz"))
      browser.press("j x")
      #expect(!browser.screen().contains("Rex → Max"))
      browser.press("w y")
      #expect(browser.screen().contains("Committed"))
      let snapshot = try database.snapshot()
      let dog = try #require(snapshot.schema["Dog"])
      let name = try #require(dog["name"]).key
      let names = try snapshot.objects(of: dog.key, limit: 9).keys.map {
        try snapshot.value(of: ObjectIdentity(dog.key, $0), property: name)
      }
      #expect(names == [.string("Rex"), .string("Moritz"), .string("Bella")])
    }
  }

  @Test func `a new object has its final key after the commit`() throws {
    try Kennels.browse { browser, _ in
      browser.press("Enter o Enter 4 w y")
      #expect(browser.screen().contains("Person/4"))
    }
  }

  @Test func `:w shows the review before it commits`() throws {
    try Kennels.browse { browser, _ in
      browser.press("j Enter ll e ^U 9 Enter ^S")
      #expect(browser.screen().contains("age: 3 → 9"))
      #expect(browser.screen().contains("DRAFT"))
      browser.press("^S y")
      #expect(browser.screen().contains("NO CHANGES"))
    }
  }
}
