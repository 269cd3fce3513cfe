import ArgumentParser
import KennelCore

/// `kennel sample`: creates databases to try things on.
struct Sample: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Make a database of dogs and people of any size, or reset the sample.",
    discussion: """
      Examples:
        kennel sample big.kennel --dogs 1000000 --people 200000
        kennel sample small.kennel
        kennel sample --reset                make the sample of 'kennel' as it was
      """
  )

  @Argument(help: "The database to make; it must not exist.", completion: .file())
  var file: String?

  @Option(
    parsing: .unconditional,
    help: "How many dogs; 1000 without it.",
    transform: wholeNumber(from: 0, to: Self.most)
  )
  var dogs = 1000

  @Option(
    parsing: .unconditional,
    help: "How many people, each with five of the dogs and an address; 200 without it.",
    transform: wholeNumber(from: 0, to: Self.most)
  )
  var people = 200

  @OptionGroup var new: NewFileOptions

  @OptionGroup var key: KeyOptions

  /// More of them fill any disk.
  private static let most = 1_000_000_000

  @Flag(help: "Throw away what was changed in the sample that 'kennel' opens.")
  var reset = false

  func validate() throws {
    if reset, file != nil { throw ValidationError("--reset resets the sample and takes no file") }
    if !reset, file == nil {
      let message = "Expected a file to create, or --reset; 'kennel' alone opens the sample"
      throw ValidationError(message)
    }
  }

  mutating func run() throws {
    guard let file else {
      printNote("The sample is reset: \(try SampleFile.reset())")
      return
    }
    if exists(file) { throw CommandError("Cannot create \(file): it already exists") }
    try NewDatabase.make(at: file, key: new.key(of: file), mode: new.mode) { database in
      var workload = Workload(dogCount: dogs, personCount: people)
      try workload.fill(database)
    }
    printNote("\(file): \(dogs) dogs, \(people) people")
  }
}
