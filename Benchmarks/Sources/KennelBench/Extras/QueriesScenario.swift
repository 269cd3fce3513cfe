import KennelCore

/// Queries over links.
enum QueriesScenario: Scenario {
  static let title = "queries over links"

  /// Whose favourite is asked for.
  private static func favourite(_ workload: Workload) -> String {
    "Dog \(workload.favourite(of: workload.people / 2))"
  }

  private static func peopleWithOlderDogs(_ workload: Workload) -> Int {
    (0..<workload.people).count { person in
      (0..<Workload.dogsPerPerson).contains { workload.age(of: workload.dog($0, of: person)) > 10 }
    }
  }

  private static func peopleWithFavourite(_ workload: Workload) -> Int {
    let wanted = workload.favourite(of: workload.people / 2)
    return (0..<workload.people).count { workload.favourite(of: $0) == wanted }
  }

  private static func favouriteAges(_ workload: Workload) -> Int64 {
    (0..<workload.people).reduce(0) { $0 + workload.age(of: workload.favourite(of: $1)) }
  }

  static func kennel(_ setting: Setting) throws -> [Measurement] {
    var figures = Measurements()
    let engine = try setting.kennelWorkload()
    let snapshot = try engine.database.snapshot()
    let person = engine.properties.person
    func count(_ text: String) throws -> Int {
      let predicate = try Predicate.parse(text, for: person, in: snapshot.schema)
      return try snapshot.count(of: person, where: predicate)
    }
    let ages = try figures.time("favourite.age of all, as in W3") { try engine.sumFavouriteAges() }
    try require(ages, is: favouriteAges(setting.workload), "the sum of ages")
    let any = try figures.time("ANY dogs.age > 10") { try count("ANY dogs.age > 10") }
    try require(any, is: peopleWithOlderDogs(setting.workload), "the number of people")
    let name = favourite(setting.workload)
    let fans = try figures.time("favourite.name == one name") {
      try count(#"favourite.name == "\#(name)""#)
    }
    try require(fans, is: peopleWithFavourite(setting.workload), "the number of people")
    return figures.list
  }

  static func sqlite(_ setting: Setting) throws -> [Measurement] {
    var figures = Measurements()
    let engine = try setting.sqliteWorkload()
    let database = try engine.database
    // The step W3 asks person by person; this is what one statement over all makes of it.
    let ages = try figures.time("favourite.age of all, as in W3") {
      try database.integer(
        "SELECT sum(dog.age) FROM person JOIN dog ON dog.id = person.favourite"
      )
    }
    try require(ages, is: favouriteAges(setting.workload), "the sum of ages")
    let any = try figures.time("ANY dogs.age > 10") {
      try database.integer(
        """
        SELECT count(*) FROM person WHERE EXISTS (
          SELECT 1 FROM person_dogs JOIN dog ON dog.id = person_dogs.dog
          WHERE person_dogs.person = person.id AND dog.age > 10
        )
        """
      )
    }
    try require(any, is: peopleWithOlderDogs(setting.workload), "the number of people")
    let name = favourite(setting.workload)
    let fans = try figures.time("favourite.name == one name") {
      try database.integer(
        """
        SELECT count(*) FROM person JOIN dog ON dog.id = person.favourite
        WHERE dog.name = '\(name)'
        """
      )
    }
    try require(fans, is: peopleWithFavourite(setting.workload), "the number of people")
    return figures.list
  }
}
