import KennelCore

/// The whole graph in one transaction, which takes more memory than a transaction may hold.
enum OneCommitScenario: Scenario {
  static let title = "all dogs and people in one commit"

  static func kennel(_ setting: Setting) throws -> [Measurement] {
    var figures = Measurements()
    let (path, workload) = (setting.path, setting.workload)
    let (_, elapsed) = try Elapsed.of {
      let engine = try KennelEngine(path: path, workload: workload)
      defer { engine.close() }
      // Nobody keeps a handle of each dog: a new file numbers them from 1.
      let first = ObjectIdentity(engine.properties.dog, ObjectKey(rawValue: 1))
      try engine.write { transaction in
        try engine.insertDogs(in: transaction) { _ in }
        try engine.insertPeople(in: transaction) { number in
          ObjectIdentity(first.classKey, ObjectKey(rawValue: first.key.rawValue + UInt64(number)))
        }
      }
    }
    let objects = Double(workload.dogs + workload.people)
    figures.add("an object", elapsed.milliseconds * 1000 / objects, .microseconds)
    figures.add("peak", Double(Footprint.peakBytes()) / 1e6, .megabytes)
    let written = Footprint.bytes(of: path)
    figures.add("file", Double(written) / 1e6, .megabytes)
    try Database.compact(path)
    let compacted = Footprint.bytes(of: path)
    figures.add("file/compacted", Double(written) / Double(max(compacted, 1)), .times)
    try addReading(of: path, workload, to: &figures)
    return figures.list
  }

  /// Times what a person does first with a file, and its check.
  private static func addReading(
    of path: String,
    _ workload: Workload,
    to figures: inout Measurements
  ) throws {
    let (database, opening) = try Elapsed.of { try Database.open(path) }
    figures.add("open", opening.milliseconds, .milliseconds)
    let snapshot = try database.snapshot()
    let properties = try KennelProperties(snapshot.schema)
    let (person, finding) = try Elapsed.of {
      try snapshot.find(properties.person, primaryKey: .int(Int64(workload.people / 2)))
    }
    figures.add("look up a person", finding.milliseconds, .milliseconds)
    guard let person else { throw BenchmarkError("a person is missing") }
    let (radius, planning) = try Elapsed.of { try snapshot.blastRadius(deleting: [person]) }
    guard !radius.deletions.isEmpty else { throw BenchmarkError("a deletion takes nothing") }
    figures.add("plan a deletion", planning.milliseconds, .milliseconds)
    let (findings, checking) = try Elapsed.of { try database.check() }
    guard findings.isEmpty else { throw BenchmarkError("the file is not sound") }
    figures.add(
      "check an object",
      checking.milliseconds * 1000 / Double(workload.dogs + workload.people),
      .microseconds
    )
    database.close()
  }
}
