import ArgumentParser
import FoundationEssentials
import Kennel

/// Grouping with counts and means through models, beside DuckDB.
struct GroupsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "groups",
    abstract: "Measure grouped(by:) with counts and means, beside DuckDB on two threads."
  )

  @Option(help: "How many dogs; a fifth as many people have five each.")
  var dogs = 1_000_000

  @Option(help: "How often each is measured; the shortest time counts.")
  var rounds = 5

  @Option(help: "A Python that has DuckDB.")
  var python = ".build/duckdb/bin/python"

  @Option(help: "The script that DuckDB runs.")
  var script = "Benchmarks/duckdb_groups.py"

  @Option(help: "Where files are made, for as long as the run takes.")
  var directory: String?

  /// A query's shortest time, and what its groups add up to.
  private struct Answer {
    var milliseconds = Double.infinity
    var groups = 0
    var total = 0
    var ages = 0
  }

  func run() throws {
    ChildProcess.outliveInterrupts()
    let directory = try TemporaryDirectory(in: directory)
    let workload = Workload(dogs: dogs, people: dogs / 5)
    try writeTables(workload, directory.path)
    let engine = try ModelEngine(path: directory.path + "/groups.kennel", workload: workload)
    try engine.insertDogs()
    try engine.insertPeople()
    let snapshot = try engine.snapshot
    let ours = [
      try measure {
        let breeds = try snapshot.objects(Modelled.Dog.self).grouped(by: \.breed)
        return (breeds.map(\.count), try breeds.average(\.age))
      },
      try measure {
        let cities = try snapshot.objects(Modelled.Person.self).grouped(by: \.address.city)
          .targets(of: \.dogs)
        return (cities.map(\.count), try cities.average(\.age))
      },
    ]
    engine.close()
    let theirs = try duckDB(directory.path)
    directory.clear()
    var table = TextTable(["milliseconds", "Kennel", "DuckDB", "DuckDB/Kennel"], leading: 1)
    for (name, (our, their)) in zip(["dogs by breed", "dogs of lists by city"], zip(ours, theirs)) {
      guard our.groups == their.groups, our.total == their.total, our.ages == their.ages else {
        throw BenchmarkError("\(name): the groups differ from DuckDB's: \(our), \(their)")
      }
      table.add([
        name, Figure.text(our.milliseconds), Figure.text(their.milliseconds),
        Figure.text(their.milliseconds / our.milliseconds),
      ])
    }
    print("\(dogs) dogs; count and mean age of each group\n\n\(table.text)")
  }

  private func measure(_ body: () throws -> ([Int], [Double?])) throws -> Answer {
    var answer = Answer()
    for _ in 0..<rounds {
      let ((counts, means), elapsed) = try Elapsed.of(body)
      answer.milliseconds = min(answer.milliseconds, elapsed.milliseconds)
      answer.groups = counts.count
      answer.total = counts.reduce(0, +)
      answer.ages = Int(zip(counts, means).reduce(0) { $0 + Double($1.0) * ($1.1 ?? 0) }.rounded())
    }
    return answer
  }

  private func writeTables(_ workload: Workload, _ folder: String) throws {
    let breeds = Workload.breeds.map { "\($0)" }
    let cities = Workload.cities.map { "\($0)" }
    let dogs = (0..<workload.dogs).map { number in
      "\(number),\(workload.breed(of: number).map { breeds[$0] } ?? ""),\(workload.age(of: number))\n"
    }
    try write(dogs, folder + "/dogs.csv")
    let people = (0..<workload.people).map { "\($0),\(cities[$0 % 10])\n" }
    try write(people, folder + "/people.csv")
    let links = (0..<workload.people).flatMap { number in
      (0..<Workload.dogsPerPerson).map { "\(number),\(workload.dog($0, of: number))\n" }
    }
    try write(links, folder + "/links.csv")
  }

  private func write(_ lines: [String], _ path: String) throws {
    try Data(lines.joined().utf8).write(to: URL(fileURLWithPath: path))
  }

  private func duckDB(_ folder: String) throws -> [Answer] {
    let command = "'\(python)' '\(script)' '\(folder)' \(rounds)"
    let bytes = try ChildProcess.output(of: ["-c", command], running: "/bin/sh")
    let printed = String(decoding: bytes, as: UTF8.self)
    let answers = printed.split(separator: "\n").compactMap { line -> Answer? in
      let figures = line.split(separator: " ").compactMap { Double($0) }
      guard figures.count == 4 else { return nil }
      return Answer(
        milliseconds: figures[0],
        groups: Int(figures[1]),
        total: Int(figures[2]),
        ages: Int(figures[3])
      )
    }
    guard answers.count == 2 else {
      throw BenchmarkError("There is no DuckDB for \(python); make bench BENCH=groups installs it")
    }
    return answers
  }
}
