import ArgumentParser
import FoundationEssentials

/// Objects as BSON documents, out and in, beside PyMongo and SQLite.
struct DocumentsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "documents",
    abstract: "Measure dogs as BSON, out of a file and into a new one, beside PyMongo and SQLite."
  )

  @Option(help: "How many dogs.")
  var dogs = 1_000_000

  @Option(help: "How often each is measured; the shortest time counts.")
  var rounds = 3

  @Option(help: "The executable; the one beside this program unless said otherwise.")
  var kennel: String?

  @Option(help: "A Python that has PyMongo.")
  var python = ".build/pymongo/bin/python"

  @Option(help: "The script that PyMongo runs.")
  var script = "Benchmarks/pymongo_bson.py"

  @Option(help: "Where files are made, for as long as the run takes.")
  var directory: String?

  private struct Times {
    var export = Double.infinity
    var `import` = Double.infinity
    var decode = Double.infinity
    var encode = Double.infinity
    var json = Double.infinity
  }

  func run() throws {
    ChildProcess.outliveInterrupts()
    let kennel = try ChildProcess.kennel(kennel, for: "documents")
    let directory = try TemporaryDirectory(in: directory)
    let path = directory.path
    try ChildProcess.shell(
      "'\(kennel)' sample '\(path)/dogs.kennel' --dogs \(dogs) --people 1 2>/dev/null"
    )
    try ChildProcess.shell(
      "'\(kennel)' schema '\(path)/dogs.kennel' --format jsonl > '\(path)/schema.jsonl'"
    )
    try ChildProcess.shell(
      """
      sqlite3 '\(path)/dogs.sqlite' "CREATE TABLE dog (_id INTEGER PRIMARY KEY, name TEXT, age INTEGER, \
      breed TEXT); WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < \(dogs)) \
      INSERT INTO dog SELECT i + 1, 'Dog ' || i, i % 20, CASE WHEN i % 4 = 0 THEN NULL ELSE 'Beagle' END \
      FROM n"
      """
    )
    var times = Times()
    for _ in 0..<rounds { try measure(&times, kennel, path) }
    directory.clear()
    print(report(times))
  }

  private func measure(_ times: inout Times, _ kennel: String, _ path: String) throws {
    let export = try Elapsed.of {
      try ChildProcess.shell(
        "'\(kennel)' export '\(path)/dogs.kennel' Dog --format bson > '\(path)/Dog.bson'"
      )
    }.1
    times.export = min(times.export, export.milliseconds)
    try ChildProcess.shell(
      "rm -f '\(path)/copy.kennel' && '\(kennel)' import '\(path)/copy.kennel' '\(path)/schema.jsonl' 2>/dev/null"
    )
    let read = try Elapsed.of {
      try ChildProcess.shell(
        "'\(kennel)' import '\(path)/copy.kennel' '\(path)/Dog.bson' 2>/dev/null"
      )
    }.1
    times.import = min(times.import, read.milliseconds)
    try ChildProcess.shell(
      "'\(kennel)' export '\(path)/copy.kennel' Dog --format bson | cmp - '\(path)/Dog.bson'"
    )
    let printed = try ChildProcess.shell("'\(python)' '\(script)' '\(path)/Dog.bson'")
    let figures = String(decoding: printed, as: UTF8.self).split { $0 == " " || $0 == "\n" }
      .compactMap { Double($0) }
    guard figures.count == 2 else {
      throw BenchmarkError("There is no PyMongo for \(python); make interop installs it")
    }
    times.decode = min(times.decode, figures[0])
    times.encode = min(times.encode, figures[1])
    let json = try Elapsed.of {
      try ChildProcess.shell(
        "sqlite3 -json '\(path)/dogs.sqlite' 'SELECT * FROM dog' > '\(path)/dogs.json'"
      )
    }.1
    times.json = min(times.json, json.milliseconds)
  }

  private func report(_ times: Times) -> String {
    var table = TextTable(["\(dogs) dogs", "ms", "documents/s"])
    func add(_ name: String, _ milliseconds: Double) {
      let rate = Int(Double(dogs) / milliseconds * 1000)
      table.add([name, Figure.text(milliseconds), "\(rate)"])
    }
    add("Kennel: a file to BSON", times.export)
    add("PyMongo: dictionaries to BSON, in memory", times.encode)
    add("SQLite: a table to JSON", times.json)
    add("Kennel: BSON to a file, committed", times.import)
    add("PyMongo: BSON to dictionaries, in memory", times.decode)
    return table.text
  }
}
