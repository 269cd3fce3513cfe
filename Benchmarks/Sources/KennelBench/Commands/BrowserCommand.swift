import ArgumentParser
import FoundationEssentials

/// How long a person waits for the browser.
struct BrowserCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "browser",
    abstract: "Measure the browser in a terminal: first screen, keys, searches, memory, conflicts."
  )

  @Option(help: "How many dogs.")
  var dogs = 1_000_000

  @Option(help: "How many people; a fifth of the dogs unless said otherwise.")
  var people: Int?

  @Option(help: "A file of dogs and people that is there already, as 'kennel sample' makes them.")
  var file: String?

  @Option(help: "The executable; the one beside this program unless said otherwise.")
  var kennel: String?

  @Option(help: "How many columns the terminal has.")
  var columns = 200

  @Option(help: "How many rows it has.")
  var rows = 60

  @Option(help: "Where a file is made, for as long as the run takes.")
  var directory: String?

  @Flag(help: "Print JSON instead of a table.")
  var json = false

  func validate() throws {
    guard dogs >= 10_000 else { throw ValidationError("10,000 dogs are the least.") }
    guard 60...1000 ~= columns, 10...1000 ~= rows else {
      throw ValidationError("A terminal has 60 to 1000 columns and 10 to 1000 rows.")
    }
  }

  func run() throws {
    ChildProcess.outliveInterrupts()
    let kennel = try ChildProcess.kennel(kennel, for: "browser")
    let directory = try TemporaryDirectory(in: directory)
    let path = file ?? "\(directory.path)/sample.kennel"
    if file == nil { try makeSample(kennel, at: path, dogs: dogs, people: people) }
    let measurement = BrowserMeasurement(
      kennel: kennel,
      file: path,
      dogs: dogs,
      columns: columns,
      rows: rows,
      home: "\(directory.path)/home"
    )
    let conflicts = ConflictMeasurement(
      kennel: kennel,
      file: "\(directory.path)/conflicts.kennel",
      columns: columns,
      rows: rows,
      home: measurement.home
    )
    try makeSample(kennel, at: conflicts.file, dogs: ConflictMeasurement.dogs)
    let report = BrowserReport(
      fileBytes: Footprint.bytes(of: path),
      columns: columns,
      rows: rows,
      figures: try measurement.figures() + conflicts.figures()
    )
    directory.clear()
    try? FileManager.default.removeItem(atPath: "\(directory.path)/home")
    if json {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
      print(String(decoding: try encoder.encode(report), as: UTF8.self))
    } else {
      print(report.table)
    }
  }

  private func makeSample(
    _ kennel: String,
    at path: String,
    dogs: Int,
    people: Int? = nil
  ) throws {
    _ = try ChildProcess.output(
      of: ["sample", path, "--dogs", "\(dogs)", "--people", "\(people ?? dogs / 5)"],
      running: kennel
    )
  }
}
