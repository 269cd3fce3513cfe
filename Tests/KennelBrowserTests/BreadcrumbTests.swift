import KennelBrowser
import KennelCore
import KennelTestSupport
import Testing

@Suite("The path")
struct BreadcrumbTests {
  private func path(_ browser: Browser, _ columns: Int = 80) -> String {
    let lines = browser.screen(columns, 24).split(separator: "\n", omittingEmptySubsequences: false)
    return lines[0].trimmingPrefix(" people.kennel ").description
  }

  @Test func `says whose list is shown`() throws {
    try Kennels.browse { browser, _ in
      browser.press("Enter lll Enter")
      #expect(path(browser).hasPrefix(" Person › Person/1.dogs"))
    }
  }

  @Test func `forgets that an object was new when it is committed`() throws {
    try Kennels.browse { browser, _ in
      browser.press("j Enter o Esc")
      #expect(path(browser).hasPrefix(" Person › Dog › new Dog/new1"))
      browser.press("4 w y")
      #expect(path(browser).hasPrefix(" Person › Dog › Dog/4"))
    }
  }

  @Test func `shows the whole name of the view, rather than the step to it or other tabs`() throws {
    try Kennels.browse { browser, _ in
      browser.press("Enter lll e x Esc l l l Enter h h h Enter t t t")
      for columns in [30, 40, 60, 80] {
        let path = path(browser, columns)
        #expect(path.contains("Dog/1 Rex"), "\(columns): \(path)")
      }
    }
  }
}

@Suite("The title")
struct TitleTests {
  @Test func `shows the beginning and the end of a long file name`() throws {
    let name = "/srv/databases/customers-of-the-northern-branch-2026-11.kennel"
    try Kennels.browse(fileName: name) { browser, _ in
      let line = browser.screen(60, 24).split(separator: "\n")[0]
      #expect(line.contains("…/custom") && line.contains("…1.kennel"), "\(line)")
    }
  }

  @Test func `says where there are more tabs than it has room for`() throws {
    try Kennels.browse { browser, _ in
      browser.press("Enter t t t t t t")
      let line = browser.screen(60, 24).split(separator: "\n")[0]
      #expect(line.contains("… 7 Person/1 Ada "), "\(line)")
      browser.press("T")
      #expect(!browser.screen(160, 24).split(separator: "\n")[0].contains("…"))
    }
  }
}

@Suite("Keys that people expect")
struct ExpectedKeyTests {
  @Test func `Esc leaves a sequence that was begun, without a word`() throws {
    try Kennels.browse { browser, _ in
      browser.press("m Esc")
      #expect(!browser.screen().contains("does nothing"))
      browser.press("m x Esc")
      #expect(!browser.screen().contains("m Esc"))
    }
  }

  @Test func `a adds an element, or an object`() throws {
    try Kennels.browse { browser, _ in
      browser.press("Enter lll Enter a")
      #expect(browser.screen().contains("Add to dogs of Person/1"))
      browser.press("Esc 1 j Enter a")
      #expect(browser.screen().contains("name of Dog/new1"))
    }
  }

  @Test func `l in the collections goes to the pane on the right`() throws {
    try Kennels.browse { browser, _ in
      browser.press("j l")
      #expect(browser.screen().contains("▸2 Dog"))
      browser.press("l")
      #expect(browser.screen().contains("[name]"))
    }
  }

  @Test func `the help finds a regex`() throws {
    try Kennels.browse { browser, _ in
      browser.press("?")
      browser.type("regex")
      #expect(browser.screen().contains("find what a regular expression (regex) fits"))
    }
  }

  @Test(arguments: [
    ("5", "5", "\"5\""), ("\"5\"", "\"5\"", "\"\\\"5\\\"\""), ("\"", "\"", "\"\\\"\""),
    ("\"null\"", "\"\\\"null\\\"\"", "\"\\\"null\\\"\""), ("\"\"", "\"\\\"\\\"\"", "\"\\\"\\\"\""),
    ("null", "\"null\"", "\"null\""), ("", "\"\"", "\"\""), (" a", "\" a\"", "\" a\""),
  ])
  func `no text has quotes twice around it`(text: String, plain: String, mixed: String) throws {
    try withTemporaryDatabase { database in
      try database.write { transaction in
        let properties = [
          PropertyDefinition("text", .string), PropertyDefinition("value", .mixed),
        ]
        try transaction.define([ClassDefinition("Thing", properties: properties)])
        let thing = try transaction.schema.require("Thing")
        let keys = (try thing.require("text").key, try thing.require("value").key)
        try transaction.create(thing.key, [keys.0: .string(text), keys.1: .string(text)])
      }
      let browser = try Kennels.browser(database)
      browser.press("Enter")
      let row = browser.screen().split(separator: "\n").first { $0.contains("│>") } ?? ""
      #expect(row.contains(" 1  \(plain) ") && row.hasSuffix(" \(mixed)"), "\(row)")
    }
  }
}
