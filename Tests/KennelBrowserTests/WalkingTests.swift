import KennelBrowser
import KennelCore
import Testing

@Suite struct WalkingTests {
  @Test func `back and forward bring the whole view back`() throws {
    try Kennels.browse { browser, _ in
      browser.press("Enter j ll")
      let table = browser.screen()
      browser.press("Enter")
      let dog = browser.screen()
      #expect(dog.contains("▸2 Dog/1 Rex"))
      browser.press("gr Enter Enter")
      browser.press("Bksp Bksp")
      #expect(browser.screen().contains("3 Links of Dog/1 Rex"))
      browser.press("2 Bksp")
      #expect(browser.screen() == table)
      browser.press("L")
      #expect(browser.screen().contains("2 Dog/1 Rex"))
    }
  }

  @Test func `the links pane lists who points here, twice where they do so twice`() throws {
    try Kennels.browse { browser, _ in
      browser.press("j Enter gr")
      let screen = browser.screen(200, 40)
      #expect(screen.contains("Person.dog [2]"))
      #expect(screen.contains("Person.dogs [2]"))
      #expect(screen.contains("Person/1 Ada ×2"))
    }
  }

  @Test func `a link is cut and added from the side of its target`() throws {
    try Kennels.browse { browser, _ in
      browser.press("Enter j Enter G Enter")
      #expect(browser.screen().contains("DogClub.members → Person/2 Bob  1 of 1"))
      browser.press("x")
      #expect(browser.screen().contains("no objects"))
      browser.press("o Enter")
      #expect(browser.screen().contains("→Person/2 Bob is in members of DogClub/1"))
      #expect(browser.screen().contains("DogClub.members → Person/2 Bob  1 of 1"))
      // The backlink itself takes another one, too; he is in the list twice then.
      browser.press("Bksp G o Enter")
      #expect(browser.screen(200, 40).contains("DogClub/1 The Pack ×2"))
    }
  }

  @Test func `a link to one is added from the side of its target`() throws {
    try Kennels.browse { browser, _ in
      // Cleo, too, gets the dog of Ada and Bob.
      browser.press("j Enter gr Enter")
      #expect(browser.screen().contains("Person.dog → Dog/1 Rex  1 of 2"))
      browser.press("o")
      browser.type("cleo")
      browser.press("Enter")
      #expect(browser.screen().contains("Person.dog → Dog/1 Rex  1 of 3"))
      browser.press("x")
      #expect(browser.screen().contains("Person.dog → Dog/1 Rex  1 of 2"))
    }
  }

  @Test func `an embedded object leads to its owner and is not its backlink`() throws {
    try Kennels.browse { browser, _ in
      browser.press("Enter llll Enter")
      #expect(browser.screen().contains("2 Address/1 High Street 1"))
      #expect(browser.screen(200, 40).contains("owner ↑Person/1 Ada.address"))
      browser.press("gp")
      #expect(browser.screen().contains("▸2 Person/1 Ada"))
      #expect(browser.screen().contains("> address"))
    }
  }

  @Test func `a list opens, and its elements are followed`() throws {
    try Kennels.browse { browser, _ in
      browser.press("Enter lll Enter")
      #expect(browser.screen().contains("2 dogs of Person/1 [3]"))
      browser.press("j Enter")
      #expect(browser.screen().contains("▸2 Dog/2 Fido"))
    }
  }

  @Test func `peeking shows the target and goes nowhere`() throws {
    try Kennels.browse { browser, _ in
      browser.press("Enter ll K")
      #expect(browser.screen().contains("Peek at Dog/1 Rex"))
      #expect(browser.screen().contains("▸2 Person"))
      browser.press("Esc")
      #expect(!browser.screen().contains("Peek at"))
    }
  }

  @Test func `peeking leaves the row of the cursor in sight, and says how to close it`() throws {
    try Kennels.browse { browser, _ in
      browser.press("j Enter G K")
      let screen = browser.screen(80, 12)
      #expect(screen.contains(">    3 ") && screen.contains("Peek at Dog/3"), "\(screen)")
      #expect(screen.contains("K more"))
      browser.press("K")
      #expect(browser.screen(80, 12).contains("K closes it"))
    }
  }

  @Test func `a bookmark comes back to its object`() throws {
    try Kennels.browse { browser, _ in
      browser.press("j Enter j m a")
      browser.press("1 k Enter")
      browser.press("' a")
      #expect(browser.screen().contains("▸2 Dog/2 Fido"))
    }
  }

  @Test func `the palette goes to an object, a class and a command`() throws {
    try Kennels.browse { browser, _ in
      browser.press(":")
      browser.type("dog/3")
      browser.press("Enter")
      #expect(browser.screen().contains("▸2 Dog/3 Bella"))
      browser.press("^P")
      browser.type("dogc")
      browser.press("Enter")
      #expect(browser.screen().contains("▸2 DogClub"))
      browser.press(":")
      browser.type("q")
      browser.press("Enter")
      #expect(browser.screen().contains("▸2 Dog/3 Bella"))
    }
  }

  @Test func `the help runs the line that is picked`() throws {
    try Kennels.browse { browser, _ in
      browser.press("?")
      #expect(browser.screen(80, 60).contains("move down"))
      browser.press("Enter")
      #expect(browser.screen().contains(">Dog "))
    }
  }

  @Test func `an unknown key says so and does nothing`() throws {
    try Kennels.browse { browser, _ in
      browser.press("X")
      #expect(browser.screen().contains("X does nothing here"))
    }
  }
}
