import ArgumentParser
import FoundationEssentials

/// The workload on all engines in turn, and the table.
struct StepsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "steps",
    abstract: "Measure the object-graph workload, engines in turn, each round in its own process.",
    discussion: """
      A wrong answer of an engine ends the run with exit code 1. Targets are those of a million \
      dogs; times are in milliseconds, the median of the rounds.
      """
  )

  @Option(help: "How many dogs.")
  var dogs = 1_000_000

  @Option(help: "How many people; a fifth of the dogs unless said otherwise.")
  var people: Int?

  @Option(help: "How many rounds; the median counts.")
  var rounds = 3

  @Option(help: "Only this engine.")
  var engine: EngineName?

  @Option(help: "Only these steps, such as W3,W6a; others run unmeasured where they are needed.")
  var steps: String?

  @Option(
    name: .customLong("repeat"),
    help: "For profiling: run a reading step so often; the shortest time counts."
  )
  var repetitions = 1

  @Option(help: "Where the files are made, for as long as the run takes.")
  var directory: String?

  @Flag(help: "Print JSON instead of a table.")
  var json = false

  @Flag(help: "Print the time of the processor, too.")
  var cpu = false

  @Flag(help: "Print the most memory until the end of each step, too.")
  var memory = false

  @Flag(help: "Print how SQLite's times compare with those that the workload was published with.")
  var proportions = false

  func validate() throws {
    guard dogs >= 1_000 else { throw ValidationError("The workload needs 1,000 dogs at least.") }
    guard people ?? 2 >= 2 else { throw ValidationError("The workload needs two people at least.") }
    guard rounds >= 1 else { throw ValidationError("One round is the least.") }
    _ = try wantedSteps()
  }

  func run() throws {
    let steps = try wantedSteps()
    let workload = Workload(dogs: dogs, people: people ?? max(dogs / 5, 2))
    let measured = try measure(workload, steps)
    let report = StepsReport(workload: workload, engines: measured)
    if json {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
      print(String(decoding: try encoder.encode(report), as: UTF8.self))
    } else {
      print(report.table(details))
      if proportions, let table = report.proportions() { print("\n" + table) }
    }
    try report.requireRightAnswers(Expectations(workload).facts())
  }

  private var details: StepsReport.Details {
    [cpu ? .processorTime : [], memory ? .memory : []]
  }

  private func wantedSteps() throws -> [Step] {
    guard let steps else { return Step.allCases }
    return try steps.split(separator: ",").map { name in
      guard let step = Step(rawValue: String(name)) else {
        throw ValidationError("There is no step \(name).")
      }
      return step
    }
  }

  private func measure(_ workload: Workload, _ steps: [Step]) throws -> [StepsReport.Engine] {
    ChildProcess.outliveInterrupts()
    let directory = try TemporaryDirectory(in: directory)
    var measured = (engine.map { [$0] } ?? EngineName.compared).map {
      StepsReport.Engine(name: $0, rounds: [])
    }
    for _ in 0..<rounds {
      for index in measured.indices {
        directory.clear()
        let process = RoundProcess(
          workload: workload,
          steps: steps,
          repetitions: repetitions,
          directory: directory.path
        )
        measured[index].rounds.append(try process.run(measured[index].name))
      }
    }
    return measured
  }
}
