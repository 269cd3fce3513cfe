import ArgumentParser
import KennelCore
import KennelDocuments

/// `kennel query`: prints the objects of a class that match a predicate.
struct QueryCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "query",
    abstract: "Write the objects of a class that a predicate holds for.",
    discussion: """
      Examples:
        kennel query family.kennel Dog
        kennel query family.kennel Dog 'age > 3 AND breed == "Beagle"' --sort 'age DESC, name'
        kennel query family.kennel Person 'ANY dogs.breed == null' --limit 10
        kennel query family.kennel Dog '@links.@count == 0' --format text
      """
  )

  @OptionGroup var source: SourceArguments

  @Argument(help: "The class.")
  var className: String

  @Argument(help: "The predicate; every object without one.")
  var predicate: String?

  @Option(name: .shortAndLong, help: "Properties to sort by, such as 'age DESC, name'.")
  var sort: String?

  @Option(
    name: .shortAndLong,
    parsing: .unconditional,
    help: "The most objects to write.",
    transform: wholeNumber(from: 0)
  )
  var limit: Int?

  @Option(
    name: .shortAndLong,
    help: "How to write objects: \(OutputFormat.names).",
    completion: .list(OutputFormat.all.map(\.name)),
    transform: OutputFormat.named
  )
  var format = OutputFormat.jsonl

  mutating func run() throws {
    let snapshot = try source.snapshot()
    let classSchema = try findClass(className, in: snapshot.schema, of: source.file)
    let keys = try snapshot.objects(
      of: classSchema.key,
      where: try predicate.map { try parsePredicate($0, classSchema, snapshot.schema) },
      sort: try sortKeys(classSchema, snapshot.schema),
      limit: limit
    ).keys
    try ObjectSelection(classSchema, keys: keys)
      .write(from: snapshot, as: format, to: { try StandardOutput.file.write($0) })
  }

  private func sortKeys(_ classSchema: ClassSchema, _ schema: Schema) throws -> [SortKey] {
    guard let sort else { return [] }
    return try parsed(sort) { text throws(PredicateError) in
      try SortKey.parse(text, for: classSchema.key, in: schema)
    }
  }
}

extension OutputFormat {
  /// The names, for help and errors.
  static var names: String { all.map(\.name).joined(separator: ", ") }

  /// The format of an argument.
  static func named(_ argument: String) throws -> OutputFormat {
    try kennel.named(argument, "format", among: all, by: \.name)
  }
}
