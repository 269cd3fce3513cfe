import KennelCore
import KennelDocuments
import KennelTestSupport
import Testing

/// The examples of nested types.
///
/// The marked lines of each function are the example of a doc comment; a tidy test compares them.
@Suite struct `The examples of nested types of KennelDocuments` {
  private let temporary: TemporaryDatabase
  private var database: Database { temporary.database }

  init() throws {
    temporary = try TemporaryDatabase()
    try temporary.database.write { transaction in
      try transaction.define([
        ClassDefinition(
          "Dog",
          properties: [PropertyDefinition("name", .string), PropertyDefinition("age", .int)]
        )
      ])
      let dog = try transaction.schema.require("Dog")
      try transaction.create(dog.key, [dog.require("name").key: .string("Rex")])
    }
  }

  /// A file whose bytes are read in one piece.
  private func dogs(_ bytes: [UInt8], named name: String = "Dog.json") -> DocumentFile {
    DocumentFile(name: name, className: "Dog") {
      var rest = bytes
      return {
        defer { rest = [] }
        return rest
      }
    }
  }

  @Test func `of importing run`() throws {
    var lines: [UInt8] = []
    var exporter = DocumentExporter(try database.snapshot())
    try exporter.write { bytes in lines += bytes }
    let copy = try Database.open(temporary.folder.file("copy.kennel"))
    try read(lines, into: copy)
    let reader = DocumentReader([dogs(Array(#"{"name": "Max"}"#.utf8))])
    try importSummary(DocumentImporter(reader))
    try item(DocumentReader([dogs(Array(#"{"name": "Max"}"#.utf8))]))
    try encoding(dogs(Array("name\nM".utf8) + [0xfc] + Array("ller\n".utf8), named: "Dog.csv"))
    member()
    temporary.finish()
  }

  @Test func `of proposals run`() {
    let inference = SchemaInference()
    for zip in [DocumentValue.int32(8001), .string("CH-8001")] {
      inference.add(["name": .string("Ada"), "zip": zip], to: "Person")
    }
    let proposal = inference.proposal()
    evidence(proposal)
    typeCount(proposal)
    conflict(proposal)
  }

  // MARK: - Importing

  private func importSummary(_ importer: DocumentImporter) throws {
    try database.write { transaction in _ = try importer.read(into: transaction) }
    let summary = importer.summary
    print("\(summary.objectCount) objects, \(summary.droppedLinkCount) links dropped")
    #expect(summary.objectCount == 1 && summary.droppedLinkCount == 0)
  }

  private func item(_ reader: DocumentReader) throws {
    var names: [DocumentValue?] = []
    while let item = try reader.read() {
      if item.className == "Dog" { names.append(item.document["name"]) }
    }
    #expect(names == [.string("Max")])
  }

  private func encoding(_ file: DocumentFile) throws {
    var options = CSVOptions()
    options.encoding = .latin1
    let reader = DocumentReader([file], csv: options)
    #expect(try reader.read()?.document == ["name": .string("Müller")])
  }

  private func member() {
    var dog: Document = ["name": .string("Rex")]
    dog.members.append(Document.Member("age", .int64(3)))
    #expect(dog == ["name": .string("Rex"), "age": .int64(3)])
  }

  // MARK: - Proposals

  private func evidence(_ proposal: SchemaProposal) {
    for found in proposal.evidence {
      print(found.className, found.propertyName, found.absentCount, found.samples)
    }
    #expect(proposal.evidence.contains { $0.propertyName == "zip" && $0.absentCount == 0 })
  }

  private func typeCount(_ proposal: SchemaProposal) {
    let zip = proposal.evidence.first { $0.propertyName == "zip" }
    for found in zip?.counts ?? [] { print("\(found.count) of type \(found.type)") }
    #expect(Set(zip?.counts.map(\.type) ?? []) == ["int", "string"])
    #expect(zip?.counts.map(\.count) == [1, 1])
  }

  private func conflict(_ proposal: SchemaProposal) {
    for conflict in proposal.conflicts where conflict.isResolved {
      print("\(conflict.path ?? "") becomes mixed: \(conflict.message)")
    }
    #expect(proposal.conflicts.map(\.path) == ["Person.zip"])
  }
}
