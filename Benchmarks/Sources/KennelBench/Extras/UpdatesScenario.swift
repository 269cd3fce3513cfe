import KennelCore

/// Small transactions that touch objects all over the file.
enum UpdatesScenario: Scenario {
  static let title = "100 random updates in one transaction"

  private static let updates = 100
  private static let transactions = 20

  static func kennel(_ setting: Setting) throws -> [Measurement] {
    let engine = try setting.kennelWorkload()
    let database = try engine.database
    return try measure(setting) { dogs, age in
      try database.write { transaction in
        for dog in dogs {
          try transaction.set(engine.dogs[dog], property: engine.properties.age, to: age)
        }
      }
    }
  }

  static func sqlite(_ setting: Setting) throws -> [Measurement] {
    let engine = try setting.sqliteWorkload()
    let database = try engine.database
    let update = try database.prepare("UPDATE dog SET age = ? WHERE id = ?")
    return try measure(setting) { dogs, age in
      try database.write {
        for dog in dogs {
          update.bind(1, age)
          update.bind(2, Int64(dog + 1))
          try update.run()
        }
      }
    }
  }

  private static func measure(
    _ setting: Setting,
    _ update: ([Int], Int64) throws -> Void
  ) throws -> [Measurement] {
    var figures = Measurements()
    var random = RandomNumbers(seed: 100)
    let written = Footprint.bytesWritten()
    let (_, elapsed) = try Elapsed.of {
      for transaction in 0..<transactions {
        let dogs = (0..<updates).map { _ in random.next(below: setting.workload.dogs) }
        try update(dogs, Int64(100 + transaction))
      }
    }
    let bytes = Footprint.bytesWritten() - written
    figures.add("transaction", elapsed.milliseconds / Double(transactions), .milliseconds)
    figures.add(
      "bytes written per update",
      Double(bytes) / Double(transactions * updates),
      .bytes
    )
    return figures.list
  }
}
