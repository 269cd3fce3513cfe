import KennelCore

/// A draft with many changes, which SQLite has no equal of.
enum DraftScenario: Scenario {
  static let title = "a draft of 10,000 changes"

  private static let changes = 10_000

  static func kennel(_ setting: Setting) throws -> [Measurement] {
    var figures = Measurements()
    let engine = try setting.kennelWorkload()
    let database = try engine.database
    let age = engine.properties.age
    let draft = try database.makeDraft()
    var random = RandomNumbers(seed: 3)
    try figures.time("make the changes") {
      for _ in 0..<changes {
        let dog = engine.dogs[random.next(below: engine.dogs.count)]
        try draft.set(dog, property: age.key, to: .int(Int64(100 + random.next(below: 100))))
      }
    }
    let total = draft.operationCount
    try figures.time("undo all") {
      while draft.canUndo { try draft.undo() }
    }
    try require(draft.operationCount, is: 0, "the number of operations")
    try figures.time("redo all") {
      while draft.canRedo { try draft.redo() }
    }
    try require(draft.operationCount, is: total, "the number of operations")
    let outcome = try figures.time("commit") { try draft.commit() }
    guard case .committed = outcome else { throw BenchmarkError("The draft was not committed") }
    return figures.list
  }
}
