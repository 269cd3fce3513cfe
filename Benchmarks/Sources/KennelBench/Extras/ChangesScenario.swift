import KennelCore

/// The difference of two snapshots, which nothing is logged for.
enum ChangesScenario: Scenario {
  static let title = "the difference of two snapshots"

  static func kennel(_ setting: Setting) throws -> [Measurement] {
    var figures = Measurements()
    let engine = try setting.kennelWorkload()
    let database = try engine.database
    for count in [1, 100, 10_000] where count <= setting.workload.dogs {
      let before = try database.snapshot()
      var random = RandomNumbers(seed: UInt64(count))
      var changed: Set<Int> = []
      while changed.count < count { changed.insert(random.next(below: setting.workload.dogs)) }
      try database.write { transaction in
        for dog in changed {
          try transaction.set(
            engine.dogs[dog],
            property: engine.properties.age,
            to: Int64(100 + count)
          )
        }
      }
      let after = try database.snapshot()
      let changes = try figures.timeEach("after \(count) changed objects", times: 5) {
        try database.changes(from: before, to: after)
      }
      try require(changes.changed.count, is: count, "the number of changes")
    }
    return figures.list
  }
}
