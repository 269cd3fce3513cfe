import ArgumentParser
import KennelCore
import KennelDocuments

/// `kennel query`: the objects of a class that a predicate holds for.
struct Query: ParsableCommand {
  /// How objects are written.
  enum Format: String, ExpressibleByArgument, CaseIterable {
    /// Lines of JSON, as in documents.
    case jsonl
    /// A line for each object, its values between tabs.
    case text
  }

  static let configuration = CommandConfiguration(
    abstract: "Write the objects of a class that a predicate holds for.",
    discussion: """
      Examples:
        kennel query family.kennel Dog
        kennel query family.kennel Dog 'age > 3 AND breed == "Beagle"' --sort 'age DESC, name'
        kennel query family.kennel Person 'ANY dogs.breed == null' --limit 10
        kennel query family.kennel Dog '@links.@count == 0' --format text
      """
  )

  @Argument(help: "The database.", completion: .file())
  var file: String

  @Argument(help: "The class.")
  var className: String

  @Argument(help: "The predicate; every object without one.")
  var predicate: String?

  @Option(name: .shortAndLong, help: "Properties to sort by, such as 'age DESC, name'.")
  var sort: String?

  @Option(name: .shortAndLong, help: "The most objects to write.")
  var limit: Int?

  @Option(name: .shortAndLong, help: "How to write objects: jsonl or text.")
  var format = Format.jsonl

  func validate() throws {
    if let limit, limit < 0 { throw ValidationError("The limit must not be negative") }
  }

  mutating func run() throws {
    let database = try openForReading(file)
    let snapshot = try database.snapshot()
    guard let classSchema = snapshot.schema[className] else {
      let names = snapshot.schema.classes.map(\.name).joined(separator: ", ")
      throw CommandError(
        "There is no class \(className) in \(file): it has \(names.isEmpty ? "none" : names)"
      )
    }
    let keys = try snapshot.query(
      classSchema.key,
      try parsed(classSchema, snapshot.schema),
      sort: try sortKeys(classSchema, snapshot.schema),
      limit: limit
    )
    let objects = keys.map { ObjectIdentity(classSchema.key, $0) }
    switch format {
    case .jsonl:
      var exporter = DocumentExporter(snapshot)
      try exporter.write(objects) { try StandardOutput.file.write($0) }
    case .text:
      var lines = TextLines(snapshot, classSchema)
      try lines.write(objects)
    }
  }

  private func parsed(_ classSchema: ClassSchema, _ schema: Schema) throws -> Predicate? {
    guard let predicate else { return nil }
    do throws(PredicateError) {
      return try Predicate.parse(predicate, for: classSchema.key, in: schema)
    } catch {
      throw Self.error(error, in: predicate)
    }
  }

  private func sortKeys(_ classSchema: ClassSchema, _ schema: Schema) throws -> [SortKey] {
    guard let sort else { return [] }
    do throws(PredicateError) {
      return try SortKey.parse(sort, for: classSchema.key, in: schema)
    } catch {
      throw Self.error(error, in: sort)
    }
  }

  /// The message with the text around the place where it stops making sense, and a mark below it.
  private static func error(_ error: PredicateError, in text: String) -> CommandError {
    let line = text.map { $0.isNewline || $0 == "\t" ? " " : $0 }
    let place = max(error.column - 1, 0)
    let shown = max(place - 60, 0)..<min(place + 60, line.count)
    let start = shown.lowerBound > 0 ? "…" : ""
    let end = shown.upperBound < line.count ? "…" : ""
    let mark = String(repeating: " ", count: place - shown.lowerBound + start.count) + "^"
    return CommandError(
      "\(error.description)\n  \(start)\(String(line[shown]))\(end)\n  \(mark)"
    )
  }
}
