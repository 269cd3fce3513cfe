import KennelCore

/// Threads that read while another one writes.
enum ReadersScenario: Scenario {
  static let title = "four readers beside a writer"

  private static let readers = 4
  private static let seconds = 2.0
  private static let batch = 1_000

  /// Something to do again and again.
  private typealias Body = (inout RandomNumbers) throws -> Void

  static func kennel(_ setting: Setting) throws -> [Measurement] {
    let engine = try setting.kennelWorkload()
    let database = try engine.database
    let properties = engine.properties
    let dogs = engine.dogs
    let people = setting.workload.people
    let makeReader: @Sendable () throws -> Body = {
      { random in
        let snapshot = try database.snapshot()
        for _ in 0..<batch {
          let id = Int64(random.next(below: people))
          if let person = try snapshot.find(properties.id, id) {
            _ = try snapshot[person, properties.birthdate]
          }
        }
      }
    }
    return try measure(makeReader) { random in
      let dog = dogs[random.next(below: dogs.count)]
      try database.write { try $0.set(dog, property: properties.age, to: 1) }
    }
  }

  static func sqlite(_ setting: Setting) throws -> [Measurement] {
    let engine = try setting.sqliteWorkload()
    let workload = setting.workload
    let path = setting.path
    let update = try engine.database.prepare("UPDATE dog SET age = 1 WHERE id = ?")
    let makeReader: @Sendable () throws -> Body = {
      let database = try SQLiteDatabase(path)
      let find = try database.prepare("SELECT birthdate FROM person WHERE id = ?")
      return { random in
        try database.read {
          for _ in 0..<batch {
            find.bind(1, Int64(random.next(below: workload.people)))
            _ = try find.next()
            find.reset()
          }
        }
      }
    }
    return try withExtendedLifetime(engine) {
      try measure(makeReader) { random in
        update.bind(1, Int64(random.next(below: workload.dogs) + 1))
        try update.run()
      }
    }
  }

  /// Lets readers run alone, then beside a writer on this thread.
  private static func measure(
    _ makeReader: @escaping @Sendable () throws -> Body,
    _ write: @escaping Body
  ) throws -> [Measurement] {
    var figures = Measurements()
    var (lookups, _) = try run(makeReader, nil)
    figures.add("look-ups of all readers", lookups / seconds, .perSecond)
    let commits: Double
    (lookups, commits) = try run(makeReader, write)
    figures.add("look-ups of all readers beside a writer", lookups / seconds, .perSecond)
    figures.add("commits beside them", commits / seconds, .perSecond)
    return figures.list
  }

  private static func run(
    _ makeReader: @escaping @Sendable () throws -> Body,
    _ write: Body?
  ) throws -> (lookups: Double, commits: Double) {
    let deadline = Elapsed.seconds() + seconds
    let workers = (0..<readers).map { number in
      Worker {
        let read = try makeReader()
        var random = RandomNumbers(seed: UInt64(number + 2))
        var count = 0
        while Elapsed.seconds() < deadline {
          try read(&random)
          count += batch
        }
        return count
      }
    }
    var random = RandomNumbers(seed: 1)
    var commits = 0
    if let write {
      while Elapsed.seconds() < deadline {
        try write(&random)
        commits += 1
      }
    }
    var lookups = 0
    for worker in workers { lookups += try worker.wait() }
    return (Double(lookups), Double(commits))
  }
}
