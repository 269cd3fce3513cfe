import FoundationEssentials

/// Rounds of engines, each in a process of its own: the hidden subcommand `round`.
struct RoundProcess {
  var workload: Workload
  var steps = Step.allCases
  var repetitions = 1
  /// Where the files are made.
  var directory: String

  /// Runs a round of an engine.
  func run(_ engine: EngineName) throws -> Round {
    let output = try ChildProcess.output(of: [
      "round", "--engine", engine.rawValue,
      "--dogs", "\(workload.dogs)", "--people", "\(workload.people)",
      "--path", "\(directory)/\(engine.fileName)",
      "--steps", steps.map(\.rawValue).joined(separator: ","),
      "--repetitions", "\(repetitions)",
    ])
    return try JSONDecoder().decode(Round.self, from: Data(output))
  }
}
