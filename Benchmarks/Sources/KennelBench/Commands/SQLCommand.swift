import ArgumentParser
import FoundationEssentials

/// Opening an SQL database, a commit back to it, and the plan of a large deletion, beside the programs of its makers.
struct SQLCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sql",
    abstract:
      "Measure SQLite and PostgreSQL databases of a million dogs: opening, committing, planning."
  )

  @Option(help: "How many dogs; a fifth as many people have five each.")
  var dogs = 1_000_000

  @Option(help: "How often each is measured; the shortest time counts.")
  var rounds = 3

  @Option(help: "The executable; the one beside this program unless said otherwise.")
  var kennel: String?

  @Option(help: "Where files are made, for as long as the run takes.")
  var directory: String?

  private static let mostMegabytes = 250.0

  func validate() throws {
    guard dogs >= 1_000 else { throw ValidationError("1,000 dogs are the least.") }
  }

  func run() throws {
    ChildProcess.outliveInterrupts()
    let kennel = try ChildProcess.kennel(kennel, for: "sql")
    let directory = try TemporaryDirectory(in: directory)
    defer { _ = try? ChildProcess.shell("rm -rf '\(directory.path)/home'") }
    let server = try PostgresServer(in: directory.path)
    var table = TextTable([
      "\(dogs) dogs, milliseconds", "Kennel", "beside", "times", "target", "",
    ])
    for peer in [SQLPeer.sqlite("\(directory.path)/dogs.sqlite"), .postgres(server)] {
      try ChildProcess.shell(peer.running(peer.script(dogs)))
      var measurement = SQLMeasurement(
        peer: peer,
        dogs: dogs,
        kennel: kennel,
        folder: directory.path
      )
      for _ in 0..<rounds { try measurement.run() }
      for figure in measurement.figures { table.add(figure.cells) }
    }
    let peak = ChildProcess.peakMegabytes
    table.add([
      "peak memory, MB", Figure.text(peak), "", "", "< \(Figure.text(Self.mostMegabytes))",
      peak < Self.mostMegabytes ? "ok" : "short",
    ])
    print(table.text)
  }
}
