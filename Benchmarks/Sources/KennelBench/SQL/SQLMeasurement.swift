import FoundationEssentials

/// Kennel beside the program of the makers of an SQL database, on the same tables.
struct SQLMeasurement {
  let peer: SQLPeer
  let dogs: Int
  let kennel: String
  /// A folder for what Kennel keeps, and for statements.
  let folder: String
  private(set) var figures: [SQLFigure] = []
  private var home: String { "\(folder)/home" }
  private var changes: Int { min(10_000, dogs) }

  init(peer: SQLPeer, dogs: Int, kennel: String, folder: String) {
    (self.peer, self.dogs, self.kennel, self.folder) = (peer, dogs, kennel, folder)
  }

  /// Measures everything once more.
  mutating func run() throws {
    try ChildProcess.shell("rm -rf '\(home)'")
    let schema = command("schema", peer.options)
    let rows = try ChildProcess.milliseconds(peer.running(peer.reading))
    let opened = try Elapsed.of { String(decoding: try ChildProcess.shell(schema), as: UTF8.self) }
    for fact in ["dog  \(dogs) objects", "has  \(dogs / 5 * 5) objects"]
    where !opened.0.contains(fact) {
      throw BenchmarkError("The copy does not have: \(fact)")
    }
    note("all of it, first time", opened.1.milliseconds, beside: rows, peer.opening)
    if peer.keepsCopies {
      let time = try ChildProcess.milliseconds(schema)
      note("again, unchanged", time, (100, nil))
      try plan()
    }
    try browse()
  }

  private func command(_ name: String, _ options: [String], _ arguments: String = "") -> String {
    "XDG_CACHE_HOME='\(home)' exec '\(kennel)' \(name) \(options.joined(separator: " ")) "
      + "'\(peer.place)' \(arguments)"
  }

  private mutating func plan() throws {
    let command = command("blast", peer.options, "club 1 2>/dev/null")
    let plan = try Elapsed.of { String(decoding: try ChildProcess.shell(command), as: UTF8.self) }
    let members = dogs / 5 / SQLPeer.clubs
    guard plan.0.hasPrefix("Deletes 1 club, \(members) person, \(members * 5) has:") else {
      throw BenchmarkError("The plan is another one: \(plan.0.prefix(60))")
    }
    // It changes the file, and takes that back.
    let deletion = try ChildProcess.milliseconds(peer.running(peer.deletion))
    note("the plan of a deletion", plan.1.milliseconds, beside: deletion, (1_000, nil))
  }

  /// Opens the browser where nothing is kept, goes down, and changes and commits many dogs.
  private mutating func browse() throws {
    let theirs = try commitByTheirs()
    let session = try BrowserSession(
      [kennel, peer.place] + peer.browserOptions,
      columns: 120,
      rows: 40,
      home: home
    )
    note("first rows in the browser", try session.firstScreen(with: "Rex 1"), (300, nil))
    // All rows are there when they can be changed.
    _ = try session.press("\r", until: "NO CHANGES")
    try session.rest()
    let keys = try (0..<100).map { _ in try session.press("j") }.sorted()
    note("a line down", keys[keys.count / 2], (4, nil))
    try session.press("f")
    _ = try session.press("id <= \(changes)\r", until: "of \(changes)")
    try session.rest()
    try session.press(":")
    try session.press("set age = age + 1")
    _ = try session.press("\r", until: "y sets them")
    _ = try session.press("y", until: "DRAFT \(changes)")
    _ = try session.press("4", until: "Changes (\(changes))")
    _ = try session.press("w", until: "y commits")
    let commit = try session.press("y", until: "Committed to")
    note("\(changes) changed rows committed", commit, beside: theirs, (nil, 1.5))
  }

  /// How long the other program takes for the same changes.
  private func commitByTheirs() throws -> Double {
    let updates = "'\(folder)/updates.sql'"
    let statements =
      "SELECT 'UPDATE dog SET age = ' || (age + 1) || ' WHERE id = ' || id || ' AND age = ' || age || ';' "
      + "FROM dog WHERE id <= \(changes);"
    try ChildProcess.shell(
      "echo 'BEGIN;' > \(updates); \(peer.client) \"\(peer.statement) \(statements)\" >> \(updates); "
        + "echo 'COMMIT;' >> \(updates)"
    )
    return try ChildProcess.milliseconds("\(peer.client) >/dev/null < \(updates)")
  }

  /// Keeps the shortest time of each figure.
  private mutating func note(
    _ what: String,
    _ milliseconds: Double,
    beside: Double? = nil,
    _ limit: (milliseconds: Double?, times: Double?)
  ) {
    let name = "\(peer.name): \(what)"
    guard let index = figures.firstIndex(where: { $0.name == name }) else {
      figures.append(
        SQLFigure(name: name, milliseconds: milliseconds, beside: beside, limit: limit)
      )
      return
    }
    figures[index].milliseconds = min(figures[index].milliseconds, milliseconds)
    figures[index].beside = figures[index].beside.map { min($0, beside ?? $0) }
  }
}

/// A time of Kennel's, the shortest of several, beside that of another program.
struct SQLFigure {
  let name: String
  var milliseconds: Double
  var beside: Double?
  let limit: (milliseconds: Double?, times: Double?)

  var cells: [String] {
    let times = beside.map { milliseconds / $0 }
    let limits =
      [limit.milliseconds.map(Figure.text), limit.times.map { "\(Figure.text($0)) times" }]
      .compactMap { $0 }
    let isKept =
      milliseconds < limit.milliseconds ?? -.infinity
      || times ?? .infinity < limit.times ?? -.infinity
    return [
      name, Figure.text(milliseconds), beside.map(Figure.text) ?? "", times.map(Figure.text) ?? "",
      "< \(limits.joined(separator: " or "))", isKept ? "ok" : "short",
    ]
  }
}
