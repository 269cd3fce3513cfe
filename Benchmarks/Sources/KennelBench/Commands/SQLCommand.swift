import ArgumentParser
import FoundationEssentials

/// Opening an SQLite database, and the plan of a large deletion, beside the program `sqlite3`.
struct SQLCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sql",
    abstract: "Measure an SQLite file of a million dogs: opening it, and the plan of a deletion."
  )

  @Option(help: "How many dogs; a fifth as many people have five each.")
  var dogs = 1_000_000

  @Option(help: "How often each is measured; the shortest time counts.")
  var rounds = 3

  @Option(help: "The executable; the one beside this program unless said otherwise.")
  var kennel: String?

  @Option(help: "Where files are made, for as long as the run takes.")
  var directory: String?

  func validate() throws {
    guard dogs >= 1_000 else { throw ValidationError("1,000 dogs are the least.") }
  }

  /// A twelfth of the people is in a club: with a million dogs, its deletion takes 99,997 rows.
  private static let clubs = 12

  /// What is measured, in milliseconds of Kennel and of `sqlite3`.
  private enum Figures: CaseIterable {
    case firstRows, first, again, plan

    var name: String {
      switch self {
      case .firstRows: "first rows in the browser"
      case .first: "all opened for the first time; sqlite3 reads all rows"
      case .again: "opened again; sqlite3 counts the rows"
      case .plan: "the plan of a deletion; sqlite3 deletes and rolls back"
      }
    }

    /// What the time of Kennel is to be below.
    var target: Double {
      switch self {
      case .firstRows: 300
      case .first: 2_500
      case .again: 100
      case .plan: 1_000
      }
    }
  }

  private static let mostMegabytes = 250.0

  func run() throws {
    ChildProcess.outliveInterrupts()
    let kennel = try ChildProcess.kennel(kennel, for: "sql")
    let directory = try TemporaryDirectory(in: directory)
    let (path, file) = (directory.path, "\(directory.path)/dogs.sqlite")
    let environment = "XDG_CACHE_HOME='\(path)/cache' exec '\(kennel)'"
    let schema = "\(environment) schema '\(file)'"
    let plan = "\(environment) blast '\(file)' club 1 2>/dev/null"
    try ChildProcess.shell("sqlite3 '\(file)' \"\(script)\"")
    var (ours, theirs): ([Figures: Double], [Figures: Double]) = ([:], [:])
    func measure(_ figure: Figures, _ ourCommand: String, _ theirCommand: String) throws {
      let time = try ChildProcess.milliseconds(ourCommand)
      ours[figure] = min(ours[figure] ?? .infinity, time)
      let their = try ChildProcess.milliseconds("sqlite3 '\(file)' \"\(theirCommand)\" >/dev/null")
      theirs[figure] = min(theirs[figure] ?? .infinity, their)
    }
    for _ in 0..<rounds {
      try ChildProcess.shell("rm -rf '\(path)/cache'")
      try measure(.first, schema, "SELECT * FROM dog; SELECT * FROM person; SELECT * FROM has")
      try measure(
        .again,
        schema,
        "SELECT count(*) FROM dog; SELECT count(*) FROM person; SELECT count(*) FROM has"
      )
      try measure(
        .plan,
        plan,
        "PRAGMA foreign_keys = ON; BEGIN; DELETE FROM club WHERE id = 1; ROLLBACK"
      )
      let session = try BrowserSession(
        [kennel, file],
        columns: 120,
        rows: 40,
        home: "\(path)/home"
      )
      let time = try session.firstScreen(with: "Rex 1")
      ours[.firstRows] = min(ours[.firstRows] ?? .infinity, time)
    }
    try check(
      String(decoding: try ChildProcess.shell(schema), as: UTF8.self),
      String(decoding: try ChildProcess.shell(plan), as: UTF8.self)
    )
    print(report(ours, theirs, bytes: Footprint.bytes(of: file)))
    try ChildProcess.shell("rm -rf '\(path)/cache' '\(path)/home'")
  }

  /// Makes the tables; each foreign key has an index.
  private var script: String {
    """
    CREATE TABLE dog (id INTEGER PRIMARY KEY, name TEXT NOT NULL, age INTEGER NOT NULL, breed TEXT);
    CREATE TABLE club (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
    CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT NOT NULL, birthdate DATE NOT NULL,
      club_id INTEGER NOT NULL REFERENCES club ON DELETE CASCADE,
      favourite_id INTEGER REFERENCES dog ON DELETE SET NULL);
    CREATE TABLE has (id INTEGER PRIMARY KEY,
      person_id INTEGER NOT NULL REFERENCES person ON DELETE CASCADE,
      dog_id INTEGER NOT NULL REFERENCES dog ON DELETE CASCADE, position INTEGER NOT NULL);
    BEGIN;
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(dogs))
      INSERT INTO dog SELECT i, 'Rex ' || i, i % 20, CASE WHEN i % 4 = 0 THEN NULL ELSE 'Beagle' END FROM n;
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(Self.clubs))
      INSERT INTO club SELECT i, 'Club ' || i FROM n;
    INSERT INTO person SELECT id, 'Person ' || id, date('1950-01-01', (id % 20000) || ' days'),
      id % \(Self.clubs) + 1, id * 7 % \(dogs) + 1 FROM dog WHERE id <= \(dogs) / 5;
    INSERT INTO has SELECT id, (id - 1) / 5 + 1, id * 31 % \(dogs) + 1, (id - 1) % 5 FROM dog
      WHERE id <= \(dogs) / 5 * 5;
    CREATE INDEX person_by_club ON person (club_id);
    CREATE INDEX person_by_favourite ON person (favourite_id);
    CREATE INDEX has_by_person ON has (person_id);
    CREATE INDEX has_by_dog ON has (dog_id);
    COMMIT;
    """
  }

  private func check(_ schema: String, _ plan: String) throws {
    let members = dogs / 5 / Self.clubs
    for fact in ["dog  \(dogs) objects", "has  \(dogs / 5 * 5) objects"]
    where !schema.contains(fact) {
      throw BenchmarkError("The copy does not have: \(fact)")
    }
    guard plan.hasPrefix("Deletes 1 club, \(members) person, \(members * 5) has:") else {
      throw BenchmarkError("The plan is another one: \(plan.prefix(60))")
    }
  }

  private func report(
    _ ours: [Figures: Double],
    _ theirs: [Figures: Double],
    bytes: Int
  ) -> String {
    var table = TextTable([
      "an SQLite file of \(dogs) dogs, \(Figure.megabytes(bytes)) MB", "Kennel, ms", "sqlite3, ms",
      "target", "",
    ])
    for figure in Figures.allCases {
      guard let time = ours[figure] else { continue }
      table.add([
        figure.name, Figure.text(time), theirs[figure].map(Figure.text) ?? "",
        "< \(Figure.text(figure.target))", time < figure.target ? "ok" : "short",
      ])
    }
    let peak = ChildProcess.peakMegabytes
    table.add([
      "peak memory, MB", Figure.text(peak), "", "< \(Figure.text(Self.mostMegabytes))",
      peak < Self.mostMegabytes ? "ok" : "short",
    ])
    return table.text
  }
}
