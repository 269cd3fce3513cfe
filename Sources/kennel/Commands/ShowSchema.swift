import ArgumentParser
import KennelBrowser
import KennelCore
import KennelDocuments

/// `kennel schema`: prints the classes of a file.
struct ShowSchema: ParsableCommand {
  /// The format of the classes.
  enum Format: String, ExpressibleByArgument, CaseIterable {
    /// A diagram as text: a line for each property, and for each link that leads to a class.
    case text
    /// Lines of JSON, as in documents.
    case jsonl
    /// JSON schemas with BSON types, as in MongoDB and App Services.
    case jsonschema
    /// A diagram for Graphviz.
    case dot
    /// A class diagram for Mermaid.
    case mermaid
  }

  static let configuration = CommandConfiguration(
    commandName: "schema",
    abstract: "Write the classes of a database.",
    discussion: """
      Examples:
        kennel schema family.kennel
        kennel schema family.kennel --format jsonl
        kennel schema family.kennel --format dot | dot -Tsvg > family.svg
        kennel schema family.kennel --format mermaid
        kennel schema family.kennel --format jsonschema --class Dog
        kennel schema family.kennel --format jsonschema --output schemas
        kennel schema family.kennel --format jsonschema --output schemas --app-services
      """
  )

  @OptionGroup var source: SourceArguments

  @Option(
    name: .shortAndLong,
    help: """
      How to write it: jsonl as in documents, jsonschema, one schema for each class, or a diagram: \
      text as in the browser, dot for Graphviz, mermaid for Mermaid.
      """
  )
  var format = Format.text

  @Option(name: .customLong("class"), help: "The class to write; without it, all of them.")
  var className: String?

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "With jsonschema: the folder to write to, a file such as Dog.json for each class.",
      valueName: "folder"
    )
  )
  var output: String?

  @Flag(
    help: """
      With --output: write Dog/schema.json and Dog/relationships.json, as App Services does. \
      'required' lists primary keys, and what a schema listed that was imported.
      """
  )
  var appServices = false

  func validate() throws {
    if format != .jsonschema, output != nil {
      throw ValidationError("--output needs --format jsonschema")
    }
    if output == nil, appServices { throw ValidationError("--app-services needs --output") }
    if format == .jsonl, className != nil {
      throw ValidationError("--class needs a format other than jsonl")
    }
  }

  mutating func run() throws {
    let opened = try source.open()
    let snapshot = try opened.database.snapshot()
    if let className { _ = try findClass(className, in: snapshot.schema, of: source.file) }
    switch format {
    case .jsonl:
      var exporter = DocumentExporter(snapshot)
      try exporter.writeSchema { try StandardOutput.file.write($0) }
    case .text:
      let mapping = try opened.original?.mapping?()
      let declarations = mapping.map { Declarations($0, snapshot.schema) } ?? Declarations()
      let texts = snapshot.schema.classes.filter { isWanted($0) }
        .map { text(of: $0, in: snapshot, declarations) }
      try StandardOutput.write(texts.joined(separator: "\n"))
    case .jsonschema: try writeJSONSchemas(of: snapshot.schema)
    case .dot: try StandardOutput.write(diagram(of: snapshot.schema).dot)
    case .mermaid: try StandardOutput.write(diagram(of: snapshot.schema).mermaid)
    }
  }

  private func diagram(of schema: Schema) -> SchemaDiagram {
    SchemaDiagram(classes: schema.classes.filter { isWanted($0) }, schema: schema)
  }

  /// Whether to print a class: it was named, or none was.
  private func isWanted(_ classSchema: ClassSchema) -> Bool {
    className.map { classSchema.name.hasSameBytes(as: $0) } ?? true
  }

  // MARK: - JSON schemas

  private func writeJSONSchemas(of schema: Schema) throws {
    let writer = JSONSchemaWriter(schema.definitions, isForAppServices: appServices)
    if let output { try SchemaFiles.makeFolder(output) }
    // An embedded class is written where it is embedded, or by name.
    for classSchema in schema.classes
    where isWanted(classSchema) && (className != nil || !classSchema.isEmbedded) {
      guard let document = try writer.schema(of: classSchema.name) else { continue }
      let text = JSONSchemaWriter.text(of: document)
      guard let output else {
        try StandardOutput.write(text)
        continue
      }
      guard appServices else {
        try SchemaFiles.write(text, to: "\(output)/\(classSchema.name).json")
        continue
      }
      let folder = "\(output)/\(classSchema.name)"
      try SchemaFiles.makeFolder(folder)
      try SchemaFiles.write(text, to: folder + "/schema.json")
      let relationships = writer.relationships(of: classSchema.name, database: databaseName)
      try SchemaFiles.write(
        JSONSchemaWriter.text(of: relationships),
        to: folder + "/relationships.json"
      )
    }
  }

  /// The name of the file without its folder and extension.
  private var databaseName: String {
    let name = source.file.split(separator: "/").last ?? Substring(source.file)
    return String(name.hasSuffix(".kennel") ? name.dropLast(".kennel".count) : name)
  }

  // MARK: - Text

  /// The class with its properties, its links and those that lead to it, as the browser's diagram has
  /// them.
  private func text(
    of classSchema: ClassSchema,
    in snapshot: Snapshot,
    _ declarations: Declarations
  ) -> String {
    let count = snapshot.count(of: classSchema.key)
    let lines = SchemaGraph(snapshot.schema, declarations).lines(
      of: classSchema,
      count: count,
      .types
    )
    return lines.map { TerminalText.line($0.text) + "\n" }.joined()
  }
}
