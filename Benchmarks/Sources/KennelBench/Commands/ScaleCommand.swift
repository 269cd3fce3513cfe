import ArgumentParser

/// How the cost of an object grows with the number of objects.
struct ScaleCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "scale",
    abstract: "Measure the workload at one size and at ten times that, per object."
  )

  @Option(help: "How many dogs the smaller graph has.")
  var dogs = 1_000_000

  @Option(help: "How many rounds of each size; the median counts.")
  var rounds = 1

  @Option(help: "The engine.")
  var engine = EngineName.kennel

  @Option(help: "Where the files are made, for as long as the run takes.")
  var directory: String?

  func validate() throws {
    guard dogs >= 10_000 else { throw ValidationError("10,000 dogs are the least.") }
    guard rounds >= 1 else { throw ValidationError("One round is the least.") }
  }

  func run() throws {
    ChildProcess.outliveInterrupts()
    let directory = try TemporaryDirectory(in: directory)
    let sizes = [dogs, dogs * 10].map { Workload(dogs: $0, people: $0 / 5) }
    var measured: [StepsReport.Engine] = []
    var commits: [[Measurement]] = []
    for workload in sizes {
      var engine = StepsReport.Engine(name: engine, rounds: [])
      for _ in 0..<rounds {
        directory.clear()
        let rounds = RoundProcess(workload: workload, directory: directory.path)
        engine.rounds.append(try rounds.run(engine.name))
      }
      directory.clear()
      try StepsReport(workload: workload, engines: [engine])
        .requireRightAnswers(Expectations(workload).facts())
      measured.append(engine)
      if self.engine == .kennel {
        commits.append(try ScenarioName.oneCommit.run(.kennel, workload, in: directory))
      }
    }
    print(table(sizes, measured, commits))
  }

  private func table(
    _ sizes: [Workload],
    _ engines: [StepsReport.Engine],
    _ commits: [[Measurement]]
  ) -> String {
    let heading =
      ["step", "what"] + sizes.map { "\($0.dogs) dogs" } + ["ns each", "ns each", "ratio"]
    var table = TextTable(heading, leading: 2)
    for step in Step.allCases {
      let times = engines.compactMap { $0.median(step, of: \.processorMilliseconds) }
      guard times.count == sizes.count else { continue }
      let each = zip(times, sizes).map { $0 * 1e6 / step.cost(of: $1) }
      table.add(
        [step.rawValue, step.title] + times.map(Figure.text) + each.map(Figure.text)
          + [Figure.text(each[1] / each[0])]
      )
    }
    for (title, size) in [
      ("file after W2", \Round.bytesAfterInsertion), ("peak", \Round.peakBytes),
    ] {
      let bytes = engines.map { $0.greatest(size) }
      let ratio = Double(bytes[1]) / Double(max(bytes[0], 1)) / 10
      table.add(["MB", title] + bytes.map(Figure.megabytes) + ["", "", Figure.text(ratio)])
    }
    for (small, large) in zip(commits.first ?? [], commits.last ?? []) {
      let values = [small.value, large.value].map(Figure.text)
      table.add([small.unit.rawValue, "one commit: \(small.name)"] + values + ["", "", ""])
    }
    return "Milliseconds of the processor, and nanoseconds for each object or edge\n\n" + table.text
  }
}

extension Step {
  /// How many objects or edges the step touches; for the sort, times the depth of sorting.
  func cost(of workload: Workload) -> Double {
    let links = workload.people * Workload.dogsPerPerson
    switch self {
    case .insertDogs, .scanInteger, .scanTwo, .scanContains, .bulkUpdate:
      return Double(workload.dogs)
    case .insertPeople, .toOne: return Double(workload.people)
    case .toMany, .backlinks: return Double(links)
    case .sort:
      let dogs = Double(workload.dogs)
      return dogs * Double(Int.bitWidth - workload.dogs.leadingZeroBitCount)
    case .primaryKey: return Double(Workload.lookups)
    case .smallTransactions: return Double(Workload.smallTransactions)
    case .cascade: return Double(workload.people / 2)
    case .deleteLinked: return Double(workload.dogs / 10)
    case .reopen: return 1
    }
  }
}
