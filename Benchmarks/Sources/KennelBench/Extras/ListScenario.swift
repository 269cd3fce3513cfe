import KennelCore

/// One long list of links.
enum ListScenario: Scenario {
  static let title = "one list with as many links as the workload has dogs"

  private static let edits = 1_000

  static func kennel(_ setting: Setting) throws -> [Measurement] {
    var figures = Measurements()
    let engine = try KennelEngine(path: setting.path, workload: setting.workload)
    try engine.insertDogs()
    let database = try engine.database
    let list = engine.properties.dogs
    let person = try database.write { try $0.create(engine.properties.id, 0) }
    try figures.time("append all, one commit") {
      try database.write { transaction in
        for dog in engine.dogs { try transaction.append(dog, to: person, property: list) }
      }
    }
    try figures.time("insert 1,000 in the middle, one commit") {
      try database.write { transaction in
        let middle = try transaction.count(in: person, property: list) / 2
        for number in 0..<edits {
          try transaction.insert(
            .link(engine.dogs[number]),
            at: middle,
            of: person,
            property: list.key
          )
        }
      }
    }
    try figures.time("remove 1,000 from the middle, one commit") {
      try database.write { transaction in
        let middle = try transaction.count(in: person, property: list) / 2
        for _ in 0..<edits {
          try transaction.removeElement(at: middle, of: person, property: list.key)
        }
      }
    }
    let written = Footprint.bytesWritten()
    let (_, elapsed) = try Elapsed.of {
      for number in 0..<20 {
        try database.write { transaction in
          let middle = try transaction.count(in: person, property: list) / 2
          try transaction.insert(
            .link(engine.dogs[number]),
            at: middle,
            of: person,
            property: list.key
          )
        }
      }
    }
    let name = "insert one in the middle, a commit each"
    figures.add(name, elapsed.milliseconds * 1000 / 20, .microseconds)
    figures.add("bytes written for it", Double(Footprint.bytesWritten() - written) / 20, .bytes)
    let snapshot = try database.snapshot()
    try figures.time("walk") {
      var walked = 0
      try snapshot.forEachTarget(of: person, property: list) { _ in walked += 1 }
      try require(walked, is: setting.objects + 20, "the number of links")
    }
    return figures.list
  }

  /// A place between two others is found by halving: SQLite moves nothing, as nobody would.
  static func sqlite(_ setting: Setting) throws -> [Measurement] {
    var figures = Measurements()
    let engine = try SQLiteEngine(path: setting.path, workload: setting.workload)
    try engine.insertDogs()
    let database = try engine.database
    try database.execute(
      """
      CREATE TABLE list (
        place REAL PRIMARY KEY,
        dog INTEGER NOT NULL REFERENCES dog (id) ON DELETE CASCADE
      ) WITHOUT ROWID;
      CREATE INDEX list_dog ON list (dog);
      """
    )
    let insert = try database.prepare("INSERT INTO list VALUES (?, ?)")
    func add(_ dog: Int, at place: Double) throws {
      insert.bind(1, place)
      insert.bind(2, Int64(dog + 1))
      try insert.run()
    }
    try figures.time("append all, one commit") {
      try database.write {
        for dog in 0..<setting.objects { try add(dog, at: Double(dog)) }
      }
    }
    let middle = Double(setting.objects / 2)
    try figures.time("insert 1,000 in the middle, one commit") {
      try database.write {
        for number in 0..<edits { try add(number, at: middle + Double(number + 1) / 2048) }
      }
    }
    let remove = try database.prepare("DELETE FROM list WHERE place = ?")
    try figures.time("remove 1,000 from the middle, one commit") {
      try database.write {
        for number in 0..<edits {
          remove.bind(1, middle + Double(number + 1) / 2048)
          try remove.run()
        }
      }
    }
    let written = Footprint.bytesWritten()
    let (_, elapsed) = try Elapsed.of {
      for number in 0..<20 { try add(number, at: middle + Double(number + 1) / 2048) }
    }
    let name = "insert one in the middle, a commit each"
    figures.add(name, elapsed.milliseconds * 1000 / 20, .microseconds)
    figures.add("bytes written for it", Double(Footprint.bytesWritten() - written) / 20, .bytes)
    let walk = try database.prepare("SELECT dog FROM list ORDER BY place")
    try figures.time("walk") {
      var walked = 0
      while try walk.next() { walked += 1 }
      try require(walked, is: setting.objects + 20, "the number of links")
    }
    return figures.list
  }
}
