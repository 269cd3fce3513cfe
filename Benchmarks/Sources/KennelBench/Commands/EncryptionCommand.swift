import ArgumentParser
import Glibc
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

  func validate() throws {
    guard rounds >= 1 else { throw ValidationError("1 round is the least.") }
  }

  func run() throws {
    ChildProcess.outliveInterrupts()
    let directory = try TemporaryDirectory(in: directory)
    var engines = [EngineName.kennel, .encrypted].map { StepsReport.Engine(name: $0, rounds: []) }
    var firstUses: [EngineName: [FirstUse]] = [:]
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
        firstUses[name, default: []] += try Self.firstUses(of: name, in: directory)
      }
    }
    var table = TextTable(
      ["step", "what", "open", "encrypted", "times", "of the processor"],
      leading: 2
    )
    for step in Step.allCases {
      guard let open = engines[0].median(step), let encrypted = engines[1].median(step) else {
        continue
      }
      let processor = engines.compactMap { $0.median(step, of: \.processorMilliseconds) }
      table.add([
        step.rawValue, step.title, Figure.text(open), Figure.text(encrypted),
        Figure.text(encrypted / open), Figure.text(processor[1] / processor[0]),
      ])
    }
    print(
      "\(dogs) dogs, \(people) people, median of \(rounds) rounds, milliseconds\n\n\(table.text)"
    )
    let open = median(firstUses[.kennel, default: []].map(\.microseconds))
    let encrypted = median(firstUses[.encrypted, default: []].map(\.microseconds))
    // A search in a small file may find room in memory that it has.
    let pages = Double(max(1, firstUses[.encrypted]?.last?.decryptedPages ?? 0))
    print(
      "\nThe first search in a file, of \(Int(pages)) pages, takes \(Figure.text(open)) µs more than the "
        + "next; encrypted \(Figure.text(encrypted)) µs: "
        + "\(Figure.text((encrypted - open) / pages)) µs for a page"
    )
  }

  private func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

  /// What the pages cost that a search uses for the first time.
  private struct FirstUse {
    /// How much longer it takes than the next one.
    let microseconds: Double
    /// The pages that have memory of their own since then.
    let decryptedPages: Int
  }

  /// What a search through all names costs in files that were just opened.
  private static func firstUses(
    of engine: EngineName,
    in directory: borrowing TemporaryDirectory
  ) throws -> [FirstUse] {
    let path = "\(directory.path)/\(engine.fileName)"
    let kind = engine == .encrypted ? EncryptedEngine.self : KennelEngine.self
    return try (0..<9).map { _ in
      let database = try Database.open(path, configuration: kind.configuration)
      let snapshot = try database.snapshot()
      let dog = try KennelProperties(snapshot.schema).dog
      let predicate = try Predicate.parse(#"name CONTAINS "nobody""#, for: dog, in: snapshot.schema)
      func search() throws -> Double {
        let (count, elapsed) = try Elapsed.of {
          try snapshot.count(of: dog, where: predicate)
        }
        guard count == 0 else { throw BenchmarkError("\(count) dogs are nobody") }
        return elapsed.milliseconds * 1000
      }
      let before = Footprint.anonymousBytes(of: getpid())
      let first = try search()
      let decrypted = Footprint.anonymousBytes(of: getpid()) - before
      return FirstUse(
        microseconds: first - (try search()),
        decryptedPages: decrypted / pageSize
      )
    }
  }

  private static let pageSize = 4096
}
