import KennelCore

/// The check of a file's whole structure, which comes before a process writes to it first.
enum FirstWriteScenario: Scenario {
  static let title = "the first write of a process, which checks the whole structure"

  static func kennel(_ setting: Setting) throws -> [Measurement] {
    var figures = Measurements()
    let engine = try setting.kennelWorkload()
    engine.close()
    _ = try engine.reopen(reading: 0)
    let database = try engine.database
    let megabytes = Double(engine.fileBytes()) / 1e6
    figures.add("file", megabytes, .megabytes)
    func write() throws {
      try database.write { transaction in
        try transaction.set(engine.dogs[0], engine.properties.age, 99)
      }
    }
    let (_, first) = try Elapsed.of { try write() }
    let (_, second) = try Elapsed.of { try write() }
    let check = first.milliseconds - second.milliseconds
    figures.add("first write", first.milliseconds, .milliseconds)
    figures.add("second write", second.milliseconds, .milliseconds)
    figures.add("check per 100 MB", check / megabytes * 100, .milliseconds)
    let findings = try figures.time("check of every value and link") { try database.check() }
    try require(findings.count, is: 0, "the number of findings")
    return figures.list
  }

  static func sqlite(_ setting: Setting) throws -> [Measurement] {
    var figures = Measurements()
    let engine = try setting.sqliteWorkload()
    engine.close()
    _ = try engine.reopen(reading: 0)
    let database = try engine.database
    figures.add("file", Double(try engine.fileBytes()) / 1e6, .megabytes)
    let update = try database.prepare("UPDATE dog SET age = 99 WHERE id = 1")
    try figures.time("first write") { try update.run() }
    try figures.time("second write") { try update.run() }
    try figures.time("check of every value and link") {
      try database.execute("PRAGMA integrity_check; PRAGMA foreign_key_check")
    }
    return figures.list
  }
}
