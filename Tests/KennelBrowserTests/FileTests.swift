import Foundation
import KennelBrowser
import KennelCore
import KennelTestSupport
import Testing

/// A file that is deleted or replaced while the browser shows it.
@Suite struct `A file that is no longer at its path` {
  private func names(in database: Database) throws -> [String] {
    let snapshot = try database.snapshot()
    let person = try #require(snapshot.schema["Person"])
    let name = try #require(person["name"]).key
    return try snapshot.objects(of: person.key, from: nil, limit: 10).keys.map {
      "\(try snapshot.value(of: ObjectIdentity(person.key, $0), property: name))"
    }
  }

  @Test func `is told as gone, stays readable, and is saved elsewhere with the changes`() throws {
    try Kennels.browse { browser, database in
      browser.press("Enter l e")
      browser.press("^U")
      browser.type("Alva")
      browser.press("Enter o")
      browser.type("7")
      browser.press("Enter")
      unsafe #expect(unlink(database.path) == 0)
      let effects = JobRunner.send(.tick, to: browser)
      #expect(effects.contains { if case .bell = $0 { true } else { false } })
      let told = "! The file was deleted or renamed; ‘:save-copy FILE’ saves what is shown"
      #expect(browser.screen().contains(told))
      #expect(browser.screen().contains("FILE IS GONE  DRAFT"))
      // It is told until something else is, and everything can be read.
      browser.press("Bksp gg s j")
      #expect(browser.screen().contains(told))
      #expect(browser.screen().contains("Bob"))
      browser.press("4 w")
      #expect(browser.screen().contains(told))
      let copy = database.path + " copy.kennel"
      browser.press(":")
      browser.type("save-copy \(copy)")
      browser.press("Enter")
      #expect(browser.screen(200).contains("Saved in \(copy)"))
      let saved = try Database.open(copy)
      #expect(try names(in: saved).count == 4)
      #expect(try names(in: saved).first?.contains("Alva") == true)
      #expect(try saved.check { _ in true }.isEmpty)
      let folder = URL(fileURLWithPath: copy).deletingLastPathComponent().path
      let rest = try FileManager.default.contentsOfDirectory(atPath: folder)
      #expect(!rest.contains { $0.contains(".new") })
      browser.press(":")
      browser.type("save-copy \(copy)")
      browser.press("Enter")
      #expect(browser.screen(200).contains("there is a file already; choose another name"))
      unsafe unlink(copy + "-lock")
    }
  }

  @Test func `and was overwritten by another program, ends the browser before it is read`() throws {
    try Kennels.browse { browser, database in
      browser.press("Enter Enter")
      let other = database.path + " copy.kennel"
      try database.writeCopy(to: other)
      defer { unsafe unlink(other) }
      try Database.open(other).write { transaction in
        let person = try transaction.schema.require("Person")
        try transaction.delete(Array(transaction.objects(of: person.key).prefix(1)))
      }
      let own = try Data(contentsOf: URL(fileURLWithPath: database.path))
      let bytes = try Data(contentsOf: URL(fileURLWithPath: other))
      func overwrite(_ bytes: Data) throws {
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: database.path))
        try file.write(contentsOf: bytes)
        try file.truncate(atOffset: UInt64(bytes.count))
      }
      try overwrite(bytes)
      let effects = JobRunner.send(.tick, to: browser)
      #expect(effects.contains { if case .quit(exitCode: 1) = $0 { true } else { false } })
      #expect(browser.farewell?.contains("has overwritten \(database.path)") == true)
      #expect(throws: DatabaseError.self) { try database.write { _ in } }
      try overwrite(own)
    }
  }

  @Test func `and was overwritten with bytes of any kind, ends the browser before a key reads it`()
    throws
  {
    try Kennels.browse { browser, database in
      browser.press("Enter Enter")
      let url = URL(fileURLWithPath: database.path)
      let own = try Data(contentsOf: url)
      func overwrite(_ bytes: Data) throws {
        try FileHandle(forWritingTo: url).write(contentsOf: bytes)
      }
      try overwrite(Data(repeating: 0xA5, count: own.count))
      browser.press("j")
      #expect(browser.farewell?.contains("has overwritten \(database.path)") == true)
      try overwrite(own)
    }
  }

  @Test func `is told as replaced, and as back when it is`() throws {
    try Kennels.browse { browser, database in
      let aside = database.path + "-aside"
      unsafe #expect(rename(database.path, aside) == 0)
      try Data([1, 2, 3]).write(to: URL(fileURLWithPath: database.path))
      _ = JobRunner.send(.tick, to: browser)
      let told = "! Another file has its name now; ‘:save-copy FILE’ saves what is shown"
      #expect(browser.screen().contains(told))
      #expect(browser.screen().contains("FILE WAS REPLACED"))
      unsafe #expect(rename(aside, database.path) == 0)
      _ = JobRunner.send(.tick, to: browser)
      #expect(browser.screen().contains("The file is back at its place"))
      browser.press("Enter e")
      #expect(!browser.screen().contains("Another file has its name"))
    }
  }

  @Test(arguments: [false, true])
  func `brings no news, not even of a commit that came right before`(isGone: Bool) throws {
    try Kennels.browse { browser, database in
      browser.press("Enter")
      let shown = browser.screen()
      #expect(shown.contains("Cleo"))
      try database.write { transaction in
        let person = try transaction.schema.require("Person")
        _ = try transaction.delete(
          try transaction.objects(of: person.key).keys.map { ObjectIdentity(person.key, $0) }
        )
      }
      let aside = database.path + "-aside"
      unsafe #expect(rename(database.path, aside) == 0)
      if !isGone { try Data([1, 2, 3]).write(to: URL(fileURLWithPath: database.path)) }
      _ = JobRunner.send(.tick, to: browser)
      let told =
        isGone ? "! The file was deleted or renamed" : "! Another file has its name now"
      #expect(browser.screen().contains(told))
      #expect(browser.screen().contains("Cleo"))
      _ = JobRunner.send(.tick, to: browser)
      #expect(browser.screen().contains(told) && browser.screen().contains("Cleo"))
      // Nor is it asked for any: what is told stays, key after key.
      browser.press("j k")
      _ = JobRunner.send(.tick, to: browser)
      #expect(browser.screen().contains(told) && browser.screen().contains("Cleo"))
      // Once it is back, so is its news.
      unsafe #expect(rename(aside, database.path) == 0)
      _ = JobRunner.send(.tick, to: browser)
      #expect(!browser.screen().contains("Cleo"))
    }
  }

  @Test func `is read and saved where it was opened for reading`() throws {
    try withTemporaryDatabase { database in
      try Kennels.fill(database)
      let path = database.path + "-2"
      try database.writeCopy(to: path)
      let readOnly = try Database.open(
        path,
        configuration: Database.Configuration(access: .readOnly)
      )
      let browser = try Kennels.browser(readOnly)
      unsafe #expect(unlink(path) == 0)
      _ = JobRunner.send(.tick, to: browser)
      browser.press("Enter l s s")
      #expect(browser.screen().contains("The file was deleted or renamed"))
      #expect(browser.screen().contains(">    3  Cleo") || browser.screen().contains("Cleo"))
      browser.press(":")
      browser.type("save-copy")
      browser.press("Enter")
      #expect(browser.screen().contains("save a copy in:"))
      browser.type(path + "-3")
      browser.press("Enter")
      #expect(browser.screen(200).contains("Saved in \(path)-3"))
      #expect(try names(in: Database.open(path + "-3")).count == 3)
      for name in ["-lock", "-3", "-3-lock"] { unsafe unlink(path + name) }
    }
  }

  @Test func `is a copy of the file and its changes where it is at its path, too`() throws {
    try Kennels.browse { browser, database in
      browser.press("Enter d D")
      let copy = database.path + "-copy"
      browser.press(":")
      browser.type("save-copy \(copy)")
      browser.press("Enter")
      let saved = try names(in: Database.open(copy))
      #expect(saved.count == 2)
      #expect(try names(in: database).count == 3)
      #expect(browser.screen().contains("DRAFT 1 change"))
      for name in ["", "-lock"] { unsafe unlink(copy + name) }
    }
  }

  @Test(arguments: [false, true])
  func `is said to be there or not, whenever it is stopped`(isReadOnly: Bool) throws {
    let folder = try TemporaryFolder()
    let path = folder.file("dogs.kennel")
    do { try Kennels.fill(try Database.open(path)) }
    let access = isReadOnly ? Database.Configuration.Access.readOnly : .readWrite
    let configuration = Database.Configuration(access: access)
    let browser = try Kennels.browser(try Database.open(path, configuration: configuration))
    for isLate in [false, true] {
      let copy = folder.file("\(isLate)")
      browser.press(":")
      for character in "save-copy \(copy)" { browser.receive(.key(Key(character))) }
      browser.receive(.key(Key(.enter)))
      var job: Job?
      for case .run(let next) in browser.takeEffects() { job = next }
      let saving = try #require(job)
      // Stopped before it begins, or after it was complete.
      var events = JobRunner.run(saving, isCancelled: !isLate)
      if isLate { events = [.cancelled(saving.id)] }
      browser.receive(.key(Key(.escape)))
      #expect(browser.screen(200).contains("Stopping: Saving a copy in"))
      for event in events { browser.receive(.job(event)) }
      #expect(browser.screen(200).contains(isLate ? "Saved in \(copy)" : "No copy was made"))
      #expect(FileManager.default.fileExists(atPath: copy) == isLate)
    }
  }
}
