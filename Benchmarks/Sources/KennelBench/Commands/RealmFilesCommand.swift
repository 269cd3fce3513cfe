import ArgumentParser
import FoundationEssentials

/// Opening the workload as a `.realm` file, which becomes a private copy.
struct RealmFilesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "realm-files",
    abstract: "Measure opening a Realm file of a million dogs, the first time and again."
  )

  @Option(help: "The file, compressed by xz.")
  var file = "Benchmarks/Recorded/workload-1m.realm.xz"

  @Option(help: "How often each is measured; the shortest time counts.")
  var rounds = 3

  @Option(help: "The executable; the one beside this program unless said otherwise.")
  var kennel: String?

  @Option(help: "Where files are made, for as long as the run takes.")
  var directory: String?

  func run() throws {
    ChildProcess.outliveInterrupts()
    let kennel = try ChildProcess.kennel(kennel, for: "realm-files")
    let directory = try TemporaryDirectory(in: directory)
    let path = directory.path
    try ChildProcess.shell("xz -dc '\(file)' > '\(path)/dogs.realm'")
    let open = "XDG_CACHE_HOME='\(path)/cache' exec '\(kennel)' schema '\(path)/dogs.realm'"
    var (first, again, imported) = (Double.infinity, Double.infinity, Double.infinity)
    for _ in 0..<rounds {
      try ChildProcess.shell("rm -rf '\(path)/cache' '\(path)/new.kennel'")
      first = min(first, try ChildProcess.milliseconds(open))
      again = min(again, try ChildProcess.milliseconds(open))
      imported = min(
        imported,
        try ChildProcess.milliseconds(
          "exec '\(kennel)' import '\(path)/new.kennel' '\(path)/dogs.realm' 2>&1"
        )
      )
    }
    let schema = String(decoding: try ChildProcess.shell(open), as: UTF8.self)
    for fact in ["Dog  1000000 objects", "Person  200000 objects", "Address {}  200000 objects"] {
      guard schema.contains(fact) else { throw BenchmarkError("The copy does not have: \(fact)") }
    }
    try ChildProcess.shell("exec '\(kennel)' check '\(path)/new.kennel' 2>/dev/null")
    directory.clear()
    var table = TextTable(["a Realm file of 1,000,000 dogs and 200,000 people", "ms", "to be"])
    table.add(["opened for the first time", Figure.text(first), "< 3000"])
    table.add(["opened again", Figure.text(again), "< 100"])
    table.add(["imported", Figure.text(imported), ""])
    table.add(["peak memory, MB", Figure.text(ChildProcess.peakMegabytes), "< 200"])
    print(table.text)
  }
}
