import ArgumentParser

/// What encryption costs: the steps of the workload with an open file and with an encrypted one, in turn.
struct EncryptionCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "encryption",
    abstract: "Measure the steps with an open file and with an encrypted one."
  )

  @Option(help: "The number of dogs.") var dogs = 1_000_000
  @Option(help: "The number of people.") var people = 200_000
  @Option(help: "The number of rounds.") var rounds = 3
  @Option(help: "The directory for the files.") var directory: String?

  func run() throws {
    ChildProcess.outliveInterrupts()
    let directory = try TemporaryDirectory(in: directory)
    var engines = [EngineName.kennel, .encrypted].map { StepsReport.Engine(name: $0, rounds: []) }
    for _ in 0..<rounds {
      for index in engines.indices {
        directory.clear()
        let process = RoundProcess(
          workload: Workload(dogs: dogs, people: people),
          repetitions: 2,
          directory: directory.path
        )
        engines[index].rounds.append(try process.run(engines[index].name))
      }
    }
    var table = TextTable(["step", "what", "open", "encrypted", "times"], leading: 2)
    for step in Step.allCases {
      guard let open = engines[0].median(step), let encrypted = engines[1].median(step) else {
        continue
      }
      let ratio = Figure.text(encrypted / open)
      table.add([step.rawValue, step.title, Figure.text(open), Figure.text(encrypted), ratio])
    }
    print(
      "\(dogs) dogs, \(people) people, median of \(rounds) rounds, milliseconds\n\n\(table.text)"
    )
  }
}
