import KennelCore

/// The first write of a process, which takes as long at any size of the file.
enum FirstWriteScenario: Scenario {
  static let title = "the first write of a process, beside the second"

  static func kennel(_ setting: Setting) throws -> [Measurement] {
    var figures = Measurements()
    let engine = try setting.kennelWorkload()
    engine.close()
    _ = try engine.reopen(reading: 0)
    let database = try engine.database
    figures.add("file", Double(engine.fileBytes()) / 1e6, .megabytes)
    func write() throws {
      try database.write { transaction in
        try transaction.set(engine.dogs[0], property: engine.properties.age, to: 99)
      }
    }
    try figures.time("first write") { try write() }
    try figures.time("second write") { try write() }
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
