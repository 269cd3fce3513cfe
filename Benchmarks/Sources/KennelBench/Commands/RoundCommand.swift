import ArgumentParser
import FoundationEssentials
import Glibc

/// One round of one engine in this process; prints what it measured as JSON.
struct RoundCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "round",
    abstract: "Measure one round of one engine in this process.",
    shouldDisplay: false
  )

  @Option var engine: EngineName
  @Option var dogs: Int
  @Option var people: Int
  @Option var path: String
  @Option var steps: String
  @Option var repetitions: Int

  func run() throws {
    let steps = Set(steps.split(separator: ",").compactMap { Step(rawValue: String($0)) })
    let workload = Workload(dogs: dogs, people: people)
    let round =
      switch engine {
      case .kennel:
        try RoundRunner<KennelEngine>(
          path: path,
          workload: workload,
          steps: steps,
          repetitions: repetitions
        ).run()
      case .models:
        try RoundRunner<ModelEngine>(
          path: path,
          workload: workload,
          steps: steps,
          repetitions: repetitions
        ).run()
      case .sqlite:
        try RoundRunner<SQLiteEngine>(
          path: path,
          workload: workload,
          steps: steps,
          repetitions: repetitions
        ).run()
      case .realm:
        try RoundRunner<RealmEngine>(
          path: path,
          workload: workload,
          steps: steps,
          repetitions: repetitions
        ).run()
      case .encrypted:
        try RoundRunner<EncryptedEngine>(
          path: path,
          workload: workload,
          steps: steps,
          repetitions: repetitions
        ).run()
      case .box:
        try RoundRunner<BoxEngine>(
          path: path,
          workload: workload,
          steps: steps,
          repetitions: repetitions
        ).run()
      }
    print(String(decoding: try JSONEncoder().encode(round), as: UTF8.self))
  }
}

extension EngineName: ExpressibleByArgument {}
