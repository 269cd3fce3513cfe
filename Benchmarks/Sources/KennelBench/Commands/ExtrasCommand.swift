import ArgumentParser
import FoundationEssentials

/// What is measured beside the workload.
struct ExtrasCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "extras",
    abstract: "Measure what the workload does not have: hubs, long lists, drafts, readers…"
  )

  @Argument(help: "Only these.")
  var scenarios: [ScenarioName] = ScenarioName.allCases

  @Option(help: "How many dogs.")
  var dogs = 1_000_000

  @Option(help: "How many people; a fifth of the dogs unless said otherwise.")
  var people: Int?

  @Option(help: "Only this engine.")
  var engine: EngineName?

  @Option(help: "Where the files are made, for as long as the run takes.")
  var directory: String?

  @Flag(help: "Print JSON instead of a table.")
  var json = false

  func validate() throws {
    guard dogs >= 10_000 else { throw ValidationError("10,000 dogs are the least.") }
  }

  func run() throws {
    ChildProcess.outliveInterrupts()
    let directory = try TemporaryDirectory(in: directory)
    var report = ExtrasReport(dogs: dogs, people: people ?? dogs / 5)
    for scenario in scenarios {
      for engine in engine.map({ [$0] }) ?? [.kennel, .sqlite] {
        let workload = Workload(dogs: report.dogs, people: report.people)
        report.add(scenario, engine, try scenario.run(engine, workload, in: directory))
      }
    }
    if json {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
      print(String(decoding: try encoder.encode(report), as: UTF8.self))
    } else {
      print(report.table())
    }
  }
}
