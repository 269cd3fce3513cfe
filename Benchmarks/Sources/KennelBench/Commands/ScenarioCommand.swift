import ArgumentParser
import FoundationEssentials

/// One scenario of one engine in this process; prints its figures as JSON.
struct ScenarioCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "scenario",
    abstract: "Measure one scenario of one engine in this process.",
    shouldDisplay: false
  )

  @Argument var scenario: ScenarioName
  @Option var engine: EngineName
  @Option var dogs: Int
  @Option var people: Int
  @Option var path: String

  func run() throws {
    let setting = Setting(path: path, workload: Workload(dogs: dogs, people: people))
    let figures =
      switch engine {
      case .kennel: try scenario.scenario.kennel(setting)
      case .sqlite: try scenario.scenario.sqlite(setting)
      case .models, .realm, .box, .encrypted:
        throw BenchmarkError("Scenarios are for engines, not for their faces")
      }
    print(String(decoding: try JSONEncoder().encode(figures), as: UTF8.self))
  }
}

extension ScenarioName: ExpressibleByArgument {
  /// Measures in a process of its own, in an empty directory.
  func run(
    _ engine: EngineName,
    _ workload: Workload,
    in directory: borrowing TemporaryDirectory
  ) throws -> [Measurement] {
    directory.clear()
    let output = try ChildProcess.output(of: [
      "scenario", rawValue, "--engine", engine.rawValue,
      "--dogs", "\(workload.dogs)", "--people", "\(workload.people)",
      "--path", "\(directory.path)/\(engine.fileName)",
    ])
    return try JSONDecoder().decode([Measurement].self, from: Data(output))
  }
}
