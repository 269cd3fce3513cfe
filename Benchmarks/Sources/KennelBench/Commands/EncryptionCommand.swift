import ArgumentParser
import KennelCore

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
    var firstUses: [EngineName: [Double]] = [:]
    for _ in 0..<rounds {
      for index in engines.indices {
        directory.clear()
        let process = RoundProcess(
          workload: Workload(dogs: dogs, people: people),
          repetitions: 2,
          directory: directory.path
        )
        let name = engines[index].name
        engines[index].rounds.append(try process.run(name))
        firstUses[name, default: []].append(try Self.firstUse(of: name, in: directory))
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
    let (open, encrypted) = (median(firstUses[.kennel]), median(firstUses[.encrypted]))
    print(
      "\nA page's first use, in a check of the file: \(Figure.text(open)) µs open, "
        + "\(Figure.text(encrypted)) µs encrypted, \(Figure.text(encrypted - open)) µs more"
    )
  }

  private func median(_ values: [Double]?) -> Double {
    values.map { $0.sorted()[$0.count / 2] } ?? 0
  }

  /// The time of a check for each page of a file that was just opened, in microseconds: it uses every page
  /// for the first time.
  private static func firstUse(
    of engine: EngineName,
    in directory: borrowing TemporaryDirectory
  ) throws -> Double {
    let path = "\(directory.path)/\(engine.fileName)"
    let kind = engine == .encrypted ? EncryptedEngine.self : KennelEngine.self
    let database = try Database.open(path, configuration: kind.configuration)
    let (findings, elapsed) = try Elapsed.of { try database.check() }
    guard findings.isEmpty else { throw BenchmarkError("\(path) is damaged: \(findings[0])") }
    return elapsed.milliseconds * 1000 / Double(Footprint.bytes(of: path) / Self.pageSize)
  }

  private static let pageSize = 4096
}
