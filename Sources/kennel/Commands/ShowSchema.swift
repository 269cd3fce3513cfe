import ArgumentParser
import KennelCore
import KennelDocuments

/// `kennel schema`: the classes of a file.
struct ShowSchema: ParsableCommand {
  /// How a schema is written.
  enum Format: String, ExpressibleByArgument, CaseIterable {
    case text
    case jsonl
  }

  static let configuration = CommandConfiguration(
    commandName: "schema",
    abstract: "Write the classes of a database.",
    discussion: """
      Examples:
        kennel schema family.kennel
        kennel schema family.kennel --format jsonl
      """
  )

  @Argument(help: "The database.", completion: .file())
  var file: String

  @Option(name: .shortAndLong, help: "How to write it: text, or jsonl as in documents.")
  var format = Format.text

  mutating func run() throws {
    let database = try openForReading(file)
    let snapshot = try database.snapshot()
    switch format {
    case .jsonl:
      var exporter = DocumentExporter(snapshot)
      try exporter.writeSchema { try StandardOutput.file.write($0) }
    case .text:
      let texts = snapshot.schema.classes.map { text(of: $0, in: snapshot) }
      try StandardOutput.write(texts.joined(separator: "\n"))
    }
  }

  private func text(of classSchema: ClassSchema, in snapshot: Snapshot) -> String {
    let kind = classSchema.isEmbedded ? "embedded class" : "class"
    let names = classSchema.properties.map(\.name) + classSchema.backlinks.map(\.name)
    let width = names.map(\.count).max() ?? 0
    var lines = ["\(kind) \(classSchema.name), objects: \(snapshot.count(of: classSchema.key))"]
    for property in classSchema.properties {
      lines.append(line(property.name, traits(of: property), width))
    }
    for backlink in classSchema.backlinks {
      let origin = snapshot.schema[backlink.origin]
      let name = "\(origin?.name ?? "?").\(origin?[backlink.property]?.name ?? "?")"
      lines.append(line(backlink.name, "backlinks of \(name)", width))
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private func line(_ name: String, _ text: String, _ width: Int) -> String {
    "  \(name)\(String(repeating: " ", count: max(width - name.count, 0)))  \(text)"
  }

  private func traits(of property: PropertySchema) -> String {
    var traits = [property.type.description]
    if property.isEmbedded { traits.append("embedded") }
    if property.isPrimaryKey { traits.append("primary key") }
    if property.isIndexed, !property.isPrimaryKey { traits.append("indexed") }
    if property.deleteRule != .nullify { traits.append("delete rule \(property.deleteRule)") }
    return traits.joined(separator: ", ")
  }
}
