import KennelCore

/// A query that an index answers against one that looks at every object.
enum IndexScenario: Scenario {
  static let title = "a query by index against a scan"

  private static func name(_ setting: Setting) -> String { "Dog \(setting.workload.dogs / 3)" }

  static func kennel(_ setting: Setting) throws -> [Measurement] {
    var figures = Measurements()
    let engine = try KennelEngine(path: setting.path, workload: setting.workload)
    try engine.insertDogs()
    let database = try engine.database
    let dog = engine.properties.dog
    func find(_ text: String) throws -> [ObjectKey] {
      let snapshot = try database.snapshot()
      let predicate = try Predicate.parse(text, for: dog, in: snapshot.schema)
      return try snapshot.objects(of: dog, where: predicate).keys
    }
    let byName = #"name == "\#(name(setting))""#
    try figures.timeEach("one name, scan", times: 11) {
      try require(try find(byName).count, is: 1, "the number of dogs")
    }
    try figures.timeEach("one age in 20, scan", times: 11) {
      try require(try find("age == 7").count, is: setting.workload.dogs / 20, "the dogs")
    }
    try figures.time("make an index of names") {
      try define(database, PropertyDefinition("name", .string, isIndexed: true))
    }
    try figures.time("make an index of ages") {
      try define(database, PropertyDefinition("age", .int, isIndexed: true))
    }
    try figures.timeEach("one name, index", times: 101) {
      try require(try find(byName).count, is: 1, "the number of dogs")
    }
    try figures.timeEach("one age in 20, index", times: 11) {
      try require(try find("age == 7").count, is: setting.workload.dogs / 20, "the dogs")
    }
    return figures.list
  }

  private static func define(_ database: Database, _ property: PropertyDefinition) throws {
    var dog = KennelModel.dog
    dog.properties = dog.properties.map { $0.name == property.name ? property : $0 }
    try database.write { try $0.define([dog]) }
  }

  static func sqlite(_ setting: Setting) throws -> [Measurement] {
    var figures = Measurements()
    let engine = try SQLiteEngine(path: setting.path, workload: setting.workload)
    try engine.insertDogs()
    let database = try engine.database
    func find(_ condition: String) throws -> Int {
      let statement = try database.prepare("SELECT id FROM dog WHERE \(condition)")
      var found: [Int64] = []
      while try statement.next() { found.append(statement.integer(0)) }
      return found.count
    }
    let byName = "name = '\(name(setting))'"
    try figures.timeEach("one name, scan", times: 11) {
      try require(try find(byName), is: 1, "the number of dogs")
    }
    try figures.timeEach("one age in 20, scan", times: 11) {
      try require(try find("age = 7"), is: setting.workload.dogs / 20, "the number of dogs")
    }
    try figures.time("make an index of names") {
      try database.execute("CREATE INDEX dog_name ON dog (name)")
    }
    try figures.time("make an index of ages") {
      try database.execute("CREATE INDEX dog_age ON dog (age)")
    }
    try figures.timeEach("one name, index", times: 101) {
      try require(try find(byName), is: 1, "the number of dogs")
    }
    try figures.timeEach("one age in 20, index", times: 11) {
      try require(try find("age = 7"), is: setting.workload.dogs / 20, "the number of dogs")
    }
    return figures.list
  }
}
